"""The values of one phase of play: hands of one kind with certain cards out of the shoe."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twentyone.odds.chance import second_chances, settle_chances
from twentyone.odds.choosers import Chooser
from twentyone.odds.dealer_cache import DealerOddsCache
from twentyone.odds.hand_group import HandGroup
from twentyone.odds.kernels import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.player import HandsAndShoe, Plan, ReachProbabilities, Solution, follow_plan, solve
from twentyone.odds.states import HandState, gains
from twentyone.odds.tables import Tables

__all__ = ["GameTables", "PhaseValues", "deal", "work_out"]


@dataclass(frozen=True)
class GameTables:
    """A game as all its phases share it."""

    tables: Tables
    """Its rules as arrays."""
    chooser: Chooser
    """Who decides."""
    dealer_odds: DealerOddsCache
    """The dealer's chances."""
    rows: FloatArray
    """[rows, columns]: the rows of pay."""
    blackjack: int
    """The column of a dealer's Blackjack; -1: there is none."""
    splits: dict[int, FloatArray] = field(default_factory=dict)
    """Class of a pair to [conditions]: the joint value of splitting it."""


@dataclass(frozen=True)
class PhaseValues:
    """Hands of one kind, their values and the decisions taken."""

    game: GameTables
    """The game."""
    group: HandGroup
    """Its hands."""
    removed: IntArray
    """[classes]: the cards that are out beside the hand's own."""
    held: HandsAndShoe
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

    @cached_property
    def second_cards(self) -> FloatArray:
        """[states]: the chance of each as the second card of a hand out of a split comes."""
        tables, start = self.game.tables, self.group.start
        assert start is not None
        alone = np.eye(len(tables.shoe), dtype=np.int64)[start]
        left = (tables.shoe - self.removed - alone) * tables.number(1)
        cards = (self.group.hands.counts[self.group.two] - alone).argmax(axis=1)
        chances: FloatArray = np.array([state.share for state in self.group.states]) * left[cards] / left.sum()
        return chances

    @cached_property
    def alone(self) -> tuple[FloatArray, FloatArray]:
        """[conditions]: one hand out of a split whose second card is no pair card, and one with any second card."""
        each = self.second_cards[:, None] * self.best
        return each[~self.group.pairs].sum(axis=0), each.sum(axis=0)

    def when_read(self, s: int) -> IntArray:
        """[conditions]: the row that settles two cards against a Blackjack that is read: played, or given up before."""
        pays = self.group.pays
        given_up = np.array(self.game.tables.early) & (self.turns[s] == SURRENDER)
        return np.where(given_up, pays.surrender, pays.played[0, self.group.two[s]])

    def follow(self, weights: FloatArray) -> ReachProbabilities:
        """What is reached and settled from here; `weights` is [states, conditions]: how often each state is played."""
        zero = self.game.rows[0, 0] * 0
        shape = self.held.dealer.shape
        begun = ReachProbabilities(
            weights, np.full((2, *shape[:2]), zero), np.full((len(self.game.rows), *shape[1:]), zero)
        )
        plain, hands = self._plain, self.group.two[self._plain]
        for s, state in enumerate(self.group.states):
            if not plain[s] and (weights[s] != 0).any():
                self._begin(begun, state, self.turns[s], weights[s])
        turn = self.solution.plan.turn.copy()
        turn[hands] = self.turns[plain]
        begun.reach[0, hands] = np.where(turn[hands] == SPLIT, zero, weights[plain])
        follow_plan(self.held, self.group.pays, self.group.may, Plan(turn, self.solution.plan.offer), begun)
        begun.reach[0, hands] = zero
        settle_chances(self.game, self.group, self.held, self.removed, self.solution.plan, begun)
        return begun

    def joint(self, weights: FloatArray) -> ReachProbabilities:
        """The same, every chance joint with its condition."""
        return self.follow(weights).joint(self.held, self.group.two)

    @cached_property
    def _plain(self) -> NDArray[np.bool_]:
        """[states]: whether its suits do not matter, so that it is followed like hands of more cards."""
        return np.array([not state.goals and not state.suits and state.share == 1 for state in self.group.states])

    @cached_property
    def met(self) -> NDArray[np.bool_]:
        """[hands]: whether a hand is met at all."""
        reached = self.follow(np.full(self.turns.shape, self.game.rows[0, 0] * 0 + 1)).reach != 0
        met: NDArray[np.bool_] = reached.any(axis=(0, 2))
        met[self.group.two] = True
        return met

    def _begin(self, begun: ReachProbabilities, state: HandState, turns: Any, weights: FloatArray) -> None:
        """Send the weight of two cards on its way: settled, or to the hands that one card makes."""
        dealer, pays = self.held.dealer[state.hand], self.group.pays
        stood = np.flatnonzero((turns == STAND) & (weights != 0))
        begun.mass[pays.played[0, state.hand], stood] += weights[stood, None] * dealer[stood]
        for k in np.flatnonzero((turns == SURRENDER) & (weights != 0)):
            begun.mass[pays.surrender[k], k] += weights[k] * dealer[k]
        for doubled, turn in ((0, HIT), (1, DOUBLE)):
            drawn = np.flatnonzero((turns == turn) & (weights != 0))
            if len(drawn):
                self._draw(begun, state, drawn, weights[drawn], doubled)

    def _draw(self, begun: ReachProbabilities, state: HandState, drawn: Any, weights: FloatArray, doubled: int) -> None:
        hand, held, pays = state.hand, self.held, self.group.pays
        after = held.hands.after[hand]
        cards = np.flatnonzero(after >= 0)
        targets = after[cards]
        begun.reach[doubled, targets[:, None], drawn[None, :]] += held.left[hand, cards][:, None] * weights
        taken = (held.left[hand, cards][:, None, None] * held.dealer[targets[:, None], drawn[None, :]]).sum(axis=0)
        begun.mass[pays.over[doubled], drawn] += weights[:, None] * (held.dealer[hand, drawn] - taken)
        for goal in state.goals:
            moved = weights[:, None] * (held.left[hand, goal.card] * goal.chance * held.dealer[goal.hand, drawn])
            begun.mass[goal.rows[doubled], drawn] += moved
            begun.mass[pays.played[doubled, goal.hand], drawn] -= moved


def work_out(
    game: GameTables,
    group: HandGroup,
    removed: IntArray,
    listed: IntArray | None = None,
    like: PhaseValues | None = None,
) -> PhaseValues:
    """Work a phase out; `listed`: only these hands; `like`: with the decisions of this one."""
    held, seen = deal(game, group, removed, np.arange(len(group.hands)) if listed is None else listed)
    plan = like.solution.plan if like is not None else game.chooser.plan(game.tables, group)
    chances = second_chances(game, group, held, removed)
    solution = solve(held, game.rows, group.pays, group.may, plan, chances)
    values = _on_two_cards(game, group, held, solution)
    if group.start is None and game.blackjack >= 0 and any(game.tables.early):
        values[:, :, SURRENDER] += _saved(game, group, seen)
    turns = like.turns if like is not None else game.chooser.turn(game.tables, group, values, _allowed(group, values))
    return PhaseValues(game, group, removed, held, seen, solution, values, turns)


def _on_two_cards(game: GameTables, group: HandGroup, held: HandsAndShoe, solution: Solution) -> FloatArray:
    """[states, conditions, decisions]: with what suits add, and the splits of first hands."""
    rows, two = game.rows, group.two
    split = np.full((len(two), held.dealer.shape[1], 1), rows[0, 0] * 0)
    values = np.concatenate([solution.values[two], split], axis=2)
    for s, state in enumerate(group.states):
        if state.goals:
            hit, double = gains(state, held, rows, group.pays.played)
            values[s, :, HIT] += hit
            values[s, :, DOUBLE] += double
        if group.start is None and group.pairs[s]:
            pair = int(group.hands.counts[state.hand].argmax())
            if pair in game.splits:
                values[s, :, SPLIT] = game.splits[pair]
    return values


def _saved(game: GameTables, group: HandGroup, seen: FloatArray) -> FloatArray:
    """[states, conditions]: what a surrender before the hole card is read keeps of what its Blackjack takes."""
    given_up = game.rows[group.pays.surrender, game.blackjack][None, :]
    lost = game.rows[group.pays.played[0, group.two], game.blackjack][:, None]
    saved: FloatArray = np.where(game.tables.early, seen[group.two] * (given_up - lost), seen[group.two] * 0)
    return saved


def _allowed(group: HandGroup, values: FloatArray) -> NDArray[np.int8]:
    """[states, conditions, decisions]; splitting again is decided for all hands of a split at once, not here."""
    allowed = (group.may[group.two][:, None, None] >> np.arange(values.shape[2]) & 1).astype(np.int8)
    if group.start is not None:
        allowed[:, :, SPLIT] = 0
    return np.broadcast_to(allowed, values.shape)


def _placed(rows: FloatArray, listed: IntArray, size: int) -> FloatArray:
    """Rows of the listed hands where they belong among all."""
    if len(listed) == size:
        return rows
    placed: FloatArray = np.full((size, *rows.shape[1:]), rows[0].ravel()[0] * 0)
    placed[listed] = rows
    return placed


def deal(game: GameTables, group: HandGroup, removed: IntArray, listed: IntArray) -> tuple[HandsAndShoe, FloatArray]:
    """The listed hands with further cards out of the shoe; and the chance of a Blackjack that was read."""
    tables, blackjack, hands = game.tables, game.blackjack, group.hands
    one = tables.number(1)
    out = removed + hands.counts[listed]
    chances = game.dealer_odds.chances(out)
    shoes = (tables.shoe - out) * one
    dealer = _placed(chances, listed, len(hands))
    left = _placed(shoes / shoes.sum(axis=1)[:, None], listed, len(hands))
    seen = np.full(dealer.shape[:2], one * 0)
    if blackjack >= 0:
        read = np.flatnonzero(tables.read)
        seen[:, read] = dealer[:, read, blackjack]
        dealer[:, read, blackjack] = one * 0
    return HandsAndShoe(hands, listed, left, dealer), seen
