"""A ledger on media that cannot be written: read as it lies there, or from a private copy where that is not possible.

SQLite writes beside a file even when it only reads it. A file that nobody can write is opened as one that does not
change; where a log lies beside it, whose events are not in the file yet, or its schema is an older one, it is copied.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from urllib.parse import quote

from twentyone.ledger.examined import readable
from twentyone.ledger.sqlite import (
    STATEMENTS,
    SqliteConnection,
    SqliteStore,
    check_application,
    missing_steps,
    open_sqlite,
    unopened,
)

__all__ = ["is_writable", "open_evidence"]

READING = ("PRAGMA cell_size_check = ON", "PRAGMA trusted_schema = OFF", "PRAGMA query_only = ON")
"""Statements that every connection runs first."""


def is_writable(file: Path) -> bool:
    """Whether SQLite could write a file, and others beside it."""
    return os.access(file, os.W_OK) and os.access(file.absolute().parent, os.W_OK)


def open_evidence(file: Path) -> SqliteStore:
    """Open a ledger in a file without writing anything beside it."""
    log = file.with_name(f"{file.name}-wal")
    if log.exists() and log.stat().st_size:
        return _copied(file)
    address = f"file:{quote(str(file.absolute()))}?mode=ro&immutable=1"
    connections: list[SqliteConnection] = []
    try:
        for _ in range(2):
            connections.append(SqliteConnection(address, uri=True))
            check_application(connections[-1], str(file))
            for setting in READING:
                connections[-1].rows(setting)
        older = missing_steps(connections[0], str(file))
    except SqliteConnection.errors as fault:
        _close(connections)
        raise unopened(str(file), fault) from None
    except BaseException:
        _close(connections)
        raise
    if older:
        _close(connections)
        return _copied(file)
    store = SqliteStore(str(file), connections[0], connections[1], STATEMENTS)
    store.source, store.read_only = address, True
    return readable(store)


def _copied(file: Path) -> SqliteStore:
    """The ledger with its log, in a folder that is removed when it is closed."""
    folder = tempfile.TemporaryDirectory(prefix="twentyone-")
    try:
        for end in ("", "-wal"):
            if (part := file.with_name(file.name + end)).exists():
                copy = Path(folder.name) / part.name
                shutil.copyfile(part, copy)
                copy.chmod(0o600)
        store = open_sqlite(str(Path(folder.name) / file.name))
    except BaseException:
        folder.cleanup()
        raise
    store.source, store.where, store.held, store.read_only = store.where, str(file), folder, True
    return store


def _close(connections: list[SqliteConnection]) -> None:
    for connection in connections:
        connection.close()
