"""The rules in force at a table: the submission's, except for devices that are out of use."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Device
from twentyone.table.model import TableState

__all__ = ["OUT_OF_USE", "game_stopped", "rules_in_force"]

OUT_OF_USE = {"without": ("out_of_order",), "covered": ("covered",), "removed": ("removed",)}
"""What a device's text says of its failure, and the states in which the table then goes on without it."""


def rules_in_force(rules: Rules, state: TableState) -> Rules:
    """The rules, with the replacement of every device that the table goes on without."""
    instead = () if state.all_working else tuple(_instead(rules, state).items())
    return _with(rules, instead) if instead else rules


def _instead(rules: Rules, state: TableState) -> dict[str, Any]:
    instead: dict[str, Any] = {}
    for clause in rules.all(Device):
        device = state.devices.get(clause.name)
        if device is not None and device.state in OUT_OF_USE.get(clause.out_of_order, ()):
            instead.update(clause.instead)
    return instead


@lru_cache(maxsize=64)
def _with(rules: Rules, instead: tuple[tuple[str, Any], ...]) -> Rules:
    return rules.rulebook.under({**rules.submission.given, **dict(instead)})


def game_stopped(rules: Rules, state: TableState) -> bool:
    """Whether a device is out of order without which nothing of the game goes on: no card, no answer, no reading."""
    return bool(state.stopped) and any(
        clause.out_of_order == "stops" and state.devices[clause.name].state != "working"
        for clause in rules.all(Device)
        if clause.name in state.devices
    )
