"""The seeds that tables sealed and revealed, found by an index of their own: no other event is read."""

from __future__ import annotations

from collections.abc import Iterator

from twentyone.ledger.pages import EVENT, Paged
from twentyone.ledger.rows import StoredEvent

__all__ = ["Seals"]

PAGE = 100
COLUMNS = "gseq, stream, ver, ts, type, schema, body, prev, hash, idem, fingerprint"
KINDS = "type IN ('shoe_sealed', 'shoe_revealed', 'wheel_sealed', 'wheel_revealed')"
ON = f"SELECT {COLUMNS} FROM events WHERE stream = ? AND ver > ? AND {KINDS} ORDER BY ver LIMIT ?"
BACK = f"SELECT {COLUMNS} FROM events WHERE stream = ? AND ver < ? AND {KINDS} ORDER BY ver DESC LIMIT ?"


class Seals(Paged):
    """The seeds of a store."""

    def read_seals(self, stream: str, after: int = 0) -> Iterator[StoredEvent]:
        """The events of a stream after a version that seal or reveal a seed, in order."""
        return self._seals(ON, stream, after)

    def read_seals_back(self, stream: str, before: int) -> Iterator[StoredEvent]:
        """Those before a version, the last first."""
        return self._seals(BACK, stream, before)

    def _seals(self, sql: str, stream: str, place: int) -> Iterator[StoredEvent]:
        for rows in self._pages(sql, (stream, place), (PAGE,), EVENT, place=2, back=sql is BACK):
            yield from map(StoredEvent._make, rows)
