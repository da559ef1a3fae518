"""Dealer distributions by removed cards, memoised."""

from __future__ import annotations

from typing import Any

import numpy as np

from twentyone.odds.compositions import keys_of
from twentyone.odds.dealer import Walk, distributions
from twentyone.odds.model import FloatArray, IntArray

__all__ = ["DealerOddsCache"]

ROOM = 32768
"""Rows that there is room for from the start: memory is taken only as they are filled."""


class DealerOddsCache:
    """The dealer's chances by the cards that are out: a hand and a removed pair card are looked up as one set."""

    def __init__(self, walk: Walk, shoe: IntArray, one: Any) -> None:
        self.walk, self.shoe, self.one = walk, shoe, one
        self._keys: IntArray = np.empty(0, dtype=np.int64)
        self._at: IntArray = np.empty(0, dtype=np.int64)
        self._rows: FloatArray | None = None

    def chances(self, out: IntArray) -> FloatArray:
        """[sets, conditions, columns] for sets of cards that are out, [sets, classes]."""
        keys = keys_of(out)
        at = self._find(keys)
        missing = np.flatnonzero(at < 0)
        if len(missing):
            self._learn(keys[missing], out[missing])
            at = self._find(keys)
        assert self._rows is not None
        return self._rows[at]

    def _find(self, keys: IntArray) -> IntArray:
        if not len(self._keys):
            return np.full(len(keys), -1)
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[at] == keys, self._at[at], -1)

    def _learn(self, keys: IntArray, out: IntArray) -> None:
        fresh, first = np.unique(keys, return_index=True)
        rows = distributions(self.walk, (self.shoe - out[first]) * self.one)
        start = len(self._keys)
        self._put(start, rows)
        index = np.searchsorted(self._keys, fresh)
        self._keys = np.insert(self._keys, index, fresh)
        self._at = np.insert(self._at, index, start + np.arange(len(fresh)))

    def _put(self, start: int, rows: FloatArray) -> None:
        """Keep rows, with room for more."""
        end = start + len(rows)
        if self._rows is None or end > len(self._rows):
            room = np.empty((max(4 * start, end, ROOM), *rows.shape[1:]), dtype=rows.dtype)
            if self._rows is not None:
                room[:start] = self._rows[:start]
            self._rows = room
        self._rows[start:end] = rows
