"""One phase of play worked out: hands of one kind with certain cards out of the shoe."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twentyone.odds.chance import second_chances, settle_chances
from twentyone.odds.choosers import Chooser
from twentyone.odds.flow import Flow, flow
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.player import Plan, Solution, Stand, solve
from twentyone.odds.remains import Remains
from twentyone.odds.states import State, gains
from twentyone.odds.tables import DOUBLE, HIT, SPLIT, STAND, SURRENDER, Pays, Tables

__all__ = ["Kinds", "Phase", "Setting", "deal", "work_out"]


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
class Kinds:
    """What a phase is played for."""

    pays: Pays
    """Which rows settle its hands."""
    states: tuple[State, ...]
    """Its hands of two cards."""
    start: int | None
    """The class of the pair it came from; none: it was not split."""


@dataclass(frozen=True)
class Phase:
    """Hands of one kind, their values and the decisions taken."""

    setting: Setting
    """The game."""
    kinds: Kinds
    """What is played for."""
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
        for s, state in enumerate(self.kinds.states):
            if (weights[s] != 0).any():
                self._begin(begun, state, self.turns[s], weights[s])
        may = self.setting.tables.permissions(self.kinds.start)
        flow(self._later, self.kinds.pays, may, self.solution.plan, begun)
        settle_chances(self.setting, self.kinds.pays, self.stand, self.removed, may, self.solution.plan, begun)
        return begun

    def joint(self, weights: FloatArray) -> Flow:
        """The same, every chance joint with its condition."""
        return self.follow(weights).joint(self.stand, np.array([state.hand for state in self.kinds.states]))

    @cached_property
    def _later(self) -> Stand:
        stand = self.stand
        return Stand(stand.hands, stand.listed[stand.hands.size[stand.listed] > 2], stand.left, stand.dealer)

    @cached_property
    def reached(self) -> NDArray[np.bool_]:
        """[hands]: whether a hand is met at all."""
        found = self.follow(np.full(self.turns.shape, self.setting.rows[0, 0] * 0 + 1)).reach != 0
        met: NDArray[np.bool_] = found.any(axis=(0, 2))
        met[[state.hand for state in self.kinds.states]] = True
        return met

    def _begin(self, begun: Flow, state: State, turns: Any, weights: FloatArray) -> None:
        """Send the weight of two cards on its way: settled, or to the hands that one card makes."""
        dealer, pays = self.stand.dealer[state.hand], self.kinds.pays
        stood = np.flatnonzero((turns == STAND) & (weights != 0))
        begun.mass[pays.played[0, state.hand], stood] += weights[stood, None] * dealer[stood]
        for k in np.flatnonzero((turns == SURRENDER) & (weights != 0)):
            begun.mass[pays.surrender[k], k] += weights[k] * dealer[k]
        for doubled, turn in ((0, HIT), (1, DOUBLE)):
            drawn = np.flatnonzero((turns == turn) & (weights != 0))
            if len(drawn):
                self._draw(begun, state, drawn, weights[drawn], doubled)

    def _draw(self, begun: Flow, state: State, drawn: Any, weights: FloatArray, doubled: int) -> None:
        hand, stand, pays = state.hand, self.stand, self.kinds.pays
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


def work_out(setting: Setting, kinds: Kinds, removed: IntArray, listed: IntArray, like: Phase | None = None) -> Phase:
    """Work a phase out; `like`: with the decisions of this one."""
    tables, rows = setting.tables, setting.rows
    stand, seen = deal(setting, removed, listed)
    may = tables.permissions(kinds.start)
    plan = like.solution.plan if like is not None else setting.chooser.plan(tables, may, kinds.start)
    chances = second_chances(setting, kinds.pays, stand, removed, may)
    solution = solve(stand, rows, kinds.pays, may, plan, chances)
    values = _on_two_cards(setting, kinds, stand, solution)
    if like is not None:
        turns = like.turns
    else:
        turns = setting.chooser.turn(tables, kinds.states, values, _allowed(setting, kinds, values), kinds.start)
    return Phase(setting, kinds, removed, stand, seen, solution, values, turns)


def _on_two_cards(setting: Setting, kinds: Kinds, stand: Stand, solution: Solution) -> FloatArray:
    """[states, conditions, decisions]: with what suits add, and the splits of first hands."""
    rows, hands = setting.rows, stand.hands
    at = np.array([state.hand for state in kinds.states])
    split = np.full((len(at), stand.dealer.shape[1], 1), rows[0, 0] * 0)
    values = np.concatenate([solution.values[at], split], axis=2)
    for s, state in enumerate(kinds.states):
        if state.goals:
            hit, double = gains(state, stand, rows, kinds.pays.played)
            values[s, :, HIT] += hit
            values[s, :, DOUBLE] += double
        if kinds.start is None and hands.counts[state.hand].max() > 1:
            pair = int(hands.counts[state.hand].argmax())
            if pair in setting.splits:
                values[s, :, SPLIT] = setting.splits[pair]
    return values


def _allowed(setting: Setting, kinds: Kinds, values: FloatArray) -> NDArray[np.int8]:
    may = setting.tables.permissions(kinds.start)[[state.hand for state in kinds.states]]
    allowed = (may[:, None, None] >> np.arange(values.shape[2]) & 1).astype(np.int8)
    if kinds.start is not None:
        allowed[:, :, SPLIT] = 0
    return np.broadcast_to(allowed, values.shape)


def deal(setting: Setting, removed: IntArray, listed: IntArray) -> tuple[Stand, FloatArray]:
    """The listed hands with further cards out of the shoe; and the chance of a Blackjack that was read."""
    tables, blackjack = setting.tables, setting.blackjack
    hands = tables.hands
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
