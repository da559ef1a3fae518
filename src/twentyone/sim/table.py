"""The state table of the fast path: game and chart of one box compiled until every card is one lookup.

Made from the arrays of the round function alone. What the table cannot hold leaves to the round function: splits,
insurance, and whatever depends on the suit of a card where a rank was looked up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.sim import layout as at
from twentyone.sim.fates import MATTERS
from twentyone.sim.layout import Game

__all__ = ["LEAVE", "RESULTS", "Fast", "fast_table"]

CLOSED = 1 << 14
"""From here on a code is a closed hand: draws no more ..."""
DEALT = 1 << 15
"""... and from here on one for which the dealer draws."""
LEAVE = 0xFFFF
"""The round leaves to the round function."""
RESULTS = 512
"""Kinds of result that are told apart at most."""

RANK_ROW, CARD_ROW, DEALER_ROW = 16, 64, 256


class Fast(NamedTuple):
    """The state table."""

    card: NDArray[np.uint8]
    """Place in the unshuffled shoe to card."""
    pair: NDArray[np.uint16]
    """Two cards to the hand they are (rows of 64)."""
    glance: NDArray[np.uint16]
    """Ranks of up card and hole card to the first row of `start` (rows of 16)."""
    second: NDArray[np.uint16]
    """Ranks of up card and hole card to the dealer's state (rows of 16)."""
    start: NDArray[np.uint16]
    """View and hand to a code."""
    turn: NDArray[np.uint16]
    """Code and rank to the next code (rows of 16)."""
    dealer: NDArray[np.uint16]
    """Dealer's state and rank to the next (rows of 16); below `dealer_draws` he draws."""
    result: NDArray[np.uint16]
    """Closed hand and dealer's state to a kind of result (rows of 256)."""
    number: NDArray[np.int64]
    """Size of the shoe, threshold, first dealer's state on which he stands."""
    kinds: NDArray[np.int64]
    """Kind of result to gain, tally, grains staked, doubles."""


class _Closed(NamedTuple):
    fate: int
    units: int
    """Wagers of one unit laid."""
    doubles: int


def fast_table(game: Game) -> Fast | None:
    """The state table of a game, where it has one: one box, a hole card, no side wagers, no count, no errors."""
    number = game.number
    plain = number[at.BOXES] == 1 and number[at.HOLE] and not number[at.COUNTS] and not game.errors
    sides = game.money[0, 0, [at.MATCH_STAKE, at.SPIN_STAKE, at.XTREME_STAKE]].any()
    order = tuple(game.passes) == (0, 1, 0, 1)
    return _Table(game).table() if plain and order and not sides else None


class _Table:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.rows: dict[tuple[int, int], int] = {}
        """Column and state to the row of a hand that draws; negative states are doubled, then over the limit."""
        self.closed: dict[_Closed, int] = {}
        self.codes: list[list[int]] = []
        self.kinds: dict[tuple[int, ...], int] = {}

    def table(self) -> Fast:
        game = self.game
        views, start = self._views()
        self._explore()
        order = np.argsort(1 - game.draws.astype(int), kind="stable")
        place = np.argsort(order, kind="stable")
        result = self._results(order)
        two = game.dealer[game.dealer[0]]
        return Fast(
            card=game.cards.astype(np.uint8),
            pair=_padded(game.step[game.step[0]], CARD_ROW),
            glance=_padded(views * len(game.kind), RANK_ROW),
            second=_padded(place[two], RANK_ROW),
            start=start.astype(np.uint16).ravel(),
            turn=_padded(np.array(self.codes or [[0] * at.RANK_COUNT]), RANK_ROW),
            dealer=_padded(place[game.dealer[order]], RANK_ROW),
            result=_padded(result, DEALER_ROW),
            number=np.array(
                [game.number[at.SIZE], game.number[at.THRESHOLD], game.draws.sum(), game.number[at.COVER], game.number[at.BURN]],
                np.int64,
            ),
            kinds=np.array(list(self.kinds), np.int64),
        )

    # -- where a hand begins

    def _views(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Up and hole card to a view, and for each view and hand its first code."""
        game = self.game
        marks = at.ENDS | at.SURRENDER_WAITS | at.BLACKJACK_PAID | at.INSURABLE | at.ASKED_EARLY
        views: dict[tuple[int, int], int] = {}
        table = np.zeros(game.look.shape, np.int64)
        for up, hole in np.ndindex(*game.look.shape):
            key = int(game.cond[up, hole]), int(game.look[up, hole]) & marks
            table[up, hole] = views.setdefault(key, len(views))
        twos = {int(state) for state in game.step[game.step[0]].ravel()}
        start = np.full((len(views), len(game.kind)), LEAVE, np.int64)
        for (column, look), view in views.items():
            for state in twos:
                start[view, state] = self._first(column, look, state)
        return table, start

    def _first(self, column: int, look: int, state: int) -> int:
        game = self.game
        blackjack = game.kind[state] == 1
        if look & at.INSURABLE and self._said(column, state, at.INSURANCE) != at.DECLINE:
            return LEAVE
        if blackjack and game.number[at.PAY_FIRST]:
            return self._close(int(game.paid[state]))
        if look & at.ASKED_EARLY and self._said(column, state, at.EARLY) == at.SURRENDER:
            return self._close(int(game.number[at.WAIT_FATE]))
        if look & at.ENDS:
            return self._close(int(game.fate[state, 0]))
        if blackjack:
            paid = game.paid[state] if look & at.BLACKJACK_PAID else game.fate[state, 0]
            return self._close(int(paid))
        return self._asked(column, look, state)

    def _said(self, column: int, state: int, channel: int) -> int:
        return int(self.game.chart[self.game.money[0, 0, at.STRATEGY], 0, column, state, channel])

    def _asked(self, column: int, look: int, state: int) -> int:
        """The code of a hand on its turn."""
        game = self.game
        if game.kind[state] == 2:
            return self._busted(column, state, 0)
        decision = self._said(column, state, at.TURN_SPLIT if game.splits[state] else at.TURN)
        if decision == at.STAND:
            return self._close(int(game.fate[state, 0]))
        if decision == at.SURRENDER:
            return self._close(int(game.number[at.WAIT_FATE if look & at.SURRENDER_WAITS else at.ONCE_FATE]))
        if decision == at.SPLIT:
            return LEAVE
        kind = 1 if decision == at.DOUBLE else 0
        return self._row(column, look, state, kind)

    def _busted(self, column: int, state: int, doubled: int) -> int:
        said = self._said(column, state, at.OFFER_DOUBLED if doubled else at.OFFER)
        if said != at.CHANCE:
            return self._close(int(self.game.fate[state, doubled]), doubled)
        return self._row(column, 0, state, 2 + doubled)

    # -- rows

    def _row(self, column: int, look: int, state: int, kind: int) -> int:
        """The row of a hand that gets a card: a hit, a double, a second chance, one after a double."""
        key = column, look & at.SURRENDER_WAITS, state, kind
        if key not in self.rows:
            self.rows[key] = len(self.rows)  # type: ignore[index]
        return self.rows[key]  # type: ignore[index]

    def _explore(self) -> None:
        done = 0
        while done < len(self.rows):
            column, look, state, kind = list(self.rows)[done]  # type: ignore[misc]
            self.codes.append([self._ranked(column, look, state, kind, rank) for rank in range(at.RANK_COUNT)])
            done += 1
        if done >= CLOSED:
            raise OverflowError("too many rows")

    def _ranked(self, column: int, look: int, state: int, kind: int, rank: int) -> int:
        cards = range(rank * at.SUIT_COUNT, (rank + 1) * at.SUIT_COUNT)
        found = {self._drawn(column, look, state, kind, card) for card in cards}
        return found.pop() if len(found) == 1 else LEAVE

    def _drawn(self, column: int, look: int, state: int, kind: int, card: int) -> int:
        game = self.game
        if kind >= 2:
            stake = kind - 2
            fate = game.chance[game.points[state], game.value[card // at.SUIT_COUNT], stake]
            more = 1 + (stake if game.number[at.CHANCE_UNITS] else 0)
            return self._close(int(fate), stake, more)
        drawn = int(game.step[state, card])
        if kind == 0:
            return self._asked(column, look, drawn)
        if game.kind[drawn] == 2:
            return self._busted(column, drawn, 1)
        if self._said(column, drawn, at.OFFER_DOUBLED) == at.RESCUE:
            return self._close(int(game.number[at.RESCUE_MAIN]), 1)
        return self._close(int(game.fate[drawn, 1]), 1)

    # -- results

    def _close(self, fate: int, doubles: int = 0, more: int = 0) -> int:
        """The code of a closed hand."""
        game = self.game
        if game.prize[fate].any():
            return LEAVE
        closed = _Closed(fate, 1 + doubles + more, doubles)
        number = self.closed.setdefault(closed, len(self.closed))
        draws = game.number[at.STOPS] == 0 or game.mark[fate] & MATTERS
        return (DEALT if draws else CLOSED) | number

    def _results(self, order: NDArray[np.int64]) -> NDArray[np.int64]:
        game = self.game
        unit, main = int(game.money[0, 0, at.MAIN_UNIT]), int(game.money[0, 0, at.MAIN])
        table = np.zeros((len(self.closed), len(order)), np.int64)
        for closed, number in self.closed.items():
            for place, dealer in enumerate(order):
                gain = int(game.gain[closed.fate, dealer]) * unit
                kind = gain, int(game.tally[closed.fate, dealer]), closed.units * main, closed.doubles
                table[number, place] = self.kinds.setdefault(kind, len(self.kinds))
        if len(self.kinds) > RESULTS:
            raise OverflowError("too many kinds of result")
        return table


def _padded(table: NDArray[np.integer], width: int) -> NDArray[np.uint16]:
    """Rows of a fixed width, one after another."""
    wide = np.zeros((len(table), width), np.uint16)
    wide[:, : table.shape[1]] = table
    return wide.ravel()
