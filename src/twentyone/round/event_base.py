"""What every event of a round has, and how it is written as plain values."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, NamedTuple

from twentyone.cards import Card
from twentyone.money import Amount, Odds

__all__ = ["Event", "HandRef", "as_json", "plain"]


class HandRef(NamedTuple):
    """Which hand: the box, and its number there, counted from 1."""

    box: int
    number: int


@dataclass(frozen=True, slots=True, repr=False)
class Event:
    """Something that happened, and the paragraph it happened under."""

    cite: str
    """The full citation."""

    def __repr__(self) -> str:
        body = as_json(self)
        said = ", ".join(f"{key} {value}" for key, value in body.items() if key not in ("event", "cite"))
        return f"<{body['event']} {said} ({self.cite})>"


def as_json(event: Event) -> dict[str, Any]:
    """An event as plain JSON values."""
    values = {field.name: plain(getattr(event, field.name)) for field in fields(event)}
    return {"event": type(event).__name__, **values}


def plain(value: Any) -> Any:
    """A value of an event as plain JSON values."""
    if isinstance(value, Event):
        return as_json(value)
    if isinstance(value, Card):
        return value.name
    if isinstance(value, Amount | Odds | Fraction):
        return str(value)
    return [plain(item) for item in value] if isinstance(value, tuple) else value
