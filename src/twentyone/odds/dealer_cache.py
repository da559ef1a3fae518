"""Dealer distributions by removed cards, memoised."""

from __future__ import annotations

from typing import Any

import numpy as np

from twentyone.odds.compositions import keys_of
from twentyone.odds.dealer import Walk, distributions
from twentyone.odds.model import FloatArray, IntArray

__all__ = ["DealerOddsCache"]

ROOM = 262_144
"""Rows of floats that there is room for from the start: memory is taken only as they are filled."""


class DealerOddsCache:
    """The dealer's chances by the cards that are out: a hand and a removed pair card are looked up as one set."""

    def __init__(self, walk: Walk, shoe: IntArray, one: Any) -> None:
        self.walk, self.shoe, self.one = walk, shoe, one
        self._keys: IntArray = np.empty(0, dtype=np.int64)
        self._at: IntArray = np.empty(0, dtype=np.int64)
        self._rows: FloatArray | None = None

    def chances(self, out: IntArray) -> FloatArray:
        """[sets, conditions, columns] for sets of cards that are out, [sets, classes]."""
        rows, at = self.rows(out)
        chances: FloatArray = rows.take(at, axis=0)
        return chances

    def rows(self, out: IntArray) -> tuple[FloatArray, IntArray]:
        """The same without a copy: all rows that are known, and which of them are asked for."""
        keys = keys_of(out)
        at = self._find(keys)
        missing = np.flatnonzero(at < 0)
        if len(missing):
            at[missing] = self._learn(keys[missing], out[missing])
        assert self._rows is not None
        return self._rows, at

    def _find(self, keys: IntArray) -> IntArray:
        if not len(self._keys):
            return np.full(len(keys), -1)
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[at] == keys, self._at[at], -1)

    def _learn(self, keys: IntArray, out: IntArray) -> IntArray:
        """Work sets out that are not known yet; where they are now."""
        fresh, first, back = np.unique(keys, return_index=True, return_inverse=True)
        start, shoes = len(self._keys), (self.shoe - out[first]) * self.one
        distributions(self.walk, shoes, self._room(start, start + len(fresh), shoes.dtype))
        index = np.searchsorted(self._keys, fresh)
        self._keys = np.insert(self._keys, index, fresh)
        self._at = np.insert(self._at, index, start + np.arange(len(fresh)))
        return start + back

    def _room(self, start: int, end: int, dtype: Any) -> FloatArray:
        """Where rows are kept, with room for more behind them."""
        if self._rows is None or end > len(self._rows):
            size = max(2 * end, ROOM) if np.issubdtype(dtype, np.floating) else 2 * end
            room = np.empty((size, int(self.walk.told.max()) + 1, self.walk.columns), dtype=dtype)
            if self._rows is not None:
                room[:start] = self._rows[:start]
            self._rows = room
        return self._rows[start:end]
