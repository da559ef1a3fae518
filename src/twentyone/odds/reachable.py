"""Which hands further cards can make of some hands: a compiled search, so that no other hand is worked out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from twentyone.odds.kernels import DOUBLE, HIT
from twentyone.odds.model import IntArray

__all__ = ["reachable"]

DRAWS = 1 << HIT | 1 << DOUBLE
"""The permissions under which a hand takes a further card."""


def reachable(after: IntArray, may: IntArray, counts: IntArray, shoe: IntArray, starts: IntArray) -> IntArray:
    """The hands that can come of `starts`, these included, fewest cards first; `shoe`: the most of each class."""
    marked = np.zeros(len(after), dtype=np.bool_)
    marked[starts] = True
    _mark(after, may, counts, shoe, int(starts.min()), marked)
    return np.flatnonzero(marked)


@njit(cache=True)
def _mark(after: Any, may: Any, counts: Any, shoe: Any, first: int, marked: Any) -> None:
    """Hands stand in the order of their cards, so that one pass finds all."""
    for hand in range(first, after.shape[0]):
        if marked[hand] and may[hand] & DRAWS:
            for card in range(after.shape[1]):
                target = after[hand, card]
                if target >= 0 and counts[target, card] <= shoe[card]:
                    marked[target] = True
