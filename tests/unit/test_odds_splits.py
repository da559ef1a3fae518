"""Splits: the weights of hands, and the method against the slow exact one that uses every card of the box."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from twentyone.odds.core import Core
from twentyone.odds.exact import exact_split
from twentyone.odds.splits import split_weights
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rulebook


def core_of(submission: dict[str, Any], shoe: list[int] | None = None) -> Core:
    """A classic game, mostly with a small shoe."""
    rules = Rulebook.load("classic-blackjack").under(submission)
    return Core(Tables(rules, shoe=None if shoe is None else np.array(shoe)))


def hands_by_drawing(most: int, pair_cards: int, cards: int) -> Fraction:
    """The expected number of hands, second card by second card."""

    def pending(many: int, hands: int, left: int, whole: int) -> Fraction:
        if not many or hands == most:
            return Fraction(hands)
        pair = Fraction(left, whole)
        again = pending(many + 1, hands + 1, left - 1, whole - 1) if left else Fraction(0)
        return pair * again + (1 - pair) * pending(many - 1, hands, left, whole - 1)

    return pending(2, 2, pair_cards, cards)


@pytest.mark.parametrize("most", [2, 3, 4, 6])
@pytest.mark.parametrize(("pair_cards", "cards"), [(2, 49), (22, 310), (94, 310)])
def test_the_expected_number_of_hands(most: int, pair_cards: int, cards: int) -> None:
    """The alternating sums give what drawing second cards one by one gives."""
    weights = split_weights(most, Fraction(pair_cards), Fraction(cards))
    assert weights.hands == hands_by_drawing(most, pair_cards, cards)


@pytest.mark.parametrize("most", [2, 3, 4])
def test_one_hand_carries_the_original_wager(most: int) -> None:
    """A value of 1 for each hand: the original wager's hand counts once, all hands count their number."""
    pairs, cards = Fraction(22), Fraction(310)
    weights = split_weights(most, pairs, cards)
    part = {out: 1 - (pairs - out) / (cards - out) for out in range(2 * most)}
    own = sum(w * part[out] for (original, out), w in weights.parted.items() if original)
    own += sum(w for (original, _), w in weights.free.items() if original)
    whole = sum(w * part[out] for (_, out), w in weights.parted.items()) + sum(weights.free.values())
    assert own == 1
    assert whole == weights.hands


# -- against every card of the box


@pytest.mark.parametrize(
    ("submission", "shoe", "pair", "up"),
    [
        ({"max_split_hands": 2}, [0, 0, 0, 0, 4, 4, 0, 0, 0, 8], 5, 9),
        ({"max_split_hands": 3}, [0, 0, 0, 0, 0, 5, 0, 4, 0, 9], 7, 5),
        ({"max_split_hands": 4, "hole_card": "none"}, [4, 0, 0, 0, 0, 4, 0, 0, 0, 10], 0, 9),
    ],
)
def test_never_above_the_exact_value(submission: dict[str, Any], shoe: list[int], pair: int, up: int) -> None:
    """Playing each hand by its own cards is never better than using all cards, and in a tiny shoe not much worse."""
    core = core_of(submission, shoe)
    found, most = core.split(pair).value[up], exact_split(core, pair, up)
    assert found <= most + 1e-12
    assert most - found < 0.02


@pytest.mark.parametrize(("decks", "up", "bound"), [(1, 8, 1e-3), (2, 8, 5e-4), (1, 6, 1e-3)])
def test_the_error_on_one_and_two_short_decks(decks: int, up: int, bound: float) -> None:
    """Tens in decks of sevens to aces: what the cards of the other hand are worth. Full decks: docs/odds-method.md."""
    core = core_of({"max_split_hands": 2}, [4 * decks, 0, 0, 0, 0, 0, 4 * decks, 4 * decks, 4 * decks, 16 * decks])
    chance = core.first[()].held.dealer[core.groups[()].find(2 * np.eye(10, dtype=np.int64)[9]), up].sum()
    gap = (exact_split(core, 9, up) - core.split(9).value[up]) / chance
    assert -1e-12 <= gap < bound


def test_a_pair_card_left_in_the_shoe_is_caught() -> None:
    """Weights that forget the other hands' pair cards do not give the exact value of always splitting."""
    right = split_weights(4, Fraction(2), Fraction(12))
    wrong = split_weights(4, Fraction(3), Fraction(12))
    assert right.hands != wrong.hands
