"""What the service stores besides the ledger: accounts, sessions, links, settings, training; no money."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from twentyone.errors import TwentyoneError
from twentyone.ledger.failing import SERVER, passing
from twentyone.ledger.private_files import OWN_FILES, make_private, refuse_shared
from twentyone.service.records_check import refuse_damaged

if TYPE_CHECKING:
    from twentyone.ledger.deadline import DeadlineConnection

__all__ = ["Records", "RecordsFailed", "open_records"]

LOCKED = 50
"""Milliseconds for which the lock of another process is waited for: everybody waits as long."""
STANDS_STILL = 3.0
"""Seconds after which a server that has not answered is asked no more: everybody waits as long, once."""

TABLES = (
    "CREATE TABLE IF NOT EXISTS people_accounts (name TEXT PRIMARY KEY, role TEXT NOT NULL, password TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS people_tries (name TEXT NOT NULL, place TEXT NOT NULL, failed INTEGER NOT NULL, "
    "until BIGINT NOT NULL, PRIMARY KEY (name, place))",
    "CREATE TABLE IF NOT EXISTS people_devices (id TEXT NOT NULL, name TEXT NOT NULL, until BIGINT NOT NULL, "
    "PRIMARY KEY (id, name))",
    "CREATE TABLE IF NOT EXISTS people_sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, "
    "csrf TEXT NOT NULL, seen BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS people_logins (number TEXT PRIMARY KEY, session TEXT NOT NULL, name TEXT NOT NULL, "
    "role TEXT NOT NULL, address TEXT NOT NULL, begun BIGINT NOT NULL, ended BIGINT, why TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS people_logins_session ON people_logins (session)",
    "CREATE TABLE IF NOT EXISTS people_backups (file TEXT PRIMARY KEY, made BIGINT NOT NULL, asker TEXT NOT NULL, "
    "size BIGINT NOT NULL, events BIGINT NOT NULL, verified INTEGER NOT NULL, why TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS people_names (name TEXT PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS people_since (name TEXT PRIMARY KEY, since BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS people_links (id TEXT PRIMARY KEY, role TEXT NOT NULL, until BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS people_factors (name TEXT PRIMARY KEY, secret TEXT NOT NULL, used BIGINT NOT NULL, "
    "since BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS people_codes (name TEXT NOT NULL, code TEXT NOT NULL, PRIMARY KEY (name, code))",
    "CREATE TABLE IF NOT EXISTS people_approvals (number TEXT PRIMARY KEY, act TEXT NOT NULL, given TEXT NOT NULL, "
    "what TEXT NOT NULL, asker TEXT NOT NULL, asked BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS people_sums (name TEXT NOT NULL, day BIGINT NOT NULL, moved BIGINT NOT NULL, "
    "PRIMARY KEY (name, day))",
    "CREATE TABLE IF NOT EXISTS people_training (name TEXT NOT NULL, subject TEXT NOT NULL, item TEXT NOT NULL, "
    "seen INTEGER NOT NULL, missed INTEGER NOT NULL, due BIGINT NOT NULL, card TEXT NOT NULL, "
    "PRIMARY KEY (name, subject, item))",
    "CREATE TABLE IF NOT EXISTS people_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
)

Row = tuple[Any, ...]


class RecordsFailed(TwentyoneError):
    """What is stored beside the ledger cannot be read or written now: nothing was changed."""

    status = 503
    """The HTTP status."""
    wait = 2
    """Seconds after which it may be tried again."""

    def __init__(self, why: str) -> None:
        super().__init__(f"accounts and sessions: {why}; nothing was done, try again in a moment")


class Records(Protocol):
    """A small database: statements with `?` for each value. `RecordsFailed` where it does not answer."""

    failure: str
    """Why it has to be opened anew; empty while it answers."""

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """The rows of a query."""
        ...

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Run a statement; returns the number of rows changed."""
        ...

    def note(self, statement: str, values: Sequence[Any] = ()) -> None:
        """Run a statement without waiting for the disk: a power cut, a lock or a full disk may undo it."""
        ...

    def holds(self, table: str) -> bool:
        """Whether there is a table of this name."""
        ...

    def reopen(self) -> None:
        """Open the database anew after it failed."""
        ...

    def close(self) -> None:
        """Close the database."""
        ...


class SqliteRecords:
    """Records in a file of their own. Nobody waits for the lock of another process: requests are answered meanwhile."""

    failure = ""

    def __init__(self, path: Path | str) -> None:
        make_private(path)
        refuse_shared(path, OWN_FILES)
        self._lock = threading.Lock()
        self._base = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._base.execute("PRAGMA journal_mode=WAL")
        for table in TABLES:
            self._base.execute(table)
        self._base.execute(f"PRAGMA busy_timeout={LOCKED}")
        self._notes = sqlite3.connect(path, LOCKED / 1000, check_same_thread=False, isolation_level=None)
        self._notes.execute("PRAGMA synchronous=NORMAL")

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """The rows of a query."""
        with self._lock, _told():
            return self._base.execute(statement, values).fetchall()

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Run a statement; returns the number of rows changed."""
        with self._lock, _told():
            return self._base.execute(statement, values).rowcount

    def note(self, statement: str, values: Sequence[Any] = ()) -> None:
        """Run a statement without waiting for the disk: a power cut, a lock or a full disk may undo it."""
        with suppress(RecordsFailed), self._lock, _told():
            self._notes.execute(statement, values)

    def holds(self, table: str) -> bool:
        """Whether there is a table of this name."""
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)))

    def reopen(self) -> None:
        """A file needs no opening anew: the next statement tries it again."""

    def close(self) -> None:
        """Close the file."""
        self._notes.close()
        self._base.close()


class PostgresRecords:
    """Records in the ledger's PostgreSQL database, shared by all processes."""

    def __init__(self, url: str) -> None:
        self._lock, self._url, self.failure = threading.Lock(), url, ""
        self._base = self._open()
        with self._base.transaction():
            self._base.execute("SELECT pg_advisory_xact_lock(2121)")
            for table in TABLES:
                self._base.execute(table)
        self._base.deadline = STANDS_STILL

    def _open(self) -> DeadlineConnection:
        from twentyone.ledger.deadline import connect

        return connect(self._url, 10)

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """The rows of a query."""
        with self._lock, self._noticed():
            return self._base.execute(statement.replace("?", "%s"), values).fetchall()

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Run a statement; returns the number of rows changed."""
        with self._lock, self._noticed():
            return self._base.execute(statement.replace("?", "%s"), values).rowcount

    def note(self, statement: str, values: Sequence[Any] = ()) -> None:
        """Run a statement without waiting for the disk: a power cut may undo it."""
        with suppress(RecordsFailed), self._lock, self._noticed(), self._base.transaction():
            self._base.execute("SET LOCAL synchronous_commit TO OFF")
            self._base.execute(statement.replace("?", "%s"), values)

    @contextmanager
    def _noticed(self) -> Iterator[None]:
        """A connection that was lost is used no more until it is opened anew."""
        if self.failure:
            raise RecordsFailed(self.failure)
        try:
            with _told():
                yield
        except RecordsFailed:
            self.failure = SERVER if self._base.closed else ""
            raise

    def holds(self, table: str) -> bool:
        """Whether there is a table of this name."""
        return bool(self.rows("SELECT to_regclass(?) IS NOT NULL", (table,))[0][0])

    def reopen(self) -> None:
        """Open the connection anew after it was lost."""
        with _told():
            fresh = self._open()
            fresh.deadline = STANDS_STILL
        with self._lock:
            old, self._base, self.failure = self._base, fresh, ""
        old.close()

    def close(self) -> None:
        """Close the connection."""
        self._base.close()


@contextmanager
def _told() -> Iterator[None]:
    """A fault that passes by itself is one sentence; any other is a fault of ours."""
    try:
        yield
    except Exception as fault:
        if why := passing(fault):
            raise RecordsFailed(why) from None
        raise


def open_records(ledger: str) -> Records:
    """The records of a ledger: in a file next to it, or in its database."""
    if ledger.startswith(("postgresql://", "postgres://")):
        return PostgresRecords(ledger)
    path = Path(ledger.removeprefix("sqlite:///") + ".people")
    refuse_damaged(path, TABLES)
    return SqliteRecords(path)
