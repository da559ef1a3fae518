"""A ledger that is only read: nothing in its file changes, and nothing is left beside it.

SQLite writes beside a file even when it only reads it. Where nobody has the file open, it is opened as one that does
not change; where a log lies beside it, with the index of that log as it stands. Where the index is missing, or the
schema is an older one, a private copy is read.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from twentyone.ledger.examined import readable
from twentyone.ledger.rows import LedgerFailed
from twentyone.ledger.sqlite import (
    STATEMENTS,
    SqliteConnection,
    SqliteStore,
    check_application,
    missing_steps,
    open_sqlite,
    unopened,
)

__all__ = ["addresses", "copy_with_log", "is_writable", "open_evidence"]

READING = ("PRAGMA cell_size_check = ON", "PRAGMA trusted_schema = OFF", "PRAGMA query_only = ON")
"""Statements that every connection runs first."""
UNCHANGING, SHARED, BESIDE = "mode=ro&immutable=1", "mode=ro&readonly_shm=1", "mode=ro"
"""How a file is opened: one that nobody has open; one with a log; one whose log somebody is just beginning."""


def is_writable(file: Path) -> bool:
    """Whether SQLite could write a file, and others beside it."""
    return os.access(file, os.W_OK) and os.access(file.absolute().parent, os.W_OK)


def addresses(file: Path) -> Iterator[str]:
    """How a file is opened without writing: the first way that answers; none where only a copy can be read."""
    log, index = (file.with_name(f"{file.name}{end}") for end in ("-wal", "-shm"))
    ways: tuple[str, ...] = (SHARED, BESIDE) if log.exists() else ()
    if not index.exists():
        ways = () if log.exists() and log.stat().st_size else (UNCHANGING,)
    for way in ways:
        yield f"file:{quote(str(file.absolute()))}?{way}"


class _Unchanging(SqliteStore):
    """A ledger in a file that nobody had open; who begins to play on it meanwhile is noticed."""

    stamp = (0, 0)
    """Size and time of the file as they were."""

    def _query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        try:
            return super()._query(sql, parameters)
        finally:
            if _stamp(Path(self.where)) != self.stamp:
                raise LedgerFailed(f"{self.where} was written to while it was read; try again", "the ledger is in use")


def _stamp(file: Path) -> tuple[int, int]:
    now = file.stat()
    return now.st_size, now.st_mtime_ns


def open_evidence(file: Path) -> SqliteStore:
    """Open a ledger in a file without writing into it or beside it."""
    stamp, failed = _stamp(file), None
    for address in addresses(file):
        connections: list[SqliteConnection] = []
        try:
            for _ in range(2):
                connections.append(_connect(address, file))
            older = missing_steps(connections[0], str(file))
        except SqliteConnection.errors as fault:
            _close(connections)
            failed = fault
            continue
        except BaseException:
            _close(connections)
            raise
        if older:
            _close(connections)
            return _copied(file, address)
        kind = _Unchanging if address.endswith(UNCHANGING) else SqliteStore
        store = kind(str(file), connections[0], connections[1], STATEMENTS)
        store.source, store.read_only = address, True
        if isinstance(store, _Unchanging):
            store.stamp = stamp
        return readable(store)
    if failed is not None:
        raise unopened(str(file), failed) from None
    return _copied(file)


def _connect(address: str, file: Path) -> SqliteConnection:
    connection = SqliteConnection(address, uri=True)
    try:
        check_application(connection, str(file))
        for setting in READING:
            connection.rows(setting)
    except BaseException:
        connection.close()
        raise
    return connection


def _copied(file: Path, address: str = "") -> SqliteStore:
    """The ledger in a folder that is removed when it is closed, with its log, or as one connection sees it."""
    folder = tempfile.TemporaryDirectory(prefix="twentyone-")
    copy = Path(folder.name) / file.name
    try:
        if address:
            with closing(SqliteConnection(address, uri=True)) as source, closing(SqliteConnection(str(copy))) as target:
                source.raw.backup(target.raw)
        else:
            copy_with_log(file, copy)
        copy.chmod(0o600)
        store = open_sqlite(str(copy), upgrade=True)
    except BaseException:
        folder.cleanup()
        raise
    store.source, store.where, store.held = address or store.where, str(file), folder
    store.read_only, store.upgraded = True, ""
    return store


def copy_with_log(file: Path, copy: Path) -> None:
    """Copy a file and the log beside it."""
    for end in ("", "-wal"):
        if (part := file.with_name(file.name + end)).exists():
            private = copy.with_name(copy.name + end)
            shutil.copyfile(part, private)
            private.chmod(0o600)


def _close(connections: list[SqliteConnection]) -> None:
    for connection in connections:
        connection.close()
