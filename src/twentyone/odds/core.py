"""The analysis itself: the first hands of a round, the hands out of splits, and what they come to together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twentyone.odds.choosers import Best, Chooser
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.payoffs import FIRST, SPLIT_MAIN, SPLIT_MORE, Kind
from twentyone.odds.phase import Kinds, Phase, Setting, work_out
from twentyone.odds.remains import Remains
from twentyone.odds.splits import Weights, split_weights
from twentyone.odds.states import states_of
from twentyone.odds.tables import SPLIT, Tables

__all__ = ["Core", "Split"]


@dataclass(frozen=True)
class Split:
    """A pair split: its hands by how many further pair cards are out of the shoe."""

    start: int
    """The class of the pair."""
    phases: dict[tuple[bool, int], Phase]
    """(the hand with the original wager, pair cards out) to its play."""
    weights: Weights
    """How much each hand counts when pairs are always split again."""
    again: NDArray[np.bool_]
    """[conditions]: whether they are."""
    value: FloatArray
    """[conditions]: the joint value of all hands together."""


class Core:
    """A game being analysed."""

    def __init__(self, tables: Tables, chooser: Chooser | None = None) -> None:
        self.tables = tables
        self.one = tables.number(1)
        self.splits: dict[int, Split] = {}
        self._kinds()
        self.blackjack_rows = tables.blackjacks()
        self.walk, rows, blackjack = tables.columns()
        remains = Remains(self.walk, tables.shoe, self.one)
        self.setting = Setting(tables, chooser if chooser is not None else Best(), remains, rows, blackjack)

    def _kinds(self) -> None:
        """Ask for every row of pay there will be."""
        tables = self.tables
        self.first_kinds = {
            ranges: Kinds(tables.pays(FIRST, ranges), states_of(tables, FIRST, ranges), None) for ranges in tables.variants
        }
        self.split_kinds: dict[tuple[Kind, int], Kinds] = {}
        known: dict[tuple[Any, ...], Any] = {}
        for start in self.starts:
            ranges = tables.ranges([2 * (i == start) for i in range(len(tables.shoe))])
            for kind in (SPLIT_MAIN, SPLIT_MORE):
                if (kind, ranges) not in known:
                    known[kind, ranges] = tables.pays(kind, ranges), states_of(tables, kind, ranges)
                pays, states = known[kind, ranges]
                own = tuple(state for state in states if tables.hands.counts[state.hand, start])
                self.split_kinds[kind, start] = Kinds(pays, own, start)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The classes of pairs that may be split."""
        tables = self.tables
        pairs = tables.hands.find(2 * np.eye(len(tables.shoe), dtype=np.int64))
        may = tables.permissions()
        return tuple(i for i, pair in enumerate(pairs) if pair >= 0 and may[pair] >> SPLIT & 1)

    # -- the first hands

    @cached_property
    def first(self) -> dict[tuple[str, ...], Phase]:
        """By the original cards that still matter later (mostly none), the hands that were not split."""
        listed = np.flatnonzero(self.tables.hands.size >= 2)
        none = np.zeros(len(self.tables.shoe), dtype=np.int64)
        if not self.splits:
            self.split_all()
        for start, split in self.splits.items():
            self.setting.splits[start] = split.value
        return {ranges: work_out(self.setting, kinds, none, listed) for ranges, kinds in self.first_kinds.items()}

    def split_all(self, tell: Callable[[float], None] = lambda _: None) -> None:
        """Work out every pair that may be split; `tell` hears how far it is."""
        for done, start in enumerate(self.starts, 1):
            self.splits[start] = self.split(start)
            tell(done / len(self.starts))

    # -- splits

    def split(self, start: int) -> Split:
        """A pair of this class split."""
        tables = self.tables
        shoe = tables.shoe * self.one
        shoe[start] -= 2
        weights = split_weights(tables.most_hands(start), shoe[start], shoe.sum())
        phases: dict[tuple[bool, int], Phase] = {}
        for more in range(max(out for _, out in (*weights.parted, *weights.free)) + 1):
            self._split_hands(start, more, phases)
        always = self._together(phases, weights, start)
        never = self._alone(phases[True, 0])[1] + self._alone(phases[False, 0])[1]
        again = self.setting.chooser.resplits(tables, start, always, never)
        return Split(start, phases, weights, again, np.where(again, always, never))

    def _split_hands(self, start: int, more: int, phases: dict[tuple[bool, int], Phase]) -> None:
        hands = self.tables.hands
        listed = np.flatnonzero((hands.counts[:, start] > 0) & (hands.size >= 2))
        removed = np.zeros(len(self.tables.shoe), dtype=np.int64)
        removed[start] = 1 + more
        main, later = self.split_kinds[SPLIT_MAIN, start], self.split_kinds[SPLIT_MORE, start]
        if more:
            listed = listed[self._reached(phases, listed)]
        phases[True, more] = work_out(self.setting, main, removed, listed, phases.get((True, 0)))
        if self._same(main, later):
            phases[False, more] = phases[True, more]
        else:
            phases[False, more] = work_out(self.setting, later, removed, listed, phases.get((False, 0)))

    def _reached(self, phases: dict[tuple[bool, int], Phase], listed: IntArray) -> NDArray[np.bool_]:
        found = np.zeros(len(listed), dtype=np.bool_)
        for phase in {id(phase): phase for phase in (phases[True, 0], phases[False, 0])}.values():
            found |= (phase.reached()[:, listed] != 0).any(axis=(0, 2))
        return found

    def _same(self, one: Kinds, other: Kinds) -> bool:
        """Whether no row that can still decide tells the original wager from the one that the split added."""
        open_ = np.ones(self.setting.rows.shape[1], dtype=np.bool_)
        if self.setting.blackjack >= 0 and self.tables.always_read:
            open_[self.setting.blackjack] = False
        rows = self.setting.rows[:, open_]
        return all(
            bool((rows[a] == rows[b]).all())
            for a, b in (
                (one.pays.played, other.pays.played),
                (one.pays.over, other.pays.over),
                (one.pays.rescue, other.pays.rescue),
            )
        )

    def _alone(self, phase: Phase) -> tuple[FloatArray, FloatArray]:
        """[conditions]: one hand whose second card is no pair card, and one whose second card may be any."""
        start = phase.kinds.start
        assert start is not None
        each = self.second_cards(phase)[:, None] * phase.best
        pair = np.array([phase.stand.hands.counts[state.hand, start] > 1 for state in phase.kinds.states])
        return each[~pair].sum(axis=0), each.sum(axis=0)

    def second_cards(self, phase: Phase) -> FloatArray:
        """[states]: the chance of each as the second card comes."""
        start = phase.kinds.start
        assert start is not None
        alone = np.zeros(len(self.tables.shoe), dtype=np.int64)
        alone[start] = 1
        left = (self.tables.shoe - phase.removed - alone) * self.one
        cards = [int((self.tables.hands.counts[state.hand] - alone).argmax()) for state in phase.kinds.states]
        return np.array([state.share for state in phase.kinds.states]) * left[cards] / left.sum()

    def _together(self, phases: dict[tuple[bool, int], Phase], weights: Weights, start: int) -> FloatArray:
        total = self._alone(phases[True, 0])[0] * 0
        for (original, more), phase in phases.items():
            parted, free = self._alone(phase)
            total = total + weights.parted.get((original, more), 0) * parted
            total = total + weights.free.get((original, more), 0) * free
        return total

    def gain_of_resplitting(self, split: Split) -> FloatArray:
        """[conditions]: what splitting pairs out of a split again gains over playing them."""
        never = self._alone(split.phases[True, 0])[1] + self._alone(split.phases[False, 0])[1]
        return self._together(split.phases, split.weights, split.start) - never

    # -- the whole round

    def chance_of(self, hand: int) -> Any:
        """The chance that a hand of two cards is dealt."""
        counts = self.tables.hands.counts[hand]
        held = np.flatnonzero(counts)
        cards = self.tables.shoe * self.one
        whole = cards.sum() * (cards.sum() - 1)
        if len(held) == 1:
            return cards[held[0]] * (cards[held[0]] - 1) / whole
        return 2 * cards[held[0]] * cards[held[1]] / whole

    def original(self, ranges: tuple[str, ...]) -> NDArray[np.bool_]:
        """[states]: whether a round that starts with this state is played in this phase."""
        hands = self.tables.hands
        own = [self.tables.ranges(hands.counts[state.hand]) for state in self.first_kinds[ranges].states]
        return np.array([(mine if mine in self.first_kinds else ()) == ranges for mine in own])

    def dealt(self, ranges: tuple[str, ...]) -> FloatArray:
        """[states]: the chance that a round starts with each state and is played in this phase."""
        states = self.first_kinds[ranges].states
        chances = np.array([self.chance_of(state.hand) * state.share for state in states])
        return np.where(self.original(ranges), chances, self.one * 0)
