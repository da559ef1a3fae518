"""The seeds that tables sealed and revealed, found by an index of their own: no other event is read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from twentyone.ledger.rows import StoredEvent

__all__ = ["Seals"]

PAGE = 100
COLUMNS = "gseq, stream, ver, ts, type, schema, body, prev, hash, idem, fingerprint"
KINDS = "type IN ('shoe_sealed', 'shoe_revealed', 'wheel_sealed', 'wheel_revealed')"
ON = f"SELECT {COLUMNS} FROM events WHERE stream = ? AND ver > ? AND {KINDS} ORDER BY ver LIMIT ?"
BACK = f"SELECT {COLUMNS} FROM events WHERE stream = ? AND ver < ? AND {KINDS} ORDER BY ver DESC LIMIT ?"


class Seals(ABC):
    """The seeds of a store."""

    @abstractmethod
    def _query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """The rows of a query."""

    def read_seals(self, stream: str, after: int = 0) -> Iterator[StoredEvent]:
        """The events of a stream after a version that seal or reveal a seed, in order."""
        return self._seals(ON, stream, after)

    def read_seals_back(self, stream: str, before: int) -> Iterator[StoredEvent]:
        """Those before a version, the last first."""
        return self._seals(BACK, stream, before)

    def _seals(self, sql: str, stream: str, place: int) -> Iterator[StoredEvent]:
        while rows := self._query(sql, (stream, place, PAGE)):
            yield from map(StoredEvent._make, rows)
            place = rows[-1][2]
