"""The smallest table: rows that lead to the same results card for card become one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["classes"]

Numbers = NDArray[np.int64]


def classes(parts: list[Numbers], fixed: int) -> Numbers:
    """The class of every node of a table.

    Nodes are numbered part by part: the rows of each array, whose entries are nodes, and last `fixed` nodes that are
    told apart from the start. Nodes of different parts are never in one class.
    """
    sizes = [len(part) for part in parts]
    known = np.concatenate([np.full(size, number) for number, size in enumerate(sizes)])
    known = np.concatenate([known, len(sizes) + np.arange(fixed)]).astype(np.int64)
    count = len(np.unique(known))
    while True:
        known = _refined(parts, sizes, known)
        refined = len(np.unique(known))
        if refined == count:
            return known
        count = refined


def _refined(parts: list[Numbers], sizes: list[int], known: Numbers) -> Numbers:
    """Nodes stay in one class if their entries are in the same classes."""
    labels, first, following = [], 0, 0
    for part, size in zip(parts, sizes, strict=True):
        own = np.column_stack([known[first : first + size], known[part]]) if size else np.zeros((0, 1), np.int64)
        _, label = np.unique(own, axis=0, return_inverse=True)
        labels.append(label.ravel() + following)
        following += int(label.max()) + 1 if size else 0
        first += size
    return np.concatenate([*labels, following + np.arange(len(known) - first)]).astype(np.int64)
