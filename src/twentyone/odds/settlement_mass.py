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

    def _first(self, ranges: tuple[str, ...], phase: PhaseValues) -> None:
        dealt, limit = self.core.dealt(ranges), self.core.tables.rules.limit
        weights = np.repeat(dealt[:, None], phase.turns.shape[1], axis=1)
        for s, state in enumerate(phase.group.states):
            if phase.group.hands.total[state.hand] == limit:
                self._blackjack(phase, state.hand, dealt[s])
                weights[s] = self.core.one * 0
                continue
            self._read(phase, s, dealt[s])
            parted = phase.turns[s] == SPLIT
            if parted.any():
                start = int(phase.group.hands.counts[state.hand].argmax())
                before = self.split_weight.get(start, weights[s] * 0)
                self.split_weight[start] = before + np.where(parted, weights[s], weights[s] * 0)
        self.first[ranges] = phase.joint(weights)
        self.mass += self.first[ranges].mass

    def _blackjack(self, phase: PhaseValues, hand: int, chance: Any) -> None:
        """A player's Blackjack is settled without a decision."""
        dealer = phase.held.dealer[hand].copy()
        if self.game.blackjack >= 0:
            dealer[:, self.game.blackjack] += phase.seen[hand]
        for k, row in enumerate(self.core.blackjack_rows):
            self.mass[row, k] += chance * dealer[k]

    def _read(self, phase: PhaseValues, s: int, chance: Any) -> None:
        """A dealer's Blackjack that was read settles the hand before its turn."""
        if self.game.blackjack >= 0:
            rows, seen = phase.when_read(s), phase.seen[phase.group.two[s]]
            self.mass[rows, np.arange(len(rows)), self.game.blackjack] += chance * seen

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

    @property
    def second_moment(self) -> Any:
        """The expected square of the net result; hands of one split are independent given the dealer's hand."""
        rows = self.game.rows
        square = (self.whole.sum(axis=1) * rows * rows).sum()
        for start, hands in self.splits.items():
            split = self.core.splits[start]
            chance = self.split_weight[start][:, None] * self.pair_out(start)
            mean = sum((reached.mass * rows[:, None, :]).sum(axis=0) for reached in hands.values())
            crossed = np.where(chance != 0, mean * mean / np.where(chance != 0, chance, chance * 0 + 1), chance)
            square += ((split.ordered_pairs / split.hands**2)[:, None] * crossed).sum()
        return square
