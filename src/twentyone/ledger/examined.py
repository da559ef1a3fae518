"""What an examination asks of a store beside its events: one hash, the schema, the file."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from twentyone.ledger.pages import NUMBER, TEXT, Paged
from twentyone.ledger.rows import LedgerRefused

__all__ = ["HEAD", "Examined", "readable"]


PAGE = 1_000
"""Places that are asked for at a time."""
NUMBERED = "SELECT gseq, hash FROM events WHERE gseq > ? AND gseq <= ? ORDER BY gseq LIMIT 5000"


HEAD = (TEXT, NUMBER, TEXT)
"""Stream, version and hash."""


class Examined(Paged):
    """The part of a store that shows whether it is what it should be."""

    _reading: Any
    _sql: Any

    def hash_at(self, stream: str, ver: int) -> str | None:
        """The hash stored with one event."""
        rows = self._typed("SELECT hash FROM events WHERE stream = ? AND ver = ?", (stream, ver), (TEXT,))
        return rows[0][0] if rows else None

    def hashes_at(self, places: Sequence[tuple[str, int]]) -> dict[tuple[str, int], str]:
        """The hashes stored with the events at some places, each a stream and a version; none where there is none."""
        parts = (places[first : first + PAGE] for first in range(0, len(places), PAGE))
        rows = [row for part in parts for row in self._typed(self._sql.hashes, (json.dumps(part),), HEAD)]
        return {(stream, ver): own for stream, ver, own in rows}

    @abstractmethod
    def streams(self) -> list[str]:
        """All streams, by name."""

    def heads(self) -> dict[str, tuple[int, str]]:
        """Version and hash of the last event of every stream."""
        rows = self._typed(self._sql.heads, (self._reading.array(self.streams()),), HEAD)
        return {stream: (ver, own) for stream, ver, own in rows}

    def numbered(self, after: int, last: int) -> Iterator[tuple[int, str]]:
        """Number and hash of the events after a number, up to another, in the order of the ledger."""
        for rows in self._pages(NUMBERED, (after,), (last,), (NUMBER, TEXT)):
            yield from rows

    @abstractmethod
    def schema_faults(self) -> list[str]:
        """Where tables, indexes and guards are not those of the migrations."""

    @abstractmethod
    def shape_faults(self) -> list[str]:
        """Which of them make the ledger unreadable: a table that is none, or has other columns."""

    @abstractmethod
    def close(self) -> None:
        """Close the database."""

    @abstractmethod
    def self_check(self) -> list[str]:
        """What the database itself finds wrong."""


E = TypeVar("E", bound=Examined)


def readable(store: E) -> E:
    """The store, or a refusal where what stands in place of its tables would not answer as they do, or not at all."""
    try:
        for what in store.shape_faults():
            raise LedgerRefused(
                f"{store.where} is not what the migrations make ({what}): nothing was read; restore a backup"
            )
    except BaseException:
        store.close()
        raise
    return store
