"""Where the rows of a state table lie: each is named by the place where its entries begin, one entry for each rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["RANK_ROW", "laid", "padded", "place"]

RANK_ROW = 16
"""Entries of a row."""


def place(number: int, drawing: int) -> int:
    """Where a row begins, of rows of which the first `drawing` draw: these lie one place behind a multiple of 16."""
    return RANK_ROW * number + 1 if number < drawing else RANK_ROW * (number + 1)


def laid(leads: dict[int, list[int]], missing: int, last: int) -> NDArray[np.uint16]:
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
