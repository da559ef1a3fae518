"""What can become of a side wager: every event, what it pays and how often it comes, as exact fractions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

__all__ = ["SideEvent", "deviation", "gathered"]


class SideEvent(NamedTuple):
    """One thing that can become of a side wager."""

    words: str
    """What happens."""
    net: Fraction
    """The net result, in units of the wager."""
    probability: Fraction
    """How often, once the wager is laid."""

    def body(self) -> dict[str, Any]:
        """The event as JSON."""
        return {
            "event": self.words,
            "net": float(self.net),
            "net_fraction": str(self.net),
            "probability": float(self.probability),
            "probability_fraction": str(self.probability),
        }


def gathered(events: Iterable[SideEvent]) -> tuple[SideEvent, ...]:
    """Every event once, the dearest first; what cannot happen is left out.

    >>> gathered([SideEvent("heads", Fraction(1), Fraction(1, 4))] * 2)[0].probability
    Fraction(1, 2)
    """
    chances: dict[tuple[str, Fraction], Fraction] = {}
    for words, net, chance in events:
        chances[words, net] = chances.get((words, net), Fraction(0)) + chance
    rows = (SideEvent(words, net, chance) for (words, net), chance in chances.items() if chance)
    return tuple(sorted(rows, key=lambda event: (-event.net, event.words)))


def deviation(events: Iterable[SideEvent]) -> float | None:
    """The standard deviation of the net result, in units of the wager; none where the events are not known."""
    known = tuple(events)
    if not known:
        return None
    mean = sum((event.probability * event.net for event in known), Fraction(0))
    square = sum((event.probability * (event.net - mean) ** 2 for event in known), Fraction(0))
    return sqrt(square)
