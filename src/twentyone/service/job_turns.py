"""The computations that wait in one queue: people take turns, whoever of them has asked for how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Generic, Protocol, TypeVar

__all__ = ["Turns"]


class TakesTurn(Protocol):
    """Something that waits."""

    @property
    def turn(self) -> Hashable:
        """Whose turn it takes."""


Waiting = TypeVar("Waiting", bound=TakesTurn)


class Turns(Generic[Waiting]):
    """What waits, in the order in which it is begun: first the oldest of each, by who was served the longest ago."""

    def __init__(self) -> None:
        self._waiting: list[Waiting] = []
        self._served: dict[Hashable, int] = {}
        self._last = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, one: Waiting) -> bool:
        return any(other is one for other in self._waiting)

    def add(self, one: Waiting) -> None:
        """Let something wait; who is new comes before whoever was served last, and after all others who wait."""
        if all(other.turn != one.turn for other in self._waiting):
            self._served[one.turn] = max(self._last - 1, self._served.get(one.turn, 0))
        self._waiting.append(one)

    def remove(self, one: Waiting) -> None:
        """It waits no longer."""
        self._waiting = [other for other in self._waiting if other is not one]

    def take(self) -> Waiting:
        """What is begun now."""
        one = self._in_order()[0]
        self.remove(one)
        self._last += 2
        waiting = {other.turn for other in self._waiting}
        self._served = {who: at for who, at in self._served.items() if who in waiting} | {one.turn: self._last}
        return one

    def ahead(self, one: Waiting) -> int:
        """How many are begun before this one."""
        return next((at for at, other in enumerate(self._in_order()) if other is one), 0)

    def others(self, turn: Hashable) -> bool:
        """Whether somebody else waits."""
        return any(other.turn != turn for other in self._waiting)

    def _in_order(self) -> list[Waiting]:
        own, places = Counter[Hashable](), list[tuple[int, int]]()
        for one in self._waiting:
            places.append((own[one.turn], self._served[one.turn]))
            own[one.turn] += 1
        return [self._waiting[at] for at in sorted(range(len(places)), key=places.__getitem__)]
