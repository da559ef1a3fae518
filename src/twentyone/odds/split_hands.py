"""One hand of a split as a signed measure: on which sets of cards it ends, in how many orders, and how it is settled.

Hands over the limit are no sets of their own: what a draw leaves over is the set before it less the sets after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.odds.compositions import keys_of
from twentyone.odds.kernels import CHANCE, DOUBLE, HIT, RESCUE, STAND, SURRENDER, follow
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.phase_values import PhaseValues

__all__ = ["Ends", "SplitHand"]


@dataclass(frozen=True)
class Ends:
    """What becomes of one hand of a split under one condition."""

    sets: IntArray
    """[sets, classes]: sets of cards, the card that was split among them."""
    at: IntArray
    """[ends]: the set of each end."""
    kind: IntArray
    """[ends]: how it is settled, a kind of pay; those whose second card is a pair card are counted after all others."""
    weight: FloatArray
    """[ends]: the number of orders, times the chance of suits; less than zero where a set is taken off again."""


class _Some(NamedTuple):
    """Some ends, as they are found."""

    counts: IntArray
    rows: IntArray
    weights: FloatArray


class SplitHand:
    """The hands that a phase of a split plays, by their own cards."""

    def __init__(self, phase: PhaseValues, kinds: IntArray, count: int) -> None:
        self.phase, self.group = phase, phase.group
        self.kinds, self.count = kinds, count
        """[rows]: the kind of pay of each row; and how many kinds there are."""
        self.parts = [(paired, self._orders(self.group.pairs == bool(paired))) for paired in (0, 1)]

    def _orders(self, wanted: NDArray[np.bool_]) -> tuple[IntArray, FloatArray]:
        """The states that are wanted, and [2, hands, conditions]: in how many orders they come to each hand."""
        phase, group = self.phase, self.group
        conditions = phase.turns.shape[1]
        states = np.flatnonzero(wanted)
        reach = np.zeros((2, len(group.hands), conditions))
        for s in states:
            state = group.states[s]
            after = group.hands.after[state.hand]
            for doubled, turn in ((0, HIT), (1, DOUBLE)):
                drawn = np.flatnonzero(phase.turns[s] == turn)
                reach[doubled, after[after >= 0][:, None], drawn] += float(state.share)
        plan, pays, none = phase.solution.plan, group.pays, np.zeros((len(group.hands), conditions, 0))
        later = np.flatnonzero(group.hands.size > 2)
        follow(
            later, group.hands.after, np.ones(group.hands.counts.shape), none, pays.played, pays.over, pays.rescue,
            pays.surrender, group.may, plan.turn, plan.offer, reach, np.zeros((len(self.kinds), conditions, 0)),
            np.zeros(0),
        )  # fmt: skip
        return states, reach

    def ends(self, k: int) -> Ends:
        """All ends under a condition."""
        counts, kinds, weights = [], [], []
        for paired, (states, reach) in self.parts:
            for some in (*self._two_cards(states, k), *self._settled(reach, k), *self._chances(reach, k)):
                counts.append(some.counts)
                kinds.append(self.kinds[some.rows] + paired * self.count)
                weights.append(some.weights)
        return _gathered(np.concatenate(counts), np.concatenate(kinds), np.concatenate(weights))

    def _two_cards(self, states: IntArray, k: int) -> list[_Some]:
        """Hands that end with two cards; draws from two cards, of which what is left over goes over the limit."""
        group, found = self.group, []
        for s in states:
            state, turn = group.states[s], self.phase.turns[s, k]
            doubled = int(turn == DOUBLE)
            row = {STAND: group.pays.played[0, state.hand], SURRENDER: group.pays.surrender[k]}.get(
                int(turn), group.pays.over[doubled]
            )
            found.append((state.hand, row, float(state.share)))
            for goal in state.goals if turn in (HIT, DOUBLE) else ():
                moved = float(state.share * goal.chance)
                found.append((goal.hand, goal.rows[doubled], moved))
                found.append((goal.hand, group.pays.played[doubled, goal.hand], -moved))
        hands, rows, weights = zip(*found, strict=True) if found else ((), (), ())
        listed = np.array(hands, dtype=np.int64)
        return [_Some(group.hands.counts[listed], np.array(rows, dtype=np.int64), np.array(weights, dtype=float))]

    def _settled(self, reach: FloatArray, k: int) -> list[_Some]:
        """Hands of more cards: as they stand, after a double, and what is taken off those that went over."""
        group, pays, plan = self.group, self.group.pays, self.phase.solution.plan
        once, twice = reach[0, :, k], reach[1, :, k]
        turn, rescued = plan.turn[:, k], (group.may >> RESCUE & 1).astype(bool) & (plan.offer[1, :, k] > 0)
        stands = ~np.isin(turn, (HIT, DOUBLE)) & ~self._taken(0, k)
        return [
            self._some(np.where(stands, once, 0), np.where(turn == SURRENDER, pays.surrender[k], pays.played[0])),
            self._some(np.where(self._taken(1, k), 0, twice), np.where(rescued, pays.rescue, pays.played[1])),
            self._some(np.where(turn == HIT, 0, -once), np.full(len(turn), pays.over[0])),
            self._some(np.where(turn == DOUBLE, once, 0) - twice, np.full(len(turn), pays.over[1])),
        ]

    def _taken(self, doubled: int, k: int) -> NDArray[np.bool_]:
        """[hands]: whether a second chance is taken."""
        may = (self.group.may >> (CHANCE + doubled) & 1).astype(np.bool_)
        return np.asarray(may & (self.phase.solution.plan.offer[doubled, :, k] > 0))

    def _some(self, weights: FloatArray, rows: IntArray) -> _Some:
        at = np.flatnonzero(weights)
        return _Some(self.group.hands.counts[at], rows[at], weights[at])

    def _chances(self, reach: FloatArray, k: int) -> list[_Some]:
        """Second chances that are taken: one more card is out."""
        chance, counts = self.group.pays.chance, self.group.hands.counts
        found = []
        for doubled in (0, 1) if chance.size else ():
            at = np.flatnonzero(self._taken(doubled, k) & (reach[doubled, :, k] != 0))
            for card, one in enumerate(np.eye(counts.shape[1], dtype=np.int64)):
                found.append(_Some(counts[at] + one, chance[doubled, at, card], reach[doubled, at, k]))
        return found


def _gathered(counts: IntArray, kinds: IntArray, weights: FloatArray) -> Ends:
    """Every set once, every end of it once."""
    _, first, back = np.unique(keys_of(counts), return_index=True, return_inverse=True)
    ends, slot = np.unique(back * (kinds.max() + 1) + kinds, return_inverse=True)
    total = np.bincount(slot, weights=weights)
    kept = np.flatnonzero(total)
    return Ends(counts[first], (ends // (kinds.max() + 1))[kept], (ends % (kinds.max() + 1))[kept], total[kept])
