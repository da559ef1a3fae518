"""Making the state table: game and chart of one box compiled until every card is one lookup.

Made from the arrays of the round function alone. What the table cannot hold leaves to the round function:
insurance, super bonuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.sim import layout as at
from twentyone.sim.layout import BoxMoney, Channel, DecisionCode, GameArrays, HandKind, Look, Parameter
from twentyone.sim.minimal import classes
from twentyone.sim.payoffs import MATTERS
from twentyone.sim.state_table import (
    CARD_ROW,
    NO_CARD,
    RANK_ROW,
    RESULT_ROW,
    RESULTS,
    SPLIT_HANDS,
    SPLIT_ROW,
    Fast,
    TableNumber,
    padded,
    row_start,
    transition_table,
)
from twentyone.sim.work import SHOE_ROOM

__all__ = ["LEAVE", "fast_table"]

CLOSED, DEALT, SPLIT, SUITED, LEAVE = (kind << 20 for kind in range(1, 6))
"""While the table is made, codes from these on are: a closed hand, one for which the dealer draws, a pair to split (and
the rows of its hands), a hand that depends on the suit of its last card (and its row of `suited`), a round that
leaves. In the table itself they are rows of their own that lead to themselves, after the rows that draw."""
MOST_STEPS = 1 << 12
"""Steps that a split round may lose or gain at most."""


class _Row(NamedTuple):
    """A hand that gets a card."""

    column: int
    look: int
    state: int
    kind: int
    """A hit, a double, a second chance, one after a double."""
    wager: int
    """0 on the main wager, 2 on one added by a split."""
    hands: int
    """Hands of the box: 1, or 2 after a split; as many as there are while a split hand has one card."""


class _Closed(NamedTuple):
    payoff: int
    units: int
    """Wagers of one unit laid."""
    doubles: int


def fast_table(game: GameArrays) -> Fast | None:
    """The state table of a game, where it has one: one box, a hole card, no side wagers, no count, no errors, no
    infinite deck, not too large."""
    number = game.number
    plain = number[Parameter.BOXES] == 1 and number[Parameter.HOLE] and not number[Parameter.COUNTS] and not game.errors
    plain = plain and not number[Parameter.INFINITE]
    sides = game.money[0, 0, BoxMoney.MATCH_WAGER : BoxMoney.XTREME_WAGER + 1].any()
    order = tuple(game.passes) == (0, 1, 0, 1) and number[Parameter.SIZE] < SHOE_ROOM
    try:
        return _Table(game).table() if plain and order and not sides else None
    except OverflowError:
        return None


class _Table:
    def __init__(self, game: GameArrays) -> None:
        self.game = game
        self.rows: dict[_Row, int] = {}
        """The hands that draw, by number."""
        self._listed: list[_Row] = []
        self.suits: dict[tuple[int, ...], int] = {}
        """Codes by suit, by number."""
        self.splits: dict[tuple[int, ...], int] = {}
        """Rows of a hand of a pair that is split, by hands, wager and suit (see `Fast.split`), by number."""
        self.closed: dict[_Closed, int] = {}
        self.codes: list[list[int]] = []
        self.kinds: dict[tuple[int, ...], int] = {(0, 0, 0, 0): 0}

    def table(self) -> Fast:
        game = self.game
        views, start = self._views()
        self._explore()
        order = np.argsort(1 - game.draws.astype(int), kind="stable")
        number = np.argsort(order, kind="stable")
        result = self._results(order)
        rows = self._final_rows()
        twos, pair = np.unique(game.step[game.step[0]], return_inverse=True)
        if len(twos) > np.iinfo(np.uint8).max:
            raise OverflowError("too many hands of two cards")
        card = np.full(SHOE_ROOM, NO_CARD)
        card[: len(game.cards)] = game.cards
        return Fast(
            card=card.astype(np.uint8),
            pair=padded(pair.reshape(-1, at.CARD_COUNT), CARD_ROW).astype(np.uint8),
            glance=padded(views * len(twos), RANK_ROW),
            second=self._seconds(number[game.dealer[game.dealer[0]]]),
            start=np.array([rows[int(code)] for code in start[:, twos].flat], np.uint16),
            turn=self._turns(rows),
            split=self._by_row(rows, {SPLIT | number: codes for codes, number in self.splits.items()}),
            suited=self._by_row(rows, {SUITED | number: codes for codes, number in self.suits.items()}),
            dealer=self._dealers(number[game.dealer[order]]),
            result=self._result_table(rows, result),
            number=self._numbers(rows),
            kinds=np.array([(*kind, kind[0] // self._gain_step) for kind in self.kinds], np.int64),
        )

    def _final_rows(self) -> dict[int, int]:
        """Code to row of the smallest table: those that draw, then the closed hands, then the rare ones."""
        codes = [*range(len(self.rows)), *(SPLIT | number for number in range(len(self.splits)))]
        codes += [SUITED | number for number in range(len(self.suits))]
        codes += [*sorted(self.closed.values(), key=lambda code: (code < DEALT, code)), LEAVE]
        node = {code: number for number, code in enumerate(codes)}
        parts: list[Sequence[Sequence[int]]] = [self.codes, list(self.splits), list(self.suits)]
        known = classes([_nodes(part, node) for part in parts], len(self.closed) + 1)
        closed = len(codes) - len(self.closed) - 1
        by_part = [
            *range(len(self.rows)),
            *range(closed, len(codes) - 1),
            *range(len(self.rows), closed),
            len(codes) - 1,
        ]
        rows: dict[int, int] = {}
        for number in by_part:
            rows.setdefault(int(known[number]), len(rows))
        drawing = len({int(known[number]) for number in range(len(self.rows))})
        if row_start(len(rows), drawing) > np.iinfo(np.uint16).max:
            raise OverflowError("the state table is too large")
        return {code: row_start(rows[int(known[number])], drawing) for code, number in node.items()}

    def _turns(self, rows: dict[int, int]) -> NDArray[np.uint16]:
        """The table of turns; a row that does not draw leads to itself, a missing card to the round's leaving."""
        leads = {rows[code]: [rows[code] for code in codes] for code, codes in enumerate(self.codes)}
        return transition_table(leads, rows[LEAVE], max(rows.values()))

    def _by_row(self, rows: dict[int, int], targets: dict[int, tuple[int, ...]]) -> NDArray[np.uint16]:
        """The rows that rare codes lead to, in the order of their own rows; at least one."""
        in_order = {rows[code]: [rows[target] for target in codes] for code, codes in targets.items()}
        table = [in_order[row] for row in sorted(in_order)] or [[rows[LEAVE]] * SPLIT_ROW]
        return np.array(table, np.uint16).ravel()

    @property
    def _draws(self) -> int:
        """How many of the dealer's states draw."""
        return int(self.game.draws.sum())

    def _states(self) -> NDArray[np.int64]:
        """Indices of the dealer's states: those that draw, those that stand, those that may not draw, none."""
        count = len(self.game.draws) + self._draws + 1
        if count + RANK_ROW > RESULT_ROW:
            raise OverflowError("too many states of the dealer's")
        return np.array([row_start(number, self._draws) for number in range(count)])

    def _dealers(self, step: NDArray[np.integer]) -> NDArray[np.uint16]:
        """The dealer's table: standing states lead to themselves, a missing card to the state that is none."""
        starts = self._states()
        leads = {int(starts[number]): starts[step[number]].tolist() for number in range(self._draws)}
        return transition_table(leads, int(starts[-1]), int(starts[-1]))

    def _seconds(self, dealt: NDArray[np.integer]) -> NDArray[np.uint16]:
        """The dealer's states after the deal, and those in which he draws nothing."""
        starts = self._states()
        idle = np.where(dealt < self._draws, dealt + len(self.game.draws), dealt)
        return np.concatenate([padded(starts[states], RANK_ROW, int(starts[-1])) for states in (dealt, idle)])

    def _result_table(self, rows: dict[int, int], result: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Kinds of result by row and dealer's state; a row or state that is not at its end has none."""
        draws, columns = self._draws, self._states() // RANK_ROW
        table = np.zeros((max(rows.values()) // RANK_ROW + 1, RESULT_ROW), np.uint8)
        for number, code in enumerate(sorted(self.closed.values(), key=lambda code: (code < DEALT, code))):
            kinds = np.concatenate([result[number, draws:], result[number, :draws]])
            table[rows[code] // RANK_ROW, columns[draws:-1]] = kinds
        return table.ravel()

    def _numbers(self, rows: dict[int, int]) -> NDArray[np.int64]:
        game = self.game
        dealt = sum(code >= DEALT for code in self.closed.values())
        drawing = len({rows[code] for code in range(len(self.rows))})
        split = drawing + len(self.closed)
        suited = split + len({rows[SPLIT | number] for number in self.splits.values()})
        closed, idle, split, suited = (row_start(row, drawing) for row in (drawing, drawing + dealt, split, suited))
        numbers = {
            TableNumber.SIZE: game.number[Parameter.SIZE],
            TableNumber.THRESHOLD: game.number[Parameter.THRESHOLD],
            TableNumber.DRAWS: row_start(self._draws, self._draws),
            TableNumber.FIRST_CLOSED: closed,
            TableNumber.FIRST_IDLE: idle,
            TableNumber.FIRST_SPLIT: split,
            TableNumber.FIRST_SUITED: suited,
            TableNumber.LEAVES: rows[LEAVE],
            TableNumber.COVER: game.number[Parameter.COVER],
            TableNumber.BURN: game.number[Parameter.BURN],
            TableNumber.GAIN_STEP: self._gain_step,
            TableNumber.MIDDLE: SPLIT_HANDS * max(abs(kind[0]) for kind in self.kinds) // self._gain_step,
        }
        if numbers[TableNumber.MIDDLE] > MOST_STEPS:
            raise OverflowError("too many gains of a split round")
        return np.array([numbers[name] for name in TableNumber], np.int64)

    @property
    def _gain_step(self) -> int:
        return gcd(*(kind[0] for kind in self.kinds)) or 1

    # -- where a hand begins

    def _views(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Up and hole card to a view, and for each view and hand its first code."""
        game = self.game
        marks = Look.ENDS | Look.SURRENDER_WAITS | Look.BLACKJACK_PAID | Look.INSURABLE | Look.ASKED_EARLY
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
        blackjack = game.kind[state] == HandKind.BLACKJACK
        if look & Look.INSURABLE and self._said(column, state, Channel.INSURANCE) != DecisionCode.DECLINE:
            return LEAVE
        if blackjack and game.number[Parameter.PAY_FIRST]:
            return self._close(int(game.paid[state]))
        if look & Look.ASKED_EARLY and self._said(column, state, Channel.EARLY) == DecisionCode.SURRENDER:
            return self._given_up(look)
        if look & Look.ENDS:
            return self._close(int(game.payoff[state, 0]))
        if blackjack:
            paid = game.paid[state] if look & Look.BLACKJACK_PAID else game.payoff[state, 0]
            return self._close(int(paid))
        return self._asked(_Row(column, look, state, 0, 0, 1))

    def _given_up(self, look: int) -> int:
        waits = look & Look.SURRENDER_WAITS
        return self._close(int(self.game.number[Parameter.WAIT_PAYOFF if waits else Parameter.ONCE_PAYOFF]))

    def _said(self, column: int, state: int, channel: int) -> int:
        return int(self.game.chart[self.game.money[0, 0, BoxMoney.STRATEGY], 0, column, state, channel])

    def _asked(self, row: _Row) -> int:
        """The code of a hand on its turn."""
        game, state = self.game, row.state
        if game.kind[state] == HandKind.BUST:
            return self._busted(row, 0)
        decision = self._said(row.column, state, Channel.TURN_SPLIT if game.splits[state] > row.hands else Channel.TURN)
        if decision == DecisionCode.STAND:
            return self._close(int(game.payoff[state, row.wager]))
        if decision == DecisionCode.SURRENDER:
            return self._given_up(row.look)
        if decision == DecisionCode.SPLIT:
            return self._split(row)
        return self._row(row._replace(kind=1 if decision == DecisionCode.DOUBLE else 0, hands=min(row.hands, 2)))

    def _split(self, row: _Row) -> int:
        """The code of a pair that is split: the rows of a hand with one of its cards."""
        cards = sorted(card for pair, card in self._pairs if pair == row.state)
        states = [self._states_of(cards, suit) for suit in range(at.SUIT_COUNT)]
        if row.hands >= SPLIT_HANDS or any(len(found) > 1 for found in states):
            return LEAVE
        held = [found.pop() for found in states]
        codes = tuple(
            self._row(row._replace(state=state, kind=0, wager=wager, hands=hands))
            for hands in range(2, SPLIT_HANDS + 1)
            for wager in (0, 2)
            for state in held
        )
        return SPLIT | self.splits.setdefault(codes, len(self.splits))

    def _states_of(self, cards: list[int], suit: int) -> set[int]:
        """The states that a card of this suit is left in by a split; a pair without one has any card's."""
        chosen = [card for card in cards if card % at.SUIT_COUNT == suit] or cards[:1]
        return {int(self.game.split[card]) for card in chosen}

    @cached_property
    def _pairs(self) -> set[tuple[int, int]]:
        """Two-card hands, dealt or after a split, with each of their cards."""
        step = self.game.step
        deals = step[step[0]], step[self.game.split]
        return {(int(two[cards]), card) for two in deals for cards in np.ndindex(*two.shape) for card in cards}

    def _busted(self, row: _Row, doubled: int) -> int:
        said = self._said(row.column, row.state, Channel.OFFER_DOUBLED if doubled else Channel.OFFER)
        if said != DecisionCode.SECOND_CHANCE:
            return self._close(int(self.game.payoff[row.state, row.wager + doubled]), doubled)
        return self._row(row._replace(look=0, kind=2 + doubled))

    # -- rows

    def _row(self, row: _Row) -> int:
        """The number of a row."""
        row = row._replace(look=row.look & Look.SURRENDER_WAITS)
        if row not in self.rows:
            self.rows[row] = len(self.rows)
            self._listed.append(row)
        return self.rows[row]

    def _explore(self) -> None:
        done = 0
        while done < len(self.rows):
            row = self._listed[done]
            self.codes.append([self._ranked(row, rank) for rank in range(at.RANK_COUNT)])
            done += 1

    def _ranked(self, row: _Row, rank: int) -> int:
        """The next code after a card of this rank."""
        first = rank * at.SUIT_COUNT
        codes = tuple(self._drawn(row, first + suit) for suit in range(at.SUIT_COUNT))
        if len(set(codes)) == 1:
            return codes[0]
        return SUITED | self.suits.setdefault(codes, len(self.suits))

    def _drawn(self, row: _Row, card: int) -> int:
        game = self.game
        if row.kind >= 2:
            doubled = row.kind - 2
            value = game.value[card // at.SUIT_COUNT]
            payoff = game.chance[game.points[row.state], value, row.wager + doubled]
            return self._close(int(payoff), doubled, 1 + (doubled if game.number[Parameter.CHANCE_UNITS] else 0))
        drawn = row._replace(state=int(game.step[row.state, card]), kind=0)
        if row.kind == 0:
            return self._asked(drawn)
        if game.kind[drawn.state] == HandKind.BUST:
            return self._busted(drawn, 1)
        if self._said(row.column, drawn.state, Channel.OFFER_DOUBLED) == DecisionCode.RESCUE:
            return self._close(int(game.number[Parameter.RESCUE_SPLIT if row.wager else Parameter.RESCUE_MAIN]), 1)
        return self._close(int(game.payoff[drawn.state, row.wager + 1]), 1)

    # -- results

    def _close(self, payoff: int, doubles: int = 0, more: int = 0) -> int:
        """The code of a closed hand."""
        game = self.game
        if game.prize[payoff].any():
            return LEAVE
        closed = _Closed(payoff, 1 + doubles + more, doubles)
        draws = game.number[Parameter.STOPS] == 0 or game.mark[payoff] & MATTERS
        return self.closed.setdefault(closed, (DEALT if draws else CLOSED) | len(self.closed))

    def _results(self, order: NDArray[np.int64]) -> NDArray[np.int64]:
        """Closed hand, in the order of its row, and dealer's state to a kind of result."""
        game = self.game
        unit, main = int(game.money[0, 0, BoxMoney.MAIN_UNIT]), int(game.money[0, 0, BoxMoney.MAIN])
        table = np.zeros((len(self.closed), len(order)), np.int64)
        in_order = sorted(self.closed, key=lambda closed: (self.closed[closed] < DEALT, self.closed[closed]))
        for number, closed in enumerate(in_order):
            for column, dealer in enumerate(order):
                gain = int(game.gain[closed.payoff, dealer]) * unit
                kind = gain, int(game.tally[closed.payoff, dealer]), closed.units * main, closed.doubles
                table[number, column] = self.kinds.setdefault(kind, len(self.kinds))
        if len(self.kinds) > RESULTS:
            raise OverflowError("too many kinds of result")
        return table


def _nodes(codes: Sequence[Sequence[int]], node: dict[int, int]) -> NDArray[np.int64]:
    return np.array([[node[code] for code in row] for row in codes], np.int64)
