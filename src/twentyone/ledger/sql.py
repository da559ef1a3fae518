"""The store over a database: the same steps for both dialects; each brings its statements and its connection.

A command is examined inside the transaction that stores it; all that a group of commands adds is committed together.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, repeat
from typing import Any, NamedTuple, Protocol, TypeVar

from twentyone.errors import TwentyoneError
from twentyone.ledger.canonical import LARGEST
from twentyone.ledger.chain import GENESIS, Chain
from twentyone.ledger.closing import LAST_NUMBER, Closing, Outcome
from twentyone.ledger.derived import Derived, money_faults
from twentyone.ledger.examined import HEAD, Examined
from twentyone.ledger.failing import SERVER, Failing, passing
from twentyone.ledger.group import Draft, Heads, Known, answers, draft, examine, stamp
from twentyone.ledger.house import HOUSE, HouseRows
from twentyone.ledger.pages import EVENT, NUMBER, TEXT, TEXT_OR_NONE
from twentyone.ledger.periods import CLOSED_KEY
from twentyone.ledger.projections import Projections
from twentyone.ledger.rows import Appended, Batch, LedgerFailed, LedgerRefused, NewEvent, StoredEvent
from twentyone.ledger.seals import Seals

__all__ = ["LAST_NUMBER", "PAGE", "Connection", "Outcome", "SqlStore", "Statements"]

PAGE = 1_000
"""Rows read or written at a time: memory stays flat however long the ledger is."""
T = TypeVar("T")
ATTEMPTS = 5
"""How often a group is examined when other processes take its keys in the same instant."""


class Connection(Protocol):
    """What the store needs of a database connection."""

    errors: tuple[type[Exception], ...]
    """What the database raises when it fails."""
    conflicts: tuple[type[Exception], ...]
    """Those of them that mean: another process has stored this key or version; the transaction is undone."""

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Run one statement; all its rows."""

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row of parameters."""

    def array(self, values: Iterable[str]) -> Any:
        """Many texts as one parameter."""

    def close(self) -> None:
        """Close the database."""


class Statements(NamedTuple):
    """The statements that differ between the dialects."""

    begin: str
    """Begins a transaction that will write."""
    known_keys: str
    """Key, stream, version and fingerprint of the commands with given keys."""
    heads: str
    """Stream, version and hash of the last events of given streams."""
    hashes: str
    """Stream, version and hash of the events at given places: a list of streams and versions in JSON."""
    streams: str
    """All streams, by name."""
    among: str
    """Says of a column that it is one of many texts (`Connection.array`)."""


READ = """SELECT gseq, stream, ver, ts, type, schema, body, prev, hash, idem, fingerprint FROM events
    WHERE stream = ? AND ver > ? ORDER BY ver LIMIT ?"""
READ_ALL = """SELECT gseq, stream, ver, ts, type, schema, body, prev, hash, idem, fingerprint FROM events
    WHERE gseq > ? AND gseq <= ? ORDER BY gseq LIMIT ?"""
INSERT = """INSERT INTO events (gseq, stream, ver, ts, type, schema, body, prev, hash, idem, fingerprint)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
KNOWN = (TEXT, TEXT, NUMBER, TEXT_OR_NONE)
"""What the columns of a known key hold."""
NEXT_COMMAND = "SELECT ver FROM events WHERE stream = ? AND ver > ? AND idem IS NOT NULL ORDER BY ver LIMIT 1"


def _events(rows: list[Any]) -> Iterator[StoredEvent]:
    """Rows as events; `tuple.__new__` because `_make` costs as much as reading them."""
    return map(tuple.__new__, repeat(StoredEvent), rows)


class SqlStore(Projections, Derived, Examined, Seals, Closing, Failing):
    """A ledger in a database; see `Store` for what the methods promise."""

    def __init__(self, where: str, write: Connection, read: Connection, statements: Statements) -> None:
        super().__init__()
        self.where = where
        """The path or address it was opened with, without a password."""
        self.read_only = False
        """Whether nothing is written: it was opened to be read, or its file lies on media that cannot be written."""
        self.upgraded = ""
        """What became of its schema when it was opened, in a sentence; empty: nothing."""
        self._writing, self._reading, self._sql = write, read, statements
        self._write_lock, self._read_lock = threading.Lock(), threading.Lock()

    # -- append

    def append(
        self,
        stream: str,
        expected: int,
        events: Sequence[NewEvent],
        key: str,
        fingerprint: str,
        house: Sequence[NewEvent] = (),
    ) -> Appended:
        """Store the events of one command, or none."""
        (answer,) = self.append_many([Batch(stream, expected, events, key, fingerprint, house)])
        if isinstance(answer, Exception):
            raise answer
        return answer

    def append_many(self, batches: Sequence[Batch]) -> list[Appended | Exception]:
        """Store many commands in one transaction; each is taken or refused alone."""
        drafts = [draft(batch) for batch in batches]
        plan, stored = self._at_once(drafts) or self._transact(lambda: self._store(drafts))
        self._acknowledge(stored.values())
        return answers(plan, stored)

    def _at_once(self, _: list[Draft | TwentyoneError]) -> Outcome | None:
        """Store a group in a shorter way, where its commands are all as usual; none: nothing was stored."""
        return None

    def _store(self, drafts: list[Draft | TwentyoneError]) -> Outcome:
        valid = [item for item in drafts if isinstance(item, Draft)]
        streams = {item.stream for item in valid} | {HOUSE for item in valid if item.house}
        heads = self._lock_heads(sorted(streams))
        drafts = [self._fenced(item) if isinstance(item, Draft) else item for item in drafts]
        known = self._known(self._writing.rows, [*(item.key for item in valid), CLOSED_KEY])
        drafts = self._still_open(drafts, known)
        rows = HouseRows(self._load_derived({place for item in valid for place in item.touches}))
        plan = examine(drafts, {stream: ver for stream, (ver, _) in heads.items()}, known, rows)
        accepted = [item for item in plan if isinstance(item, Draft)]
        stored = stamp(accepted, heads, self._numbers(sum(len(item.events) + len(item.house) for item in accepted)))
        if stored:
            self._writing.write_many(INSERT, [event for events in stored.values() for event in events])
            self._save_derived(rows.changed)
        return plan, stored

    def _transact(self, work: Callable[[], T]) -> T:
        """Run work in a transaction; a database that fails stops the store until it is opened anew."""
        with self._write_lock:
            for _ in range(ATTEMPTS):
                self.check_open()
                try:
                    return self._try(work)
                except self._writing.conflicts:
                    continue
                except self._writing.errors as fault:
                    self._stop(fault)
            return self._stop("other processes take the same keys again and again")

    def _try(self, work: Callable[[], T]) -> T:
        self._writing.rows(self._sql.begin)
        try:
            result = work()
            self._writing.rows("COMMIT")
        except BaseException:
            self._roll_back()
            raise
        return result

    def _roll_back(self) -> None:
        with suppress(*self._writing.errors):  # the database may have rolled back by itself, or be gone
            self._writing.rows("ROLLBACK")

    def _lock_heads(self, streams: Sequence[str]) -> Heads:
        """The heads of streams, which nobody else can move before the commit."""
        rows = self._writing.rows(self._sql.heads, (self._writing.array(streams),))
        return {stream: (ver, own) for stream, ver, own in self._checked(rows, HEAD)}

    def _fenced(self, item: Draft) -> Draft | TwentyoneError:
        """A command, or why this process may not store it at its table; the heads are locked."""
        return item

    @abstractmethod
    def _numbers(self, count: int) -> Iterator[int]:
        """The next numbers of the ledger."""

    def _known(self, rows: Callable[..., list[Any]], keys: Sequence[str]) -> dict[str, Known]:
        stored = self._checked(rows(self._sql.known_keys, (self._writing.array(keys),)), KNOWN)
        return {key: Known(stream, mark, self._command(rows, stream, ver)) for key, stream, ver, mark in stored}

    def _command(self, rows: Callable[..., list[Any]], stream: str, ver: int) -> tuple[StoredEvent, ...]:
        """The events of the command whose first event has a version: up to the next event that has a key."""
        after = self._checked(rows(NEXT_COMMAND, (stream, ver)), (NUMBER,))
        found = rows(READ, (stream, ver - 1, after[0][0] - ver if after else LARGEST))
        return tuple(_events(self._checked(found, EVENT)))

    # -- read

    def _query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        with self._read_lock:
            try:
                rows: list[Any] = self._reading.rows(sql, parameters)
                return rows
            except self._reading.errors as fault:
                raise self._unread(fault) from fault

    def _unread(self, fault: Exception) -> LedgerFailed:
        """Why nothing can be read; a server that does not answer stops the store: nothing can be stored either."""
        why = passing(fault)
        if why == SERVER:
            with suppress(LedgerFailed):
                self._stop(fault)
        remedy = "try again" if why else "restore a backup"
        return LedgerFailed(f"{self.where}: the ledger cannot be read ({fault}); {remedy}", why)

    def find_key(self, key: str) -> tuple[str, tuple[StoredEvent, ...]] | None:
        """The fingerprint and the events of the command with a key."""
        known = self._known(self._query, [key]).get(key)
        return None if known is None else (known.fingerprint, known.events)

    def version(self, stream: str) -> int:
        """The version of a stream; 0 where there is none."""
        return self.head(stream)[0]

    def head(self, stream: str) -> tuple[int, str]:
        """Version and hash of a stream's last event."""
        rows = self._typed(self._sql.heads, (self._reading.array([stream]),), HEAD)
        return (rows[0][1], rows[0][2]) if rows else (0, GENESIS)

    def born(self, stream: str) -> StoredEvent | None:
        """A stream's first event."""
        return next(_events(self._typed(READ, (stream, 0, 1), EVENT)), None)

    def streams(self) -> list[str]:
        """All streams, by name."""
        return [row[0] for row in self._typed(self._sql.streams, (), (TEXT,))]

    def read(self, stream: str, after: int = 0) -> Iterator[StoredEvent]:
        """The events of a stream after a version, in order."""
        for rows in self._pages(READ, (stream, after), (PAGE,), EVENT, place=2):
            yield from _events(rows)

    def read_all(self, after: int = 0) -> Iterator[StoredEvent]:
        """The events of all streams after a number, in order."""
        last = self.settled()
        for rows in self._pages(READ_ALL, (after,), (last, PAGE), EVENT):
            yield from _events(rows)

    def settled(self) -> int:
        """The last number up to which no event can be added any more."""
        return int(self._typed(LAST_NUMBER, (), (NUMBER,))[0][0])

    # -- maintenance

    def take_over(self, events: Iterable[StoredEvent]) -> int:
        """Store the events of another ledger as they are, in this empty one; their number."""
        chain = Chain()
        self._transact(lambda: self._copy(iter(events), chain))
        return chain.count

    def _copy(self, source: Iterator[StoredEvent], chain: Chain) -> None:
        if self._writing.rows(LAST_NUMBER)[0][0]:
            raise LedgerRefused(f"{self.where} holds events already: name a new ledger")
        rows = HouseRows()
        while page := list(islice(source, PAGE)):
            if faults := [*chain.follow_all(page), *money_faults(rows, page)]:
                raise LedgerRefused(f"the ledger to be copied is not whole ({faults[0]}): nothing was copied")
            self._writing.write_many(INSERT, page)
        self._save_derived(rows.changed)
        self._continue_after()

    def _continue_after(self) -> None:
        """Continue the numbers after the copied events."""

    def close(self) -> None:
        """Close the database."""
        self._reading.close()
        self._writing.close()
