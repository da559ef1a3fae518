"""How often somebody may ask for something, or how much it may cost: so much in any stretch of some seconds."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

__all__ = ["MovingSum", "MovingWindow"]

PARTS = 20
"""Parts of a window in which costs are summed up: what somebody has spent is remembered by so many figures."""


class MovingWindow:
    """Whoever has asked in the last seconds, and when; who has not is forgotten, whatever he is called."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        """The length of the window."""
        self._clock = clock
        self._asked: dict[str, deque[float]] = {}
        self._swept = clock()

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._asked)

    def admits(self, who: str, most: int) -> bool:
        """Count that somebody asks; false, and nothing is counted, if he has asked `most` times within the window.

        >>> window = MovingWindow(10, clock=iter([0, 0, 3, 9, 10]).__next__)
        >>> [window.admits("Ann", 2) for _ in range(4)]
        [True, True, False, True]
        """
        now = self._clock()
        if now - self._swept >= self.seconds:
            self._sweep(now)
        times = self._asked.setdefault(who, deque())
        while times and now - times[0] >= self.seconds:
            times.popleft()
        if len(times) >= most:
            return False
        times.append(now)
        return True

    def _sweep(self, now: float) -> None:
        """Once a window: nobody is remembered for longer than two."""
        self._swept = now
        self._asked = {who: times for who, times in self._asked.items() if times and now - times[-1] < self.seconds}


class MovingSum:
    """What somebody has cost in the last seconds; who cost nothing lately is forgotten."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._part, self._clock = seconds / PARTS, clock
        self._spent: dict[str, deque[tuple[int, float]]] = {}
        self._swept = 0

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._spent)

    def add(self, who: str, cost: float) -> None:
        """Count what somebody costs.

        >>> costs = MovingSum(10, clock=iter([0, 0, 4, 4, 10, 14.5]).__next__)
        >>> costs.add("Ann", 3), costs.of("Ann"), costs.add("Ann", 2), costs.of("Ann"), costs.of("Ann"), costs.of("Ann")
        (None, 3, None, 5, 2, 0)
        """
        now = int(self._clock() / self._part)
        if now - self._swept >= PARTS:
            self._swept = now
            self._spent = {name: parts for name, parts in self._spent.items() if now - parts[-1][0] < PARTS}
        parts = self._spent.setdefault(who, deque(maxlen=PARTS))
        before = parts.pop()[1] if parts and parts[-1][0] == now else 0
        parts.append((now, before + cost))

    def of(self, who: str) -> float:
        """What somebody has cost."""
        now, parts = int(self._clock() / self._part), self._spent.get(who, ())
        return sum(cost for part, cost in parts if now - part < PARTS)
