"""A round that lies at no table, frame by frame: the layout after every event, as a replay shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twentyone.ledger.stored_round import StoredRound
from twentyone.round.events import Event
from twentyone.round.words import in_words
from twentyone.rulebook import Rules
from twentyone.service.view import nobody, public_view
from twentyone.table import Table, TableState
from twentyone.table.words import SILENT

__all__ = ["round_frames"]

MOVES = ("boxes", "dealer", "exposed")
"""What of a view changes in a round; the rest is told once."""


def round_frames(rules: Rules, events: Iterable[Event], since: int = 0) -> dict[str, Any]:
    """`view`: the table before the round; `frames`: each event that is told, by its number, and what it moves."""
    state = TableState(phase="round", rounds=1)
    table = Table(rules, state)
    view = {**public_view(table, 0), **nobody(table), "next": [], "cut": None}
    round_ = StoredRound.of(rules, ())
    frames = []
    for number, event in enumerate(events, 1):
        round_ = round_.after((event,))
        if number <= since or type(event).__name__ in SILENT:
            continue
        state.round = round_
        seen = public_view(table, number)
        moved = {name: seen[name] for name in MOVES}
        frames.append({"event": number, "says": in_words(event), "cite": event.cite, **moved})
    return {"view": view, "frames": frames}
