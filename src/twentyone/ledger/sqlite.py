"""A ledger in an SQLite file: write-ahead log with full synchronisation, checked when it is opened."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from twentyone.errors import TwentyoneError
from twentyone.ledger.examined import readable
from twentyone.ledger.failing import passing
from twentyone.ledger.migrations import Migration, check_applied, migrations_of, refuse_older, upgrade_words
from twentyone.ledger.private_files import OWN_FILES, make_private, refuse_shared
from twentyone.ledger.rows import LedgerFailed, LedgerRefused, NoSuchLedger
from twentyone.ledger.sql import LAST_NUMBER, Connection, SqlStore, Statements
from twentyone.platforms import reserve_room

__all__ = [
    "STATEMENTS",
    "SqliteConnection",
    "SqliteStore",
    "check_application",
    "missing_steps",
    "open_sqlite",
    "prepare",
    "read_sqlite",
    "refuse_shared_ledger",
    "sync_folder",
    "unopened",
]

APPLICATION = 0x32314C44
"""Marks an SQLite file as a ledger (`21LD`)."""
SETTINGS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA cell_size_check = ON",
    "PRAGMA trusted_schema = OFF",
)
"""Statements that every connection runs first."""
WAIT = 10
"""Seconds to wait for another process that writes."""
HURRY = ("PRAGMA busy_timeout = 2000", "PRAGMA busy_timeout = 200")
"""The same where people wait: for what is written, and for what is read."""
ROOM = 1 << 20
"""Bytes that must be free before a ledger is opened anew after a failure."""
STATEMENTS = Statements(
    begin="BEGIN IMMEDIATE",
    known_keys="SELECT idem, stream, ver, fingerprint FROM events WHERE idem IN (SELECT value FROM json_each(?))",
    heads="""SELECT e.stream, e.ver, e.hash FROM json_each(?) AS wanted JOIN events AS e
        ON e.stream = wanted.value AND e.ver = (SELECT max(ver) FROM events WHERE stream = wanted.value)""",
    hashes="""SELECT e.stream, e.ver, e.hash FROM json_each(?) AS wanted JOIN events AS e
        ON e.stream = json_extract(wanted.value, '$[0]') AND e.ver = json_extract(wanted.value, '$[1]')""",
    streams="""WITH RECURSIVE names (name) AS (
        SELECT min(stream) FROM events
        UNION SELECT (SELECT min(stream) FROM events WHERE stream > name) FROM names WHERE name IS NOT NULL
        ) SELECT name FROM names WHERE name IS NOT NULL""",
    among="IN (SELECT value FROM json_each(?))",
)
OBJECTS = """SELECT type || ' ' || name, sql FROM sqlite_master
    WHERE name NOT LIKE 'sqlite^_%' ESCAPE '^' ORDER BY name"""
"""Tables, indexes, triggers and views by name, each with its text."""


class SqliteConnection:
    """A connection of the standard library's SQLite, as the store uses it."""

    errors: tuple[type[Exception], ...] = (sqlite3.Error, UnicodeError)  # a damaged file's messages are not always text
    conflicts: tuple[type[Exception], ...] = ()

    def __init__(self, path: str, uri: bool = False) -> None:
        self.raw = sqlite3.connect(path, timeout=WAIT, isolation_level=None, check_same_thread=False, uri=uri)
        """The connection itself, for the online backup."""

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Run one statement; all its rows."""
        return self.raw.execute(sql, parameters).fetchall()

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row of parameters."""
        self.raw.executemany(sql, rows)

    def array(self, values: Iterable[str]) -> str:
        """Many texts as one parameter."""
        return json.dumps(list(values))

    def close(self) -> None:
        """Close the file."""
        self.raw.close()


class SqliteStore(SqlStore):
    """A ledger in an SQLite file."""

    source = ""
    """What its connections were opened with, where that is not its path."""
    held: tempfile.TemporaryDirectory[str] | None = None
    """The folder of a copy, which goes when the ledger is closed."""

    def close(self) -> None:
        """Close the database."""
        super().close()
        if self.held is not None:
            self.held.cleanup()

    def _numbers(self, count: int) -> Iterator[int]:
        last = self._writing.rows(LAST_NUMBER)[0][0]
        return iter(range(last + 1, last + 1 + count))

    def _alone(self) -> None:
        """Who writes into a file is alone from the beginning of his transaction."""

    def _open_anew(self) -> SqliteStore:
        _check_room(Path(self.where).parent)
        fresh = open_sqlite(self.where)
        fresh.hurry()
        return fresh

    def hurry(self) -> None:
        """Wait for the locks of others as long as people at a table do, and not longer."""
        for connection, setting in zip((self._writing, self._reading), HURRY, strict=True):
            connection.rows(setting)

    def schema_faults(self) -> list[str]:
        """What is in the file and not in the migrations, or in them and not in the file, or has another text."""
        present, known = dict(self._query(OBJECTS)), _objects(*migrations_of("sqlite"))
        faults = [f"{name} is missing" for name in known if name not in present]
        faults += [f"{name} does not belong to a ledger" for name in present if name not in known]
        return faults + [
            f"{name} is not the ledger's own" for name in known if present.get(name, known[name]) != known[name]
        ]

    def shape_faults(self) -> list[str]:
        """Where a table is none, or has other columns: it cannot be read."""
        shape = re.compile(r"table|view (events|snapshots|projection|purses|coupons)\b")
        return [fault for fault in self.schema_faults() if shape.match(fault)]

    def self_check(self) -> list[str]:
        """What SQLite finds wrong with the file, and what is wrong with its schema."""
        try:
            faults = [str(row[0]) for row in self._query("PRAGMA integrity_check") if row[0] != "ok"]
            return faults + self.schema_faults()
        except LedgerFailed as fault:
            return [str(fault)]


def read_sqlite(path: str) -> SqliteStore:
    """Open the ledger in a file to read it: no byte of it changes, and nothing is left beside it."""
    from twentyone.ledger.evidence import open_evidence

    file = Path(path)
    _refuse_place(file, create=False)
    return open_evidence(file)


def open_sqlite(path: str, *, create: bool = False, upgrade: bool = False) -> SqliteStore:
    """Open the ledger in a file; refused when the file is missing, foreign, damaged or of a newer schema.

    With `create` it is opened for writing events: also refused where others may read it. One of an older schema is
    brought up to date with `upgrade`, else refused.
    """
    file = Path(path)
    make = new = _refuse_place(file, create)
    if not create:
        from twentyone.ledger.evidence import is_writable, open_evidence

        if not is_writable(file):
            return open_evidence(file)
    begun = make and not file.exists()
    if make:
        make_private(file)
    elif create:
        refuse_shared_ledger(file)
    connections: list[SqliteConnection] = []
    upgraded = ""
    try:
        for _ in range(2):
            connections.append(SqliteConnection(str(file)))
            upgraded = prepare(connections[-1], path, new=new, upgrade=upgrade) or upgraded
            new = False
    except BaseException as fault:
        _close(connections)
        if begun:
            _remove(file)
        if isinstance(fault, SqliteConnection.errors):
            raise unopened(path, fault) from None
        raise
    if make:
        sync_folder(file.parent)
    store = SqliteStore(path, connections[0], connections[1], STATEMENTS)
    store.upgraded = upgraded
    return readable(store)


def _check_room(folder: Path) -> None:
    """`OSError` where the disk has no room for a while of play: opened anew for one command, it would fail again."""
    with tempfile.TemporaryFile(dir=folder) as file:
        reserve_room(file.fileno(), ROOM)


def unopened(path: str, fault: Exception) -> TwentyoneError:
    """Why a file was not opened: for now, or because of what is in it."""
    if why := passing(fault):
        return LedgerFailed(f"{path} cannot be opened now ({fault}): {why}; try again when that has passed", why)
    return LedgerRefused(
        f"{path} cannot be opened as a ledger ({fault}): it is damaged, cut off or not a ledger; restore a backup"
    )


def _close(connections: Iterable[SqliteConnection]) -> None:
    for connection in connections:
        connection.close()


def _remove(file: Path) -> None:
    """Leave nothing of a ledger that could not be made."""
    for end in OWN_FILES:
        file.with_name(file.name + end).unlink(missing_ok=True)


def _refuse_place(file: Path, create: bool) -> bool:
    """Whether a ledger is to be made in a file; refused where that cannot be."""
    if file.is_dir():
        raise LedgerRefused(f"{file} is a folder: name a file")
    if file.exists() and (file.stat().st_size or not create):
        if file.stat().st_size == 0:
            raise LedgerRefused(f"{file} is empty, not a ledger: restore a backup, or remove it and begin a new ledger")
        _refuse_cut(file)
        return False
    if not create:
        raise NoSuchLedger(f"{file}: there is no such ledger")
    if not file.parent.is_dir():
        raise NoSuchLedger(f"{file}: there is no folder {file.parent}")
    return True


def refuse_shared_ledger(file: Path) -> None:
    """Refuse to write into a ledger that others may read; a file whose header does not mark it as one is none."""
    with file.open("rb") as opened:
        ours = opened.read(72)[68:] == APPLICATION.to_bytes(4, "big")
    if ours:
        refuse_shared(file, OWN_FILES)


def _refuse_cut(file: Path) -> None:
    """SQLite accepts an incomplete last page; the header says how long the file was."""
    log = file.with_name(file.name + "-wal")
    if log.exists() and log.stat().st_size:
        return  # after a power cut the rest may be in the log
    with file.open("rb") as opened:
        header = opened.read(32)
    page, count = int.from_bytes(header[16:18], "big"), int.from_bytes(header[28:32], "big")
    if file.stat().st_size < (65_536 if page == 1 else page) * count:
        raise LedgerRefused(
            f"{file} is damaged, cut off or not a ledger (it is shorter than its header says); restore a backup"
        )


def prepare(connection: Connection, where: str, *, new: bool = False, upgrade: bool = False) -> str:
    """Make or check the schema, and check that what is acknowledged is on the disk; answers what was upgraded."""
    run = connection.rows
    if new:
        run("PRAGMA application_id = 0x32314C44")
    else:
        check_application(connection, where)
    steps = missing_steps(connection, where)
    if not (new or upgrade):
        refuse_older(where, steps)
    for setting in SETTINGS:
        run(setting)
    if steps:
        _apply(connection, steps)
    mode, level = run("PRAGMA journal_mode")[0][0], run("PRAGMA synchronous")[0][0]
    if (mode, level) != ("wal", 2):
        raise LedgerRefused(
            f"{where} is open with journal_mode={mode}, synchronous={level}, not WAL and FULL: a power cut would lose "
            "what was acknowledged; put the file on a local disk"
        )

    return "" if new else upgrade_words(steps)


def check_application(connection: Connection, where: str) -> None:
    """Refuse a file whose header does not mark it as a ledger."""
    if connection.rows("PRAGMA application_id")[0][0] != APPLICATION:
        raise LedgerRefused(f"{where} is an SQLite file but not a ledger: name another file")


@cache
def _objects(*steps: Migration) -> dict[str, str]:
    """What migrations make."""
    with closing(SqliteConnection(":memory:")) as connection:
        _apply(connection, steps)
        return dict(connection.rows(OBJECTS))


def missing_steps(connection: Connection, where: str) -> list[Migration]:
    """The migrations that a ledger still needs."""
    run = connection.rows
    applied: list[tuple[int, str]] = []
    if run("SELECT 1 FROM sqlite_master WHERE name = 'migrations'"):
        applied = [(number, sha256) for number, sha256 in run("SELECT number, sha256 FROM migrations ORDER BY number")]
    return check_applied(where, applied, migrations_of("sqlite"))


def _apply(connection: Connection, steps: Iterable[Migration]) -> None:
    run = connection.rows
    run("BEGIN IMMEDIATE")
    run("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT, sha256 TEXT) STRICT")
    for step in steps:
        for statement in _statements(step.sql):
            run(statement)
        run("INSERT INTO migrations VALUES (?, ?, ?)", (step.number, step.name, step.sha256))
    run("COMMIT")


def _statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one, so that all of them are in one transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that the names of new files survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
