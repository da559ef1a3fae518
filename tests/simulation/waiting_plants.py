"""Faults of the automatic staff that were there once, put back: each must be found on some day."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from twentyone.service.staff import Staff, _for_absent
from twentyone.table import Table

__all__ = ["PLANTS"]


def _leaves_to_others(do: str) -> Any:
    """Staff that leaves a step to nobody."""
    mine = Staff._mine
    return lambda self, table, step, *more: step.do != do and mine(self, table, step, *more)


def _does_at_once(do: str) -> Any:
    """Staff that does a step without giving anybody time."""
    mine = Staff._mine
    return lambda self, table, step, *more: step.do == do or mine(self, table, step, *more)


def _for_everybody(table: Table, gone: Any = None) -> Any:
    """The decision clock as it was: it knew of nobody who is gone."""
    return None if gone is not None else _for_absent(table)


Plant = Callable[[], list[AbstractContextManager[Any]]]
PLANTS: dict[str, tuple[str, Plant]] = {
    "the dealer's choice is nobody's": (
        "pa-down-under-blackjack",
        lambda: [patch.object(Staff, "_mine", _leaves_to_others("decide"))],
    ),
    "who is barred is asked to wager": (
        "s13-spanish-21",
        lambda: [patch("twentyone.table.table.all_barred", lambda *_: False)],
    ),
    "the staff repairs what a person reported": (
        "md-spanish-21",
        lambda: [patch.object(Staff, "_mine", _does_at_once("device_repaired"))],
    ),
    "a look lasts a moment": ("classic-blackjack", lambda: [patch.object(Staff, "_mine", _does_at_once("show_cards"))]),
    "they wait for who is gone": (
        "pa-double-back-jack",
        lambda: [patch("twentyone.service.staff._for_absent", _for_everybody)],
    ),
    "who is gone keeps his box": (
        "pa-spanish-21",
        lambda: [patch("twentyone.service.staff.gone_player", lambda *_: None)],
    ),
}
"""Each with the book that it is looked for in."""
