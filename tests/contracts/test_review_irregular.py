"""Rounds in which something goes wrong, and shared boxes, reviewed: every choice exact, every round adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
from tests.contracts.shift_driver import Felt
from tests.contracts.test_review import TINY, reviewer
from tests.contracts.tiny_worlds import World, after, begin, choices, happened
from tests.daily import daily_books
from tests.property.simulate import play_random

from twentyone.cards import Card, parse_cards
from twentyone.money import ZERO, Amount
from twentyone.review import trace
from twentyone.review.choices import Choices
from twentyone.review.model import RoundReview
from twentyone.review.positions import Position
from twentyone.review.rounds import Reviewer, Reviewers
from twentyone.review.seen import full_shoe
from twentyone.review.trace import IRREGULAR
from twentyone.round import Decision, Happened, Offer, Round
from twentyone.round.commands import Corrected
from twentyone.round.correcting import corrected
from twentyone.rulebook import Rulebook
from twentyone.service.shift.people import ShiftPeople
from twentyone.table import TableEvent, TableState

ANN = [{"box": 1, "player": "Ann", "main": "10"}]
ROUNDS = 8
"""Rounds of a shift."""


# -- brute force beside the kernels


def tiny(game: Reviewer, names: str, first: str, wagers: list[dict[str, Any]] = ANN) -> list[World]:
    """First card, up card, second card; the hole card is any card left."""
    one, two, up = parse_cards(first)
    return begin(Round.start(game.rules, wagers), Counter(parse_cards(names)), (one, up, two))


def taken(worlds: list[World], action: str) -> list[World]:
    return [world._replace(round=world.round.apply(Decision(action))) for world in worlds]


def valued(game: Reviewer, worlds: list[World], names: str, player: str) -> dict[str, float]:
    round_, shoe = worlds[0].round, Counter(parse_cards(names))
    assert isinstance(round_.next, Offer)
    position = Position(game.shoes, {card: shoe[card] for card in full_shoe(game.rules)}, round_.state.copy())
    ref = round_.next.options[0]
    return Choices(position, player, ref.box, ref.hand or 1).of(round_.next).values


def alike(game: Reviewer, worlds: list[World], names: str, player: str = "Ann") -> set[str]:
    """The choices of a review, each with the value of brute force: their differences are those of brute force."""
    ours, brute = valued(game, worlds, names, player), choices(worlds, player)
    assert ours.keys() == brute.keys()
    rest = next(iter(ours.values())) - brute[next(iter(ours))]
    for name, value in brute.items():
        assert ours[name] - rest == pytest.approx(value, abs=1e-11), name
    return set(ours)


@pytest.mark.parametrize("book", TINY)
def test_an_exposed_card_is_valued_where_it_goes(book: str) -> None:
    """To the hand, or to the dealer where nobody takes it."""
    names, first = TINY[book]
    exposed = Happened("card_drawn_in_error", card=Card("QS"), exposed=True)
    worlds = happened(tiny(reviewer(book), names, first), exposed)
    assert "refuse" in alike(reviewer(book), worlds, names)


def test_a_card_that_was_missed_is_taken_late_or_the_hand_is_dead() -> None:
    names, first = TINY["classic-blackjack"]
    worlds = taken(tiny(reviewer("classic-blackjack"), names, first), "hit")
    worlds = happened(worlds, Happened("requested_card_missed"))
    assert alike(reviewer("classic-blackjack"), worlds, names) == {"late_card", "call_dead"}


@pytest.mark.parametrize("book", ["pa-spanish-21", "pa-double-back-jack"])
def test_a_double_for_less_is_not_rescued_once_it_went_over(book: str) -> None:
    names, first = TINY[book]
    game, worlds = reviewer(book), tiny(reviewer(book), names, first)
    offer, said = worlds[0].round.next, Decision("double", 1, "Ann", Amount("4"))
    assert isinstance(offer, Offer)
    shoe = Counter(parse_cards(names))
    position = Position(game.shoes, {card: shoe[card] for card in full_shoe(game.rules)}, worlds[0].round.state.copy())
    made = Choices(position, "Ann", 1, 1).of(offer).review(offer, said)
    assert made is not None
    brute = after(worlds, said, "Ann") / sum(world.chance for world in worlds)
    assert made.values["double 4"] == pytest.approx(brute / 10, abs=1e-11)


@cache
def shared() -> Reviewer:
    return Reviewer(Rulebook.load("s13-spanish-21").under({"players_per_box": 3}))


@pytest.fixture(autouse=True, scope="module")
def _forgotten() -> Iterator[None]:
    """Reviewers that have seen many shoes are large: none outlives these tests."""
    yield
    reviewer.cache_clear()
    shared.cache_clear()


def test_a_follower_doubles_or_not() -> None:
    names, _ = TINY["s13-spanish-21"]
    worlds = taken(tiny(shared(), names, "5D 6C 7S", [*ANN, {"box": 1, "player": "Bo", "main": "20"}]), "double")
    assert alike(shared(), worlds, names, "Bo") == {"double", "decline"}


def test_a_blackjack_that_may_be_given_up_is_valued_so() -> None:
    reading = {"readings": {"s13-blackjack-surrender": "allowed"}}
    game = Reviewer(Rulebook.load("s13-spanish-21").under(reading))
    round_ = Round.start(game.rules, ANN)
    for said in ("AS", "6H", "KD", "9C", "surrender"):
        round_ = round_.apply(said)
    (ann,) = game.review(round_).players
    assert ann.decisions[0].values == pytest.approx({"stand": 1.5, "surrender": -0.5})
    assert ann.mistakes == pytest.approx(20)
    assert abs(ann.gap) < 1e-9


# -- everything adds up


def check(review: RoundReview, round_: Round) -> None:
    assert not review.left_out
    assert {player.player for player in review.players} == set(round_.net)
    for player in review.players:
        assert abs(player.gap) < 1e-9
        assert player.net == round_.net[player.player]


@pytest.mark.parametrize("book", daily_books("md-spanish-21", "pa-double-back-jack"))
def test_every_round_of_a_shift_with_irregularities_is_analysed(book: str) -> None:
    """Automatic people at a table, something wrong at one step in twenty."""
    over: dict[int, Round] = {}

    def watch(state: TableState, event: TableEvent) -> None:
        if state.round is not None and state.round.over:
            over[state.rounds] = state.round

    rules, reviewers = reviewer(book).rules, Reviewers()
    Felt(rules, ShiftPeople(rules, "reviewed", Fraction(1, 20), ROUNDS), 7, watch).work()
    assert len(over) == ROUNDS
    for round_ in over.values():
        check((reviewer(book) if round_.rules is rules else reviewers.of(round_.rules)).review(round_), round_)
    assert any(isinstance(event, IRREGULAR) for round_ in over.values() for event in round_.events)


def test_players_who_share_a_box_are_each_reviewed() -> None:
    """Random callers and followers, and whatever can go wrong: all of it happens in these rounds."""
    told: Counter[str] = Counter()
    for number in range(20):
        played = play_random(shared().rules, Random(f"x/{number}"), 0.1)
        review = shared().review(played.round)
        check(review, played.round)
        told.update(played.fired)
        told.update(luck.what for player in review.players for luck in player.luck)
        told.update(made.offer for player in review.players for made in player.decisions)
    wanted = {"caller", "irregularity", "double", "split", "late_card", "reader_failed", "more_face_up"}
    assert wanted <= {name for name, many in told.items() if many}


def void() -> Round:
    round_ = Round.start(reviewer("pa-spanish-21").rules, ANN)
    for card in parse_cards("8S 7H 9C KD 10S 10H"):
        round_ = round_.apply("hit") if isinstance(round_.next, Offer) else round_
        round_ = round_.apply(card)
    assert round_.state.void
    return round_


def test_a_void_round_comes_to_nothing() -> None:
    """Two cards that are not of the game: every wager goes back, whatever it was worth."""
    round_ = void()
    review = reviewer("pa-spanish-21").review(round_)
    check(review, round_)
    (ann,) = review.players
    assert ann.net == ZERO
    assert ann.luck[-1].what == "irregularity"
    assert ann.decisions[0].chosen == "hit"


def test_a_corrected_entry_is_reviewed_as_it_was_corrected() -> None:
    round_ = Round.start(reviewer("pa-spanish-21").rules, ANN)
    for card in parse_cards("8S 7H 9C KD"):
        round_ = round_.apply(card)
    right = corrected(round_, Corrected("9C", "2C", "misread"), "cite").apply("hit").apply("JS").apply("stand")
    review = reviewer("pa-spanish-21").review(right)
    check(review, right)
    assert review.players[0].decisions[0].cards == ("8S", "2C")
    assert review.players[0].decisions[0].best == "double"


def test_a_void_round_that_goes_unnoticed_does_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: what goes wrong is not looked at."""
    monkeypatch.setattr(trace, "IRREGULAR", ())
    assert abs(reviewer("pa-spanish-21").review(void()).players[0].gap) > 0.1
