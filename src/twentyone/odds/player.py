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
from twentyone.odds.kernels import follow, together, value
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
    """[hands, conditions]: the number of one of `DECISIONS`."""
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
    hands, conditions, columns = held.dealer.shape
    zero = rows[0, 0] * 0
    values = np.full((hands, conditions, 4), zero)
    best = np.full((2, hands, conditions), zero)
    given = plan is not None
    made = plan if plan is not None else Plan.blank(hands, conditions)
    if chances is None:
        chances = np.full((2, 1, 1), zero)
    rest, drawn = np.full(conditions * columns, zero), np.full((2, conditions), zero)
    value(
        held.listed[::-1].copy(), held.hands.after, held.left, held.dealer, rows, pays.played, pays.over,
        pays.rescue, pays.surrender, may, chances, given, made.turn, made.offer, values, best, rest, drawn,
    )  # fmt: skip
    return Solution(values, best, made)


@dataclass(frozen=True)
class ReachProbabilities:
    """How often each hand is reached and how it is settled, when a plan is followed from given starting hands."""

    states: FloatArray
    """[states, conditions]: the chance of each hand of two cards."""
    reach: FloatArray
    """[2, hands, conditions]: the chance to hold a hand of more cards, [1]: after a double."""
    mass: FloatArray
    """[rows, conditions, columns]: the chance to be settled by a row against a column, joint with the condition."""

    def joint(self, held: HandsAndShoe, states: IntArray) -> ReachProbabilities:
        """The same with the chances to hold a hand joint with the condition too."""
        chance = np.empty(held.dealer.shape[:2], dtype=held.dealer.dtype)
        together(held.dealer, chance)
        return ReachProbabilities(self.states * chance[states], self.reach * chance, self.mass)

    def plus(self, other: ReachProbabilities) -> ReachProbabilities:
        """Both together."""
        return ReachProbabilities(self.states + other.states, self.reach + other.reach, self.mass + other.mass)

    def times(self, weight: FloatArray) -> ReachProbabilities:
        """All of them times a weight by condition."""
        return ReachProbabilities(self.states * weight, self.reach * weight, self.mass * weight[:, None])


def follow_plan(held: HandsAndShoe, pays: Pays, may: IntArray, plan: Plan, begun: ReachProbabilities) -> None:
    """Follow a plan from what is reached and settled so far; `begun` is updated in place."""
    rest = np.full(held.dealer.shape[2], held.dealer[0, 0, 0] * 0)
    follow(
        held.listed, held.hands.after, held.left, held.dealer, pays.played, pays.over, pays.rescue, pays.surrender,
        may, plan.turn, plan.offer, begun.reach, begun.mass, rest,
    )  # fmt: skip
