"""Snapshots and projections: derived from events, never part of the record, dropped and built again at will."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from twentyone.ledger.pages import NUMBER, TEXT, Paged
from twentyone.ledger.rows import ProjectionRow

__all__ = ["Projections"]

PAGE = 1_000
FEW = 100
"""Rows read at a time where most readers stop early."""
T = TypeVar("T")
KINDS = (TEXT, NUMBER, TEXT)
"""What the columns of a projection hold."""
SAVE_SNAPSHOT = """INSERT INTO snapshots (stream, ver, schema, body) VALUES (?, ?, ?, ?)
    ON CONFLICT (stream) DO UPDATE SET ver = excluded.ver, schema = excluded.schema, body = excluded.body"""
UPSERT = """INSERT INTO projection (name, key, gseq, body) VALUES (?, ?, ?, ?)
    ON CONFLICT (name, key) DO UPDATE SET gseq = excluded.gseq, body = excluded.body"""
DROP = "DELETE FROM projection WHERE name = ?"


class Projections(Paged):
    """The derived part of a store: it can be dropped and rebuilt without losing anything."""

    _writing: Any

    @abstractmethod
    def _transact(self, work: Callable[[], T]) -> T:
        """Run work in one transaction."""

    def save_snapshot(self, stream: str, ver: int, schema: int, body: str) -> None:
        """Keep the state of a stream at a version; it replaces an older one."""
        self._transact(lambda: self._writing.rows(SAVE_SNAPSHOT, (stream, ver, schema, body)))

    def load_snapshot(self, stream: str) -> tuple[int, int, str] | None:
        """Version, schema and body of a stream's snapshot."""
        sql = "SELECT ver, schema, body FROM snapshots WHERE stream = ?"
        rows = self._typed(sql, (stream,), (NUMBER, NUMBER, TEXT))
        return tuple(rows[0]) if rows else None

    def drop_snapshots(self) -> None:
        """Forget all snapshots."""
        self._transact(lambda: self._writing.rows("DELETE FROM snapshots"))

    def upsert_projection(self, name: str, rows: Iterable[ProjectionRow]) -> None:
        """Write rows of a projection over those with the same key."""
        new = [(name, *row) for row in rows]
        self._transact(lambda: self._writing.write_many(UPSERT, new))

    def replace_projection(self, name: str, rows: Iterable[ProjectionRow]) -> None:
        """Replace a projection, all of it or nothing."""
        new = [(name, *row) for row in rows]
        self._transact(lambda: (self._writing.rows(DROP, (name,)), self._writing.write_many(UPSERT, new)))

    def drop_projection(self, name: str) -> None:
        """Forget a projection."""
        self._transact(lambda: self._writing.rows(DROP, (name,)))

    def read_projection(self, name: str, after: str = "") -> Iterator[ProjectionRow]:
        """The rows of a projection after a key, by key."""
        sql = "SELECT key, gseq, body FROM projection WHERE name = ? AND key > ? ORDER BY key LIMIT ?"
        for rows in self._pages(sql, (name, after), (PAGE,), KINDS):
            yield from map(ProjectionRow._make, rows)

    def read_projection_back(self, name: str, start: str, stop: str) -> Iterator[ProjectionRow]:
        """The rows of a projection from a key back to another one, which is left out."""
        if start > stop and (first := self.find_projection(name, start)) is not None:
            yield first
        sql = "SELECT key, gseq, body FROM projection WHERE name = ? AND key < ? AND key > ? ORDER BY key DESC LIMIT ?"
        for rows in self._pages(sql, (name, start), (stop, FEW), KINDS, back=True):
            yield from map(ProjectionRow._make, rows)

    def find_projection(self, name: str, key: str) -> ProjectionRow | None:
        """One row of a projection."""
        rows = self._typed("SELECT key, gseq, body FROM projection WHERE name = ? AND key = ?", (name, key), KINDS)
        return ProjectionRow._make(rows[0]) if rows else None
