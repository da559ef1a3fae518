"""Chance for automatic people: what they do follows from a seed and a version of the ledger, never from the process.

It decides how people behave and nothing about cards: those come from a shoe with entropy of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from hashlib import blake2b
from typing import TypeVar

__all__ = ["Chance"]

T = TypeVar("T")

DIGEST = 32
LEFT = 1 << 64
"""A pool with less than this left is refilled."""
FINE = 10**9
"""The resolution of a rate: one in so many."""


class Chance:
    """Numbers derived from some words: the same words give the same numbers.

    >>> Chance("seed 7", "table 1", 12).below(1000) == Chance("seed 7", "table 1", 12).below(1000)
    True
    """

    __slots__ = ("_key", "_pool", "_turn")

    def __init__(self, *words: object) -> None:
        self._key = "\0".join(map(str, words)).encode()
        self._pool = self._turn = 0

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        if self._pool < LEFT:
            self._turn += 1
            key = self._key + self._turn.to_bytes(4, "big")
            self._pool = int.from_bytes(blake2b(key, digest_size=DIGEST).digest(), "big")
        self._pool, number = divmod(self._pool, n)
        return number

    def one_in(self, n: int) -> bool:
        """Whether something happens that happens once in n times."""
        return self.below(n) == 0

    def happens(self, rate: Fraction) -> bool:
        """Whether something happens that happens at this rate."""
        return self.below(FINE) < rate * FINE

    def among(self, things: Sequence[T]) -> T:
        """One of several things."""
        return things[self.below(len(things))]
