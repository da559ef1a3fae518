"""The database of the simulation: SQLite in memory, shared by all processes, behind the store's own port."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from tests.simulation.points import Points
from twentyone.ledger.sqlite import STATEMENTS, SqliteConnection, SqliteStore, prepare

__all__ = ["ROWS", "Port", "empty_database", "open_on"]

ROWS = "SELECT gseq, stream, ver, ts, type, schema, body, prev, hash, idem, fingerprint FROM events ORDER BY gseq"
SAID: dict[str, list[Any]] = {"PRAGMA journal_mode": [("wal",)], "PRAGMA synchronous": [(2,)]}
"""What a database in memory cannot say of itself: nothing of it is ever lost."""


class Port(SqliteConnection):
    """One process's connection; the points decide which statements fail."""

    def __init__(self, raw: sqlite3.Connection, points: Points | None = None) -> None:
        self.raw, self._points = raw, points

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        if sql in SAID:
            return SAID[sql]
        if self._points is not None:
            if sql == "COMMIT":
                return self._commit(self._points)
            if sql.startswith("BEGIN"):
                self._fail("database locked")
            elif sql.startswith("INSERT INTO snapshots"):
                self._fail("snapshot fails")
            elif sql.startswith("SELECT") and not self.raw.in_transaction:
                self._fail("read fails")
        return super().rows(sql, parameters)

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self._fail("write fails")
        super().write_many(sql, rows)

    def _commit(self, points: Points) -> list[Any]:
        if points.fires("commit undone"):
            super().rows("ROLLBACK")
            raise sqlite3.OperationalError("disk I/O error")
        super().rows("COMMIT")
        if points.fires("commit stored, unheard"):
            raise sqlite3.OperationalError("disk I/O error")
        return []

    def _fail(self, point: str) -> None:
        if self._points is not None and self._points.fires(point):
            raise sqlite3.OperationalError(point)

    def close(self) -> None:
        """The database outlives its processes."""


def empty_database() -> sqlite3.Connection:
    """A ledger in memory that holds nothing yet."""
    raw = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    prepare(Port(raw), "simulation", new=True)
    return raw


def open_on(raw: sqlite3.Connection, points: Points | None = None) -> SqliteStore:
    """The store of a process that starts."""
    if raw.in_transaction:  # of a process that died in it
        raw.execute("ROLLBACK")
    port = Port(raw, points)
    return SqliteStore("simulation", port, port, STATEMENTS)
