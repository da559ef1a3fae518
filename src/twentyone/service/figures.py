"""Drop and win of the gaming day, table by table: those of the shift report, counted on from event to event.

Only the events of the day are read, once each and never on the event loop.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from twentyone.errors import TwentyoneError
from twentyone.ledger.reading import readable
from twentyone.ledger.store import Store
from twentyone.ledger.tally import Tally
from twentyone.ledger.timestamps import Period
from twentyone.money import Amount

__all__ = ["DayFigures", "Tallies"]


class DayFigures(NamedTuple):
    """What is known of a table's gaming day."""

    drop: Amount
    """Cash in the drop box."""
    win: Amount
    """What the table won."""
    rounds: int
    """Rounds begun."""
    mishaps: int
    """Irregularities."""


class DayTally(Tally):
    """A tally that begins with the day: its balances are those against the day's beginning."""

    def _move_meters(self, *_: Any) -> None:
        """Meters were set before the day began: the table itself shows them."""


class Tallies:
    """The tallies of all tables that somebody asked for."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._counted: dict[str, tuple[int, Tally]] = {}
        self._known: dict[str, DayFigures] = {}

    def count(self, tables: Iterable[tuple[str, int]]) -> None:
        """Count on: each table with the moment at which its gaming day began."""
        with self._lock:
            for table, begins in tables:
                with suppress(TwentyoneError):  # what cannot be read is told by `verify`
                    self._count_on(table, begins)

    def of(self, table: str) -> DayFigures | None:
        """The figures of a table, as far as it is counted."""
        return self._known.get(table)

    def _count_on(self, table: str, begins: int) -> None:
        read, tally = self._counted.get(table, (0, None))
        if tally is None or tally.period.start != begins:
            read, tally = self._before(table, begins), DayTally(table, Period(begins))
        for event in self._store.read(table, read):
            with readable(event):
                tally.follow(event)
            read = event.ver
        self._counted[table] = read, tally
        self._known[table] = DayFigures(tally.drop, tally.win, tally.rounds, tally.irregularities.total())

    def _before(self, table: str, begins: int) -> int:
        """The version of the last event before a moment, found by halving."""
        low, high = 0, self._store.version(table)
        while low < high:
            middle = (low + high) // 2
            event = next(self._store.read(table, middle), None)
            if event is not None and event.ts < begins:
                low = middle + 1
            else:
                high = middle
        return low
