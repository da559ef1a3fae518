"""How often each hand is met and how it is settled, when a plan is followed from given starting hands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from twentyone.odds.family import Family
from twentyone.odds.kernels import follow
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.player import Plan, Stand

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
    follow(
        stand.listed, stand.hands.after, stand.left, stand.dealer, pays.played, pays.over, pays.rescue, pays.surrender,
        family.may, plan.turn, plan.offer, begun.reach, begun.mass, rest,
    )  # fmt: skip
