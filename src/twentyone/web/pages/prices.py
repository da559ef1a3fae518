"""Prices as a picture: what every choice, reading, rule and card is worth, the dearest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import htpy as h

from twentyone.rulebook import Rulebook
from twentyone.web.pages.figures import points
from twentyone.web.pages.odds_figures import PICTURE, data_table
from twentyone.web.pages.shell import chip
from twentyone.web.pictures import bar

__all__ = ["prices_table"]

LEAST = 5e-7
"""An effect below this is none."""


def prices_table(book: Rulebook, body: Mapping[str, Any]) -> h.Element:
    """Every change that does something, sorted; what does nothing, and why, below."""
    priced = [row for row in body["effects"] if row["effect"] is not None and abs(row["effect"]) >= LEAST]
    rest = [row for row in body["effects"] if row not in priced]
    most = max((abs(row["effect"]) for row in priced), default=1.0)
    rows = [_row(book, row, most) for row in sorted(priced, key=lambda row: -abs(row["effect"]))]
    removed = [(", ".join(row["ranks"]), points(row["effect"])) for row in body["removal"]]
    return h.section(".tw-panel", data_part="prices")[
        h.h2["Prices"],
        h.p(".tw-note")[
            "Each changed alone, under best play. To the right the operator gains, to the left the player."
        ],
        data_table(("Change", PICTURE, "House edge"), rows, "What every change does to the house edge", 1),
        h.details("#prices-none")[
            h.summary[f"{len(rest)} changes without an effect on the main wager"],
            data_table(("Change", "Why"), [_nothing(book, row) for row in rest]),
        ],
        h.details("#prices-cards")[
            h.summary["One card removed from the shoe"],
            data_table(("Card", "House edge"), removed, "Effect of removing one card", 1),
        ],
    ]


def _change(row: Mapping[str, Any]) -> str:
    if row["kind"] == "rule":
        return f"{row['before']}: {row['after']}"
    return f"{row['key'].replace('_', ' ').replace('-', ' ')}: {row['before']} → {row['after']}"


def _chip(book: Rulebook, row: Mapping[str, Any]) -> h.Element:
    paragraph = row["cite"].removeprefix(book.prefix)
    return chip(book.id, paragraph)


def _row(book: Rulebook, row: Mapping[str, Any], most: float) -> tuple[h.Node, ...]:
    note = h.small(".tw-note")[" ", row["note"]] if row["note"] else None
    drawn = bar(row["effect"] / most, -1.0)
    return h.fragment[_change(row), " ", _chip(book, row), note], drawn, points(row["effect"])


def _nothing(book: Rulebook, row: Mapping[str, Any]) -> tuple[h.Node, ...]:
    sides = "; ".join(f"{name.replace('_', ' ')} {points(change)}" for name, change in row["sides"].items())
    why = "; ".join(part for part in (sides, row["note"]) if part)
    return h.fragment[_change(row), " ", _chip(book, row)], why
