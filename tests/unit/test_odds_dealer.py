"""The dealer's final hand: two methods, total probability, and conditions on the hole card."""

from __future__ import annotations

import numpy as np
import pytest

from twentyone.odds.classes import Classes
from twentyone.odds.core import Core
from twentyone.odds.dealer import Walk, by_recursion, distributions, finals_of
from twentyone.odds.dealer_cache import SLOTS, DealerOddsCache
from twentyone.odds.figures import dealers_of
from twentyone.odds.model import Condition
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rulebook

#              A  2  3  4  5  6  7  8  9  10
SMALL_SHOE = (3, 1, 2, 1, 2, 2, 2, 2, 2, 6)


def by_multisets(book: str, shoe: tuple[int, ...]) -> tuple[Tables, np.ndarray]:
    """The distribution by multisets, every kind of final hand by itself."""
    tables = Tables(Rulebook.load(book).under({}), shoe=np.array(shoe))
    walk = Walk.of(tables.finals, list(range(len(tables.finals.kinds))), shoe)
    return tables, distributions(walk, np.array([shoe], dtype=float))[0]


@pytest.mark.parametrize("book", ["classic-blackjack", "pa-down-under-blackjack"])
def test_two_methods(book: str) -> None:
    """By multisets and card by card, for each condition and each final hand: the ace to 22 and ranges too."""
    tables, found = by_multisets(book, SMALL_SHOE)
    told = tables.told()
    plain = by_recursion(tables.rules, tables.classes, told, SMALL_SHOE)
    assert sum(plain.values()) == pytest.approx(1, abs=1e-12)
    for k, condition in enumerate(tables.conditions):
        for t, kind in enumerate(tables.finals.kinds):
            assert found[k, t] == pytest.approx(plain.get((condition, kind), 0), abs=1e-12)


def test_a_missing_card_is_caught() -> None:
    """The comparison of the two methods notices one card less in the shoe."""
    tables, found = by_multisets("classic-blackjack", (*SMALL_SHOE[:-1], SMALL_SHOE[-1] - 1))
    plain = by_recursion(tables.rules, tables.classes, tables.told(), SMALL_SHOE)
    assert abs(found[0].sum() - sum(p for (condition, _), p in plain.items() if condition.up == "A")) > 1e-3


def test_many_shoes_at_once() -> None:
    """Shoes are worked side by side without touching one another."""
    rules = Rulebook.load("classic-blackjack").under({})
    classes = Classes.of(rules)
    finals = finals_of(rules, classes, lambda up, _: Condition(classes.names[up]))
    walk = Walk.of(finals, list(range(len(finals.kinds))), classes.shoe.tolist())
    shoes = np.array([classes.shoe - i * np.eye(10, dtype=int)[i % 10] for i in range(11)], dtype=float)
    together = distributions(walk, shoes)
    for i in range(len(shoes)):
        assert together[i] == pytest.approx(distributions(walk, shoes[i : i + 1])[0], abs=1e-15)
    assert together.sum(axis=(1, 2)) == pytest.approx(np.ones(len(shoes)), abs=1e-12)


@pytest.mark.parametrize("book", ["classic-blackjack", "pa-down-under-blackjack"])
def test_final_hands_by_up_card(book: str) -> None:
    """Weighted by how often each up card comes, they are the final hands of all; card by card they are the same."""
    core = Core(Tables(Rulebook.load(book).under({}), shoe=np.array(SMALL_SHOE)))
    found, names = dealers_of(core), core.tables.classes.names
    every, each = found[""], {up: found[up] for up in names}
    for final, chance in every.items():
        mixed = sum(many * each[up][final] for up, many in zip(names, SMALL_SHOE, strict=True)) / sum(SMALL_SHOE)
        assert mixed == pytest.approx(chance, abs=1e-12)
    plain = by_recursion(core.tables.rules, core.tables.classes, lambda up, _: Condition(names[up]), SMALL_SHOE)
    for up, many in zip(names, SMALL_SHOE, strict=True):
        twenty = sum(p for (condition, kind), p in plain.items() if condition.up == up and kind.points == 20)
        assert each[up]["20"] == pytest.approx(twenty * sum(SMALL_SHOE) / many, abs=1e-12)
        assert each[up]["20"] != pytest.approx(every["20"], abs=1e-6)


def test_chances_that_are_looked_up_are_those_of_their_cards() -> None:
    """More sets of cards than the table has room for at first, many asked for several times, in any order."""
    core = Core(Tables(Rulebook.load("classic-blackjack").under({})))
    cache, rng = DealerOddsCache(core.walk, core.tables.shoe, 1.0), np.random.default_rng(7)
    out = rng.integers(0, 3, (3_000, 10))[rng.integers(0, 3_000, 6_000)]
    assert len(np.unique(out, axis=0)) > SLOTS / 2
    chances = [cache.chances(out[first : first + 1_000]) for first in range(0, len(out), 1_000)]
    worked_out = distributions(core.walk, (core.tables.shoe - out).astype(float))
    assert np.abs(np.concatenate(chances) - worked_out).max() < 1e-16
    assert np.abs(np.concatenate(chances[::-1]) - worked_out).max() > 1e-3, "another order is seen"
