"""No more wagers: at one table, which closes after its round, or in the whole house until play is resumed.

What lies on a layout when it is ordered is played to its end; whoever keeps wagering is told why he may not, and does
not keep a table open.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from twentyone.errors import Refused
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.people import People, Person
from twentyone.service.records import Records
from twentyone.service.refusals import NotAllowed
from twentyone.table import Command, Table

__all__ = ["WHOLE", "Orders", "Stop"]

NEW_WAGERS = ("place_wager", "confirm_verbal_wager", "lay_coupon", "sit", "stand_behind", "seat_guest")
"""Commands that bring new wagers, or players who would lay some."""
HOUSE, TABLE = "house:", "closing:"
"""How the settings begin under which orders are kept."""
WHOLE = f"{HOUSE}stop"
STAND = "SELECT name, value FROM people_settings WHERE name LIKE ? OR name LIKE ?"
LOOK = 2.0
"""Seconds after which a table that is to be closed is looked at, even if nothing happens there."""


class Stop(NamedTuple):
    """An order that no more wagers are taken."""

    by: str
    """Who ordered it."""
    role: str
    """His role at a table."""
    at: int
    """When, in seconds UTC."""
    why: str
    """The reason, for those who want to wager."""


class Orders:
    """The orders that stand."""

    def __init__(
        self, records: Records, clock: Callable[[], int], tables: Mapping[str, LiveTable], people: People
    ) -> None:
        self._records, self._clock, self._tables, self._note = records, clock, tables, people.note
        people.approvals.acts["resume"] = self.resume
        self.house: Stop | None = None
        """Whether play is stopped in the whole house."""
        self.closing: dict[str, Stop] = {}
        """Tables that close after their round."""
        self.spread: Callable[[], Coroutine[Any, Any, None]] = _nobody
        """Lets the other processes know that the orders have changed."""
        self._telling: asyncio.Task[None] | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self.load()

    # -- orders

    def stop(self, person: Person, why: str) -> None:
        """Stop play in the whole house, as soon as the rounds in progress are over."""
        if self.house is not None:
            raise NotAllowed(f"play is stopped already, by {self.house.by}", 409)
        self._note("play_stopped", by=person.name, why=why)
        self._keep(WHOLE, Stop(person.name, person.at_table, self._clock(), why))

    def resume(self, by: str) -> None:
        """Let the house play again."""
        if self.house is None:
            raise NotAllowed("play is not stopped", 409)
        self._note("play_resumed", by=by)
        self._keep(WHOLE, None)

    def order(self, live: LiveTable, person: Person) -> None:
        """Order that a table closes after its round."""
        if live.runner.table.state.phase == "closed":
            raise NotAllowed(f"the table {live.name} is closed", 409)
        if live.name in self.closing:
            raise NotAllowed(f"the table {live.name} closes already: {self.closing[live.name].by} ordered it", 409)
        self._note("closing_ordered", by=person.name, table=live.name)
        self._keep(TABLE + live.name, Stop(person.name, person.at_table, self._clock(), "it closes after this round"))

    def withdraw(self, table: str, by: str) -> None:
        """Let a table that was to be closed go on."""
        if table not in self.closing:
            raise NotAllowed(f"nobody ordered the table {table} closed", 409)
        self._note("closing_withdrawn", by=by, table=table)
        self._keep(TABLE + table, None)

    def _keep(self, name: str, stop: Stop | None) -> None:
        self._records.run("DELETE FROM people_settings WHERE name = ?", (name,))
        if stop is not None:
            self._records.run("INSERT INTO people_settings (name, value) VALUES (?, ?)", (name, json.dumps(stop)))
        if self._loop is None:
            self.load()
        elif _is_running(self._loop):
            self._change()
        else:
            self._loop.call_soon_threadsafe(self._change)

    def _change(self) -> None:
        """Heed the orders here, and let the other processes do so."""
        self.load()
        self._telling = asyncio.create_task(self.spread())

    def load(self) -> None:
        """Read the orders, which another process may have given; those who look are told."""
        before = (self.house, self.closing)
        rows: dict[str, str] = dict(self._records.rows(STAND, (f"{HOUSE}%", f"{TABLE}%")))
        kept = {name: _read(value) for name, value in rows.items()}
        self.house = kept.pop(WHOLE, None)
        self.closing = {name.removeprefix(TABLE): stop for name, stop in kept.items()}
        if (self.house, self.closing) != before:
            for live in list(self._tables.values()):
                live.look_at_clock(changed=True)
        for name in self.closing.keys() & self._tables.keys():
            self._begin(self._tables[name])

    # -- what follows from them

    def why(self, table: str) -> str:
        """Why a table takes no new wagers; empty: it does."""
        if self.house is not None:
            return f"play is stopped in the whole house: {self.house.why}"
        stop = self.closing.get(table)
        return f"{table} takes no more wagers: {stop.why}, as {stop.by} ordered" if stop is not None else ""

    def attend(self, live: LiveTable) -> None:
        """Let a table heed the orders, and tell whoever looks at it of them."""
        self._loop = asyncio.get_running_loop()
        tempo = live.tempo

        def gate(_: Table, command: Command) -> None:
            if command.do in NEW_WAGERS and (why := self.why(live.name)):
                raise Refused(why)

        def told(person: Person) -> Mapping[str, Any]:
            why = self.why(live.name)
            return {**tempo(person), "notice": why} if why else tempo(person)

        live.gate, live.tempo = gate, told
        if live.name in self.closing:
            self._begin(live)

    def _begin(self, live: LiveTable) -> None:
        running = self._tasks.get(live.name)
        if running is None or running.done():
            self._tasks[live.name] = asyncio.create_task(self._close(live), name=f"closing of {live.name}")

    async def _close(self, live: LiveTable) -> None:
        """Close a table as soon as its round is over, in the name of whoever ordered it."""
        with live.listening() as bell:
            while (stop := self.closing.get(live.name)) is not None:
                if live.runner.table.state.phase == "closed":
                    self._keep(TABLE + live.name, None)
                    return
                bell.clear()
                with suppress(Refused):
                    key = f"closing-{live.name}-{stop.at}-{live.version}"
                    await live.give(CommandRequest("close_table", {}, key), stop.role, stop.by)
                    self._note("table_closed", by=stop.by, table=live.name)
                    continue
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK):
                        await bell.wait()

    async def end(self) -> None:
        """The service stops; the orders stand."""
        for task in self._tasks.values():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _nobody() -> None:
    """There are no other processes."""


def _is_running(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether this is the thread of a loop: tables are told of orders nowhere else."""
    try:
        return asyncio.get_running_loop() is loop
    except RuntimeError:
        return False


def _read(stored: str) -> Stop:
    """An order as it is kept; one that cannot be read any more still stands, until somebody withdraws it."""
    with suppress(ValueError, TypeError, RecursionError):
        by, role, at, why = json.loads(stored)
        if all(isinstance(text, str) for text in (by, role, why)) and isinstance(at, int):
            return Stop(by, role, at, why)
    return Stop("nobody", "operator", 0, "an order that cannot be read")
