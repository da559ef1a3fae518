"""Who may read which rounds: a player his own, staff and auditors all; a visitor none."""

from __future__ import annotations

from collections.abc import Callable

from twentyone.ledger.rounds import RoundRow, Wanted
from twentyone.service.live import LiveTable
from twentyone.service.people import NotAllowed, Person
from twentyone.service.service import Service

__all__ = ["check_readable", "readable", "readable_rounds", "told_after"]

ROUND_OVER = "cards_collected"
"""The kind of the last line of a round."""
OTHERS = "only those who wagered in a round, staff and auditors may read it"


def readable(service: Service, person: Person | None) -> Callable[[RoundRow], bool]:
    """Whether a person may read a round; a name that was given anew does not open what was played under it before."""
    if person is None:
        return lambda _: False
    if person.role != "player":
        return lambda _: True
    name, since = person.name, service.people.names.since(person.name)
    return lambda row: name in row.net and row.begun >= since


def readable_rounds(service: Service, person: Person | None, wanted: Wanted = Wanted()) -> list[RoundRow]:
    """The rounds that a person wants and may read, the newest first."""
    if person is None:
        return []
    if person.role == "player" and wanted.player in (None, person.name):
        wanted = wanted._replace(player=person.name)
    rows = filter(readable(service, person), service.rounds.listed(wanted))
    return sorted(rows, key=lambda row: (-row.begun, row.table, -row.number))


def check_readable(service: Service, person: Person | None, row: RoundRow) -> None:
    """Refuse a round that a person may not read."""
    if not readable(service, person)(row):
        raise NotAllowed(OTHERS, 401 if person is None else 403)


def told_after(live: LiveTable, person: Person, number: int) -> int:
    """After which line somebody is told a table's story: players and visitors the last round and what is now."""
    over = [line.n for line in live.lines_after(number) if line.kind == ROUND_OVER][-2:]
    return over[0] if person.role == "player" and len(over) > 1 else number
