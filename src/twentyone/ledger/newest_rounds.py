"""The rounds of a ledger from the newest back, a page at a time: only the rows that are looked at are read.

The rows of a table are numbered without a gap, and each bears the mark of the key: one that was edited, exchanged or
taken out is noticed where it is looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from heapq import merge
from itertools import chain
from typing import NamedTuple

from twentyone.ledger.keys import Keyring
from twentyone.ledger.reading import quiet
from twentyone.ledger.round_rows import RoundReader, RoundRow, key_of
from twentyone.ledger.rounds import PROJECTION, altered, find_round, refresh, unmarked
from twentyone.ledger.rows import LedgerRefused, ProjectionRow
from twentyone.ledger.store import Store, table_streams
from twentyone.ledger.wanted import Wanted

__all__ = ["LOOKED_AT", "Page", "Rounds"]

BEYOND = "~"
"""Comes after the number of every round."""
LOOKED_AT = 20_000
"""The most rounds that are looked at for one page: what is rare is searched for page by page."""


class Place(NamedTuple):
    """A finished round, and where it ended."""

    gseq: int
    """The number of its last event in the ledger."""
    row: RoundRow
    """The round."""


class Page(NamedTuple):
    """Some rounds that are wanted, the newest first."""

    rounds: list[RoundRow]
    """The rounds."""
    next: int | None = None
    """Where the next page begins: before this number of the ledger; none where everything was looked at."""
    reached: int | None = None
    """Where the search stopped before the page was full: when the last round that was looked at was begun."""


class Rounds:
    """The rounds of a ledger, for whoever holds its key."""

    def __init__(self, store: Store, keyring: Keyring) -> None:
        self._store, self._keyring = store, keyring

    def find(self, name: str) -> RoundRow:
        """One by its id."""
        return find_round(self._store, name, self._keyring)

    def page(self, wanted: Wanted, before: int | None = None, most: int = 100) -> Page:
        """The newest rounds that are wanted and that ended before a number of the ledger."""
        reader = refresh(self._store, self._keyring, False, quiet)
        if wanted.of == "":
            return Page([])
        found = [] if before is not None else _in_progress(reader, wanted)
        last = before
        for count, (gseq, row) in enumerate(self._newest(reader, wanted.table, before), 1):
            if wanted.holds(row):
                if len(found) >= most:
                    return Page(found, last)
                found.append(row)
                last = gseq
            if count >= LOOKED_AT:
                return Page(found, gseq, row.begun)
        return Page(found)

    def every(self, wanted: Wanted) -> Iterator[RoundRow]:
        """All rounds that are wanted, the newest first; a list that cannot be read is refused at once."""
        reader = refresh(self._store, self._keyring, False, quiet)
        newest = self._newest(reader, wanted.table, None) if wanted.of != "" else ()
        return chain(_in_progress(reader, wanted), (row for _, row in newest if wanted.holds(row)))

    def _newest(self, reader: RoundReader, table: str | None, before: int | None) -> Iterator[Place]:
        """The finished rounds of one table or of all, from the last that ended before a number."""
        tables = [name for name in table_streams(self._store) if table in (None, name)]
        backwards = [self._backwards(name, self._start(name, reader.over(name), before)) for name in tables]
        return merge(*backwards, key=lambda place: -place.gseq)

    def _start(self, table: str, over: int, before: int | None) -> int:
        """The last round of a table that ended before a number of the ledger; 0 where none did."""
        if before is None:
            for row in self._store.read_projection_back(PROJECTION, f"{table}:{BEYOND}", key_of(table, over)):
                unmarked(self._keyring, row)
            return over
        low, high = 0, over
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._row(table, middle).gseq < before else (low, middle - 1)
        return low

    def _row(self, table: str, number: int) -> ProjectionRow:
        row = self._store.find_projection(PROJECTION, key_of(table, number))
        if row is None:
            raise _missing(table, number)
        return unmarked(self._keyring, row)

    def _backwards(self, table: str, start: int) -> Iterator[Place]:
        """The finished rounds of a table from a number back to its first."""
        due = start
        for row in self._store.read_projection_back(PROJECTION, key_of(table, start), key_of(table, 0)):
            if row.key != key_of(table, due):
                break
            yield Place(row.gseq, RoundRow(**json.loads(unmarked(self._keyring, row).body)))
            due -= 1
        if due:
            raise _missing(table, due)


def _missing(table: str, number: int) -> LedgerRefused:
    return LedgerRefused(altered(f"round {number} of {table} is missing"))


def _in_progress(reader: RoundReader, wanted: Wanted) -> list[RoundRow]:
    return sorted(filter(wanted.holds, reader.in_progress), key=lambda row: -row.begun)
