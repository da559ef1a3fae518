"""The file of accounts and sessions, examined before it is used: whatever was done to it, it is refused in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from twentyone.ledger.rows import LedgerRefused

__all__ = ["refuse_damaged"]

KINDS: dict[str, type] = {"TEXT": str, "INTEGER": int, "BIGINT": int}
MOST = 1 << 53
"""No whole number in it is larger."""


def refuse_damaged(path: Path, tables: Sequence[str]) -> None:
    """Refuse a file that is not one of accounts and sessions, or not as this software writes it."""
    if not path.is_file() or not path.stat().st_size:
        return
    try:
        with closing(sqlite3.connect(path)) as base:
            wrong = next(_wrong(base, tables), "")
    except (sqlite3.Error, OverflowError, UnicodeError) as failed:
        wrong = "" if _is_passing(failed) else str(failed)
    if wrong:
        raise LedgerRefused(
            f"{path}: the accounts and sessions of this ledger cannot be read ({wrong}): nothing was written; put a "
            "copy of the file back, or move it away, and accounts begin anew"
        )


def _is_passing(failed: Exception) -> bool:
    """A lock, or a disk that cannot be written now, is no damage."""
    return isinstance(failed, sqlite3.OperationalError) and any(
        word in str(failed) for word in ("locked", "disk is full", "readonly", "unable to open")
    )


def _wrong(base: sqlite3.Connection, tables: Sequence[str]) -> Iterator[str]:
    """What is wrong with a file: its pages, what stands beside its tables, their columns, their values."""
    for (said,) in base.execute("PRAGMA integrity_check").fetchall():
        if said != "ok":
            yield str(said)
    for kind, name in base.execute("SELECT type, name FROM sqlite_master").fetchall():
        if kind not in ("table", "index"):
            yield f"it has a {kind} {name!r}"
    with closing(sqlite3.connect(":memory:")) as fresh:
        for table in tables:
            fresh.execute(table)
        for (name,) in fresh.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            yield from _wrong_table(base, name, fresh.execute(f"PRAGMA table_info({name})").fetchall())


def _wrong_table(base: sqlite3.Connection, name: str, columns: list[tuple[object, ...]]) -> Iterator[str]:
    found = base.execute(f"PRAGMA table_info({name})").fetchall()
    if not found:
        return
    if found != columns:
        yield f"the table {name} has other columns"
        return
    kinds = [(str(column[1]), KINDS[str(column[2])], bool(column[3]) or bool(column[5])) for column in columns]
    for row in base.execute(f"SELECT * FROM {name}"):
        for value, (column, kind, needed) in zip(row, kinds, strict=True):
            if not isinstance(value, kind) and (needed or value is not None):
                yield f"{name}.{column} is {type(value).__name__}, not {kind.__name__}"
            if isinstance(value, int) and abs(value) > MOST:
                yield f"{name}.{column} is {value}"
