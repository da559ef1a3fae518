"""Accounts, sessions, links and approvals beside a ledger, compared with what it says of them; nothing is written."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from twentyone.errors import TwentyoneError
from twentyone.ledger.access_book import AccessBook, differences
from twentyone.ledger.chain import Fault
from twentyone.ledger.evidence import addresses, copy_with_log
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import ACCESS
from twentyone.ledger.store import Store, path_of
from twentyone.ledger.verify import Report
from twentyone.service.held_accounts import AGAIN, Reader, account_marks
from twentyone.service.marks import APPROVALS, SESSIONS, Marks
from twentyone.service.records import Row

__all__ = ["with_people"]

TABLES = ("accounts", "factors", "codes", "sessions", "logins", "links", "approvals")


class ReadRecords:
    """Records in a file, or in a database, that are only read."""

    def __init__(self, line: Any, sign: str) -> None:
        self._line, self._sign = line, sign

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """The rows of a query."""
        found: list[Row] = self._line.execute(statement.replace("?", self._sign), values).fetchall()
        return found


def with_people(report: Report, ledger: str, store: Store, keyring: Keyring | None) -> Report:
    """A report with what is wrong with the accounts of a ledger; beside an archive or a backup there are none."""
    book = AccessBook(store)
    try:
        book.read_on()
        if not book.marked:
            return report
        with _reading(ledger) as records:
            if records is None:
                said = f"accounts: {len(book.accounts)} are named in the ledger, and none are kept beside it"
                return report._replace(closed=(*report.closed, said)) if book.accounts else report
            faults = _examine(book, records, keyring)
    except (TwentyoneError, sqlite3.Error) as failed:
        faults = [Fault(ACCESS, 0, f"the accounts cannot be read: {failed}")]
    closed = () if keyring is not None else ("accounts: without the key file only their names and roles are compared",)
    return report._replace(
        faults=(*report.faults, *faults),
        counts={**report.counts, "accounts": len(book.accounts)},
        closed=(*report.closed, *closed),
    )


def _examine(book: AccessBook, records: Reader, keyring: Keyring | None) -> list[Fault]:
    """What is wrong; asked twice where something is, for somebody may be changing it."""
    faults = list(_faults(book, records, keyring))
    if faults:
        time.sleep(AGAIN)
        book.read_on()
        faults = list(_faults(book, records, keyring))
    return faults


def _faults(book: AccessBook, records: Reader, keyring: Keyring | None) -> Iterator[Fault]:
    key = keyring.sealing if keyring is not None else b""
    for name, what in differences(book.accounts, account_marks(records, key), keyring is not None):
        yield Fault(ACCESS, 0, f"the account of {name} is not what the events say: {what}")
    if keyring is None:
        return
    marks = Marks(key, book)
    for session, name, role, csrf, begun in records.rows(SESSIONS):
        if not marks.token(session, name, role, csrf, begun)[0]:
            yield Fault(ACCESS, 0, f"a session of {name} ({role}) does not bear the mark of key {keyring.id}")
    for link, role, until in records.rows("SELECT id, role, until FROM people_links"):
        if not marks.role_of_link(link, role, until):
            yield Fault(ACCESS, 0, f"a one-time link for the {role[:20]} does not bear the mark of key {keyring.id}")
    for row in records.rows(APPROVALS):
        if not marks.given(*row):
            yield Fault(ACCESS, 0, f"what {row[4]} asked for does not bear the mark of key {keyring.id}")


@contextmanager
def _reading(ledger: str) -> Iterator[Reader | None]:
    """The records of a ledger, if there are any."""
    path = path_of(ledger)
    if path is None:
        import psycopg

        with psycopg.connect(ledger, connect_timeout=10) as line:
            asked = [line.execute("SELECT to_regclass(%s)", (f"people_{table}",)).fetchone() for table in TABLES]
            yield ReadRecords(line, "%s") if (None,) not in asked else None
        return
    file = Path(f"{path}.people")
    if not file.is_file() or not file.stat().st_size:
        yield None
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(sqlite3.connect(_address(file, Path(folder)), uri=True, isolation_level=None)) as base,
    ):
        base.execute("PRAGMA query_only = ON")
        yield ReadRecords(base, "?")


def _address(file: Path, folder: Path) -> str:
    """How a file is opened that is only read: as it lies there, or a copy of it."""
    for address in addresses(file):
        with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True)) as tried:
            tried.execute("SELECT count(*) FROM sqlite_master")
            return address
    copy_with_log(file, folder / "people")
    return f"file:{quote(str(folder / 'people'))}?mode=rw"
