"""A player's own history: his rounds, and what went into his purse and out of it."""

from __future__ import annotations

from twentyone.ledger.codec import read_body
from twentyone.ledger.house_words import HouseLine
from twentyone.ledger.purses import EMPTIED, ENTRY, ISSUED, TAKEN_OVER
from twentyone.ledger.rounds import RoundRow
from twentyone.ledger.rows import HOUSE
from twentyone.service.own_rounds import readable_rounds
from twentyone.service.people import Person
from twentyone.service.service import Service

__all__ = ["own_purse", "own_rounds"]

KINDS = (ISSUED, ENTRY, TAKEN_OVER, EMPTIED)
"""The events of the house that move what is in a purse."""
LOOKED_AT = 20_000
"""How many of the last events of the house are looked at."""


def own_rounds(service: Service, person: Person) -> list[RoundRow]:
    """The finished rounds in which a player wagered, the newest first."""
    return [row for row in readable_rounds(service, person) if row.over]


def own_purse(service: Service, person: Person) -> list[HouseLine]:
    """What moved his purse since he has this name, the newest first: whoever had it before lost what was in it."""
    since, found = service.people.since(person.name), list[HouseLine]()
    after = max(0, service.store.version(HOUSE) - LOOKED_AT)
    for event in service.store.read(HOUSE, after):
        if event.type in KINDS and event.ts >= since and (body := read_body(event))["name"] == person.name:
            line = HouseLine(event.ver, event.ts, event.type, body)
            found = [] if event.type == EMPTIED else [line, *found]
    return found
