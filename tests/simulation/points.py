"""The fault points of the simulation: some are armed in a run, and those that are fire by chance."""

from __future__ import annotations

from collections import Counter
from random import Random

__all__ = ["POINTS", "Points"]

POINTS = {
    "request lost": 0.06,
    "request twice": 0.06,
    "request late": 0.06,
    "answer lost": 0.06,
    "call lost": 0.2,
    "call late": 0.2,
    "database locked": 0.02,
    "write fails": 0.02,
    "commit undone": 0.02,
    "commit stored, unheard": 0.02,
    "read fails": 0.004,
    "snapshot fails": 0.25,
    "process dies": 0.01,
    "process dies after a commit": 0.03,
    "process stands still": 0.01,
    "clock goes back": 0.01,
    "clock jumps ahead": 0.01,
    "entropy fails": 0.05,
}
"""Each point, and how likely it fires where it is armed."""
ARMED = 0.4
"""How likely a point is armed in a run."""


class Points:
    """The points of one run."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(f"points {seed}")
        self.armed = frozenset(name for name in POINTS if self._rng.random() < ARMED)
        """Those that may fire in this run."""
        self.fired: Counter[str] = Counter()
        """How often each did."""
        self.quiet = False
        """Whether nothing fires any more."""

    def fires(self, name: str) -> bool:
        """Whether something goes wrong here now."""
        chance = POINTS[name]
        if self.quiet or name not in self.armed or self._rng.random() >= chance:
            return False
        self.fired[name] += 1
        return True
