"""The analysis itself: the first hands of a round, the hands out of splits, and what they come to together."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twentyone.odds.dealer import distributions
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.payoffs import FIRST, SPLIT_MAIN, SPLIT_MORE, Kind
from twentyone.odds.player import Plan, Solution, Stand, solve
from twentyone.odds.splits import Weights, split_weights
from twentyone.odds.tables import DECISIONS, DOUBLE, SPLIT, Pays, Tables

__all__ = ["Core"]


class Core:
    """A game being analysed."""

    def __init__(self, tables: Tables, as_first: bool = False) -> None:
        self.tables, self.as_first = tables, as_first
        self.first_pays = tables.pays(FIRST)
        self.split_pays = {kind: tables.pays(kind) for kind in (SPLIT_MAIN, SPLIT_MORE)}
        self.blackjack_rows = tables.blackjacks()
        self.walk, self.rows, self.blackjack = tables.columns()
        self.one = tables.number(1)
        self.first_may = tables.permissions()

    # -- cards and the dealer

    def stand(self, removed: IntArray, listed: IntArray) -> tuple[Stand, FloatArray]:
        """The listed hands with further cards out of the shoe; and the chance of a Blackjack that was read."""
        tables = self.tables
        hands = tables.hands
        shoes = (tables.shoe - removed - hands.counts[listed]) * self.one
        found = distributions(self.walk, shoes)
        zero = self.one * 0
        dealer = np.full((len(hands), *found.shape[1:]), zero)
        left = np.full(hands.counts.shape, zero)
        dealer[listed] = found
        left[listed] = shoes / shoes.sum(axis=1)[:, None]
        seen = np.full(dealer.shape[:2], zero)
        if self.blackjack >= 0:
            read = np.flatnonzero(tables.read)
            seen[:, read] = dealer[:, read, self.blackjack]
            dealer[:, read, self.blackjack] = zero
        return Stand(hands, listed, left, dealer), seen

    # -- the first hands

    @cached_property
    def first(self) -> tuple[Stand, FloatArray, Solution]:
        hands = self.tables.hands
        listed = np.flatnonzero(hands.size >= 2)
        stand, seen = self.stand(np.zeros(len(self.tables.shoe), dtype=np.int64), listed)
        return stand, seen, solve(stand, self.rows, self.first_pays, self.first_may)

    # -- splits

    def split_hand(self, start: int, more: int, kind: Kind, plan: Plan | None) -> tuple[Stand, Solution, IntArray]:
        """Hands that began with one card of a pair, with the other and `more` pair cards out of the shoe."""
        hands = self.tables.hands
        listed = np.flatnonzero((hands.counts[:, start] > 0) & (hands.size >= 2))
        removed = np.zeros(len(self.tables.shoe), dtype=np.int64)
        removed[start] = 1 + more
        stand, _ = self.stand(removed, listed)
        may = self.tables.permissions(start)
        return stand, solve(stand, self.rows, self.split_pays[kind], may, plan), may

    def plan_as_first(self, start: int) -> Plan:
        _, _, first = self.first
        may = self.tables.permissions(start)
        values = np.where((may[:, None, None] >> np.arange(4) & 1).astype(bool), first.values, -np.inf)
        return Plan(values.argmax(axis=2).astype(np.int8), first.plan.offer)

    def split_value(self, start: int) -> FloatArray:
        tables = self.tables
        most = tables.most_hands(start)
        shoe = tables.shoe.copy()
        shoe[start] -= 2
        weights = split_weights(most, shoe[start] * self.one, shoe.sum() * self.one)
        plan = self.plan_as_first(start) if self.as_first else None
        total = 0
        never = 0
        for more in range(max(i for _, i in (*weights.parted, *weights.free)) + 1):
            for original in (True, False):
                kind = SPLIT_MAIN if original else SPLIT_MORE
                stand, found, _ = self.split_hand(start, more, kind, plan)
                plan = found.plan
                nxt = tables.hands.after[tables.hands.find(np.eye(len(shoe), dtype=np.int64)[start : start + 1])[0]]
                remaining = shoe.copy()
                remaining[start] -= more
                chance = remaining / remaining.sum()
                each = chance[:, None] * found.best[0, nxt]
                parted = each.sum(axis=0) - each[start]
                free = each.sum(axis=0)
                total = total + weights.parted.get((original, more), 0) * parted + weights.free.get((original, more), 0) * free
                if more == 0:
                    never = never + free
        return np.maximum(total, never)

    def value(self) -> Any:
        tables = self.tables
        hands = tables.hands
        stand, seen, first = self.first
        two = np.flatnonzero(hands.size == 2)
        shoe = tables.shoe * self.one
        n = shoe.sum()
        best = first.best[0].copy()
        total = 0
        self.splits = {}
        for i in two:
            c = hands.counts[i]
            a = np.flatnonzero(c)
            if len(a) == 1:
                p = shoe[a[0]] * (shoe[a[0]] - 1) / (n * (n - 1))
            else:
                p = 2 * shoe[a[0]] * shoe[a[1]] / (n * (n - 1))
            full = stand.dealer[i].copy()
            bjrow = self.rows[self.first_pays.played[0, i]]
            if hands.total[i] == tables.rules.limit:
                full[:, self.blackjack] += seen[i]
                v = (full * self.rows[self.blackjack_rows]).sum()
            else:
                v = best[i]
                if self.first_may[i] >> SPLIT & 1:
                    s = self.split_value(int(a[0])); self.splits[int(a[0])] = s
                    v = np.maximum(v, s)
                v = v.sum() + (seen[i] * bjrow[self.blackjack]).sum()
            total += p * v
        return total
