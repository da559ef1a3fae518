"""Rulebooks, rules and rounds as values of a program: copied, pickled, printed; a round driven by what it offers."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any

import pytest

from twentyone import Amount, Card, Round, Rulebook, RulebookError, Rules
from twentyone.cards import RANKS, SUITS, card_of, faces_of
from twentyone.errors import Refused
from twentyone.round import Draw, Offer, Option
from twentyone.rulebook import rulebook, rulebook_ids, rules_of

BOOKS = rulebook_ids()


def by_pickle(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


TRIPS: list[Callable[[Any], Any]] = [copy, deepcopy, by_pickle]


def showcase(name: str) -> Rules:
    book = Rulebook.load(name)
    return book.under(book.showcase)


def dealt(rules: Rules, seed: int, steps: int = 60) -> Round:
    """A round in which somebody takes whatever option comes up, as `legal()` lists it."""
    chance = random.Random(seed)
    held = [rank for rank in RANKS if rank not in rules.cards.without]
    now = Round.start(rules, [{"box": box, "player": f"player {box}", "main": "10"} for box in (1, 2)])
    for _ in range(steps):
        if isinstance(now.next, Draw):
            now = now.apply(Card(chance.choice(held) + chance.choice(SUITS)))
        elif isinstance(now.next, Offer):
            answers: list[Option | str] = [*now.legal(), *(["decline"] if now.next.optional else [])]
            now = now.apply(chance.choice(answers))
        else:
            break
    return now


@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize("trip", TRIPS)
def test_books_rules_and_rounds_arrive_as_they_left(name: str, trip: Callable[[Any], Any]) -> None:
    rules = showcase(name)
    for value in (rules.rulebook, rules, rules.rulebook.under(), dealt(rules, 3), dealt(rules, 3, steps=7)):
        there = trip(value)
        assert there == value
        assert hash(there) == hash(value)
        assert repr(there) == repr(value)


@pytest.mark.parametrize("name", BOOKS)
def test_a_round_that_arrived_goes_on_like_the_one_that_left(name: str) -> None:
    for seed in range(5):
        begun = dealt(showcase(name), seed, steps=9)
        if begun.legal():
            assert by_pickle(begun).apply(begun.legal()[0]) == begun.apply(begun.legal()[0])


@pytest.mark.parametrize("name", BOOKS)
def test_what_legal_lists_can_be_applied(name: str) -> None:
    asked = 0
    for seed in range(40):
        for steps in range(6, 14):
            now = dealt(showcase(name), seed, steps)
            asked += len(now.legal())
            assert all(now.apply(option) == now.apply(option.decision()) for option in now.legal())
    assert asked > 100


def test_other_rules_are_not_equal() -> None:
    """Negative control."""
    rules = showcase(BOOKS[0])
    less = rules.with_clauses(rules.clauses[:-1])
    read = copy(rules)
    read.known_as = "earlier"
    assert len({rules, less, read, rules.rulebook.under({"decks": 8})}) == 4
    assert (by_pickle(less), by_pickle(read)) == (less, read)
    assert not rules.known_as


def test_rounds_in_which_other_things_happened_are_not_equal() -> None:
    """Negative control."""
    begun = dealt(showcase(BOOKS[0]), 1, steps=4)
    assert begun.apply("8S") != begun.apply("8H")


def test_a_pickle_of_another_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = pickle.dumps(Rulebook.load(BOOKS[0]))
    monkeypatch.setattr(rulebook, "_written", lambda _: 1)
    with pytest.raises(RulebookError, match="another text"):
        pickle.loads(packed)


def test_a_game_is_named_in_three_ways() -> None:
    name = BOOKS[0]
    book = Rulebook.load(name)
    assert rules_of(name) == rules_of(book) == rules_of(book.under()) == book.under()
    assert rules_of(book.under({"decks": 8}), {"decks": 6}).submission["decks"] == 6
    assert rules_of(book.under({"decks": 8}), {}).submission["decks"] == 8


@pytest.mark.parametrize("text", ["8S", "8s", "8♠", Card("8S")])
def test_a_card_in_all_its_spellings(text: str | Card) -> None:
    assert [str(face) for face in faces_of(text)] == ["8S"]


@pytest.mark.parametrize("text", ["", "S", "1S", "8X", "88S", "unknown", "8 S S"])
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="there is no card"):
        card_of(text)


def test_a_bare_rank_is_no_card_of_a_round() -> None:
    with pytest.raises(Refused, match="a rank and a suit"):
        dealt(showcase(BOOKS[0]), 1, steps=1).apply("8")


@pytest.mark.parametrize("main", [10, "10", "10.00", Amount("10")])
def test_wagers_of_a_round_are_dollars(main: Any) -> None:
    """A bare whole number once was thousandths: a wager of ten was one cent."""
    begun = Round.start(showcase(BOOKS[0]), [{"box": 1, "player": "Ann", "main": main}])
    assert begun.state.hands[1][0].wagers[0].amount == Amount("10")


def test_a_reward_is_dollars_however_it_is_computed() -> None:
    """Whoever learns sums, discounts and averages; each of these once came out a thousand times too large."""
    now = Round.start(showcase("pa-spanish-21"), [{"box": 1, "player": "Ann", "main": 10}])
    for card in ("8S", "7H", "9C", "KD"):
        now = now.apply(card)
    net = now.apply("surrender").net["Ann"]
    assert [float(net), 1.0 * float(net), sum([float(net)], 0.0), float(net / Amount("10"))] == [-5.0, -5.0, -5.0, -0.5]
    with pytest.raises(TypeError, match="no float touches money"):
        0.0 + net  # type: ignore[operator]
