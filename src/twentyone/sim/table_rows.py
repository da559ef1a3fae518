"""Where the rows of a state table start: a row is named by the index of its first entry, and has one entry per rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["RANK_ROW", "padded", "row_start", "transition_table"]

RANK_ROW = 16
"""Entries of a row."""


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
