"""Events as plain JSON values, for scripts and views."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any

from twentyone.cards import Card
from twentyone.money import Amount, Odds
from twentyone.round.events import Event

__all__ = ["as_json", "plain"]


def as_json(event: Event) -> dict[str, Any]:
    """An event as plain JSON values."""
    return {"event": type(event).__name__, **{own.name: plain(getattr(event, own.name)) for own in fields(event)}}


def plain(value: Any) -> Any:
    """A value of an event as plain JSON values."""
    if isinstance(value, Event):
        return as_json(value)
    if isinstance(value, Card):
        return value.name
    if isinstance(value, Amount | Odds | Fraction):
        return str(value)
    return [plain(item) for item in value] if isinstance(value, tuple) else value
