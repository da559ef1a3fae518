"""Totals: what the cards of a hand add up to under given card values. Pure functions, no rules of any game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from twentyone.cards import Card

__all__ = ["AceValues", "Total", "total_of"]


class AceValues(NamedTuple):
    """How an ace counts."""

    high: int
    """Its value while that keeps the hand within `most`."""
    low: int
    """Its value otherwise."""
    most: int
    """The score that counting it high may not exceed."""


class Total(NamedTuple):
    """A total point count and whether an ace in it counts high."""

    points: int
    """The total point count."""
    soft: bool
    """Whether an ace is counted high in it."""


def total_of(cards: Iterable[Card], values: Mapping[str, int], ace: AceValues) -> Total:
    """The total point count of some cards; `values` holds every rank but the ace.

    >>> values = {"6": 6, "5": 5, "K": 10}
    >>> total_of((Card("6S"), Card("AS")), values, AceValues(11, 1, 21))
    Total(points=17, soft=True)
    >>> total_of((Card("6S"), Card("KS"), Card("AS")), values, AceValues(11, 1, 21))
    Total(points=17, soft=False)
    """
    points = aces = 0
    for card in cards:
        if card.rank == "A":
            points += ace.low
            aces += 1
        else:
            points += values[card.rank]
    soft = False
    while aces and points + ace.high - ace.low <= ace.most:
        points += ace.high - ace.low
        aces -= 1
        soft = True
    return Total(points, soft)
