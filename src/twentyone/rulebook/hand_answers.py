"""Answers about hands that are kept for the next time, so many at most."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["MOST", "HandAnswers"]

K = TypeVar("K")
V = TypeVar("V")

MOST = 10_000
"""Hands of few cards come again and again; those of many cards, of which there is no end, hardly ever."""


class HandAnswers(dict[K, V]):
    """Answers by what was asked; when there are too many, all are forgotten."""

    def keep(self, key: K, answer: V) -> V:
        """Keep an answer, and return it."""
        if len(self) >= MOST:
            self.clear()
        self[key] = answer
        return answer
