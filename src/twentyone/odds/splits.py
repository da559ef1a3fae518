"""Splitting pairs: what all hands of a box are worth together, from the value of one of them.

By linearity the value of a split is the sum of the values of its hands. A hand is played by its own cards alone, so the
cards of the other hands only matter through the number of pair cards among their second cards, and that is taken
out of the shoe exactly: `E[hand; m others got no pair card]` is an alternating sum over shoes with further pair cards
removed. Exact for every plan that looks at the hand's own cards; resplit always or never.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import comb
from typing import Any, NamedTuple, TypeVar

__all__ = ["BoxWeights", "Weights", "all_pairs", "box_weights", "endings", "split_weights"]

Which = TypeVar("Which", bool, int)
"""Which hand of a box."""


class Weights(NamedTuple):
    """How much the value of one hand counts, by how many further pair cards are out of the shoe."""

    parted: Mapping[tuple[bool, int], Any]
    """(the hand with the original wager, pair cards out) to the weight of a hand whose second card is no pair card."""
    free: Mapping[tuple[bool, int], Any]
    """... of a hand whose second card may be any and which may not be split again."""
    hands: Any
    """The expected number of hands."""


class BoxWeights(NamedTuple):
    """The same for each hand by itself: those that wait by their place, those that come of further splits together."""

    parted: Mapping[tuple[int, int], Any]
    """(place of the hand, pair cards out); the first place after those that wait stands for all later hands."""
    free: Mapping[tuple[int, int], Any]
    """... of a hand whose second card may be any and which may not be split again."""


def split_weights(most: int, pair_cards: Any, cards: Any, waiting: int = 2) -> Weights:
    """The weights when every pair that may be split is; `pair_cards` of all `cards` are left after the first two.

    `waiting`: how many hands wait for their second card.
    """
    parted: dict[tuple[bool, int], Any] = {}
    free: dict[tuple[bool, int], Any] = {}
    hands = cards * 0
    for (drawn, done, pending), ways in endings(most, waiting).items():
        for original in (True, False):
            first_is_done = done > 0
            of_done = (1 if first_is_done else 0) if original else done - (1 if first_is_done else 0)
            of_free = (0 if first_is_done else 1) if original else pending - (0 if first_is_done else 1)
            _spread(parted, original, drawn, done - 1, ways * of_done, pair_cards, cards)
            _spread(free, original, drawn, done, ways * of_free, pair_cards, cards)
        hands += (done + pending) * ways * _sum(drawn, done, pair_cards, cards)
    return Weights(parted, free, hands)


def box_weights(most: int, pair_cards: Any, cards: Any, waiting: int) -> BoxWeights:
    """The weights of each hand when every pair that may be split is; a further hand is played after the one it left."""
    parted: dict[tuple[int, int], Any] = {}
    free: dict[tuple[int, int], Any] = {}
    for (drawn, done, pending, first), ways in _ordered_endings(most, waiting).items():
        for place in range(waiting + 1):
            of_done, of_free = int(place < first), int(place >= first)
            if place == waiting:
                of_done, of_free = done - first, pending - (waiting - first)
            _spread(parted, place, drawn, done - 1, ways * of_done, pair_cards, cards)
            _spread(free, place, drawn, done, ways * of_free, pair_cards, cards)
    return BoxWeights(parted, free)


def _spread(
    into: dict[tuple[Which, int], Any], which: Which, drawn: int, others: int, times: int, pair_cards: Any, cards: Any
) -> None:
    """Add the alternating sum over how many of the `others` would have been pair cards."""
    if times:
        for more in range(others + 1):
            weight = times * (-1) ** more * comb(others, more) * all_pairs(drawn + more, pair_cards, cards)
            key = which, drawn + more
            into[key] = into.get(key, cards * 0) + weight


def _sum(drawn: int, others: int, pair_cards: Any, cards: Any) -> Any:
    terms = [
        (-1) ** more * comb(others, more) * all_pairs(drawn + more, pair_cards, cards) for more in range(others + 1)
    ]
    return sum(terms, cards * 0)


def all_pairs(drawn: int, pair_cards: Any, cards: Any) -> Any:
    """The chance that this many given cards are all pair cards."""
    chance = cards * 0 + 1
    for many in range(drawn):
        chance = chance * (pair_cards - many) / (cards - many)
    return chance


@cache
def endings(most: int, waiting: int = 2) -> dict[tuple[int, int, int], int]:
    """(pair cards drawn, hands parted from a pair, hands left free at the most) to the number of orders that end so."""
    endings: dict[tuple[int, int, int], int] = {}
    states = {(0, 0, waiting): 1}
    while states:
        following: dict[tuple[int, int, int], int] = {}
        for (drawn, done, pending), ways in states.items():
            if pending == 0 or done + pending == most:
                endings[drawn, done, pending] = endings.get((drawn, done, pending), 0) + ways
                continue
            for state in ((drawn + 1, done, pending + 1), (drawn, done + 1, pending - 1)):
                following[state] = following.get(state, 0) + ways
        states = following
    return endings


@cache
def _ordered_endings(most: int, waiting: int) -> dict[tuple[int, int, int, int], int]:
    """The same, and by how many of the hands that waited are parted from a pair."""
    endings: dict[tuple[int, int, int, int], int] = {}
    states = {(0, 0, waiting, 0, 0, 1): 1}
    while states:
        following: dict[tuple[int, int, int, int, int, int], int] = {}
        for (drawn, done, pending, first, later, waited), ways in states.items():
            if pending == 0 or done + pending == most:
                ended = drawn, done, pending, first
                endings[ended] = endings.get(ended, 0) + ways
                continue
            parted = drawn, done + 1, pending - 1, first + waited, max(later - 1, 0), int(later == 0)
            for state in (parted, (drawn + 1, done, pending + 1, first, later + 1, waited)):
                following[state] = following.get(state, 0) + ways
        states = following
    return endings
