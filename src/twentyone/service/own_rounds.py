"""Who may read which rounds: a player his own, staff and auditors all; a visitor none."""

from __future__ import annotations

from twentyone.ledger.round_rows import RoundRow
from twentyone.ledger.wanted import Wanted
from twentyone.service.live import LiveTable
from twentyone.service.people import NotAllowed, Person
from twentyone.service.service import Service

__all__ = ["check_readable", "only_readable", "readable_rounds", "told_after"]

ROUND_OVER = "cards_collected"
"""The kind of the last line of a round."""
OTHERS = "only those who wagered in a round, staff and auditors may read it"
NOBODY = ""
"""The name of no player."""


def only_readable(service: Service, person: Person | None, wanted: Wanted = Wanted()) -> Wanted:
    """Of the rounds that are wanted those that a person may read; a name given anew opens nothing played before."""
    if person is None:
        return wanted._replace(of=NOBODY)
    if person.role != "player":
        return wanted
    return wanted._replace(of=person.name, since=service.people.names.since(person.name))


def readable_rounds(service: Service, person: Person | None, wanted: Wanted = Wanted()) -> list[RoundRow]:
    """The rounds that a person wants and may read, the newest first."""
    return [] if person is None else list(service.rounds.every(only_readable(service, person, wanted)))


def check_readable(service: Service, person: Person | None, row: RoundRow) -> None:
    """Refuse a round that a person may not read."""
    if not only_readable(service, person).holds(row):
        raise NotAllowed(OTHERS, 401 if person is None else 403)


def told_after(live: LiveTable, person: Person, number: int) -> int:
    """After which line somebody is told a table's story: players and visitors the last round and what is now."""
    over = [line.n for line in live.lines_after(number) if line.kind == ROUND_OVER][-2:]
    return over[0] if person.role == "player" and len(over) > 1 else number
