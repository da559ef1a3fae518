"""A ledger in PostgreSQL: whoever appends to a stream locks its row; the application may only add and read."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from twentyone.errors import TwentyoneError
from twentyone.ledger.at_once import APPEND_AT_ONCE, usual_group
from twentyone.ledger.examined import readable
from twentyone.ledger.failing import passing
from twentyone.ledger.group import Draft, Heads
from twentyone.ledger.migrations import check_applied, migrations_of, refuse_older, upgrade_words
from twentyone.ledger.postgres_schema import SHAPE, schema_faults
from twentyone.ledger.rows import LedgerFailed, LedgerRefused, NoSuchLedger, Superseded
from twentyone.ledger.sql import LAST_NUMBER, Connection, Outcome, SqlStore, Statements

__all__ = ["PostgresConnection", "PostgresStore", "open_postgres", "prepare", "read_postgres"]

STATEMENTS = Statements(
    begin="BEGIN",
    known_keys="SELECT idem, stream, ver, fingerprint FROM events WHERE idem = ANY(?)",
    heads="""SELECT e.stream, e.ver, e.hash FROM unnest(?::text[]) AS wanted (name) CROSS JOIN LATERAL
        (SELECT stream, ver, hash FROM events WHERE stream = wanted.name ORDER BY ver DESC LIMIT 1) AS e""",
    hashes="""SELECT e.stream, e.ver, e.hash FROM json_array_elements(?::json) AS wanted JOIN events AS e
        ON e.stream = wanted ->> 0 AND e.ver = (wanted ->> 1)::bigint""",
    streams="""WITH RECURSIVE names (name) AS (
        SELECT min(stream) FROM events
        UNION SELECT (SELECT min(stream) FROM events WHERE stream > name) FROM names WHERE name IS NOT NULL
        ) SELECT name FROM names WHERE name IS NOT NULL""",
    among="= ANY(?)",
)
SETTINGS = (
    "SET synchronous_commit = on",
    "SET lock_timeout = '10s'",
    "SET idle_in_transaction_session_timeout = '60s'",
)
"""Statements that every connection runs first."""
ANSWERS = 5.0
"""Seconds in which a server at work has stored a group of commands, or found a page of events; else it stands still."""
ROLE = """
DO $$ BEGIN
    CREATE ROLE twentyone_app NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN NULL;
END $$
"""
"""A role is the server's: made before a schema, so that two ledgers that begin at the same moment both find it."""
UNSAFE = """SELECT name FROM pg_settings
    WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off' ORDER BY name"""
LOCK_STREAMS = "SELECT stream, leader, epoch FROM streams WHERE stream = ANY(?) ORDER BY stream FOR UPDATE"
ADD_STREAMS = "INSERT INTO streams (stream) SELECT unnest(?::text[]) ON CONFLICT DO NOTHING"
LEADS = "SELECT 1 FROM processes WHERE id = ? AND until > clock_timestamp()"
APPENDING = "SELECT pg_advisory_xact_lock_shared(2121)"
"""Every transaction that takes ledger numbers holds this lock; `read_all` waits for those that have begun."""


@cache
def _dialect(sql: str) -> str:
    return sql.replace("?", "%s")


class PostgresConnection:
    """A psycopg connection, as the store uses it."""

    def __init__(self, url: str) -> None:
        import psycopg

        from twentyone.ledger.deadline import connect

        # silence psycopg's logger: the raised error already reports a lost connection
        logging.getLogger("psycopg").addHandler(logging.NullHandler())
        self.errors: tuple[type[Exception], ...] = (psycopg.Error,)
        self.conflicts: tuple[type[Exception], ...] = (
            psycopg.errors.UniqueViolation,
            psycopg.errors.DeadlockDetected,
            psycopg.errors.SerializationFailure,
        )
        self.raw = connect(url, 10)
        """The connection itself."""

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Run one statement; all its rows."""
        cursor = self.raw.execute(_dialect(sql), parameters or None)
        if sql == "COMMIT" and cursor.statusmessage != "COMMIT":
            raise self.errors[0]("the transaction was undone")
        return cursor.fetchall() if cursor.description else []

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row of parameters."""
        with self.raw.cursor() as cursor:
            cursor.executemany(_dialect(sql), rows)

    def array(self, values: Iterable[str]) -> list[str]:
        """Many texts as one parameter."""
        return list(values)

    def close(self) -> None:
        """Close the connection."""
        self.raw.close()


class PostgresStore(SqlStore):
    """A ledger in PostgreSQL."""

    address = ""
    """With which it was opened, a password included: not to be printed."""
    process = ""
    """The process that leads tables through it, if one does."""

    def __init__(self, where: str, write: Connection, read: Connection, statements: Statements) -> None:
        super().__init__(where, write, read, statements)
        self.fences: dict[str, int] = {}
        """The tables that this process leads, each with the epoch under which it does."""
        self._leaders: dict[str, tuple[str | None, int]] = {}

    def _open_anew(self) -> PostgresStore:
        fresh = open_postgres(self.address)
        fresh.hurry()
        if self.process:
            fresh.go_by(self.process)
        return fresh

    def hurry(self) -> None:
        """Wait for the locks of others, and for a server that stands still, as long as people do, and not longer."""
        for connection in (self._writing, self._reading):
            connection.rows("SET lock_timeout = '2s'")
            connection.raw.deadline = ANSWERS

    def only_read(self) -> None:
        """From now on nothing is written through it."""
        for connection in (self._writing, self._reading):
            connection.rows("SET default_transaction_read_only = on")
        self.read_only = True

    def lead(self, stream: str, epoch: int) -> None:
        """From now on a table is appended to under this epoch, and under no other."""
        self.fences[stream] = epoch

    def go_by(self, process: str) -> None:
        """Let the database know the connections of this process by its name."""
        self.process = process
        for connection in (self._writing, self._reading):
            connection.rows("SELECT set_config('application_name', ?, false)", (self.name_of(process),))

    @staticmethod
    def name_of(process: str) -> str:
        """What the connections of a process are called."""
        return f"twentyone {process}"

    def drop_projection(self, name: str) -> None:
        """Forget a projection, however long that takes: it may have a row for every round of years."""
        with self._writing.raw.patient():
            super().drop_projection(name)

    def _at_once(self, drafts: list[Draft | TwentyoneError]) -> Outcome | None:
        group = usual_group(drafts, self.fences, self.acknowledged)
        if group is None:
            return None
        with self._write_lock:
            self.check_open()
            try:
                numbers = self._writing.rows(APPEND_AT_ONCE, group.parameters)
            except self._writing.conflicts:
                return None
            except self._writing.errors as fault:
                self._stop(fault)
        return (group.plan, group.numbered(numbers)) if numbers else None

    def _lock_heads(self, streams: Sequence[str]) -> Heads:
        run, names = self._writing.rows, self._writing.array(streams)
        run(APPENDING)
        locked = run(LOCK_STREAMS, (names,))
        if len(locked) < len(streams):
            run(ADD_STREAMS, (names,))
            locked = run(LOCK_STREAMS, (names,))
        self._leaders = {stream: (leader, epoch) for stream, leader, epoch in locked}
        return super()._lock_heads(streams)

    def _fenced(self, item: Draft) -> Draft | TwentyoneError:
        leader, epoch = self._leaders[item.stream]
        own = self.fences.get(item.stream)
        if own is None and (leader is None or not self._writing.rows(LEADS, (leader,))):
            return item
        return item if own == epoch else Superseded(item.stream)

    def _alone(self) -> None:
        self._writing.rows("SELECT pg_advisory_xact_lock(2121)")
        self._writing.rows("UPDATE streams SET leader = NULL, epoch = epoch + 1")

    def serving(self) -> list[str]:
        """The addresses of the processes that serve this ledger now."""
        rows = self._query("SELECT address FROM processes WHERE until > clock_timestamp()")
        return [row[0].partition(" ")[0] for row in rows]

    def _numbers(self, count: int) -> Iterator[int]:
        return iter(
            [row[0] for row in self._writing.rows("SELECT nextval('events_gseq') FROM generate_series(1, ?)", (count,))]
        )

    def settled(self) -> int:
        """The last number up to which no event can be added any more: those that have begun are waited for."""
        self._query("SELECT pg_advisory_lock(2121)")
        try:
            return super().settled()
        finally:
            self._query("SELECT pg_advisory_unlock(2121)")

    def _continue_after(self) -> None:
        run = self._writing.rows
        last = run(LAST_NUMBER)[0][0]
        run("SELECT count(nextval('events_gseq')) FROM generate_series(1, ?)", (last,))

    def schema_faults(self) -> list[str]:
        """Where tables, constraints, indexes, guards and rules are not those of the migrations."""
        return schema_faults(self._query)

    def shape_faults(self) -> list[str]:
        """Where a table is none, or has other columns: it cannot be read."""
        return schema_faults(self._query, SHAPE)

    def self_check(self) -> list[str]:
        """What is wrong with the schema."""
        return self.schema_faults()


def read_postgres(url: str) -> PostgresStore:
    """Open the ledger in a database to read it: its connections cannot write."""
    store = open_postgres(url)
    store.only_read()
    return store


def open_postgres(url: str, *, create: bool = False, upgrade: bool = False) -> PostgresStore:
    """Open the ledger in a database; refused when there is none, it is foreign, unsafe or of a newer schema.

    One of an older schema is brought up to date with `upgrade`, else refused.
    """
    psycopg = _library()
    connections: list[PostgresConnection] = []
    where, upgraded = _without_password(psycopg, url), ""
    try:
        for _ in range(2):
            connections.append(PostgresConnection(url))
            upgraded = prepare(connections[-1], where, create, upgrade) or upgraded
            create = False
    except psycopg.Error as fault:
        _close(connections)
        raise _unopened(where, fault) from None
    except BaseException:
        _close(connections)
        raise
    store = PostgresStore(where, connections[0], connections[1], STATEMENTS)
    store.address, store.upgraded = url, upgraded
    return readable(store)


def _library() -> Any:
    try:
        import psycopg
    except ImportError:
        raise LedgerRefused(
            "PostgreSQL needs the extra `postgres` (psycopg): pip install 'twentyone[postgres]'"
        ) from None
    return psycopg


def _close(connections: Iterable[PostgresConnection]) -> None:
    for connection in connections:
        connection.close()


def _without_password(psycopg: Any, url: str) -> str:
    try:
        parts = psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.Error:
        raise LedgerRefused("the address is not one of PostgreSQL: postgresql://user@host:port/database") from None
    host = parts.get("host", "localhost")
    return f"postgresql://{host}/{parts.get('dbname', '')}"


def _unopened(where: str, fault: Exception) -> TwentyoneError:
    """Why a database was not opened: for now, or because of what it is."""
    said = " ".join(str(fault).split())
    if "does not exist" in said and "database" in said:
        return NoSuchLedger(f"{where}: there is no such database; make it with createdb, then begin the ledger")
    if why := passing(fault):
        asks = "is the server running, and may this user use it?"
        return LedgerFailed(f"{where} cannot be opened now ({said}): {why}; {asks}", why)
    return LedgerRefused(f"{where} cannot be opened as a ledger ({said}): name another database, or restore a backup")


def prepare(connection: PostgresConnection, where: str, create: bool, upgrade: bool = False) -> str:
    """Make or check the schema, and check that what is acknowledged is on the disk; answers what was upgraded."""
    run = connection.rows
    for setting in SETTINGS:
        run(setting)
    upgraded = _migrate(connection, where, create, upgrade)
    unsafe = [row[0] for row in run(UNSAFE)]
    if unsafe:
        raise LedgerRefused(
            f"{where} runs with {', '.join(unsafe)} off: a power cut would lose what was acknowledged; switch it on"
        )
    if run("SHOW server_encoding")[0][0] != "UTF8":
        raise LedgerRefused(f"{where} does not keep UTF-8: make a database with that encoding")
    _take_role(connection)
    return upgraded


def _take_role(connection: Any) -> None:
    """Give up every right but adding and reading, where the server has the role and lets us."""
    with suppress(*connection.errors):
        connection.rows("SET ROLE twentyone_app")


def _migrate(connection: PostgresConnection, where: str, create: bool, upgrade: bool) -> str:
    run = connection.rows
    applied = _applied(connection, where, create)
    steps = check_applied(where, applied, migrations_of("postgres"))
    if applied and not upgrade:
        refuse_older(where, steps)
    if not steps:
        return ""
    run(ROLE)
    run("BEGIN")
    run("SELECT pg_advisory_xact_lock(2122)")
    run("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT, sha256 TEXT)")
    done = {row[0] for row in run("SELECT number FROM migrations")}
    for step in steps:
        if step.number not in done:
            run(step.sql)
            run("INSERT INTO migrations VALUES (?, ?, ?)", (step.number, step.name, step.sha256))
    run("COMMIT")
    return upgrade_words(steps) if applied else ""


def _applied(connection: PostgresConnection, where: str, create: bool) -> list[tuple[int, str]]:
    run = connection.rows
    present = {row[0] for row in run("SELECT relname FROM pg_class WHERE relkind = 'r' AND pg_table_is_visible(oid)")}
    if "migrations" in present:
        return [(number, sha256) for number, sha256 in run("SELECT number, sha256 FROM migrations ORDER BY number")]
    if "events" in present:
        raise LedgerRefused(f"{where} has a table `events` that is not a ledger's: name another database")
    if not create:
        raise NoSuchLedger(f"{where}: the database holds no ledger")
    return []
