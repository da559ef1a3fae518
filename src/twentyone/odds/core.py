"""The analysis itself: the first hands of a round, the hands out of splits, and what they come to together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twentyone.odds.choosers import Best, Chooser
from twentyone.odds.flow import Flow
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.payoffs import FIRST, SPLIT_MAIN, SPLIT_MORE, Kind
from twentyone.odds.phase import Kinds, Phase, Setting, work_out
from twentyone.odds.remains import Remains
from twentyone.odds.splits import Weights, split_weights
from twentyone.odds.states import states_of
from twentyone.odds.tables import SPLIT, Tables

__all__ = ["Core", "Split"]

Phases = dict[tuple[bool, int], Phase]
"""(The hand with the original wager, further pair cards out of the shoe) to its play."""


@dataclass(frozen=True)
class Split:
    """A pair split, its hands played by their own cards."""

    start: int
    """The class of the pair."""
    phases: dict[bool, Phase]
    """The play of the hand with the original wager (true), and of the others, with only the pair out of the shoe."""
    again: NDArray[np.bool_]
    """[conditions]: whether pairs are split again."""
    gain: FloatArray
    """[conditions]: what splitting them again gains over playing them (charts ask for it)."""
    value: FloatArray
    """[conditions]: the joint value of all hands together."""
    hands: FloatArray
    """[conditions]: the expected number of hands."""
    ordered_pairs: FloatArray
    """[conditions]: the expected number of ordered pairs of different hands."""
    flows: dict[bool, Flow]
    """How all hands of a split fare, for every time that the pair is split (reach joint with the condition)."""


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
        shoe = self.tables.shoe * self.one
        shoe[start] -= 2
        weights = split_weights(self.tables.most_hands(start), shoe[start], shoe.sum())
        phases: Phases = {}
        for more in range(max(out for _, out in (*weights.parted, *weights.free)) + 1):
            self._split_hands(start, more, phases)
        always = self._together(phases, weights)
        never = self._alone(phases[True, 0])[1] + self._alone(phases[False, 0])[1]
        again = self.setting.chooser.resplits(self.tables, start, always, never)
        two = self.one * 2
        return Split(
            start,
            {original: phases[original, 0] for original in (True, False)},
            again,
            always - never,
            np.where(again, always, never),
            np.where(again, weights.hands, two),
            np.where(again, weights.ordered_pairs, two),
            self._flows(phases, weights, again),
        )

    def _split_hands(self, start: int, more: int, phases: Phases) -> None:
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

    def _reached(self, phases: Phases, listed: IntArray) -> NDArray[np.bool_]:
        found = np.zeros(len(listed), dtype=np.bool_)
        for phase in {id(phase): phase for phase in (phases[True, 0], phases[False, 0])}.values():
            found |= phase.reached[listed]
        return found

    def _same(self, one: Kinds, other: Kinds) -> bool:
        """Whether no row that can still decide tells the original wager from the one that the split added."""
        open_ = np.ones(self.setting.rows.shape[1], dtype=np.bool_)
        if self.setting.blackjack >= 0 and self.tables.always_read:
            open_[self.setting.blackjack] = False
        rows = self.setting.rows[:, open_]
        a = np.unique(np.stack([one.pays.played.ravel(), other.pays.played.ravel()]), axis=1)
        return bool(
            (rows[a[0]] == rows[a[1]]).all()
            and (rows[one.pays.over] == rows[other.pays.over]).all()
            and (rows[one.pays.rescue] == rows[other.pays.rescue]).all()
            and (rows[one.pays.chance] == rows[other.pays.chance]).all()
        )

    def _alone(self, phase: Phase) -> tuple[FloatArray, FloatArray]:
        """[conditions]: one hand whose second card is no pair card, and one whose second card may be any."""
        each = self.second_cards(phase)[:, None] * phase.best
        return each[~self._pairs(phase)].sum(axis=0), each.sum(axis=0)

    def _pairs(self, phase: Phase) -> NDArray[np.bool_]:
        start = phase.kinds.start
        return np.array([phase.stand.hands.counts[state.hand, start] > 1 for state in phase.kinds.states])

    def second_cards(self, phase: Phase) -> FloatArray:
        """[states]: the chance of each as the second card comes."""
        start = phase.kinds.start
        assert start is not None
        alone = np.zeros(len(self.tables.shoe), dtype=np.int64)
        alone[start] = 1
        left = (self.tables.shoe - phase.removed - alone) * self.one
        cards = [int((self.tables.hands.counts[state.hand] - alone).argmax()) for state in phase.kinds.states]
        return np.array([state.share for state in phase.kinds.states]) * left[cards] / left.sum()

    def _together(self, phases: Phases, weights: Weights) -> FloatArray:
        total = self._alone(phases[True, 0])[0] * 0
        for key, phase in phases.items():
            parted, free = self._alone(phase)
            total = total + weights.parted.get(key, 0) * parted + weights.free.get(key, 0) * free
        return total

    def _flows(self, phases: Phases, weights: Weights, again: NDArray[np.bool_]) -> dict[bool, Flow]:
        """How all hands of the split fare, the hand with the original wager apart from the others."""
        found: dict[bool, Flow] = {}
        for (original, more), phase in phases.items():
            zero = self.one * 0
            free = weights.free.get((original, more), zero)
            both = free + weights.parted.get((original, more), zero)
            always = np.where(self._pairs(phase), free, both)
            never = np.full(len(always), self.one if more == 0 else zero)
            turns = np.where(again[None, :], always[:, None], never[:, None])
            flow = phase.joint(self.second_cards(phase)[:, None] * turns)
            found[original] = found[original].plus(flow) if original in found else flow
        return found

    # -- the whole round

    def chance_of(self, hand: int) -> Any:
        """The chance that a hand of two cards is dealt."""
        held = np.flatnonzero(self.tables.hands.counts[hand])
        cards = self.tables.shoe * self.one
        whole = cards.sum() * (cards.sum() - 1)
        if len(held) == 1:
            return cards[held[0]] * (cards[held[0]] - 1) / whole
        return 2 * cards[held[0]] * cards[held[1]] / whole

    def dealt(self, ranges: tuple[str, ...]) -> FloatArray:
        """[states]: the chance that a round starts with each state and is played in this phase."""
        hands = self.tables.hands
        states = self.first_kinds[ranges].states
        chances = np.array([self.chance_of(state.hand) * state.share for state in states])
        if len(self.first_kinds) == 1:
            return chances
        own = [self.tables.ranges(hands.counts[state.hand]) for state in states]
        played = np.array([(mine if mine in self.first_kinds else ()) == ranges for mine in own])
        return np.where(played, chances, self.one * 0)
