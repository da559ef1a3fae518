"""Every hand a player can hold, as a multiset of value classes: its total, and what each further card makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from twentyone.odds.classes import Classes
from twentyone.odds.model import IntArray
from twentyone.rulebook import Rules

__all__ = ["RADIX", "Compositions", "compositions", "keys_of", "totals"]

RADIX = 64
"""More than the cards of one class in any hand: a hand is a number in this base."""
FEW = 16
"""The same for all but the three lowest classes, where there are too many classes for `RADIX` in 63 bits."""


@dataclass(frozen=True)
class Compositions:
    """Hands in the order of their number of cards."""

    counts: IntArray
    """[hands, classes]: how many cards of each class."""
    size: IntArray
    """[hands]: how many cards."""
    total: IntArray
    """[hands]: the total point count."""
    soft: NDArray[np.bool_]
    """[hands]: whether an ace counts high."""
    over: NDArray[np.bool_]
    """[hands]: whether the total is over the limit."""
    after: IntArray
    """[hands, classes]: the hand that one more card makes; -1: it is not listed."""
    keys: IntArray
    """[hands]: each hand as one number."""
    order: IntArray
    """[hands]: the hands in the order of their keys."""

    def find(self, counts: IntArray) -> IntArray:
        """The indices of hands; -1: not listed."""
        return _find(self.keys, self.order, keys_of(counts))

    def only(self, ids: IntArray) -> Compositions:
        """Some of the hands, in their order."""
        moved = np.full(len(self) + 1, -1)
        moved[ids] = np.arange(len(ids))
        keys = self.keys[ids]
        return Compositions(
            self.counts[ids], self.size[ids], self.total[ids], self.soft[ids], self.over[ids], moved[self.after[ids]],
            keys, np.argsort(keys),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.counts)


def compositions(rules: Rules, classes: Classes, shoe: IntArray, over: bool) -> Compositions:
    """All hands within the limit that the shoe can give; `over`: also those that one card takes over it."""
    low = np.array(classes.low)
    kinds = len(low)
    level = np.eye(kinds, dtype=np.int64)
    levels = []
    while len(level):
        level = level[(level <= shoe).all(axis=1)]
        levels.append(level)
        inside = level[level @ low <= rules.limit]
        grown = (inside[:, None, :] + np.eye(kinds, dtype=np.int64)).reshape(-1, kinds)
        if not over:
            grown = grown[grown @ low <= rules.limit]
        level = grown[np.unique(keys_of(grown[:, ::-1]), return_index=True)[1]]
    counts = np.concatenate(levels)
    total, soft = totals(rules, classes, counts)
    keys = keys_of(counts)
    order = np.argsort(keys)
    after = np.stack([_find(keys, order, keys + place) for place in _places(kinds)], axis=1)
    after[total > rules.limit] = -1
    return Compositions(counts, counts.sum(axis=1), total, soft, total > rules.limit, after, keys, order)


def totals(rules: Rules, classes: Classes, counts: IntArray) -> tuple[IntArray, NDArray[np.bool_]]:
    """The totals of hands, and which are soft: asked once for each sum and number of aces."""
    aces = np.array([rank[0] not in rules.values for rank in classes.ranks])
    _, first, back = np.unique(
        counts @ np.array(classes.low) * RADIX + counts @ aces, return_index=True, return_inverse=True
    )
    asked = [rules.hand(classes.cards(counts[i])) for i in first]
    points = np.array([hand.points for hand in asked], dtype=np.int64)
    soft = np.array([hand.soft for hand in asked], dtype=np.bool_)
    return points[back], soft[back]


def keys_of(counts: IntArray) -> IntArray:
    """Hands as one number each."""
    return counts @ _places(counts.shape[1])


@cache
def _places(kinds: int) -> IntArray:
    """What a card of each class adds to the number of a hand."""
    bases = [RADIX if RADIX**kinds < 1 << 63 or held < 3 else FEW for held in range(kinds)]
    return np.cumprod([1, *bases[:-1]], dtype=np.int64)


def _find(keys: IntArray, order: IntArray, wanted: IntArray) -> IntArray:
    at = np.searchsorted(keys, wanted, sorter=order)
    index = order[np.minimum(at, len(keys) - 1)]
    return np.where(keys[index] == wanted, index, -1)
