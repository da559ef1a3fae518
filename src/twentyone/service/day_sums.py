"""How much one person alone may move in a day, and how far raise a limit: above it a second person approves.

Automatic staff gives its commands beside this: it is nobody, and has no sum.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from twentyone.errors import TwentyoneError
from twentyone.ledger.runner import Answer
from twentyone.ledger.timestamps import SECONDS_PER_DAY
from twentyone.money import ZERO, Amount, dollars
from twentyone.service.approvals import Approval
from twentyone.service.elsewhere import YES
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.noted import NOTED, note_command
from twentyone.service.persons import Person
from twentyone.service.refusals import NotAllowed
from twentyone.table import Command
from twentyone.table.limits import LIMITS, limits_of

if TYPE_CHECKING:
    from twentyone.service.service import Service

__all__ = ["DaySums"]

A_DAY = Amount("200000")
"""Fills and credits that one person may give in a day, in all; above it an administrator approves each command."""
MOVES = {"fill": "bring {} from the cage to {}", "credit": "return {} from {} to the cage"}
"""Commands that count, in words."""
RAISES = "set_limit"
CARRY = "carry out a command"
LONGEST = 30.0
"""Seconds in which an approved command is carried out."""
ADD = (
    "INSERT INTO people_sums (name, day, moved) VALUES (?, ?, ?) ON CONFLICT (name, day) DO UPDATE "
    "SET moved = people_sums.moved + excluded.moved WHERE people_sums.moved + excluded.moved <= ?"
)
"""One statement, so that processes that share a ledger share the sum."""


class DaySums:
    """The sums of all people of a ledger, and what waits since it is above them."""

    def __init__(self, service: Service) -> None:
        self._service, self._records = service, service.records
        self._one = asyncio.Lock()
        self.loop: asyncio.AbstractEventLoop | None = None
        """In which commands are carried out that a second person approves, in whatever thread."""
        service.people.approvals.acts[CARRY] = self._carry_approved

    async def give(self, live: LiveTable, request: CommandRequest, role: str, by: str) -> Answer | Approval:
        """Carry out a person's command; where one person is not enough it waits for a second one."""
        if request.do not in MOVES and request.do != RAISES:
            return await live.give(request, role, by)
        async with self._one:
            if self._is_known(request.key):
                return await live.give(request, role, by)
            async with live.at_rest:  # refused now if it cannot be: nobody is asked to approve it
                live.runner.prepare(Command(request.do, role, by, args=request.args), request.key)
            if request.do in MOVES:
                return await self._move(live, request, role, by)
            if what := _raised(live, request.args):
                return await self._ask(what, live, request, role, by)
            return await live.give(request, role, by)

    async def _move(self, live: LiveTable, request: CommandRequest, role: str, by: str) -> Answer | Approval:
        amount = Amount(request.args["amount"])
        if not await asyncio.to_thread(self._add, by, amount):
            moves, sum_ = MOVES[request.do].format(dollars(amount), live.name), dollars(self.moved_today(by))
            return await self._ask(f"{moves}: {by} has moved {sum_} alone today", live, request, role, by)
        try:
            return await live.give(request, role, by)
        except TwentyoneError:
            if not self._is_known(request.key):
                await asyncio.to_thread(self._take_back, by, amount)
            raise

    async def _ask(self, what: str, live: LiveTable, request: CommandRequest, role: str, by: str) -> Approval:
        given = {"table": live.name, "do": request.do, "args": json.dumps(dict(request.args)), "role": role}
        return await asyncio.to_thread(
            self._service.people.approvals.ask, CARRY, what, by, {**given, "key": request.key}
        )

    def _is_known(self, key: str) -> bool:
        return self._service.store.find_key(key) is not None

    # -- sums

    @property
    def _day(self) -> int:
        return self._service.now // SECONDS_PER_DAY

    def moved_today(self, by: str) -> Amount:
        """How much somebody has moved alone since the day began (UTC)."""
        rows = self._records.rows("SELECT moved FROM people_sums WHERE name = ? AND day = ?", (by, self._day))
        return Amount.from_thousandths(rows[0][0]) if rows else ZERO

    def _add(self, by: str, amount: Amount) -> bool:
        """Count an amount; false, and nothing counted, where the sum would be too high."""
        day = self._day
        self._records.run("DELETE FROM people_sums WHERE day < ?", (day,))
        return amount <= A_DAY and self._records.run(ADD, (by, day, int(amount), int(A_DAY))) > 0

    def _take_back(self, by: str, amount: Amount) -> None:
        """Count an amount no more: it was not moved."""
        less = "UPDATE people_sums SET moved = moved - ? WHERE name = ? AND day = ?"
        self._records.run(less, (int(amount), by, self._day))

    # -- what was approved

    def _carry_approved(self, **given: str) -> None:
        """A second person wants it, too; called beside the loop, in a thread."""
        assert self.loop is not None
        asyncio.run_coroutine_threadsafe(self._carry(given), self.loop).result(LONGEST)

    async def _carry(self, given: dict[str, str]) -> None:
        """Carry out a command where its table is led."""
        told = await self._service.elsewhere.carry_out(given["table"], json.dumps(given))
        told = told or await self.carry_out(json.dumps(given))
        if told != YES:
            raise NotAllowed(f"it was approved, but could not be done: {told.decode()}", 409)

    async def carry_out(self, asked: str) -> bytes:
        """Carry out here, in the asker's name, what was approved: `YES`, or why it cannot be done any more."""
        given = json.loads(asked)
        name, do, args, role, by = (given[key] for key in ("table", "do", "args", "role", "by"))
        try:
            live, said = self._service.table(name), json.loads(args)
            before = live.runner.table
            await live.give(CommandRequest(do, said, given["key"]), role, by)
            if do in NOTED:
                await note_command(self._service, name, before, Person(by, role), do, said)
        except TwentyoneError as wrong:
            return str(wrong).encode()
        return YES


def _raised(live: LiveTable, args: Any) -> str:
    """How a limit rises above the built-in one, after "to"; empty where it does not."""
    about, amount = str(args["about"]), Amount(args["amount"])
    now = limits_of(live.runner.table.state.limits)[about]
    if amount <= max(now, LIMITS[about]):
        return ""
    return f"raise the limit of {about.replace('_', ' ')} at {live.name} from {dollars(now)} to {dollars(amount)}"
