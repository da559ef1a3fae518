"""The running mean of a simulation with its band of two standard errors, closing on the exact line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10
from typing import Any, NamedTuple

import htpy as h

from twentyone.web.pictures import Axes, DrawnLine, lines, marks_between, points_of

__all__ = ["mean_drawn", "mean_picture"]

BAND = 2.0
"""Standard errors to either side."""
ROOM = 1.3
"""The picture is so many times as high as the band at its first point."""
MOST_MARKS = 7
"""Marks along the axis of rounds."""

Step = Sequence[float]
"""Rounds, mean and standard error."""


class _Way(NamedTuple):
    """How a mean came about, in a frame that stays the same while it goes on."""

    frame: Axes
    mean: list[tuple[float, float]]
    band: list[tuple[float, float]]


def _way(path: Sequence[Step], exact: float | None, wanted: int) -> _Way:
    first = path[0]
    middle = exact if exact is not None else first[1]
    far = ROOM * max(BAND * first[2], abs(first[1] - middle) + BAND * first[2], 1e-6)
    frame = Axes(log10(first[0]), log10(max(wanted, first[0] * 1.5)), 100 * (middle - far), 100 * (middle + far))
    mean = [(log10(rounds), 100 * value) for rounds, value, _ in path]
    above = [(log10(rounds), 100 * (value + BAND * error)) for rounds, value, error in path]
    below = [(log10(rounds), 100 * (value - BAND * error)) for rounds, value, error in path]
    return _Way(frame, mean, [*above, *reversed(below)])


def mean_drawn(told: Mapping[str, Any]) -> dict[str, str]:
    """The lines of a picture of what is known so far, by name."""
    way = _way(told["path"], told.get("exact"), told.get("wanted", 0))
    return {"mean": points_of(way.frame, way.mean), "band": points_of(way.frame, way.band)}


def mean_picture(path: Sequence[Step], exact: float | None, wanted: int) -> h.Element:
    """The picture."""
    way = _way(path, exact, wanted)
    frame = way.frame
    drawn = [DrawnLine("mean", "mean, with a band of two standard errors", way.mean)]
    if exact is not None:
        drawn.append(
            DrawnLine(
                "exact",
                f"exact {100 * exact:.4f} %".replace("-", "−"),
                [(frame.left, 100 * exact), (frame.right, 100 * exact)],
            )
        )
    across = _marks(frame)
    up = [(value, f"{value:g} %".replace("-", "−")) for value in marks_between(frame.low, frame.high)]
    title = "Running mean of the gain per initial wager"
    return lines(title, frame, drawn, (across, up), ("rounds", "gain per initial wager"), way.band)


def _marks(frame: Axes) -> list[tuple[float, str]]:
    """Numbers of rounds along an axis of powers of ten."""
    powers = range(int(frame.left), int(frame.right) + 1)
    found = [(log10(first * 10**power), first, power) for power in powers for first in (1, 2, 5)]
    inside = [row for row in found if frame.left <= row[0] <= frame.right]
    few = inside if len(inside) <= MOST_MARKS else [row for row in inside if row[1] == 1]
    return [(at, _short(first * 10**power)) for at, first, power in few]


def _short(rounds: int) -> str:
    """A number of rounds in few letters.

    >>> _short(5_000), _short(2_000_000), _short(10**9)
    ('5 k', '2 M', '1 G')
    """
    unit, name = next((row for row in ((10**9, " G"), (10**6, " M"), (10**3, " k")) if rounds >= row[0]), (1, ""))
    return f"{rounds // unit:,}{name}"
