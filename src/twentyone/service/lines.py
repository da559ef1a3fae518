"""The story of a table, line by line, from its stored events: what everybody there could hear and see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from twentyone.ledger.codec import COMMAND, CREATED, LAW_BEGUN, LAW_REFUSED, OWN, decode_event, read_body
from twentyone.ledger.own_words import WHEEL_WORDS, own_words
from twentyone.ledger.rows import StoredEvent
from twentyone.round.events import CardsCollected
from twentyone.table import TableEvent
from twentyone.table.card_events import CutDeclined
from twentyone.table.play import ABSENT
from twentyone.table.words import described

__all__ = ["ABSENT", "PARTS", "StoryLine", "lines"]

PARTS = 1000
"""Lines of one event are numbered between its version and the next."""


TOLD = (*WHEEL_WORDS, LAW_BEGUN, LAW_REFUSED)
"""Events of the ledger itself that everybody at the table is told."""


class StoryLine(NamedTuple):
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


def lines(events: Iterable[StoredEvent], happened: Iterable[TableEvent] = ()) -> Iterator[StoryLine]:
    """The lines of stored events; of commands, only what the service did by itself: a cut that the clock declined,
    the player did not decline. That cards are collected is told when somebody picks them up.

    `happened`: the table's events among them, in order, if already in memory; the others are decoded.
    """
    known, told = iter(happened), False
    for event in events:
        if event.type == COMMAND:
            said = list(_of_service(event))
            told = bool(said)
            yield from said
        if event.type in TOLD:
            body = read_body(event)
            yield StoryLine(event.ver * PARTS, own_words(event.type, body), body.get("cite", ""), event.type, event.ts)
        if event.type in (COMMAND, CREATED, *OWN):
            continue
        for part, line in enumerate(described(next(known, None) or decode_event(event, read_body(event)))):
            if not (told and line.kind == CutDeclined.kind) and line.kind != CardsCollected.__name__:
                yield StoryLine(event.ver * PARTS + part, line.says, line.cite, line.kind, event.ts)


def _of_service(command: StoredEvent) -> Iterator[StoryLine]:
    """The line of a command: what the service did for an absent player."""
    if f'"{ABSENT}"' not in command.body:
        return
    says = read_body(command).get("args", {}).get(ABSENT)
    if isinstance(says, str):
        yield StoryLine(command.ver * PARTS, says, "", COMMAND, command.ts)
