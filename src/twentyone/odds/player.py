"""The player's side: the value of every decision on every hand, from the largest hands down, and how often each is met.

All values are joint: the expected net result times the chance of the condition (up card, hole card, no Blackjack) under
which it is decided, with the hand's own cards out of the shoe. So conditions need no separate treatment: what the
dealer's and the player's further cards know of each other is in the plain chances of drawing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from twentyone.odds.compositions import Compositions
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.tables import CHANCE, DOUBLE, HIT, RESCUE, STAND, SURRENDER, Pays

__all__ = ["Plan", "Solution", "Stand", "solve"]


@dataclass(frozen=True)
class Stand:
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
    stand: Stand,
    rows: FloatArray,
    pays: Pays,
    may: IntArray,
    plan: Plan | None = None,
    chances: FloatArray | None = None,
) -> Solution:
    """The best decisions and their values, or the values of a given plan.

    `chances` is [2, hands, conditions]: what a second chance is worth on a busted hand, undoubled and doubled.
    """
    hands, conditions, _ = stand.dealer.shape
    zero = rows[0, 0] * 0
    values = np.full((hands, conditions, 4), zero)
    best = np.full((2, hands, conditions), zero)
    given = plan is not None
    made = plan if plan is not None else Plan.blank(hands, conditions)
    if chances is None:
        chances = np.full((2, 1, 1), zero)
    rest = np.full(rows.shape[1], zero)
    _solve(
        stand.listed[::-1].copy(), stand.hands.after, stand.left, stand.dealer, rows, pays.played, pays.over,
        pays.rescue, pays.surrender, may, chances, given, made.turn, made.offer, values, best, rest,
    )  # fmt: skip
    return Solution(values, best, made)


@njit(cache=True, error_model="numpy")
def _solve(
    listed: Any, after: Any, left: Any, dealer: Any, rows: Any, played: Any, over: Any, rescue: int, surrender: Any,
    may: Any, chances: Any, given: bool, turn: Any, offer: Any, values: Any, best: Any, rest: Any,
) -> None:  # fmt: skip
    conditions = dealer.shape[1]
    for hand in listed:
        bits = may[hand]
        for k in range(conditions):
            chance = dealer[hand, k]
            once = _dot(chance, rows[played[0, hand]])
            twice = _dot(chance, rows[played[1, hand]])
            values[hand, k, STAND] = once
            if bits >> RESCUE & 1:
                twice = _offered(twice, _dot(chance, rows[rescue]), given, offer[1], hand, k)
            if bits >> CHANCE & 1:
                once = _offered(once, chances[0, hand, k], given, offer[0], hand, k)
            if bits >> (CHANCE + 1) & 1:
                twice = _offered(twice, chances[1, hand, k], given, offer[1], hand, k)
            best[0, hand, k] = once
            best[1, hand, k] = twice
            if bits >> HIT & 1 or bits >> DOUBLE & 1:
                _draw(hand, k, after[hand], left[hand], dealer, rows, over, values, best, rest)
            if bits >> SURRENDER & 1:
                values[hand, k, SURRENDER] = _dot(chance, rows[surrender[k]])
            _choose(values[hand, k], bits, given, turn, best, hand, k)


@njit(cache=True, error_model="numpy")
def _draw(
    hand: int, k: int, after: Any, left: Any, dealer: Any, rows: Any, over: Any, values: Any, best: Any, rest: Any
) -> None:
    """One more card, on the turn and as a double; the chances to go over are what the other cards leave."""
    hit = best[0, hand, k] * 0
    double = hit
    rest[:] = dealer[hand, k]
    for card in range(after.shape[0]):
        target = after[card]
        if target >= 0:
            hit += left[card] * best[0, target, k]
            double += left[card] * best[1, target, k]
            for t in range(rest.shape[0]):
                rest[t] -= left[card] * dealer[target, k, t]
    values[hand, k, HIT] = hit + _dot(rest, rows[over[0]])
    values[hand, k, DOUBLE] = double + _dot(rest, rows[over[1]])


@njit(cache=True, error_model="numpy")
def _choose(values: Any, bits: int, given: bool, turn: Any, best: Any, hand: int, k: int) -> None:
    if not given:
        chosen = STAND
        for decision in range(1, 4):
            if bits >> decision & 1 and values[decision] > values[chosen]:
                chosen = decision
        turn[hand, k] = chosen
    if turn[hand, k] != STAND:
        best[0, hand, k] = values[turn[hand, k]]


@njit(cache=True, error_model="numpy")
def _offered(without: Any, taken: Any, given: bool, offer: Any, hand: int, k: int) -> Any:
    if not given:
        offer[hand, k] = taken > without
    return taken if offer[hand, k] else without


@njit(cache=True, error_model="numpy")
def _dot(a: Any, b: Any) -> Any:
    total = a[0] * b[0]
    for i in range(1, a.shape[0]):
        total += a[i] * b[i]
    return total
