"""How often somebody may ask for something: so many times in any stretch of some seconds."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

__all__ = ["MovingWindow"]


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
