"""How often a round is settled in each way: the chance of every row of pay against every column."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from twentyone.odds.core import Core
from twentyone.odds.kernels import SPLIT
from twentyone.odds.model import FloatArray
from twentyone.odds.phase_values import PhaseValues
from twentyone.odds.player import ReachProbabilities

__all__ = ["SettlementMass"]


class SettlementMass:
    """The chance of every settlement of a round, first hands and splits together."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.game = core.game
        shape = len(self.game.rows), *next(iter(core.first.values())).held.dealer.shape[1:]
        self.mass: FloatArray = np.full(shape, core.one * 0)
        """[rows, conditions, columns]: of hands that were not split."""
        self.first: dict[tuple[str, ...], ReachProbabilities] = {}
        """The course of first hands, by the original cards that matter later; chances joint with the condition."""
        self.split_weight: dict[int, FloatArray] = {}
        """Class of a pair to [conditions]: how often it is split, not joint with the condition."""
        for ranges, phase in core.first.items():
            self._first(ranges, phase)
        self.splits: dict[int, dict[bool, ReachProbabilities]] = {
            start: {original: reached.times(weight) for original, reached in core.splits[start].reached.items()}
            for start, weight in self.split_weight.items()
        }
        """Class of a pair that is split to the course of its hands: the one with the original wager, and the others."""

    # -- first hands

    def settle(
        self, phase: PhaseValues, weights: FloatArray
    ) -> tuple[FloatArray, ReachProbabilities, dict[int, FloatArray]]:
        """How first hands are settled, what they reach, and how often each pair is split.

        `weights` is [states, conditions]: the chance of each hand of two cards, not joint with the condition.
        """
        weights, limit = weights.copy(), self.core.tables.rules.limit
        mass: FloatArray = np.full(self.mass.shape, self.core.one * 0)
        splits: dict[int, FloatArray] = {}
        for s, state in enumerate(phase.group.states):
            if phase.group.hands.total[state.hand] == limit:
                self._blackjack(mass, phase, state.hand, weights[s])
                weights[s] = self.core.one * 0
                continue
            self._read(mass, phase, s, weights[s])
            parted = phase.turns[s] == SPLIT
            if parted.any():
                start = int(phase.group.hands.counts[state.hand].argmax())
                before = splits.get(start, weights[s] * 0)
                splits[start] = before + np.where(parted, weights[s], weights[s] * 0)
        reached = phase.joint(weights)
        return mass + reached.mass, reached, splits

    def _first(self, ranges: tuple[str, ...], phase: PhaseValues) -> None:
        weights = np.repeat(self.core.dealt(ranges)[:, None], phase.turns.shape[1], axis=1)
        mass, self.first[ranges], splits = self.settle(phase, weights)
        self.mass += mass
        for start, weight in splits.items():
            self.split_weight[start] = self.split_weight.get(start, weight * 0) + weight

    def _blackjack(self, mass: FloatArray, phase: PhaseValues, hand: int, chances: FloatArray) -> None:
        """A player's Blackjack is settled without a decision."""
        dealer = phase.held.dealer[hand].copy()
        if self.game.blackjack >= 0:
            dealer[:, self.game.blackjack] += phase.seen[hand]
        for k, row in enumerate(self.core.blackjack_rows):
            mass[row, k] += chances[k] * dealer[k]

    def _read(self, mass: FloatArray, phase: PhaseValues, s: int, chances: FloatArray) -> None:
        """A dealer's Blackjack that was read settles the hand before its turn."""
        if self.game.blackjack >= 0:
            rows, seen = phase.when_read(s), phase.seen[phase.group.two[s]]
            mass[rows, np.arange(len(rows)), self.game.blackjack] += chances * seen

    # -- together

    @cached_property
    def whole(self) -> FloatArray:
        """[rows, conditions, columns]: the expected number of hands of a round settled so."""
        return self.mass + sum(reached.mass for hands in self.splits.values() for reached in hands.values())

    @property
    def value(self) -> Any:
        """The expected net result of a round, insurance left out."""
        return (self.whole.sum(axis=1) * self.game.rows).sum()

    def pair_out(self, start: int) -> FloatArray:
        """[conditions, columns]: the dealer's chances with a pair of this class out of the shoe."""
        first = next(iter(self.core.first.values()))
        dealer: FloatArray = first.held.dealer[
            first.group.find(2 * np.eye(len(self.core.tables.shoe), dtype=np.int64)[start])
        ]
        return dealer
