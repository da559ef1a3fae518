"""How often each hand is met and how it is settled, when a plan is followed from given starting hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from twentyone.odds.family import Family
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.player import Plan, Stand
from twentyone.odds.tables import CHANCE, DOUBLE, HIT, RESCUE, SURRENDER

__all__ = ["Flow", "flow"]


@dataclass(frozen=True)
class Flow:
    """The course of hands under a plan."""

    states: FloatArray
    """[states, conditions]: the chance of each hand of two cards."""
    reach: FloatArray
    """[2, hands, conditions]: the chance to hold a hand of more cards, [1]: after a double."""
    mass: FloatArray
    """[rows, conditions, columns]: the chance to be settled by a row against a column, joint with the condition."""

    def joint(self, stand: Stand, states: IntArray) -> Flow:
        """The same with the chances to hold a hand joint with the condition too."""
        chance = stand.dealer.sum(axis=2)
        return Flow(self.states * chance[states], self.reach * chance, self.mass)

    def plus(self, other: Flow) -> Flow:
        """Both together."""
        return Flow(self.states + other.states, self.reach + other.reach, self.mass + other.mass)

    def times(self, weight: FloatArray) -> Flow:
        """So often, by condition."""
        return Flow(self.states * weight, self.reach * weight, self.mass * weight[:, None])


def flow(stand: Stand, family: Family, plan: Plan, begun: Flow) -> None:
    """Follow a plan on from what is reached and settled so far; both are carried on in place."""
    pays = family.pays
    rest = np.full(stand.dealer.shape[2], stand.dealer[0, 0, 0] * 0)
    _flow(
        stand.listed, stand.hands.after, stand.left, stand.dealer, pays.played, pays.over, pays.rescue, pays.surrender,
        family.may, plan.turn, plan.offer, begun.reach, begun.mass, rest,
    )  # fmt: skip


@njit(cache=True, error_model="numpy")
def _flow(
    listed: Any, after: Any, left: Any, dealer: Any, played: Any, over: Any, rescue: int, surrender: Any,
    may: Any, turn: Any, offer: Any, reach: Any, mass: Any, rest: Any,
) -> None:  # fmt: skip
    for hand in listed:
        bits = may[hand]
        for k in range(dealer.shape[1]):
            here, doubled = reach[0, hand, k], reach[1, hand, k]
            if here != 0 and not (bits >> CHANCE & 1 and offer[0, hand, k]):
                decided = turn[hand, k]
                if decided in (HIT, DOUBLE):
                    _draw(hand, k, here, decided == DOUBLE, after[hand], left[hand], dealer, over, reach, mass, rest)
                elif decided == SURRENDER:
                    _settle(mass[surrender[k], k], here, dealer[hand, k])
                else:
                    _settle(mass[played[0, hand], k], here, dealer[hand, k])
            if doubled != 0 and not (bits >> (CHANCE + 1) & 1 and offer[1, hand, k]):
                row = rescue if bits >> RESCUE & 1 and offer[1, hand, k] else played[1, hand]
                _settle(mass[row, k], doubled, dealer[hand, k])


@njit(cache=True, error_model="numpy")
def _draw(
    hand: int, k: int, here: Any, double: bool, after: Any, left: Any, dealer: Any, over: Any, reach: Any, mass: Any,
    rest: Any,
) -> None:  # fmt: skip
    to = 1 if double else 0
    rest[:] = dealer[hand, k]
    for card in range(after.shape[0]):
        target = after[card]
        if target >= 0:
            reach[to, target, k] += here * left[card]
            for t in range(rest.shape[0]):
                rest[t] -= left[card] * dealer[target, k, t]
    _settle(mass[over[to], k], here, rest)


@njit(cache=True, error_model="numpy")
def _settle(cell: Any, here: Any, dealer: Any) -> None:
    for t in range(cell.shape[0]):
        cell[t] += here * dealer[t]
