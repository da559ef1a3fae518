"""Splits by the slow exact method: every card of every hand of the box is seen and used in every later decision.

What a split is worth at most. `core` plays each hand by its own cards, which is a little less; this module measures
how little. It follows whole boxes, card by card, so it is for small shoes, few hands, one condition at a time.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from twentyone.odds.core import Core
from twentyone.odds.dealer import distributions
from twentyone.odds.payoffs import SPLIT_MAIN, SPLIT_MORE
from twentyone.odds.tables import CHANCE, DOUBLE, HIT, RESCUE, SPLIT, SURRENDER

__all__ = ["exact_split"]

Cards = tuple[int, ...]
Rows = tuple[int, ...]


def exact_split(core: Core, start: int, condition: int) -> Any:
    """The joint value of splitting a pair when all cards of the box count in every decision."""
    return _Box(core, start, condition).value()


class _Box:
    """One box with a pair that is split, against one condition."""

    def __init__(self, core: Core, start: int, condition: int) -> None:
        self.core, self.start, self.condition = core, start, condition
        self.kinds = range(len(core.tables.shoe))
        self.most = core.tables.most_hands(start)
        self.dealer = cache(self._dealer)
        self.play = cache(self._play)
        self.families = [core.split_families[kind, start] for kind in (SPLIT_MAIN, SPLIT_MORE)]
        self.places = [{tuple(row): i for i, row in enumerate(f.hands.counts.tolist())} for f in self.families]

    def value(self) -> Any:
        """Both cards of the pair out of the shoe, two hands to play."""
        out = self._with(self._with((0,) * len(self.kinds), self.start), self.start)
        return self._next_hand(out, (), 2, 2)

    def _with(self, cards: Cards, card: int) -> Cards:
        return (*cards[:card], cards[card] + 1, *cards[card + 1 :])

    def _draws(self, out: Cards) -> list[tuple[int, Any]]:
        left = [int(self.core.tables.shoe[i]) - out[i] for i in self.kinds]
        whole = sum(left) * self.core.one
        return [(i, left[i] / whole) for i in self.kinds if left[i] > 0]

    def _next_hand(self, out: Cards, done: Rows, pending: int, hands: int) -> Any:
        """Deal the second card to the next hand, or settle the box."""
        if not pending:
            dealer = self.dealer(out)
            return sum(dealer @ self.core.setting.rows[row] for row in done)
        own = self._with((0,) * len(self.kinds), self.start)
        return sum(
            chance * self.play(self._with(out, card), done, pending, hands, self._with(own, card))
            for card, chance in self._draws(out)
        )

    def _dealer(self, out: Cards) -> Any:
        setting = self.core.setting
        shoe = (self.core.tables.shoe - np.array([out])) * self.core.one
        dealer = distributions(setting.remains.walk, shoe)[0, self.condition]
        if setting.blackjack >= 0 and self.core.tables.read[self.condition]:
            dealer[setting.blackjack] = self.core.one * 0
        return dealer

    def _play(self, out: Cards, done: Rows, pending: int, hands: int, own: Cards) -> Any:
        """The best decision on the hand in play."""
        family, at = self.families[bool(done)], self.places[bool(done)][own]
        bits = int(family.may[at])
        pays = family.pays
        values = [self._close(out, done, pending, hands, int(pays.played[0, at]))]
        if bits >> SURRENDER & 1:
            values.append(self._close(out, done, pending, hands, int(pays.surrender[self.condition])))
        if bits >> SPLIT & 1 and hands < self.most and sum(own) == 2 and own[self.start] == 2:
            values.append(self._next_hand(out, done, pending + 1, hands + 1))
        for turn, doubled in ((HIT, 0), (DOUBLE, 1)):
            if bits >> turn & 1:
                values.append(self._draw(out, done, pending, hands, own, doubled))
        return max(values)

    def _close(self, out: Cards, done: Rows, pending: int, hands: int, row: int) -> Any:
        return self._next_hand(out, (*done, row), pending - 1, hands)

    def _draw(self, out: Cards, done: Rows, pending: int, hands: int, own: Cards, doubled: int) -> Any:
        return sum(
            chance * self._drawn(self._with(out, card), done, pending, hands, self._with(own, card), doubled)
            for card, chance in self._draws(out)
        )

    def _drawn(self, out: Cards, done: Rows, pending: int, hands: int, own: Cards, doubled: int) -> Any:
        family, at = self.families[bool(done)], self.places[bool(done)].get(own, -1)
        pays = family.pays
        if at < 0:
            return self._close(out, done, pending, hands, int(pays.over[doubled]))
        if not doubled and not family.hands.over[at]:
            return self.play(out, done, pending, hands, own)
        values = [self._close(out, done, pending, hands, int(pays.played[doubled, at]))]
        if doubled and family.may[at] >> RESCUE & 1:
            values.append(self._close(out, done, pending, hands, pays.rescue))
        if family.may[at] >> (CHANCE + doubled) & 1:
            values.append(self._chance(out, done, pending, hands, pays.chance[doubled, at]))
        return max(values)

    def _chance(self, out: Cards, done: Rows, pending: int, hands: int, rows: Any) -> Any:
        return sum(
            chance * self._close(self._with(out, card), done, pending, hands, int(rows[card]))
            for card, chance in self._draws(out)
        )
