"""How often each hand is met and how it is settled, when a plan is followed from given starting hands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from twentyone.odds.hand_group import HandGroup
from twentyone.odds.kernels import follow
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.player import HandsAndShoe, Plan

__all__ = ["ReachProbabilities", "follow_plan"]


@dataclass(frozen=True)
class ReachProbabilities:
    """The course of hands under a plan."""

    states: FloatArray
    """[states, conditions]: the chance of each hand of two cards."""
    reach: FloatArray
    """[2, hands, conditions]: the chance to hold a hand of more cards, [1]: after a double."""
    mass: FloatArray
    """[rows, conditions, columns]: the chance to be settled by a row against a column, joint with the condition."""

    def joint(self, held: HandsAndShoe, states: IntArray) -> ReachProbabilities:
        """The same with the chances to hold a hand joint with the condition too."""
        chance = held.dealer.sum(axis=2)
        return ReachProbabilities(self.states * chance[states], self.reach * chance, self.mass)

    def plus(self, other: ReachProbabilities) -> ReachProbabilities:
        """Both together."""
        return ReachProbabilities(self.states + other.states, self.reach + other.reach, self.mass + other.mass)

    def times(self, weight: FloatArray) -> ReachProbabilities:
        """So often, by condition."""
        return ReachProbabilities(self.states * weight, self.reach * weight, self.mass * weight[:, None])


def follow_plan(held: HandsAndShoe, group: HandGroup, plan: Plan, begun: ReachProbabilities) -> None:
    """Follow a plan on from what is reached and settled so far; both are carried on in place."""
    pays = group.pays
    rest = np.full(held.dealer.shape[2], held.dealer[0, 0, 0] * 0)
    follow(
        held.listed, held.hands.after, held.left, held.dealer, pays.played, pays.over, pays.rescue, pays.surrender,
        group.may, plan.turn, plan.offer, begun.reach, begun.mass, rest,
    )  # fmt: skip
