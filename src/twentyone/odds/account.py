"""How a round is settled, all in all: the chance of every row of pay against every column, first hands and splits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from twentyone.odds.core import Core, Split
from twentyone.odds.flow import Flow
from twentyone.odds.model import FloatArray
from twentyone.odds.phase import Phase
from twentyone.odds.tables import SPLIT

__all__ = ["Account", "SplitAccount"]


@dataclass(frozen=True)
class SplitAccount:
    """The hands of one pair that was split."""

    mass: FloatArray
    """[rows, conditions, columns]: the expected number of hands settled so, joint with the condition."""
    flows: dict[tuple[bool, int], Flow]
    """(the hand with the original wager, pair cards out) to its course."""
    weight: FloatArray
    """[conditions]: how often the pair is split, not yet joint with the condition."""
    dealer: FloatArray
    """[conditions, columns]: the dealer's chances with the pair out of the shoe."""
    hands: FloatArray
    """[conditions]: the expected number of hands."""
    ordered_pairs: FloatArray
    """[conditions]: the expected number of ordered pairs of different hands."""


class Account:
    """Every way a round is settled."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.setting = core.setting
        shape = len(self.setting.rows), *next(iter(core.first.values())).stand.dealer.shape[1:]
        self.mass: FloatArray = np.full(shape, core.one * 0)
        """[rows, conditions, columns]: of hands that were not split."""
        self.flows: dict[tuple[str, ...], Flow] = {}
        """The course of first hands, by the original cards that matter later."""
        self._split_weight: dict[int, FloatArray] = {}
        for ranges, phase in core.first.items():
            self._first(ranges, phase)
        self.splits = {start: self._split(core.splits[start]) for start in core.splits}
        """Class of a pair to how its hands are settled."""

    # -- first hands

    def _first(self, ranges: tuple[str, ...], phase: Phase) -> None:
        dealt = self.core.dealt(ranges)
        weights = np.repeat(dealt[:, None], phase.turns.shape[1], axis=1)
        for s, state in enumerate(phase.kinds.states):
            if self._is_blackjack(state.hand):
                self._blackjack(phase, state.hand, dealt[s])
                weights[s] = self.core.one * 0
                continue
            self._read(phase, state.hand, dealt[s])
            parted = phase.turns[s] == SPLIT
            if parted.any():
                start = int(self.core.tables.hands.counts[state.hand].argmax())
                before = self._split_weight.get(start, weights[s] * 0)
                self._split_weight[start] = before + np.where(parted, weights[s], weights[s] * 0)
        self.flows[ranges] = phase.follow(weights)
        self.mass += self.flows[ranges].mass

    def _is_blackjack(self, hand: int) -> bool:
        hands = self.core.tables.hands
        return bool(hands.total[hand] == self.core.tables.rules.limit)

    def _blackjack(self, phase: Phase, hand: int, chance: Any) -> None:
        """A player's Blackjack is settled without a decision."""
        dealer = phase.stand.dealer[hand].copy()
        if self.setting.blackjack >= 0:
            dealer[:, self.setting.blackjack] += phase.seen[hand]
        for k, row in enumerate(self.core.blackjack_rows):
            self.mass[row, k] += chance * dealer[k]

    def _read(self, phase: Phase, hand: int, chance: Any) -> None:
        """A dealer's Blackjack that was read settles the hand before its turn."""
        if self.setting.blackjack >= 0:
            row = phase.kinds.pays.played[0, hand]
            self.mass[row, :, self.setting.blackjack] += chance * phase.seen[hand]

    # -- splits

    def _split(self, split: Split) -> SplitAccount:
        core, start = self.core, split.start
        first = next(iter(core.first.values()))
        pair = int(core.tables.hands.find(2 * np.eye(len(core.tables.shoe), dtype=np.int64)[start : start + 1])[0])
        none = first.stand.dealer[pair, :, 0] * 0
        weight = self._split_weight.get(start, none)
        mass = np.full(self.mass.shape, core.one * 0)
        flows = {}
        if (weight != 0).any():
            for (original, more), phase in split.phases.items():
                flows[original, more] = phase.follow(self.weights(split, phase, original, more) * weight)
                mass += flows[original, more].mass
        hands = np.where(split.again, split.weights.hands, core.one * 2)
        pairs = np.where(split.again, split.weights.ordered_pairs, core.one * 2)
        return SplitAccount(mass, flows, weight, first.stand.dealer[pair], hands, pairs)

    def weights(self, split: Split, phase: Phase, original: bool, more: int) -> FloatArray:
        """[states, conditions]: how often each hand of two cards is played, for every time that the pair is split."""
        zero = self.core.one * 0
        free = split.weights.free.get((original, more), zero)
        both = free + split.weights.parted.get((original, more), zero)
        counts = self.core.tables.hands.counts
        again = np.array([free if counts[state.hand, split.start] > 1 else both for state in phase.kinds.states])
        never = np.full(len(again), self.core.one if more == 0 else zero)
        weights = np.where(split.again[None, :], again[:, None], never[:, None])
        return self.core.second_cards(phase)[:, None] * weights

    # -- together

    @cached_property
    def whole(self) -> FloatArray:
        """[rows, conditions, columns]: the expected number of hands of a round settled so."""
        return self.mass + sum(account.mass for account in self.splits.values())

    @property
    def value(self) -> Any:
        """The expected net result of a round, insurance left out."""
        return (self.whole.sum(axis=1) * self.setting.rows).sum()

    @property
    def second_moment(self) -> Any:
        """The expected square of the net result; hands of one split are independent given the dealer's hand."""
        rows = self.setting.rows
        square = (self.whole.sum(axis=1) * rows * rows).sum()
        for account in self.splits.values():
            chance = account.weight[:, None] * account.dealer
            mean = (account.mass * rows[:, None, :]).sum(axis=0)
            crossed = np.where(chance != 0, mean * mean / np.where(chance != 0, chance, chance * 0 + 1), chance)
            square += ((account.ordered_pairs / account.hands**2)[:, None] * crossed).sum()
        return square
