"""The analysis itself: the first hands of a round, the hands out of splits, and what they come to together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twentyone.odds.choosers import Best, Chooser
from twentyone.odds.dealer_cache import DealerOddsCache
from twentyone.odds.hand_group import HandGroup
from twentyone.odds.kernels import SPLIT
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.payoffs import FIRST, SPLIT_MAIN, SPLIT_MORE, Kind
from twentyone.odds.phase_values import GameTables, PhaseValues, work_out
from twentyone.odds.player import ReachProbabilities
from twentyone.odds.splits import Weights, split_weights
from twentyone.odds.states import states_of
from twentyone.odds.tables import Tables

__all__ = ["Core", "Split"]

Phases = dict[tuple[bool, int], PhaseValues]
"""(The hand with the original wager, further pair cards out of the shoe) to its play."""


@dataclass(frozen=True)
class Split:
    """A pair split, its hands played by their own cards."""

    start: int
    """The class of the pair."""
    phases: dict[bool, PhaseValues]
    """The play of the hand with the original wager (true), and of the others, with only the pair out of the shoe."""
    again: NDArray[np.bool_]
    """[conditions]: whether pairs are split again."""
    gain: FloatArray
    """[conditions]: what splitting them again gains over playing them (charts ask for it)."""
    value: FloatArray
    """[conditions]: the joint value of all hands together."""
    hands: FloatArray
    """[conditions]: the expected number of hands."""
    reached: dict[bool, ReachProbabilities]
    """What all hands of a split reach, each time that the pair is split, chances joint with the condition; the hand
    with the original wager (true) apart from the others only where that makes a difference."""


class Core:
    """A game being analysed."""

    def __init__(self, tables: Tables, chooser: Chooser | None = None) -> None:
        self.tables = tables
        self.one = tables.number(1)
        self.splits: dict[int, Split] = {}
        self._kinds()
        self.blackjack_rows = tables.blackjacks()
        self.walk, rows, blackjack = tables.columns()
        dealer_odds = DealerOddsCache(self.walk, tables.shoe, self.one)
        self.game = GameTables(tables, chooser if chooser is not None else Best(), dealer_odds, rows, blackjack)

    def _kinds(self) -> None:
        """Ask for every row of pay there will be."""
        tables = self.tables
        self.groups = {
            ranges: HandGroup.of(tables, FIRST, tables.pays(FIRST, ranges), states_of(tables, FIRST, ranges), None)
            for ranges in tables.variants
        }
        self.split_groups: dict[tuple[Kind, int], HandGroup] = {}
        known: dict[tuple[Any, ...], Any] = {}
        for start in self.starts:
            ranges = tables.ranges([2 * (i == start) for i in range(len(tables.shoe))])
            for kind in (SPLIT_MAIN, SPLIT_MORE):
                if (kind, ranges) not in known:
                    known[kind, ranges] = tables.pays(kind, ranges), states_of(tables, kind, ranges)
                pays, states = known[kind, ranges]
                like = self.split_groups.get((SPLIT_MAIN, start))
                self.split_groups[kind, start] = HandGroup.of(tables, kind, pays, states, start, like)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The classes of pairs that may be split."""
        tables = self.tables
        pairs = tables.hands.find(2 * np.eye(len(tables.shoe), dtype=np.int64))
        may = tables.permissions()
        return tuple(i for i, pair in enumerate(pairs) if pair >= 0 and may[pair] >> SPLIT & 1)

    # -- the first hands

    @cached_property
    def first(self) -> dict[tuple[str, ...], PhaseValues]:
        """By the original cards that still matter later (mostly none), the hands that were not split."""
        none = np.zeros(len(self.tables.shoe), dtype=np.int64)
        if not self.splits:
            self.split_all()
        for start, split in self.splits.items():
            self.game.splits[start] = split.value
        return {ranges: work_out(self.game, group, none) for ranges, group in self.groups.items()}

    def split_all(self, tell: Callable[[float], None] = lambda _: None) -> None:
        """Work out every pair that may be split; `tell` hears how far it is."""
        for done, start in enumerate(self.starts, 1):
            self.splits[start] = self.split(start)
            tell(done / len(self.starts))

    # -- splits

    def split(self, start: int) -> Split:
        """A pair of this class split."""
        shoe = self.tables.shoe * self.one
        shoe[start] -= 2
        weights = split_weights(self.tables.most_hands(start), shoe[start], shoe.sum())
        phases: Phases = {}
        for more in range(max(out for _, out in (*weights.parted, *weights.free)) + 1):
            self._split_hands(start, more, phases)
        always = self._together(phases, weights)
        never = phases[True, 0].alone[1] + phases[False, 0].alone[1]
        again = self.game.chooser.resplits(self.tables, phases[True, 0].group, always, never)
        return Split(
            start,
            {original: phases[original, 0] for original in (True, False)},
            again,
            always - never,
            np.where(again, always, never),
            np.where(again, weights.hands, self.one * 2),
            self._reached(phases, weights, again),
        )

    def _split_hands(self, start: int, more: int, phases: Phases) -> None:
        removed = np.zeros(len(self.tables.shoe), dtype=np.int64)
        removed[start] = 1 + more
        main, later = self.split_groups[SPLIT_MAIN, start], self.split_groups[SPLIT_MORE, start]
        listed = np.flatnonzero(phases[True, 0].met | phases[False, 0].met) if more else None
        phases[True, more] = work_out(self.game, main, removed, listed, phases.get((True, 0)))
        if self._alike:
            phases[False, more] = phases[True, more]
        else:
            phases[False, more] = work_out(self.game, later, removed, listed, phases.get((False, 0)))

    @cached_property
    def _alike(self) -> bool:
        """Whether no row that can still decide tells the original wager from the ones that splits add."""
        rows = self.game.rows
        if self.game.blackjack >= 0 and self.tables.always_read:
            rows = np.delete(rows, self.game.blackjack, axis=1)
        alike = True
        for start in self.starts:
            one, other = self.split_groups[SPLIT_MAIN, start].pays, self.split_groups[SPLIT_MORE, start].pays
            pairs = np.unique(one.ids() * len(rows) + other.ids())
            alike = alike and bool((rows[pairs // len(rows)] == rows[pairs % len(rows)]).all())
        return alike

    def _together(self, phases: Phases, weights: Weights) -> FloatArray:
        total: FloatArray = phases[True, 0].alone[0] * 0
        for key, phase in phases.items():
            parted, free = phase.alone
            total = total + weights.parted.get(key, 0) * parted + weights.free.get(key, 0) * free
        return total

    def _reached(self, phases: Phases, weights: Weights, again: NDArray[np.bool_]) -> dict[bool, ReachProbabilities]:
        """What all hands of the split reach; the one with the original wager apart where that makes a difference."""
        total: dict[bool, ReachProbabilities] = {}
        for (original, more), phase in phases.items():
            if self._alike and not original:
                continue
            mine = (True, False) if self._alike else (original,)
            zero = self.one * 0
            free = sum((weights.free.get((own, more), zero) for own in mine), zero)
            both = free + sum((weights.parted.get((own, more), zero) for own in mine), zero)
            always = np.where(phase.group.pairs, free, both)
            never = np.full(len(always), self.one * len(mine) if more == 0 else zero)
            turns = np.where(again[None, :], always[:, None], never[:, None])
            reached = phase.joint(phase.second_cards[:, None] * turns)
            total[original] = total[original].plus(reached) if original in total else reached
        return total

    # -- the whole round

    def chance_of(self, counts: IntArray) -> Any:
        """The chance that two cards of these classes are dealt."""
        held = np.flatnonzero(counts)
        cards = self.tables.shoe * self.one
        whole = cards.sum() * (cards.sum() - 1)
        if len(held) == 1:
            return cards[held[0]] * (cards[held[0]] - 1) / whole
        return 2 * cards[held[0]] * cards[held[1]] / whole

    def dealt(self, ranges: tuple[str, ...]) -> FloatArray:
        """[states]: the chance that a round starts with each state and is played in this phase."""
        group = self.groups[ranges]
        counts = group.hands.counts[group.two]
        chances = np.array([self.chance_of(row) * state.share for row, state in zip(counts, group.states, strict=True)])
        if len(self.groups) == 1:
            return chances
        own = [self.tables.ranges(row) for row in counts]
        played = np.array([(mine if mine in self.groups else ()) == ranges for mine in own])
        return np.where(played, chances, self.one * 0)
