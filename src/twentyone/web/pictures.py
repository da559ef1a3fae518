"""Pictures of figures, drawn as SVG on the server: columns, bars beside a table's figures, lines with a band.

Colours come from the style sheet, so that a picture follows the theme; every picture stands beside its figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import floor, log10
from typing import NamedTuple

import htpy as h

__all__ = ["Axes", "DrawnLine", "bar", "columns", "lines", "marks_between", "points_of"]

WIDE, HIGH = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 10, 30
MARKS = 5
"""About as many marks stand along an axis."""

Point = tuple[float, float]


class Axes(NamedTuple):
    """What a picture shows: from where to where."""

    left: float
    right: float
    low: float
    high: float

    def x(self, value: float) -> float:
        """Where a value lies from left to right."""
        return LEFT + (WIDE - LEFT - RIGHT) * (value - self.left) / ((self.right - self.left) or 1.0)

    def y(self, value: float) -> float:
        """Where a value lies from top to bottom."""
        return TOP + (HIGH - TOP - BOTTOM) * (self.high - value) / ((self.high - self.low) or 1.0)


def marks_between(low: float, high: float) -> list[float]:
    """Round numbers for the marks of an axis.

    >>> marks_between(0, 0.43)
    [0.0, 0.1, 0.2, 0.3, 0.4]
    """
    rough = (high - low) / MARKS or 1.0
    unit: float = 10.0 ** floor(log10(rough))
    step = next((unit * factor for factor in (1, 2, 5) if unit * factor >= rough * 0.8), unit * 10)
    first = int(-(-low // step))
    return [round(number * step, 12) for number in range(first, int(high // step) + 1)]


def points_of(frame: Axes, points: Iterable[Point]) -> str:
    """Points as an SVG polyline has them."""
    return " ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in points)


def bar(share: float, least: float = 0.0) -> h.Element:
    """A bar beside a figure, as a share of the longest; between -1 and 1 where there are losses, too."""
    wide = 100 / (1 - least)
    start = -least * wide
    begin, length = (start, share * wide) if share >= 0 else (start + share * wide, -share * wide)
    drawn = h.rect(
        class_="tw-bar-part" if share >= 0 else "tw-bar-part loss",
        x=f"{begin:.2f}",
        y="0",
        height="10",
        width=f"{length:.2f}",
    )
    line = h.path(d=f"M{start:.2f} 0V10") if least else None
    return h.svg(".tw-bar", viewBox="0 0 100 10", preserveAspectRatio="none", aria_hidden="true")[drawn, line]


def _svg(title: str, content: Iterable[h.Node], name: str = "") -> h.Element:
    return h.svg(".tw-chart", viewBox=f"0 0 {WIDE} {HIGH}", role="img", aria_label=title, data_part=name or None)[
        content
    ]


def _axes(
    frame: Axes, across: Sequence[tuple[float, str]], up: Sequence[tuple[float, str]], names: tuple[str, str]
) -> list[h.Node]:
    """The axes with their marks, then their names."""
    drawn: list[h.Node] = []
    for value, says in up:
        y = f"{frame.y(value):.1f}"
        drawn += [h.path(".grid", d=f"M{LEFT} {y}H{WIDE - RIGHT}"), h.text(".end", x=str(LEFT - 6), y=y, dy="4")[says]]
    for value, says in across:
        drawn.append(h.text(".middle", x=f"{frame.x(value):.1f}", y=str(HIGH - BOTTOM + 15))[says])
    drawn.append(h.path(".axis", d=f"M{LEFT} {HIGH - BOTTOM}H{WIDE - RIGHT}"))
    drawn.append(h.text(".middle.name", x=str((LEFT + WIDE - RIGHT) / 2), y=str(HIGH - 2))[names[0]])
    drawn.append(h.text(".name", x="2", y="9")[names[1]])
    return drawn


def columns(title: str, rows: Sequence[tuple[float, float]], names: tuple[str, str]) -> h.Element:
    """A column for each value, as high as its share."""
    if not rows:
        return h.p(".tw-note")["nothing to draw"]
    values = [value for value, _ in rows]
    frame = Axes(min(values) - 0.5, max(values) + 0.5, 0.0, max(share for _, share in rows) * 1.05)
    across = [
        (value, f"{value:+g}".replace("-", "−") if value else "0")
        for value in marks_between(frame.left, frame.right)
        if value % 1 == 0
    ]
    up = [(value, f"{100 * value:g} %") for value in marks_between(frame.low, frame.high)]
    wide = max(2.0, (frame.x(0.4) - frame.x(0)))
    drawn = [
        h.rect(".column", x=f"{frame.x(value) - wide / 2:.1f}", y=f"{frame.y(share):.1f}", width=f"{wide:.1f}",
               height=f"{frame.y(0) - frame.y(share):.1f}")[h.title[f"{value:+g}: {100 * share:.4f} %"]]
        for value, share in rows
    ]  # fmt: skip
    return _svg(title, [*_axes(frame, across, up, names), *drawn])


class DrawnLine(NamedTuple):
    """A line of a picture."""

    kind: str
    """Its class in the style sheet."""
    says: str
    """What it is."""
    points: Sequence[Point]
    """Where it goes."""


def lines(
    title: str,
    frame: Axes,
    drawn: Iterable[DrawnLine],
    marks: tuple[Sequence[tuple[float, str]], Sequence[tuple[float, str]]],
    names: tuple[str, str],
    band: Sequence[Point] = (),
) -> h.Element:
    """Lines over the same axis, perhaps with a band; what each is stands below."""
    across, up = marks
    shown = list(drawn)
    area = h.polygon(".band", points=points_of(frame, band), data_line="band") if band else None
    paths = [
        h.polyline(f".line.{line.kind}", points=points_of(frame, line.points), data_line=line.kind)[h.title[line.says]]
        for line in shown
    ]
    key = h.ul(".tw-key")[[h.li(class_=line.kind)[line.says] for line in shown]]
    return h.figure(".tw-figure")[_svg(title, [*_axes(frame, across, up, names), area, *paths]), key]
