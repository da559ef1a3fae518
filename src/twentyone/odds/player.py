"""The player's side: the value of every decision on every hand, from the largest hands down, and how often each is met.

All values are joint: the expected net result times the chance of the condition (up card, hole card, no Blackjack) under
which it is decided, with the hand's own cards out of the shoe. So conditions need no separate treatment: what the
dealer's and the player's further cards know of each other is in the plain chances of drawing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from twentyone.odds.compositions import Compositions
from twentyone.odds.kernels import value
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.tables import Pays

__all__ = ["HandsAndShoe", "Plan", "Solution", "solve"]


@dataclass(frozen=True)
class HandsAndShoe:
    """Hands, the cards left beside each of them, and the dealer's chances from those cards."""

    hands: Compositions
    """All hands."""
    listed: IntArray
    """The hands that are asked for here, fewest cards first."""
    left: FloatArray
    """[hands, classes]: the chance that the next card is of a class."""
    dealer: FloatArray
    """[hands, conditions, columns]: what the dealer ends with, a Blackjack that was read left out."""


@dataclass(frozen=True)
class Plan:
    """What is decided on each hand."""

    turn: NDArray[np.int8]
    """[hands, conditions]: one of `DECISIONS`, by its place."""
    offer: NDArray[np.int8]
    """[2, hands, conditions]: 1: a second chance is taken ([0], doubled: [1]), or a doubled hand rescued ([1])."""

    @classmethod
    def blank(cls, hands: int, conditions: int) -> Plan:
        """Standing on everything and taking nothing."""
        return cls(np.zeros((hands, conditions), dtype=np.int8), np.zeros((2, hands, conditions), dtype=np.int8))


@dataclass(frozen=True)
class Solution:
    """Values, joint with their condition."""

    values: FloatArray
    """[hands, conditions, 4]: stand, hit, double, surrender."""
    best: FloatArray
    """[2, hands, conditions]: of the decision taken; [1]: of the hand after a double."""
    plan: Plan
    """The decisions taken."""


def solve(
    held: HandsAndShoe,
    rows: FloatArray,
    pays: Pays,
    may: IntArray,
    plan: Plan | None = None,
    chances: FloatArray | None = None,
) -> Solution:
    """The best decisions and their values, or the values of a given plan.

    `chances` is [2, hands, conditions]: what a second chance is worth on a busted hand, undoubled and doubled.
    """
    hands, conditions, _ = held.dealer.shape
    zero = rows[0, 0] * 0
    values = np.full((hands, conditions, 4), zero)
    best = np.full((2, hands, conditions), zero)
    given = plan is not None
    made = plan if plan is not None else Plan.blank(hands, conditions)
    if chances is None:
        chances = np.full((2, 1, 1), zero)
    rest = np.full(rows.shape[1], zero)
    value(
        held.listed[::-1].copy(), held.hands.after, held.left, held.dealer, rows, pays.played, pays.over,
        pays.rescue, pays.surrender, may, chances, given, made.turn, made.offer, values, best, rest,
    )  # fmt: skip
    return Solution(values, best, made)
