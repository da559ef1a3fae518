"""Pictures of a shift report, drawn as SVG on the server; each stands beside its figures."""

from __future__ import annotations

from collections.abc import Sequence

import htpy as h

from twentyone.ledger.shift_details import Slice
from twentyone.money import ZERO, Amount, dollars
from twentyone.web.pages.report_sheets import Sheet, said
from twentyone.web.pictures import Axes, marks_between

__all__ = ["drawn_beside", "hours_drawn"]

WIDE, HIGH, LEFT, RIGHT, BOTTOM = 640, 260, 64, 12, 30
"""The size of a picture, and where its axes are."""
MOST_NAMED = 12
"""As many hours are named under the axis."""
THOUSAND = 1000
"""Thousandths in a dollar."""


def hours_drawn(hours: dict[str, Slice]) -> h.Element:
    """Drop of each hour, and win of each hour: two pictures."""
    drop = {name: part.drop for name, part in hours.items()}
    win = {name: part.win for name, part in hours.items()}
    return h.div(".tw-pair")[_columns("Drop", drop), _columns("Win", win)]


def _columns(title: str, amounts: dict[str, Amount]) -> h.Element:
    values = [int(amount) / THOUSAND for amount in amounts.values()]
    frame = Axes(0.0, len(values), min([0.0, *values]) * 1.05, max([1.0, *values]) * 1.05)
    drawn = [_column(frame, number, hour, amount) for number, (hour, amount) in enumerate(amounts.items())]
    picture = h.svg(".tw-chart", viewBox=f"0 0 {WIDE} {HIGH}", role="img", aria_label=f"{title} by hour")
    return h.figure(".tw-figure")[
        h.figcaption[f"{title} by hour (UTC)"], picture[_axis(frame), drawn, _names(frame, list(amounts))]
    ]


def _column(frame: Axes, number: int, hour: str, amount: Amount) -> h.Element:
    left, right = frame.x(number + 0.2), frame.x(number + 0.8)
    top, bottom = sorted((frame.y(int(amount) / THOUSAND), frame.y(0.0)))
    box = {
        "x": f"{left:.1f}",
        "y": f"{top:.1f}",
        "width": f"{right - left:.1f}",
        "height": f"{max(bottom - top, 0.6):.1f}",
    }
    return h.rect(".column.house-loss" if amount < ZERO else ".column", box)[h.title[f"{hour}: {dollars(amount)}"]]


def _axis(frame: Axes) -> list[h.Element]:
    marks = []
    for value in marks_between(frame.low, frame.high):
        y = f"{frame.y(value):.1f}"
        says = f"{'−' if value < 0 else ''}${_short(abs(value))}"
        marks += [h.path(".grid", d=f"M{LEFT} {y}H{WIDE - RIGHT}"), h.text(".end", x=str(LEFT - 6), y=y, dy="4")[says]]
    return [*marks, h.path(".axis", d=f"M{LEFT} {frame.y(0.0):.1f}H{WIDE - RIGHT}")]


def _short(dollars: float) -> str:
    """Round dollars for an axis.

    >>> _short(15_000), _short(0.5), _short(2_500_000)
    ('15k', '0.5', '2.5M')
    """
    for unit, sign in ((1_000_000, "M"), (1_000, "k")):
        if dollars >= unit:
            return f"{dollars / unit:g}{sign}"
    return f"{dollars:g}"


def _names(frame: Axes, hours: Sequence[str]) -> list[h.Element]:
    step = -(-len(hours) // MOST_NAMED)
    return [
        h.text(".middle", x=f"{frame.x(number + 0.5):.1f}", y=str(HIGH - BOTTOM + 15))[hour[-5:]]
        for number, hour in enumerate(hours)
        if number % step == 0
    ]


def drawn_beside(sheet: Sheet) -> list[h.Element]:
    """A bar for each row of a sheet: its figure as a share of the largest, losses to the left."""
    amounts = [int(cell) for row in sheet.rows if isinstance(cell := row[sheet.picture], Amount)]
    most = max((abs(amount) for amount in amounts), default=0) or 1
    return [_bar(amount / most, said(row[sheet.picture])) for amount, row in zip(amounts, sheet.rows, strict=True)]


def _bar(share: float, says: str) -> h.Element:
    begin, length = (50.0, 50 * share) if share >= 0 else (50 + 50 * share, -50 * share)
    drawn = h.rect(
        class_="tw-bar-part" if share >= 0 else "tw-bar-part house-loss",
        x=f"{begin:.2f}", y="0", height="10", width=f"{length:.2f}",
    )  # fmt: skip
    picture = h.svg(".tw-bar", viewBox="0 0 100 10", preserveAspectRatio="none", role="img", aria_label=f"win {says}")
    return picture[drawn, h.path(d="M50 0V10")]
