"""One owner a table: which tables this process leads, who leads the others, and how a table changes hands.

A ledger in a file is served by one process, which leads all of it. In PostgreSQL every process keeps a lease
(`ledger/leases.py`); who leads a table follows from its name and from the processes that are alive.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
import uuid
from contextlib import suppress
from typing import TYPE_CHECKING

from twentyone.errors import TwentyoneError
from twentyone.ledger.failing import SERVER
from twentyone.ledger.leases import LEASE, Leases, Member, preferred
from twentyone.ledger.postgres import PostgresStore
from twentyone.ledger.rows import LedgerFailed, LedgerRefused, Superseded
from twentyone.ledger.store import table_streams
from twentyone.service.moments import next_moment
from twentyone.service.peer_client import PEER, Pass, PeerClient

if TYPE_CHECKING:
    from twentyone.service.service import Service

__all__ = ["Ownership"]

LOG = logging.getLogger(__name__)
BEAT = 1.0
"""Seconds between two renewals of the lease."""
LOOK = 5
"""Beats between two looks at all tables that are ours."""
AT_ONCE = 20
"""Tables that are handed to another process in one beat."""
IN_PLAY = ("round", "settled")
"""Phases in which a table does not change hands unless it must."""


def _now() -> int:
    return time.time_ns() // 10**9


class Ownership:
    """The tables of one process among several on one PostgreSQL ledger."""

    def __init__(self, service: Service, store: PostgresStore, address: str, secret: bytes) -> None:
        self.me = uuid.uuid4().hex[:12]
        """The name of this process, new at every start."""
        self.pass_, self.client = Pass(secret, self.me), PeerClient()
        """What shows the others that a request is ours; the connections to them."""
        self.members: list[Member] = []
        """The processes that are alive, this one among them."""
        self.answers = False
        """Whether the database answered when it was last asked, a second ago or so."""
        self.loaded = asyncio.Event()
        """Set while every table of this process is loaded."""
        self.loop: asyncio.AbstractEventLoop
        """In which the processes ask one another."""
        self._service, self._leases = service, Leases(service.ledger, store, self.me, address, secret, _now)
        self._renewed, self._known = 0.0, dict[str, Member]()
        self._places: dict[str, str] = {}
        self._beating, self._moving = asyncio.Lock(), dict[str, asyncio.Event]()
        self._waiting, self._more = list[str](), asyncio.Event()
        self._beats = itertools.count()
        self._tasks: list[asyncio.Task[None]] = []

    # -- start and stop

    async def begin(self) -> None:
        """Join the processes of the ledger and lead what is ours; tables are loaded one by one, beside the requests."""
        self.loop = asyncio.get_running_loop()
        await asyncio.to_thread(self._leases.enrol, table_streams(self._service.store))
        await self.beat()
        self._tasks = [asyncio.create_task(self._keep_beating()), asyncio.create_task(self._load_all())]

    async def stop(self) -> None:
        """Leave: the other processes lead what was ours."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.client.close()
        await asyncio.to_thread(self._leases.leave)

    async def _keep_beating(self) -> None:
        while True:
            await next_moment(BEAT)
            try:
                if await self.beat():
                    await self._hand_over()
            except TwentyoneError as fault:
                LOG.error("the lease was not renewed: %s", type(fault).__name__)
            except Exception as fault:  # whatever it was, the next beat comes
                LOG.error("a beat failed: %s", type(fault).__name__)

    # -- the beat

    @property
    def sure(self) -> bool:
        """Whether this process has renewed its lease in time: if not, others may lead its tables by now."""
        return time.monotonic() - self._renewed < LEASE

    async def beat(self) -> bool:
        """Renew the lease; drop what others lead by now, lead what nobody leads; whether we can store anything."""
        async with self._beating:
            return await self._beat()

    async def _beat(self) -> bool:
        late, now = not self.sure, time.monotonic()
        able = not self._service.writer.stopped and self._service.store.failure is None
        try:
            if not able:
                await self._give_up()
            known, free = await asyncio.to_thread(self._leases.renew if able else self._leases.look)
        except TwentyoneError:
            self.answers = False
            raise
        self._renewed, self.answers = now, True
        self._note(known)
        if late:
            await self._drop_lost()
        if able:
            await self._take(known, free)
        return able

    async def _give_up(self) -> None:
        """Nothing can be stored here any more: others lead our tables, and what is asked here is passed on to them."""
        for name in [*self._fences]:
            self._close(name, "nothing can be stored here any more")
        await asyncio.to_thread(self._leases.release)

    def _note(self, known: list[Member]) -> None:
        """Whoever waits for a process that is gone is told."""
        alive = [member for member in known if member.alive]
        if {*alive} != {*self.members}:
            self._places.clear()
        for gone in {*self.members} - {*alive}:
            self.client.drop(gone.address)
            self._known = {name: leader for name, leader in self._known.items() if leader.id != gone.id}
        self.members = alive

    async def _drop_lost(self) -> None:
        """Close what others lead since our lease ended."""
        mine, fences = await asyncio.to_thread(self._leases.mine), self._fences
        for name in [name for name, epoch in fences.items() if mine.get(name) != epoch]:
            self.lost(name)

    async def _take(self, known: list[Member], free: list[str]) -> None:
        """Lead the tables that nobody leads and that are ours among the processes that are alive."""
        for member in known:
            if not member.alive:
                await asyncio.to_thread(self._leases.unblock, member.id)
        ours = [name for name in free if self._place(name) == self.me]
        if next(self._beats) % LOOK == 0:  # what was handed to us while we did not hear
            mine = await asyncio.to_thread(self._leases.mine)
            ours += [name for name in mine if name not in self._fences and name not in self._moving]
        if ours:
            self._load_later(await asyncio.to_thread(self._leases.claim, ours))

    @property
    def _fences(self) -> dict[str, int]:
        store = self._service.store
        assert isinstance(store, PostgresStore)
        return store.fences

    # -- loading

    def _load_later(self, names: list[str]) -> None:
        self._waiting += [name for name in names if name not in self._service.tables]
        if self._waiting:
            self.loaded.clear()
            self._more.set()

    async def _load_all(self) -> None:
        """Load one table after the other; whoever asks for one does not wait for those before it."""
        while True:
            while self._waiting:
                name = self._waiting.pop(0)
                if name in self._fences and name not in self._service.tables:
                    self._load(name)
                await asyncio.sleep(0)
            self.loaded.set()
            self._more.clear()
            await self._more.wait()

    def _load(self, name: str) -> None:
        try:
            self._service.table(name)
        except LedgerRefused as refused:
            self._service.unloaded[name] = str(refused)
        except TwentyoneError as wrong:  # another process was quicker, or the ledger failed: the next beat sees
            LOG.warning("%s was not loaded: %s", name, wrong)

    # -- one table

    def lead(self, name: str) -> None:
        """Lead a table that somebody asks for here; refused where another process leads it."""
        if name in self._moving:
            raise Superseded(name)
        if name not in self._fences:
            self._leases.enrol([name])
            if name not in self._leases.claim([name]):
                raise Superseded(name)

    async def where(self, name: str) -> Member | None:
        """The process that leads a table; none if it is this one, or nobody yet."""
        await self._renew_late()
        if name in self._service.tables:
            return None
        if name in self._moving:
            await self._moving[name].wait()
        if name not in self._known:
            leader = await asyncio.to_thread(self._leases.leader, name)
            if leader is not None and not leader.alive:  # somebody waits: take over now, not with the next beat
                await self.beat()
                leader = await asyncio.to_thread(self._leases.leader, name)
            if leader is None or leader.id == self.me:
                return self._nearest(name) if leader is None else None
            self._known[name] = leader
        return self._known[name]

    async def _renew_late(self) -> None:
        """Renew a lease that is over, once for all who wait for it; refused at once where the database is silent."""
        if self.sure:
            return
        if self.answers:
            async with self._beating:
                if not self.sure and self.answers:
                    await self._beat()
        if not self.sure:
            raise LedgerFailed(f"{SERVER}: nothing was done, send it again in a moment with the same key", SERVER)

    def _place(self, name: str) -> str:
        """Who should lead a table, among the processes that are alive."""
        if name not in self._places:
            self._places[name] = preferred(name, [member.id for member in self.members] or [self.me])
        return self._places[name]

    def _nearest(self, name: str) -> Member | None:
        """Who should lead a table that nobody leads."""
        best = self._place(name)
        return next((member for member in self.members if member.id == best != self.me), None)

    def forget(self, name: str) -> None:
        """What was known of a table's leader is not so any more."""
        self._known.pop(name, None)

    def lost(self, name: str) -> None:
        """Another process leads a table by now."""
        self._close(name, "another process leads it by now: what was to be stored here was refused")

    def _close(self, name: str, why: str) -> None:
        if self._fences.pop(name, None) is not None:
            LOG.warning("%s is given up: %s", name, why)
            self._service.close_table(name)

    # -- changing hands

    async def _hand_over(self) -> None:
        """Let other processes lead what is theirs, between two rounds."""
        theirs = [(name, best) for name in self._service.tables if (best := self._place(name)) != self.me]
        for name, best in [pair for pair in theirs if self._is_quiet(pair[0])][:AT_ONCE]:
            to = next((member for member in self.members if member.id == best), None)
            if to is not None and self._is_quiet(name):  # others may have come and gone meanwhile
                await self._move(name, to)

    def _is_quiet(self, name: str) -> bool:
        if name not in self._service.tables or self._service.doors.is_awaiting(name):
            return False
        runner = self._service.tables[name].runner
        return bool(runner.stopped) or runner.table.state.phase not in IN_PLAY

    async def _move(self, name: str, to: Member) -> None:
        self._moving[name] = asyncio.Event()
        try:
            live = self._service.tables[name]
            async with live.at_rest:
                if not self._is_quiet(name):
                    return
                self._service.close_table(name)
                await asyncio.to_thread(self._leases.pass_on, name, to.id)
            self._known[name] = to
        finally:
            self._moving.pop(name).set()
        with suppress(Exception):  # it looks by itself, too
            await self.tell(to, "lead", name)

    async def tell(self, member: Member, what: str, about: str = "") -> bytes:
        """Ask another process for something between processes; what it answers."""
        path, body = f"/peer/{what}", about.encode()
        headers = [(b"host", b"peer"), (PEER, self.pass_.make(member.id, ("-", "http"), "POST", path, body))]
        answer = await self.client.ask(member.address, "POST", path, headers, body)
        return answer.body if answer.status == 200 else b""

    def asked(self, name: str) -> None:
        """Another process has handed us a table: lead it."""
        if name not in self._service.tables and name not in self._moving:
            self._load_later(self._leases.claim([name]))

    @property
    def first(self) -> bool:
        """Whether it falls to this process to do what one does for all; the same answer everywhere."""
        return min((member.id for member in self.members), default=self.me) == self.me

    @property
    def others(self) -> list[Member]:
        """The other processes that are alive."""
        return [member for member in self.members if member.id != self.me]
