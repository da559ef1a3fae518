"""Dealer distributions by removed cards, memoised."""

from __future__ import annotations

from typing import Any

import numpy as np

from twentyone.odds.compositions import keys_of
from twentyone.odds.dealer import Walk, distributions
from twentyone.odds.jit import jit
from twentyone.odds.model import FloatArray, IntArray

__all__ = ["DealerOddsCache"]

SLOTS = 2_039
"""Slots of the table of keys at first; a prime, by which keys are scattered."""
ROOM = 262_144
"""Rows of floats that there is room for from the start: memory is taken only as they are filled."""


class DealerOddsCache:
    """The dealer's chances by the cards that are out: a hand and a removed pair card are looked up as one set."""

    def __init__(self, walk: Walk, shoe: IntArray, one: Any) -> None:
        self.walk, self.shoe, self.one = walk, shoe, one
        self._known = 0
        self._slots: IntArray = np.zeros((SLOTS, 2), dtype=np.int64)
        self._rows: FloatArray | None = None

    def chances(self, out: IntArray) -> FloatArray:
        """[sets, conditions, columns] for sets of cards that are out, [sets, classes]."""
        rows, at = self.rows(out)
        chances: FloatArray = rows.take(at, axis=0)
        return chances

    def rows(self, out: IntArray) -> tuple[FloatArray, IntArray]:
        """The same without a copy: all rows that are known, and which of them are asked for."""
        keys, start = keys_of(out), self._known
        while 2 * (start + len(keys)) > len(self._slots):
            self._slots = _wider(self._slots)
        at, first = np.empty(len(keys), dtype=np.int64), np.empty(len(keys), dtype=np.int64)
        self._known = _look_up(keys, self._slots, start, at, first)
        if self._known > start:
            shoes = (self.shoe - out[first[: self._known - start]]) * self.one
            distributions(self.walk, shoes, self._room(start, self._known, shoes.dtype))
        assert self._rows is not None
        return self._rows, at

    def _room(self, start: int, end: int, dtype: Any) -> FloatArray:
        """Where rows are kept, with room for more behind them."""
        if self._rows is None or end > len(self._rows):
            size = max(2 * end, ROOM) if np.issubdtype(dtype, np.floating) else 2 * end
            room = np.empty((size, int(self.walk.told.max()) + 1, self.walk.columns), dtype=dtype)
            if self._rows is not None:
                room[:start] = self._rows[:start]
            self._rows = room
        return self._rows[start:end]


@jit
def _look_up(keys: Any, slots: Any, known: int, at: Any, first: Any) -> int:
    """Where the row of each key is, and which keys come for the first time; how many are known then.

    A slot holds a key and its row, both one higher: an empty one holds zeros.
    """
    before, room = known, slots.shape[0]
    for i in range(keys.shape[0]):
        slot = keys[i] % room
        while slots[slot, 1] != 0 and slots[slot, 0] != keys[i] + 1:
            slot = slot + 1 if slot + 1 < room else 0
        if slots[slot, 1] == 0:
            first[known - before] = i
            known += 1
            slots[slot, 0], slots[slot, 1] = keys[i] + 1, known
        at[i] = slots[slot, 1] - 1
    return known


def _wider(slots: IntArray) -> IntArray:
    """The same keys with four times the room, their rows unchanged."""
    held = slots[slots[:, 1] > 0]
    held = held[np.argsort(held[:, 1])]
    wide = np.zeros((4 * len(slots) + 1, 2), dtype=np.int64)
    _look_up(held[:, 0] - 1, wide, 0, np.empty_like(held[:, 0]), np.empty_like(held[:, 0]))
    return wide
