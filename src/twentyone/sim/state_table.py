"""The state table of the fast path: its arrays, its numbers, and where its rows start.

A row is named by the index of its first entry, and has one entry per rank.
"""

from __future__ import annotations

from enum import IntEnum, auto
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.sim.numbers import numbers

__all__ = ["RESULTS", "SPLIT_HANDS", "Fast", "TableNumber", "padded", "row_start", "transition_table"]

RANK_ROW = 16
"""Entries of a row."""
RESULTS = 128
"""Kinds of result that are told apart at most, with 0: none yet."""
CARD_ROW, RESULT_ROW = 64, 128
SPLIT_HANDS = 4
"""Hands that a split round may have here at most; one with more leaves."""
WAGER_ROW, HANDS_ROW = 4, 8
"""Entries of `Fast.split` for a hand of one wager, and for a number of hands of the box."""
SPLIT_ROW = HANDS_ROW * (SPLIT_HANDS - 1)
"""Entries of a pair to split."""
LOOKS = RANK_ROW * RANK_ROW
"""Pairs of up card and hole card."""
NO_CARD = 15 << 2
"""Stands behind the last card: it leads to the round's leaving."""


@numbers
class TableNumber(IntEnum):
    """The whole numbers of `Fast.number`."""

    SIZE = 0
    """Cards of the shoe."""
    THRESHOLD = auto()
    """See `Parameter.THRESHOLD`."""
    DRAWS = auto()
    """Dealer's states below this draw."""
    FIRST_CLOSED = auto()
    """Rows from here on are closed hands ..."""
    FIRST_IDLE = auto()
    """... for which the dealer's draw makes no difference ..."""
    FIRST_SPLIT = auto()
    """... pairs to split ..."""
    FIRST_SUITED = auto()
    """... hands that depend on the suit of their last card ..."""
    LEAVES = auto()
    """... and the round that leaves."""
    COVER = auto()
    """Cards before the cover card."""
    BURN = auto()
    """Whether the first card of a shoe is burned."""
    GAIN_STEP = auto()
    """What every gain is a multiple of."""
    MIDDLE = auto()
    """Steps that a split round loses or gains at most."""


class Fast(NamedTuple):
    """The state table.

    A row (of a player's hand, or a state of the dealer's) is named by the index where its entries begin: the next row
    is the entry at row plus rank. Rows that draw begin one past a multiple of sixteen, all others at one: the
    sum of the rows that a hand went through is, modulo sixteen, how many cards it drew.
    """

    card: NDArray[np.uint8]
    """Index in the unshuffled shoe to card."""
    pair: NDArray[np.uint8]
    """Two cards to the hand they are (rows of 64)."""
    glance: NDArray[np.uint16]
    """Ranks of up card and hole card to the first index of `start` (rows of 16)."""
    second: NDArray[np.uint16]
    """Ranks of up card and hole card to the dealer's state (rows of 16), then to the one in which he draws nothing."""
    start: NDArray[np.uint16]
    """Glance and hand to a row of `turn`."""
    turn: NDArray[np.uint16]
    """Row and rank to the next row (rows of 16)."""
    split: NDArray[np.uint16]
    """Pair to split to the row of a hand with one of its cards, by hands of the box (from two on), wager (the main one,
    then one added) and suit."""
    suited: NDArray[np.uint16]
    """Suited hand and suit to its row (rows of 4)."""
    dealer: NDArray[np.uint16]
    """Dealer's state and rank to the next (rows of 16)."""
    result: NDArray[np.uint8]
    """Row and dealer's state to a kind of result (rows of 128), 0 where the round is not over."""
    number: NDArray[np.int64]
    """Whole numbers by `TableNumber`."""
    kinds: NDArray[np.int64]
    """Kind of result to gain, tally, grains wagered, doubles, gain in steps; the first row is none."""

    @property
    def counters(self) -> int:
        """Counters of a run: rounds by kind of result, hands of split rounds so, and split rounds by gain in steps."""
        return 2 * len(self.kinds) + 2 * int(self.number[TableNumber.MIDDLE]) + 1


def row_start(number: int, drawing: int) -> int:
    """The start of a row; the first `drawing` rows draw and start one past a multiple of 16, all others at one."""
    return RANK_ROW * number + 1 if number < drawing else RANK_ROW * (number + 1)


def transition_table(leads: dict[int, list[int]], missing: int, last: int) -> NDArray[np.uint16]:
    """The table in which rows lead by rank to others, by a missing card to `missing`, and any other row to itself."""
    table = np.arange(last + RANK_ROW) // RANK_ROW * RANK_ROW
    for begin, targets in leads.items():
        table[begin : begin + RANK_ROW] = targets + [missing] * (RANK_ROW - len(targets))
    return table.astype(np.uint16)


def padded(table: NDArray[np.integer], width: int, pad: int = 0) -> NDArray[np.uint16]:
    """A square of this width, row after row, with the table in its corner."""
    wide = np.full((width, width), pad, np.uint16)
    wide[: table.shape[0], : table.shape[1]] = table
    return wide.ravel()
