"""The event store: what a ledger offers, whichever database holds it, and how one is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol
from urllib.parse import unquote

from twentyone.ledger.failing import Failure
from twentyone.ledger.rows import OWN_STREAMS, Appended, Batch, LedgerRefused, NewEvent, ProjectionRow, StoredEvent

__all__ = [
    "DerivedStore",
    "EventStore",
    "ExaminedStore",
    "ProjectionStore",
    "SnapshotStore",
    "Store",
    "open_store",
    "path_of",
    "read_store",
    "table_streams",
    "without_secrets",
]


class EventStore(Protocol):
    """Append-only events in streams."""

    where: str
    """The path or address it was opened with, without a password."""
    read_only: bool
    """Whether nothing is written: it was opened to be read, or its file lies on media that cannot be written."""
    upgraded: str
    """What became of its schema when it was opened, in a sentence; empty: nothing."""

    def append(
        self,
        stream: str,
        expected: int,
        events: Sequence[NewEvent],
        key: str,
        fingerprint: str,
        house: Sequence[NewEvent] = (),
    ) -> Appended:
        """Store the events of one command and its part in the house's stream, or nothing.

        Raises `StaleVersion`, `KeyReused`, `NotCanonical`, `Refused` (the house's money does not allow it),
        `LedgerFailed`.
        """

    def append_many(self, batches: Sequence[Batch]) -> list[Appended | Exception]:
        """Store many commands in one transaction; each is taken or refused alone, in this order."""

    def find_key(self, key: str) -> tuple[str, tuple[StoredEvent, ...]] | None:
        """The fingerprint and the events of the command with a key."""

    def version(self, stream: str) -> int:
        """The version of a stream; 0 where there is none."""

    def head(self, stream: str) -> tuple[int, str]:
        """Version and hash of a stream's last event."""

    def heads(self) -> dict[str, tuple[int, str]]:
        """Version and hash of the last event of every stream."""

    def born(self, stream: str) -> StoredEvent | None:
        """A stream's first event."""

    def streams(self) -> list[str]:
        """All streams, by name."""

    def settled(self) -> int:
        """The last number (`gseq`) of the ledger: no event that comes later has a smaller one."""

    def read(self, stream: str, after: int = 0) -> Iterator[StoredEvent]:
        """The events of a stream after a version, in order."""

    def read_all(self, after: int = 0) -> Iterator[StoredEvent]:
        """The events of all streams after a number (`gseq`), in order; none that comes later has a smaller number."""

    def take_over(self, events: Iterable[StoredEvent]) -> int:
        """Store the events of another ledger as they are, in this empty one; their number."""


class ExaminedStore(Protocol):
    """What an examination asks beside the events."""

    def hash_at(self, stream: str, ver: int) -> str | None:
        """The hash stored with one event."""

    def hashes_at(self, places: Sequence[tuple[str, int]]) -> dict[tuple[str, int], str]:
        """The hashes stored with the events at some places, each a stream and a version; none where there is none."""

    def numbered(self, after: int, last: int) -> Iterator[tuple[int, str]]:
        """Number and hash of the events after a number, up to another, in the order of the ledger."""

    def schema_faults(self) -> list[str]:
        """Where tables, indexes and guards are not those of the migrations: quick on any ledger."""

    def self_check(self) -> list[str]:
        """What the database itself finds wrong with its file, and what is wrong with its schema."""


class SnapshotStore(Protocol):
    """The last known state of each stream, kept so that a stream loads sooner."""

    def save_snapshot(self, stream: str, ver: int, schema: int, body: str) -> None:
        """Keep the state of a stream at a version; it replaces an older one."""

    def load_snapshot(self, stream: str) -> tuple[int, int, str] | None:
        """Version, schema and body of a stream's snapshot."""

    def drop_snapshots(self) -> None:
        """Forget all snapshots."""


class ProjectionStore(Protocol):
    """Tables derived from the events, kept for searching."""

    def upsert_projection(self, name: str, rows: Iterable[ProjectionRow]) -> None:
        """Write rows of a projection over those with the same key."""

    def replace_projection(self, name: str, rows: Iterable[ProjectionRow]) -> None:
        """Replace a projection, all of it."""

    def drop_projection(self, name: str) -> None:
        """Forget a projection."""

    def read_projection(self, name: str, after: str = "") -> Iterator[ProjectionRow]:
        """The rows of a projection after a key, by key."""

    def read_projection_back(self, name: str, start: str, stop: str) -> Iterator[ProjectionRow]:
        """The rows of a projection from a key back to another one, which is left out."""

    def find_projection(self, name: str, key: str) -> ProjectionRow | None:
        """One row of a projection."""


class DerivedStore(Protocol):
    """Rows that follow from the house's stream (`house_rows.TABLES`), stored together with its events."""

    def find_derived(self, table: str, key: str) -> tuple[Any, ...] | None:
        """One row of a derived table, without its key."""

    def find_many_derived(self, places: Iterable[tuple[str, str]]) -> dict[tuple[str, str], tuple[Any, ...]]:
        """The rows at places, each a derived table and a key; none where there is none."""

    def read_derived(self, table: str, after: str = "") -> Iterator[tuple[str, tuple[Any, ...]]]:
        """The rows of a derived table after a key, by key."""


class SealStore(Protocol):
    """The events that seal and reveal seeds, found without reading the others."""

    def read_seals(self, stream: str, after: int = 0) -> Iterator[StoredEvent]:
        """Those of a stream after a version, in order."""

    def read_seals_back(self, stream: str, before: int) -> Iterator[StoredEvent]:
        """Those before a version, the last first."""


class FailingStore(Protocol):
    """A store whose database may fail, and answer again."""

    failure: Failure | None
    """Why no command is taken; none while they are."""
    acknowledged: dict[str, tuple[int, str]]
    """The last event of each stream that this process stored: version and hash."""

    def check_open(self) -> None:
        """`LedgerClosed` where the database has failed."""

    def hurry(self) -> None:
        """Wait for the locks of others as long as people at a table do, and not longer."""

    def reopen(self, examine: Callable[[Any], None]) -> None:
        """Open the database anew; taken into use once it holds what was acknowledged and `examine` refuses nothing."""


class ClosingStore(Protocol):
    """A store that may be closed for ever."""

    def append_last(self, batch: Batch, last: int) -> Appended:
        """Store a command that nobody's comes before: refused where another number (`gseq`) is the ledger's last."""


class Store(
    EventStore,
    ExaminedStore,
    SnapshotStore,
    ProjectionStore,
    DerivedStore,
    SealStore,
    FailingStore,
    ClosingStore,
    Protocol,
):
    """A ledger: its events, with snapshots and projections beside them."""

    def close(self) -> None:
        """Close the database."""


def open_store(url: str, *, create: bool = False, upgrade: bool = False) -> Store:
    """Open the ledger at a path, `sqlite:///path` or `postgresql://...`, to write into it.

    `create` makes one where there is none; one of an older schema is brought up to date with `upgrade`, else refused.
    """
    path = path_of(url)
    if path is None:
        from twentyone.ledger.postgres import open_postgres

        return open_postgres(url, create=create, upgrade=upgrade)
    from twentyone.ledger.sqlite import open_sqlite

    return open_sqlite(path, create=create, upgrade=upgrade)


def read_store(url: str) -> Store:
    """Open a ledger to read it: nothing of it changes, its schema included, and nothing is left beside it."""
    path = path_of(url)
    if path is None:
        from twentyone.ledger.postgres import read_postgres

        return read_postgres(url)
    from twentyone.ledger.sqlite import read_sqlite

    return read_sqlite(path)


def table_streams(store: EventStore) -> list[str]:
    """The tables of a ledger, by name: all streams but the house's own."""
    return [name for name in store.streams() if name not in OWN_STREAMS]


def path_of(url: str) -> str | None:
    """The path of the file that an address names; `None` for a PostgreSQL database."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        return url
    if scheme in ("postgresql", "postgres"):
        return None
    if scheme != "sqlite" or not rest.startswith("/") or rest == "/":
        raise LedgerRefused(
            f"{without_secrets(url)}: a ledger is a path, sqlite:///path or postgresql://user@host/database"
        )
    return unquote(rest[1:])


def without_secrets(url: str) -> str:
    """An address as it may be printed: without a user's password, and without parameters, which may hold one.

    >>> without_secrets("postgresql://fay:secret@host/games?sslmode=require")  # pragma: allowlist secret
    'postgresql://fay@host/games'
    """
    scheme, mark, rest = url.partition("://")
    if not mark or scheme == "sqlite":
        return url
    user, at, place = rest.partition("?")[0].rpartition("@")
    return f"{scheme}://{user.partition(':')[0]}{at}{place}"
