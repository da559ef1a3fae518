"""A database that fails: which faults pass by themselves, and a store that is opened anew once one has passed.

A full disk, a lock, a server that was restarted and a limit that was reached pass. After any of them the ledger is
compared with what was acknowledged before it takes another command. Everything else stays for a person to look at.
"""

from __future__ import annotations

import errno
import sqlite3
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any, NamedTuple, NoReturn

from twentyone.ledger.rows import LedgerClosed, LedgerFailed, LedgerRefused, StoredEvent

__all__ = ["SERVER", "Failing", "Failure", "passing"]

SQLITE = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_BUSY: "another process has locked the file",
    sqlite3.SQLITE_LOCKED: "another process has locked the file",
    sqlite3.SQLITE_CANTOPEN: "a file cannot be opened",
    sqlite3.SQLITE_NOMEM: "there is no memory left",
}
"""Faults of SQLite that pass, by their code."""
WRITES = (
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_SHMOPEN,
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_SHMMAP,
)
"""Faults of input and output that a limit can cause; one of reading or synchronising is none of them."""
SYSTEM = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk is full",
    errno.EMFILE: "too many files are open",
    errno.ENFILE: "too many files are open",
    errno.EAGAIN: "a limit of the system is reached",
    errno.ENOMEM: "there is no memory left",
}
"""Faults of the system that pass, by their number."""
SERVER = "the database does not answer"
"""What a server that is gone is called."""


def passing(fault: BaseException) -> str:
    """What has happened, where it is a fault that passes by itself; else empty.

    >>> passing(OSError(28, "No space left on device")), passing(OSError(5, "Input/output error"))
    ('the disk is full', '')
    """
    if isinstance(fault, sqlite3.Error):
        code = getattr(fault, "sqlite_errorcode", 0) or 0
        return "a file cannot be written" if code in WRITES else SQLITE.get(code & 0xFF, "")
    if isinstance(fault, OSError):
        return SYSTEM.get(fault.errno or 0, "")
    if isinstance(fault, MemoryError):
        return SYSTEM[errno.ENOMEM]
    psycopg = sys.modules.get("psycopg")
    return SERVER if psycopg is not None and isinstance(fault, psycopg.OperationalError) else ""


class Failure(NamedTuple):
    """Why a store takes no commands."""

    says: str
    """The whole reason, with what to do, for whoever keeps the ledger."""
    passing: str
    """What has happened, for everybody, where it passes by itself; empty: a person has to look."""


class Failing(ABC):
    """The part of a store that stops when its database fails, and goes on once it was opened anew."""

    where: str
    _writing: Any
    _reading: Any
    _write_lock: Lock
    _read_lock: Lock

    def __init__(self) -> None:
        self.failure: Failure | None = None
        """Why no command is taken; none while they are."""
        self.acknowledged: dict[str, tuple[int, str]] = {}
        """The last event of each stream that this process stored: version and hash."""

    def check_open(self) -> None:
        """Refuse at once where the database has failed before: nothing of this command is stored."""
        if self.failure is not None:
            raise LedgerClosed(self.failure.says, self.failure.passing)

    def _stop(self, fault: BaseException | str) -> NoReturn:
        """Take no more commands."""
        why = " ".join(str(fault).split())
        says = (
            f"{self.where}: the database failed ({why}) and the ledger takes no more commands; "
            "find the cause, open the ledger again, and send what had no answer again with the same key: "
            "what was stored is not stored twice"
        )
        passes = passing(fault) if isinstance(fault, BaseException) else ""
        self.failure = Failure(says, passes)
        raise LedgerFailed(says, passes)

    def _acknowledge(self, stored: Iterable[tuple[StoredEvent, ...]]) -> None:
        for events in stored:
            last = events[-1]
            self.acknowledged[last.stream] = (last.ver, last.hash)

    @abstractmethod
    def _open_anew(self) -> Any:
        """Another store of the same database, with connections of its own."""

    @abstractmethod
    def hurry(self) -> None:
        """Wait for the locks of others as long as people at a table do, and not longer."""

    def reopen(self, examine: Callable[[Any], None]) -> None:
        """Open the database anew; taken into use once it holds what was acknowledged and `examine` refuses nothing.

        `LedgerRefused` where it is not what it was: then it stays closed until a person has looked.
        """
        fresh = self._open_anew()
        try:
            self._compare(fresh)
            examine(fresh)
        except BaseException as wrong:
            fresh.close()
            if isinstance(wrong, LedgerRefused):
                self.failure = Failure(str(wrong), "")
            raise
        with self._write_lock, self._read_lock:
            old = self._writing, self._reading
            self._writing, self._reading, self.failure = fresh._writing, fresh._reading, None
            self.acknowledged |= fresh.acknowledged
        for connection in old:
            _close(connection)

    def _compare(self, fresh: Any) -> None:
        """Refuse a database that has lost or changed what was acknowledged."""
        for stream, (ver, own) in self.acknowledged.items():
            actual = fresh.hash_at(stream, ver)
            if actual != own:
                what = "is gone" if actual is None else "is another one"
                raise LedgerRefused(
                    f"{self.where} answers again and is not what it was: version {ver} of {stream}, which was "
                    f"acknowledged, {what}; the ledger stays closed: restore the database that holds it"
                )


def _close(connection: Any) -> None:
    try:
        connection.close()
    except connection.errors:  # it is what failed
        return
