"""A round reviewed: values against brute force, luck that is fair, mistakes that add up."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

import pytest
from bench.prove_analyse import at_best, at_random, by_chart, play
from tests.contracts.tiny_worlds import begin, choices

from twentyone.cards import Card, parse_cards
from twentyone.review.choices import Choices
from twentyone.review.model import PlayerReview
from twentyone.review.positions import Position
from twentyone.review.rounds import Reviewer, full_shoe
from twentyone.review.session import session_of
from twentyone.round import Offer, Over, Round
from twentyone.rulebook import Rulebook
from twentyone.script import replay
from twentyone.strategy import default_strategy


@lru_cache(maxsize=2)
def reviewer(book: str) -> Reviewer:
    """The last two alone: one that has seen many shoes holds half a gigabyte."""
    return Reviewer(Rulebook.load(book).under())


def reviewed(book: str, cards: str, *actions: str) -> PlayerReview:
    script = {
        "format": "round-script/1",
        "rulebook": book,
        "wagers": [{"box": 1, "player": "Ann", "main": "10"}],
        "cards": cards,
        "decisions": [{"box": 1, "action": action} for action in actions],
    }
    round_ = replay(script).round
    assert round_ is not None
    return reviewer(book).review(round_).players[0]


# -- brute force beside the kernels

TINY = {
    "classic-blackjack": ("2S 4H 5D 6C 7S 8H 9D KC QS", "6C 7S 9D"),
    "pa-spanish-21": ("2S 4H 5D 6C 7S 8H 9D KC QS", "5D 9D 6C"),
    "s13-spanish-21": ("2S 4H 5D 6C 7S 8H 9D KC QS", "7S 8H KC"),
    "pa-double-back-jack": ("2S 4H 5D 6C 7S 8H 9D KC QS", "8H 6C 9D"),
    "pa-down-under-blackjack": ("2S 4H 5D 6C 7S 8H 9D KC QS", "5D 9D 8H"),
}


@pytest.mark.parametrize("book", TINY)
def test_every_order_of_a_tiny_shoe_gives_the_values_of_a_review(book: str) -> None:
    """First card, up card, second card; the hole card is any card left."""
    names, first = TINY[book]
    shoe = Counter(parse_cards(names))
    rules = reviewer(book).rules
    start = Round.start(rules, [{"box": 1, "player": "Ann", "main": "10"}])
    one, two, up = parse_cards(first)
    worlds = begin(start, shoe, (one, up, two))
    round_ = worlds[0].round
    assert isinstance(round_.next, Offer)
    position = Position(reviewer(book).shoes, {card: shoe[card] for card in full_shoe(rules)}, round_.state.copy())
    ours = Choices(position, "Ann", 1, 1).of(round_.next).values
    brute = choices(worlds, "Ann")
    assert ours.keys() == brute.keys()
    for name, value in brute.items():
        assert ours[name] == pytest.approx(value, abs=1e-11), name


# -- luck


@pytest.mark.parametrize(("book", "deal"), [("pa-spanish-21", "6S 7H 7S 5D"), ("classic-blackjack", "10S 7H 2C 5D")])
def test_the_luck_of_a_drawn_card_is_nothing_on_average(book: str, deal: str) -> None:
    """The hole card is dealt before it, but not seen: every card that was not seen is as likely to come."""
    left = full_shoe(reviewer(book).rules)
    for card in parse_cards(deal)[:3]:
        left[card] -= 1
    whole = sum(left.values())
    assert sum(many / whole * luck_of(book, deal, card) for card, many in left.items()) == pytest.approx(0, abs=1e-9)


def luck_of(book: str, deal: str, card: Card) -> float:
    """The luck of the card that a hit brings."""
    round_ = Round.start(reviewer(book).rules, [{"box": 1, "player": "Ann", "main": "10"}])
    for dealt in parse_cards(deal):
        round_ = round_.apply(dealt)
    round_ = round_.apply("hit").apply(card)
    while not isinstance(round_.next, Over):
        round_ = round_.apply("stand" if isinstance(round_.next, Offer) else Card("KS"))
    return next(luck.dollars for luck in reviewer(book).review(round_).players[0].luck if luck.what == "card")


def test_the_value_of_the_deal_is_the_mean_over_all_first_cards() -> None:
    """Three ways down from the value before the deal: by the first card, by the up card, by both."""
    review = reviewer("pa-spanish-21")
    shoe = full_shoe(review.rules)
    deals, wager = review.deal_values(shoe), (reviewed("pa-spanish-21", "8S 7H 9C KD 4D", "hit")).wagered
    whole, number = deals.value(wager, (), None), sum(shoe.values())
    firsts = sum(many / number * deals.value(wager, (card,), None) for card, many in shoe.items())
    ups = sum(many / number * deals.value(wager, (), card) for card, many in shoe.items())
    assert firsts == pytest.approx(whole, abs=1e-12)
    assert ups == pytest.approx(whole, abs=1e-12)


def test_the_value_of_the_deal_is_the_edge_of_the_game() -> None:
    from tests.analyses import best

    review = reviewed("classic-blackjack", "10S 7H 9C KD", "stand")
    assert review.deal == pytest.approx(-10 * best("classic-blackjack").figures.house_edge, abs=1e-12)


# -- a round adds up


@pytest.mark.parametrize("book", ["classic-blackjack", "pa-spanish-21", "pa-down-under-blackjack"])
def test_deal_and_luck_less_mistakes_is_the_net(book: str) -> None:
    """Random play, doubles and insurance for less among it, at three boxes."""
    for number in range(4):
        round_ = play(reviewer(book).rules, f"{book}/{number}", at_random(f"{number}"), boxes=3)
        for player in reviewer(book).review(round_).players:
            assert abs(player.gap) < 1e-9
            assert player.net == round_.net[player.player]


def test_a_wrong_payment_does_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a last value that pays a tenth more than the round."""
    right = Position._net
    monkeypatch.setattr(Position, "_net", lambda *arguments: 1.1 * right(*arguments))
    assert abs(reviewed("classic-blackjack", "10S 7H 9C KD", "stand").gap) > 0.5


def test_who_plays_the_best_makes_no_mistake_and_who_does_not_makes_one() -> None:
    review = reviewer("classic-blackjack")
    rounds = [play(review.rules, f"best/{number}", at_best(review)) for number in range(10)]
    session = session_of(review.review(round_) for round_ in rounds)
    assert session.players["P1"].mistakes == 0.0
    stood = reviewed("classic-blackjack", "2S 7H 3C KD 10D", "stand")
    assert stood.mistakes > 1.0
    assert stood.decisions[0].best == "hit"


def test_a_chart_costs_what_its_departures_cost() -> None:
    """10-2 against 4: the chart stands, and so does the optimum; 10-3 of a depleted shoe may not."""
    rules = Rulebook.load("classic-blackjack").under()
    policy = by_chart(default_strategy(rules))
    round_ = play(rules, "chart/3", policy)
    assert reviewer("classic-blackjack").review(round_).players[0].mistakes < 0.05


@pytest.mark.parametrize("given", [{}, {"surrender": "early"}, {"split_pairs": "rank"}])
def test_the_deal_and_the_position_after_it_are_one_value(given: dict[str, Any]) -> None:
    """Two methods: the whole game worked out before the round, and the position when all first cards lie there."""
    review = Reviewer(Rulebook.load("classic-blackjack").under(given)) if given else reviewer("classic-blackjack")
    for number in range(12):
        (player,) = review.review(play(review.rules, f"one/{number}", at_random(f"{number}"))).players
        assert not [luck for luck in player.luck if luck.what == "other boxes"]
