"""Who leads which table, where several processes serve one PostgreSQL ledger.

A process is alive as long as it renews its row in `processes`; the database's clock decides. Its address carries the
mark of the ledger's key: whoever writes the row without the key is not believed, and is sent nothing. A table names its
leader and an epoch in `streams`, the row that every append locks. Each change of leader raises the epoch, and the store
refuses what is appended under another one (`PostgresStore.lead`): who was stopped and goes on cannot write.
"""

from __future__ import annotations

import hmac
import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any, NamedTuple

from twentyone.ledger.postgres import PostgresStore
from twentyone.ledger.rows import OWN_STREAMS, LedgerFailed

__all__ = ["LEASE", "Leases", "Member", "preferred"]

LOG = logging.getLogger(__name__)
LEASE = 3
"""Seconds for which a process is alive after it has renewed its row."""
ALIVE = "greatest(until, pg_postmaster_start_time() + interval '5 seconds') > clock_timestamp()"
"""Whether a process is alive; a database that has just started gives all of them time to come back."""
LED = f"SELECT id FROM processes WHERE {ALIVE}"
RENEW = f"""WITH renewed AS (
        INSERT INTO processes (id, address, until) VALUES (%s, %s, clock_timestamp() + interval '{LEASE} seconds')
        ON CONFLICT (id) DO UPDATE SET address = excluded.address, until = excluded.until)
    SELECT id, address, {ALIVE} FROM processes UNION ALL
    SELECT NULL, stream, false FROM streams WHERE stream <> ALL(%s) AND (leader IS NULL OR leader NOT IN ({LED}))"""
"""Stays alive; then every process as it was before, and every table that none leads that was alive."""
MEMBERS = f"SELECT id, address, {ALIVE} FROM processes WHERE id <> %s"
ENROL = "INSERT INTO streams (stream) SELECT unnest(%s::text[]) ON CONFLICT DO NOTHING"
CLAIM = f"""UPDATE streams SET leader = %s, epoch = epoch + 1
    WHERE stream = ANY(%s) AND (leader IS NULL OR leader = %s OR leader NOT IN ({LED})) RETURNING stream, epoch"""
MINE = "SELECT stream, epoch FROM streams WHERE leader = %s"
PASS_ON = "UPDATE streams SET leader = %s, epoch = epoch + 1 WHERE stream = %s AND leader = %s AND epoch = %s"
LEADER = f"SELECT leader, address, {ALIVE} FROM streams LEFT JOIN processes ON id = leader WHERE stream = %s"
RELEASE = "UPDATE streams SET leader = NULL, epoch = epoch + 1 WHERE leader = %s"
REMOVE = "DELETE FROM processes WHERE id = %s AND address = %s"
GO = "DELETE FROM processes WHERE id = %s"
REAP = """DELETE FROM processes WHERE until < clock_timestamp() - interval '1 minute'
    AND id NOT IN (SELECT leader FROM streams WHERE leader IS NOT NULL)"""
UNBLOCK = f"""SELECT pg_terminate_backend(pid) FROM pg_stat_activity AS a
    WHERE datname = current_database() AND application_name = %s AND %s NOT IN ({LED})
        AND (state LIKE 'idle in transaction%%'
            OR EXISTS (SELECT FROM pg_locks AS l WHERE l.pid = a.pid AND l.locktype = 'advisory'))"""
"""Ends what a process that is not alive any more holds locked: it may have been stopped within a transaction."""


CLOCKS_DIFFER = 300
"""Seconds by which the clocks of two processes may differ: an older row is one of a process that is gone."""
REMOVED = 5
"""Seconds after which a row without the key's mark is removed: the process that it names writes its own anew."""


class Member(NamedTuple):
    """A process that serves the ledger."""

    id: str
    """Its name, made at its start."""
    address: str
    """Where others reach it."""
    alive: bool
    """Whether it has renewed its row in time."""


def preferred(stream: str, members: Iterable[str]) -> str:
    """Which of the processes leads a table: the same answer everywhere, and few change when one comes or goes.

    >>> leader = preferred("table-1", ["a", "b", "c"])
    >>> preferred("table-1", ["c", "b", "a"]) == leader
    True
    >>> {preferred("table-1", [leader, other]) == leader for other in "abc"}
    {True}
    """
    return max(members, key=lambda member: sha256(f"{member} {stream}".encode()).digest())


class Leases:
    """The leases of one process, through a connection of its own; may be used from several threads."""

    def __init__(
        self,
        url: str,
        store: PostgresStore,
        me: str,
        address: str,
        key: bytes = b"",
        clock: Callable[[], int] = lambda: 0,
    ) -> None:
        """`key` marks the address, with the moment that `clock` tells in seconds."""
        self.me = me
        """The name of this process."""
        self._url, self._store, self._address = url, store, address
        self._key = sha256(b"addresses of a ledger" + key).digest()
        self._clock, self._strange = clock, dict[tuple[str, str], int]()
        self._lock = threading.Lock()
        self._line: Any = None
        store.go_by(me)

    def _run(self, sql: str, *values: Any) -> list[Any]:
        """Run one statement; a lost connection is opened again by the next."""
        import psycopg

        from twentyone.ledger.deadline import connect

        with self._lock:
            try:
                line = self._line
                if line is None:
                    line = self._line = connect(self._url, 5, LEASE)
                    line.execute("SET lock_timeout = '2s'")
                cursor = line.execute(sql, values)
                return cursor.fetchall() if cursor.description else [cursor.rowcount]
            except psycopg.Error as fault:
                self._close()
                raise LedgerFailed(f"{self._store.where}: the leases cannot be kept ({fault})") from fault

    def renew(self) -> tuple[list[Member], list[str]]:
        """Stay alive; every process that is known, and the tables that no process leads that is alive."""
        rows = self._run(RENEW, self.me, self._marked(), list(OWN_STREAMS))
        members = self._believed([row for row in rows if row[0] is not None and row[0] != self.me])
        free = [row[1] for row in rows if row[0] is None]
        return [*members, Member(self.me, self._address, True)], free

    def look(self) -> tuple[list[Member], list[str]]:
        """The other processes, without staying alive."""
        return self._believed(self._run(MEMBERS, self.me)), []

    # -- whose address is believed

    def _marked(self) -> str:
        """The address of this process as it is stored: with the moment, and the mark of the key."""
        now = str(self._clock())
        return f"{self._address} {now} {self._mark(self.me, self._address, now)}"

    def _mark(self, *said: str) -> str:
        return hmac.new(self._key, "\n".join(said).encode(), "sha256").hexdigest()

    def _read(self, member: str, stored: str, alive: bool) -> Member | None:
        """A process as its row tells it; none without the mark of the key, or with one of another time."""
        address, _, rest = stored.partition(" ")
        since, _, mark = rest.partition(" ")
        if not hmac.compare_digest(self._mark(member, address, since).encode(), mark.encode()):
            return None
        return Member(member, address, alive) if abs(self._clock() - int(since)) <= CLOCKS_DIFFER or not alive else None

    def _believed(self, rows: list[Any]) -> list[Member]:
        """The processes whose rows the key has marked; others are told in the log, and removed where they stay."""
        found = [(row, self._read(*row)) for row in rows]
        strange = {(member, stored) for (member, stored, alive), read in found if alive and read is None}
        now = self._clock()
        for member, _ in strange - self._strange.keys():
            LOG.error("process %s has an address without this ledger's mark: nothing is sent there", member)
        self._strange = {row: self._strange.get(row, now) for row in strange}
        for member, stored in [row for row, since in self._strange.items() if now - since >= REMOVED]:
            self._run(REMOVE, member, stored)
            LOG.error("process %s is removed: its address stayed without this ledger's mark", member)
        return [read for _, read in found if read is not None]

    def release(self) -> None:
        """Lead nothing any more, and do not count as alive."""
        self._run(RELEASE, self.me)
        self._run(GO, self.me)

    def enrol(self, streams: Iterable[str]) -> None:
        """Let these streams have leaders."""
        self._run(ENROL, list(streams))

    def claim(self, streams: Iterable[str]) -> list[str]:
        """Lead those of these tables that no other process leads that is alive; which they are."""
        taken = self._run(CLAIM, self.me, list(streams), self.me)
        for stream, epoch in taken:
            self._store.lead(stream, epoch)
        return [stream for stream, _ in taken]

    def mine(self) -> Mapping[str, int]:
        """The tables that this process leads, as the database has it."""
        return dict(self._run(MINE, self.me))

    def leader(self, stream: str) -> Member | None:
        """Who leads a table, alive or not."""
        rows = self._run(LEADER, stream)
        return self._read(*rows[0]) if rows and rows[0][1] is not None else None

    def pass_on(self, stream: str, to: str) -> None:
        """Another process leads from now on; nothing happens where this one does not any more."""
        epoch = self._store.fences.pop(stream, None)
        if epoch is not None:
            self._run(PASS_ON, to, stream, self.me, epoch)

    def unblock(self, member: str) -> None:
        """End what a process that is not alive any more holds locked; those that lead nothing are forgotten."""
        self._run(UNBLOCK, self._store.name_of(member), member)
        self._run(REAP)

    def leave(self) -> None:
        """Stop to serve: all tables of this process are free."""
        with suppress(LedgerFailed):
            self.release()
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None
