"""Every hand of an analysis as one table: a row for each hand against each up card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from twentyone.odds.model import Condition, Spots

__all__ = ["hand_columns"]

KNOWN = ("phase", "hand", "total", "soft", "cards", "pair", "start", "bonus", "up", "hole", "probability", "best")
"""The columns before those of the decisions."""


def hand_columns(
    spots: Mapping[str, Spots], classes: tuple[str, ...], conditions: tuple[Condition, ...]
) -> dict[str, list[Any]]:
    """The columns of the table; a decision that is not allowed has no value."""
    said = [(name, values) for table in spots.values() for name, values in table.values.items()]
    decisions = list(dict.fromkeys(name for name, values in said if not np.isnan(values.astype(float)).all()))
    columns: dict[str, list[Any]] = {name: [] for name in (*KNOWN, *decisions)}
    for table in spots.values():
        many = len(conditions)
        rows = {
            "phase": [table.phase] * len(table.total),
            "hand": [" ".join(np.repeat(classes, row)) for row in table.counts],
            "total": table.total.tolist(),
            "soft": table.soft.tolist(),
            "cards": table.cards.tolist(),
            "pair": table.pair,
            "start": table.start,
            "bonus": table.bonus,
        }
        for name, values in rows.items():
            columns[name] += [value for value in values for _ in range(many)]
        columns["up"] += [condition.up for condition in conditions] * len(table.total)
        columns["hole"] += [condition.hole for condition in conditions] * len(table.total)
        columns["probability"] += table.reach.astype(float).ravel().tolist()
        columns["best"] += table.best.ravel().tolist()
        none = np.full(table.reach.shape, np.nan)
        for name in decisions:
            values = table.values.get(name, none).astype(float).ravel().tolist()
            columns[name] += [None if value != value else value for value in values]
    return columns
