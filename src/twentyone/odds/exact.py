"""Splits by the slow exact method: every card of every hand of the box is seen and used in every later decision.

What a split is worth at most. `core` plays each hand by its own cards, which is a little less; this module measures
how little. It follows whole boxes, card by card, so it is for small shoes, few hands, one condition at a time.
"""

from __future__ import annotations

from functools import cache
from operator import gt
from typing import Any, NamedTuple

import numpy as np

from twentyone.odds.core import Core
from twentyone.odds.dealer import distributions
from twentyone.odds.kernels import CHANCE, DOUBLE, HIT, RESCUE, SPLIT, SURRENDER
from twentyone.odds.payoffs import SPLIT_MAIN, SPLIT_MORE

__all__ = ["exact_split"]

Cards = tuple[int, ...]


class At(NamedTuple):
    """Where a box stands."""

    out: Cards
    """All cards that are out of the shoe, the dealer's left aside."""
    done: tuple[int, ...]
    """The rows that settle the hands that are finished."""
    pending: int
    """Hands still to be finished, the one in play among them."""
    hands: int
    """Hands of the box."""
    later: bool
    """Whether the hand in play has a wager that a split added."""


def exact_split(core: Core, start: int, condition: int) -> Any:
    """The joint value of splitting a pair when all cards of the box count in every decision."""
    return _Box(core, start, condition).value()


class _Box:
    """One box with a pair that is split, against one condition."""

    def __init__(self, core: Core, start: int, condition: int) -> None:
        self.core, self.start, self.condition = core, start, condition
        self.kinds = range(len(core.tables.shoe))
        self.none = (0,) * len(self.kinds)
        self.most = core.tables.most_hands(start)
        self.known: dict[Cards, Any] = {}
        self.play = cache(self._play)
        self.groups = [core.split_groups[kind, start] for kind in (SPLIT_MAIN, SPLIT_MORE)]
        self.indices = [{tuple(row): i for i, row in enumerate(f.hands.counts.tolist())} for f in self.groups]

    def value(self) -> Any:
        """Both cards of the pair out of the shoe, two hands to play."""
        pair = self._with(self._with(self.none, self.start), self.start)
        return self._next_hand(At(pair, (), 2, 2, False))

    def _with(self, cards: Cards, card: int) -> Cards:
        return (*cards[:card], cards[card] + 1, *cards[card + 1 :])

    def _draws(self, out: Cards) -> list[tuple[int, Any]]:
        left = [int(self.core.tables.shoe[i]) - out[i] for i in self.kinds]
        whole = sum(left) * self.core.one
        return [(i, left[i] / whole) for i in self.kinds if left[i] > 0]

    def _next_hand(self, at: At) -> Any:
        """Deal the second card to the next hand, or settle the box."""
        before = self.core.one * 0
        if at.pending <= 1:
            # What the last hand draws does not change what the finished hands may expect.
            before = sum((self.dealer(at.out) @ self.core.game.rows[row] for row in at.done), before)
            at = at._replace(done=())
        if not at.pending:
            return before
        own = self._with(self.none, self.start)
        return before + sum(
            chance * self.play(at._replace(out=self._with(at.out, card)), self._with(own, card))
            for card, chance in self._draws(at.out)
        )

    def dealer(self, out: Cards) -> Any:
        """The dealer's chances; those with up to two further cards out are worked out along with them."""
        if out not in self.known:
            near = {out, *(self._with(out, a) for a in self.kinds)}
            near |= {self._with(self._with(out, a), b) for a in self.kinds for b in self.kinds[a:]}
            shoe = self.core.tables.shoe.tolist()
            fresh = [cards for cards in near if cards not in self.known and not any(map(gt, cards, shoe))]
            self._learn(fresh)
        return self.known[out]

    def _learn(self, fresh: list[Cards]) -> None:
        game, tables = self.core.game, self.core.tables
        chances = distributions(game.dealer_odds.walk, (tables.shoe - np.array(fresh)) * self.core.one)[
            :, self.condition
        ]
        if game.blackjack >= 0 and tables.read[self.condition]:
            chances[:, game.blackjack] = self.core.one * 0
        self.known.update(zip(fresh, chances, strict=True))

    def _play(self, at: At, own: Cards) -> Any:
        """The best decision on the hand in play."""
        group, hand = self.groups[at.later], self.indices[at.later][own]
        bits, pays = int(group.may[hand]), group.pays
        values = [self._close(at, int(pays.played[0, hand]))]
        if bits >> SURRENDER & 1:
            values.append(self._close(at, int(pays.surrender[self.condition])))
        if bits >> SPLIT & 1 and at.hands < self.most and sum(own) == 2 and own[self.start] == 2:
            values.append(self._next_hand(at._replace(pending=at.pending + 1, hands=at.hands + 1)))
        for turn, doubled in ((HIT, 0), (DOUBLE, 1)):
            if bits >> turn & 1:
                draws = self._draws(at.out)
                values.append(sum(chance * self._drawn(at, own, card, doubled) for card, chance in draws))
        return max(values)

    def _close(self, at: At, row: int) -> Any:
        return self._next_hand(at._replace(done=(*at.done, row), pending=at.pending - 1, later=True))

    def _drawn(self, at: At, own: Cards, card: int, doubled: int) -> Any:
        at, own = at._replace(out=self._with(at.out, card)), self._with(own, card)
        group, hand = self.groups[at.later], self.indices[at.later].get(own, -1)
        pays = group.pays
        if hand < 0:
            return self._close(at, int(pays.over[doubled]))
        if not doubled and not group.hands.over[hand]:
            return self.play(at, own)
        values = [self._close(at, int(pays.played[doubled, hand]))]
        if doubled and group.may[hand] >> RESCUE & 1:
            values.append(self._close(at, pays.rescue))
        if group.may[hand] >> (CHANCE + doubled) & 1:
            values.append(self._chance(at, pays.chance[doubled, hand]))
        return max(values)

    def _chance(self, at: At, rows: Any) -> Any:
        return sum(
            chance * self._close(at._replace(out=self._with(at.out, card)), int(rows[card]))
            for card, chance in self._draws(at.out)
        )
