"""One phase of play worked out: hands of one kind with certain cards out of the shoe."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twentyone.odds.chance import second_chances, settle_chances
from twentyone.odds.choosers import Chooser
from twentyone.odds.family import Family
from twentyone.odds.flow import Flow, flow
from twentyone.odds.kernels import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.player import Solution, Stand, solve
from twentyone.odds.remains import Remains
from twentyone.odds.states import State, gains
from twentyone.odds.tables import Tables

__all__ = ["Phase", "Setting", "deal", "work_out"]


@dataclass(frozen=True)
class Setting:
    """A game as all its phases share it."""

    tables: Tables
    """Its rules as arrays."""
    chooser: Chooser
    """Who decides."""
    remains: Remains
    """The dealer's chances."""
    rows: FloatArray
    """[rows, columns]: the rows of pay."""
    blackjack: int
    """The column of a dealer's Blackjack; -1: there is none."""
    splits: dict[int, FloatArray] = field(default_factory=dict)
    """Class of a pair to [conditions]: the joint value of splitting it."""


@dataclass(frozen=True)
class Phase:
    """Hands of one kind, their values and the decisions taken."""

    setting: Setting
    """The game."""
    family: Family
    """Its hands."""
    removed: IntArray
    """[classes]: the cards that are out beside the hand's own."""
    stand: Stand
    """Its hands and the cards left."""
    seen: FloatArray
    """[hands, conditions]: the chance of a dealer's Blackjack that was read."""
    solution: Solution
    """The values of all hands."""
    values: FloatArray
    """[states, conditions, decisions]: joint values on two cards; a split is filled in by its own analysis."""
    turns: NDArray[np.int8]
    """[states, conditions]: the decisions on two cards."""

    @property
    def best(self) -> FloatArray:
        """[states, conditions]: the value of the decision taken."""
        return np.take_along_axis(self.values, self.turns[:, :, None].astype(np.int64), axis=2)[:, :, 0]

    def follow(self, weights: FloatArray) -> Flow:
        """How hands fare from here; `weights` is [states, conditions]: how often each state is played."""
        zero = self.setting.rows[0, 0] * 0
        shape = self.stand.dealer.shape
        begun = Flow(weights, np.full((2, *shape[:2]), zero), np.full((len(self.setting.rows), *shape[1:]), zero))
        for s, state in enumerate(self.family.states):
            if (weights[s] != 0).any():
                self._begin(begun, state, self.turns[s], weights[s])
        flow(self._later, self.family, self.solution.plan, begun)
        settle_chances(self.setting, self.family, self.stand, self.removed, self.solution.plan, begun)
        return begun

    def joint(self, weights: FloatArray) -> Flow:
        """The same, every chance joint with its condition."""
        return self.follow(weights).joint(self.stand, self.family.two)

    @cached_property
    def _later(self) -> Stand:
        stand = self.stand
        return Stand(stand.hands, stand.listed[stand.hands.size[stand.listed] > 2], stand.left, stand.dealer)

    @cached_property
    def reached(self) -> NDArray[np.bool_]:
        """[hands]: whether a hand is met at all."""
        found = self.follow(np.full(self.turns.shape, self.setting.rows[0, 0] * 0 + 1)).reach != 0
        met: NDArray[np.bool_] = found.any(axis=(0, 2))
        met[self.family.two] = True
        return met

    def _begin(self, begun: Flow, state: State, turns: Any, weights: FloatArray) -> None:
        """Send the weight of two cards on its way: settled, or to the hands that one card makes."""
        dealer, pays = self.stand.dealer[state.hand], self.family.pays
        stood = np.flatnonzero((turns == STAND) & (weights != 0))
        begun.mass[pays.played[0, state.hand], stood] += weights[stood, None] * dealer[stood]
        for k in np.flatnonzero((turns == SURRENDER) & (weights != 0)):
            begun.mass[pays.surrender[k], k] += weights[k] * dealer[k]
        for doubled, turn in ((0, HIT), (1, DOUBLE)):
            drawn = np.flatnonzero((turns == turn) & (weights != 0))
            if len(drawn):
                self._draw(begun, state, drawn, weights[drawn], doubled)

    def _draw(self, begun: Flow, state: State, drawn: Any, weights: FloatArray, doubled: int) -> None:
        hand, stand, pays = state.hand, self.stand, self.family.pays
        after = stand.hands.after[hand]
        cards = np.flatnonzero(after >= 0)
        targets = after[cards]
        begun.reach[doubled, targets[:, None], drawn[None, :]] += stand.left[hand, cards][:, None] * weights
        taken = (stand.left[hand, cards][:, None, None] * stand.dealer[targets[:, None], drawn[None, :]]).sum(axis=0)
        begun.mass[pays.over[doubled], drawn] += weights[:, None] * (stand.dealer[hand, drawn] - taken)
        for goal in state.goals:
            moved = weights[:, None] * (stand.left[hand, goal.card] * goal.chance * stand.dealer[goal.hand, drawn])
            begun.mass[goal.rows[doubled], drawn] += moved
            begun.mass[pays.played[doubled, goal.hand], drawn] -= moved


def work_out(
    setting: Setting, family: Family, removed: IntArray, listed: IntArray | None = None, like: Phase | None = None
) -> Phase:
    """Work a phase out; `listed`: only these hands; `like`: with the decisions of this one."""
    stand, seen = deal(setting, family, removed, np.arange(len(family.hands)) if listed is None else listed)
    plan = like.solution.plan if like is not None else setting.chooser.plan(setting.tables, family)
    chances = second_chances(setting, family, stand, removed)
    solution = solve(stand, setting.rows, family.pays, family.may, plan, chances)
    values = _on_two_cards(setting, family, stand, solution)
    if like is not None:
        turns = like.turns
    else:
        turns = setting.chooser.turn(setting.tables, family, values, _allowed(family, values))
    return Phase(setting, family, removed, stand, seen, solution, values, turns)


def _on_two_cards(setting: Setting, family: Family, stand: Stand, solution: Solution) -> FloatArray:
    """[states, conditions, decisions]: with what suits add, and the splits of first hands."""
    rows, two = setting.rows, family.two
    split = np.full((len(two), stand.dealer.shape[1], 1), rows[0, 0] * 0)
    values = np.concatenate([solution.values[two], split], axis=2)
    for s, state in enumerate(family.states):
        if state.goals:
            hit, double = gains(state, stand, rows, family.pays.played)
            values[s, :, HIT] += hit
            values[s, :, DOUBLE] += double
        if family.start is None and family.pairs[s]:
            pair = int(family.hands.counts[state.hand].argmax())
            if pair in setting.splits:
                values[s, :, SPLIT] = setting.splits[pair]
    return values


def _allowed(family: Family, values: FloatArray) -> NDArray[np.int8]:
    """[states, conditions, decisions]; splitting again is decided for all hands of a split at once, not here."""
    allowed = (family.may[family.two][:, None, None] >> np.arange(values.shape[2]) & 1).astype(np.int8)
    if family.start is not None:
        allowed[:, :, SPLIT] = 0
    return np.broadcast_to(allowed, values.shape)


def deal(setting: Setting, family: Family, removed: IntArray, listed: IntArray) -> tuple[Stand, FloatArray]:
    """The listed hands with further cards out of the shoe; and the chance of a Blackjack that was read."""
    tables, blackjack, hands = setting.tables, setting.blackjack, family.hands
    one = tables.number(1)
    out = removed + hands.counts[listed]
    found = setting.remains.chances(out)
    shoes = (tables.shoe - out) * one
    dealer = np.full((len(hands), *found.shape[1:]), one * 0)
    left = np.full(hands.counts.shape, one * 0)
    dealer[listed] = found
    left[listed] = shoes / shoes.sum(axis=1)[:, None]
    seen = np.full(dealer.shape[:2], one * 0)
    if blackjack >= 0:
        read = np.flatnonzero(tables.read)
        seen[:, read] = dealer[:, read, blackjack]
        dealer[:, read, blackjack] = one * 0
    return Stand(hands, listed, left, dealer), seen
