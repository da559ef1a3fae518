"""The story of a table, line by line, from its stored events: what everybody there could hear and see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from twentyone.ledger.codec import COMMAND, CREATED, OWN, decode_round_event, read_body
from twentyone.ledger.rows import StoredEvent
from twentyone.money import Amount
from twentyone.table.model import TableEvent
from twentyone.table.words import told

__all__ = ["ABSENT", "PARTS", "Line", "lines"]

ABSENT = "absent"
"""The argument by which the record says what the house did for a player who was not there; nobody else brings it."""
PARTS = 1000
"""Lines of one event are numbered between its version and the next."""


class Line(NamedTuple):
    """One line of the story."""

    n: int
    """Its number: rises along the story."""
    says: str
    """What happened."""
    cite: str
    """The paragraph."""
    kind: str
    """The kind of event."""
    at: int
    """When."""


MONEY = ("amount", "cash", "base", "limit", "paid", "coupon")


def lines(events: Iterable[StoredEvent]) -> Iterator[Line]:
    """The lines that stored events tell; of commands only those of the house for absent players do."""
    for event in events:
        if event.type == COMMAND:
            yield from _for_absent(event)
        if event.type in (COMMAND, CREATED, *OWN):
            continue
        for part, line in enumerate(told(_event(event))):
            yield Line(event.ver * PARTS + part, line.says, line.cite, line.kind, event.ts)


def _for_absent(command: StoredEvent) -> Iterator[Line]:
    """What the house did for a player who was not there says so."""
    why = read_body(command).get("args", {}).get(ABSENT) if f'"{ABSENT}"' in command.body else None
    if isinstance(why, str):
        yield Line(command.ver * PARTS, why, "", COMMAND, command.ts)


def _event(stored: StoredEvent) -> TableEvent:
    body = read_body(stored)
    data: dict[str, Any] = body.get("data", {})
    if "events" in data:
        data["events"] = [decode_round_event(event) for event in data["events"]]
    else:
        data |= {name: str(Amount(data[name])) for name in MONEY if isinstance(data.get(name), int)}
    return TableEvent(stored.type, body["cite"], stored.ts, body["by"], data)
