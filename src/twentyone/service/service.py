"""The service: a ledger with its tables, people and automatic staff, in one of possibly several processes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from twentyone.errors import Refused, SubmissionRefused, TwentyoneError
from twentyone.ledger.keys import default_key_path
from twentyone.ledger.law_in_force import day_at
from twentyone.ledger.newest_rounds import Rounds
from twentyone.ledger.postgres import PostgresStore
from twentyone.ledger.rows import Appended, Batch, KeyReused, LedgerRefused, OtherKey, StaleVersion, Superseded
from twentyone.ledger.runner import Runner
from twentyone.ledger.start import Check, Files, anybody, examine, open_to_play
from twentyone.ledger.store import Store, open_store, table_streams
from twentyone.ledger.verify import verify
from twentyone.ledger.writer import Writer
from twentyone.rulebook import Rulebook, Rules, loaded_rulebooks
from twentyone.rulebook.in_time import text_on
from twentyone.service.access_log import AccessLog
from twentyone.service.attendance import Presence
from twentyone.service.authenticity import Authenticity
from twentyone.service.backups import Backups
from twentyone.service.closed_periods import ARCHIVES
from twentyone.service.coupons import Coupons
from twentyone.service.day_sums import DaySums
from twentyone.service.dealers import dealers
from twentyone.service.dealing_again import DealingAgain
from twentyone.service.doors import Doors, is_named
from twentyone.service.edges import Edges
from twentyone.service.elsewhere import Elsewhere
from twentyone.service.jobs import Jobs
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.orders import Orders
from twentyone.service.outbox import Outbox
from twentyone.service.ownership import Ownership
from twentyone.service.paces import Settings, read_settings
from twentyone.service.people import People, Person
from twentyone.service.people_audit import with_people
from twentyone.service.pit import Pit
from twentyone.service.purses import Purses
from twentyone.service.records import open_records
from twentyone.service.recovery import Recovery
from twentyone.service.self_watch import SelfWatch
from twentyone.service.signing import Signing
from twentyone.service.staff import Staff
from twentyone.service.stops import Stops
from twentyone.table.health import Source
from twentyone.table.shoe import os_source

__all__ = ["NoSuchTable", "Service"]

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
SETTING = "staff:"
LIMITS = {"table_minimum": "5", "table_maximum": "500"}
"""The wager limits of a table that the service opens by itself."""


class NoSuchTable(TwentyoneError):
    """A table that does not exist."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no table {name!r}")


class Service:
    """Everything that one process serves."""

    store: Store
    """The events."""

    def __init__(
        self,
        ledger: str,
        *,
        clock: Callable[[], int],
        entropy: Source | None = None,
        key: str = "",
        checkpoints: str = "",
        accept_unsigned: bool = False,
        address: str = "",
        check: Check = anybody,
    ) -> None:
        """Refused, before anything is written, where the ledger is not what was signed, or by `check`."""
        self.ledger = ledger
        """The path or address of the ledger."""
        self._clock, self._entropy = clock, entropy or os_source()
        beside = default_key_path(ledger)
        files = Files(Path(key or beside), Path(checkpoints or beside.with_suffix(".checkpoints")), accept_unsigned)
        self.store, self._keys = open_to_play(ledger, files, self._entropy, clock(), check)
        self.store.hurry()
        self.started = clock()
        """When this process opened the ledger, in seconds UTC."""
        self.new = not self.store.streams()
        """Whether the ledger held nothing then."""
        self.rounds = Rounds(self.store, self._keys)
        """The rounds of the ledger."""
        self._share(address)
        self.records = open_records(ledger)
        """What is stored beside the ledger."""
        purses, log = Purses(self.store, clock), AccessLog(self.store, clock)
        self.people = People(self.records, clock, purses, self._is_seated, log.note, self.store, self._keys.sealing)
        """The people of the service."""
        self.writer = Writer(self.store)
        """Stores the batches of all tables."""
        self._outbox = Outbox(self.writer)
        self._set_floor()
        self._set_guards(files)

    def _set_floor(self) -> None:
        """The tables, and what is decided about all of them."""
        self.coupons = Coupons(self.store, self._submit, self._clock, self.people.approvals)
        """The coupons of the house."""
        self.reviewing = asyncio.Lock()
        """Held while decisions of a round are valued: one round at a time."""
        self.dealing_again = DealingAgain(self.store)
        """Deals stored rounds again."""
        self.tables: dict[str, LiveTable] = {}
        """The tables of this ledger."""
        self.edges, self.jobs = Edges(), Jobs()
        """The house edges of the tables' games; long computations beside the tables."""
        self.doors = Doors(self.tables, self.elsewhere)
        """What the house lets its players do."""
        self.orders = Orders(self.records, self._clock, self.tables, self.people)
        """Tables that close after their round; a house that does not play."""
        self.orders.spread = self.elsewhere.orders
        self.pit = Pit(self)
        """The board of all tables."""
        self.day_sums = DaySums(self)
        """What people may move alone."""
        self.unloaded: dict[str, str] = {}
        """Tables that are not served, each with the reason: nobody has its law, or its stream cannot be read."""
        self._staff: dict[str, tuple[Staff, asyncio.Task[None]]] = {}

    def _share(self, address: str) -> None:
        """Where several processes may serve the ledger: which tables are ours."""
        shared = self.store if isinstance(self.store, PostgresStore) else None
        self.ownership = Ownership(self, shared, address, self._keys.sealing) if shared is not None else None
        """Which tables this process leads; none: it leads all of them."""
        self.elsewhere = Elsewhere(self.ownership)
        """The tables that other processes lead."""

    def _set_guards(self, files: Files) -> None:
        """What signs, examines and copies while others play."""
        clock = self._clock
        self.signing = Signing(self.store, files.checkpoints, self._keys, clock)
        """Signs checkpoints."""
        self.stops = Stops()
        """Why no further round is dealt."""
        self.authenticity = Authenticity(self.store, clock, self.stops)
        """Whether the software is what was signed."""
        self.recovery = Recovery(
            self.store,
            self.writer,
            self.records,
            partial(examine, keyring=self._keys, files=files),
            clock,
            self.tables,
        )
        """Comes back after a database that failed."""
        self.watch = SelfWatch(
            self.store,
            partial(open_store, self.ledger),
            self._keys,
            files.checkpoints,
            clock,
            self.stops,
        )
        """Examines the ledger while it is in use."""
        self.backups = Backups(self.ledger, self.store, self.records, clock)
        """Copies of the ledger."""
        self.archives = Path(ARCHIVES)
        """Where the archives of closed periods are."""

    @property
    def now(self) -> int:
        """The time, in seconds UTC."""
        return self._clock()

    # -- start and stop

    def check(self) -> None:
        """Refuse a ledger that was sealed with another key, before anybody is served."""
        for name in table_streams(self.store):
            try:
                self._runner(name).load()
                return
            except OtherKey:
                raise
            except LedgerRefused:  # it stays closed; the others are served
                continue

    async def start(self, first_tables: bool = True) -> None:
        """Load every table that can be, or begin to load those that are ours; on a new ledger open one of each book."""
        self.coupons.loop = self.day_sums.loop = asyncio.get_running_loop()
        await asyncio.to_thread(self.people.purses.take_over, self.records)
        await asyncio.to_thread(self.people.hold)
        await asyncio.to_thread(self.authenticity.begin)
        self.jobs.make_ready()
        streams = table_streams(self.store)
        if self.ownership is not None:
            await self.ownership.begin()
        for name in streams if self.ownership is None else ():
            try:
                self._adopt(name)
            except OtherKey:
                raise
            except LedgerRefused as refused:
                self.unloaded[name] = str(refused)
        if first_tables and not streams:
            for book in loaded_rulebooks()[0]:
                await self._open_first(book)
            if self.ownership is not None:
                await self.ownership.beat()

    async def _open_first(self, book: Rulebook) -> None:
        """Open a table of a rulebook, with our limits if the book leaves them open."""
        try:
            await self.create(book.id, book.id, {**LIMITS, **book.showcase})
        except SubmissionRefused:
            await self.create(book.id, book.id, book.showcase)
        if self.ownership is None:
            self._adopt(book.id)

    async def stop(self) -> None:
        """Close everything; what was acknowledged is stored, a round in progress waits."""
        self.watch.close()
        for _, task in self._staff.values():
            task.cancel()
        for _, task in self._staff.values():
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self.orders.end()
        await self.edges.stop()
        await self.jobs.stop()
        await asyncio.to_thread(self.writer.close)
        if self.ownership is not None:
            await self.ownership.stop()
        self.signing.attempt()
        self.records.close()
        self.store.close()

    def _adopt(self, name: str) -> LiveTable:
        """Load a table, and let its staff begin."""
        runner = self._runner(name)
        runner.load()
        live = LiveTable(name, runner, self.store, self._submit, self._clock)
        live.dealers, live.stops = partial(dealers, self.people), self.stops
        live.presence = Presence(lambda: self.doors.limits.gone)
        live.presence.expect(runner.table.state.players)
        live.remember()
        self.tables[name] = live
        self.unloaded.pop(name, None)
        self._begin_staff(live)
        return live

    def close_table(self, name: str) -> None:
        """Another process leads a table: nothing is done for it here any more."""
        live = self.tables.pop(name, None)
        if live is not None:
            self._staff.pop(name)[1].cancel()
            live.moved = True
            live.look_at_clock(changed=True)

    def _runner(self, name: str) -> Runner:
        return Runner(self.store, name, self._keys, self._entropy, self._clock)

    async def _submit(self, batch: Batch) -> Appended:
        try:
            return await self._outbox.store(batch)
        except Superseded as late:
            if self.ownership is not None:
                self.ownership.lost(late.stream)
            raise

    # -- tables

    async def create(self, name: str, rulebook: str, submission: Mapping[str, Any], cards: str = "shoe") -> None:
        """Store a new table of a rulebook under a submission; `cards` says where its cards come from."""
        if not NAME.fullmatch(name):
            raise Refused(f"{name!r} is not a name for a table: lower-case letters, digits and hyphens only")
        if name in self.tables or self.store.version(name):
            raise Refused(f"there is a table {name!r} already")
        rules: Rules = text_on(rulebook, day_at(self._clock())).under(submission)
        try:
            await asyncio.to_thread(self._runner(name).create, rules, cards=cards)
        except (StaleVersion, KeyReused):
            raise Refused(f"there is a table {name!r} already") from None

    def table(self, name: str) -> LiveTable:
        """A table by its name; loaded where it is not yet, refused where another process leads it."""
        live = self.tables.get(name)
        if live is not None:
            return live
        if not NAME.fullmatch(name) or not self.store.version(name):
            raise NoSuchTable(name)
        if self.ownership is not None:
            self.ownership.lead(name)
        return self._adopt(name)

    async def look_around(self) -> None:
        """Load what others have stored: orders, and in the file of a ledger also tables and events."""
        self.orders.load()
        for name, version in await asyncio.to_thread(_versions, self.store) if self.ownership is None else ():
            live = self.tables.get(name)
            with contextlib.suppress(TwentyoneError):  # a table that cannot be loaded must not block the others
                if live is None:
                    self._adopt(name)
                elif version > live.version:
                    await live.catch_up(version)

    async def go(self, person: Person, everywhere: bool = True) -> None:
        """A player logs out: he takes back wagers not yet in play and leaves every table that he may leave."""
        if person.role == "player" and everywhere:
            await self.elsewhere.go(person.name)
        for live in list(self.tables.values()):
            state = live.runner.table.state
            if person.role == "player" and person.name in state.players:
                for wager in [wager for wager in state.placed if wager.player == person.name]:
                    await self._try(live, person, "take_back_wager", {"box": wager.box, "wager": wager.wager})
                await self._try(live, person, "leave", {})

    async def _try(self, live: LiveTable, person: Person, do: str, args: dict[str, Any]) -> None:
        with contextlib.suppress(Refused):
            await live.give(CommandRequest(do, args, f"go-{uuid.uuid4()}"), "player", person.name)

    def _is_seated(self, name: str) -> bool:
        """Whether somebody at a table has this name, here or elsewhere; asked beside the loop, in a thread."""
        return is_named(self.tables, name) or self.elsewhere.is_named(name)

    def verify(self) -> dict[str, Any]:
        """Verify the whole ledger, as the command line does, while the tables continue."""
        self.signing.attempt()
        store = open_store(self.ledger)
        try:
            report = verify(store, self._keys, self.signing.path)
            report = with_people(report, self.ledger, store, self._keys)
        finally:
            store.close()
        return report.to_json()

    # -- staff

    def settings(self, name: str) -> Settings:
        """The settings of the automatic staff of a table."""
        return self._staff[name][0].settings

    def set_staff(self, name: str, **chosen: Any) -> Settings:
        """Set the automatic staff of a table, also for later; what is not chosen stays as it is."""
        settings = replace(self.settings(name), **chosen)
        self._set(name, settings)
        value = json.dumps(settings.stored())
        self.records.run("DELETE FROM people_settings WHERE name = ?", (SETTING + name,))
        self.records.run("INSERT INTO people_settings (name, value) VALUES (?, ?)", (SETTING + name, value))
        return settings

    def _set(self, name: str, settings: Settings) -> None:
        staff = self._staff[name][0]
        if staff.settings != settings:
            staff.settings = settings
            self.tables[name].look_at_clock(changed=True)

    def _begin_staff(self, live: LiveTable) -> None:
        rows = self.records.rows("SELECT value FROM people_settings WHERE name = ?", (SETTING + live.name,))
        settings = read_settings(rows[0][0]) if rows else Settings()
        staff = Staff(live, settings, self.tables)
        live.tempo = staff.tempo
        self.orders.attend(live)
        task = asyncio.create_task(staff.work(), name=f"staff of {live.name}")
        self._staff[live.name] = (staff, task)


def _versions(store: Store) -> list[tuple[str, int]]:
    """How far every table has come in the ledger: many small reads, for which no request should wait."""
    return [(name, store.version(name)) for name in table_streams(store)]
