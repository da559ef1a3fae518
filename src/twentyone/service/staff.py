"""The automatic staff of a table: dealer and floorperson who do what the next step asks, at a pace; and the clock.

They give the same commands that people give, in the same roles, and the ledger names them. What the clock decided for
an absent player is recorded as such in the command.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Any

from twentyone.errors import TwentyoneError
from twentyone.ledger.rows import StaleVersion
from twentyone.round import Offer
from twentyone.rulebook.clauses import CoverCard, Device
from twentyone.service.live import Given, LiveTable
from twentyone.table import NextStep, Table

__all__ = ["PACES", "Settings", "Staff"]

PACES = {"by hand": None, "slow": 1.2, "normal": 0.45, "fast": 0.08}
"""Seconds between two steps; none: people work the table."""

LOOK = 7
"""Beats that the cards of a settled round lie there to be looked at."""

CUT = 10.0
"""Seconds a player has to cut or decline."""
READY = 0.8
"""Seconds without a new wager after which everybody has laid what he wants."""
DEALER, FLOORPERSON = "Auto dealer", "Auto floorperson"
STAFF = {"dealer": DEALER, "floorperson": FLOORPERSON, "operator": "Auto operator"}


class Settings:
    """What the operator chose for the automatic staff of one table."""

    def __init__(self, pace: str = "normal", clock: float = 45.0, patience: float = 8.0) -> None:
        self.pace = pace
        """One of `PACES`."""
        self.clock = clock
        """Seconds a player has for a decision, a cut, a look at the cards."""
        self.patience = patience
        """Seconds the dealer waits for more wagers once one lies there."""


class Staff:
    """Works one table until it is told to stop."""

    def __init__(self, live: LiveTable, settings: Settings) -> None:
        self._live, self.settings = live, settings
        self._since = time.monotonic()
        self._at = -1

    async def work(self) -> None:
        """Do the next step, wait, look again."""
        queue = self._live.listen()
        try:
            while True:
                await self._pause(queue)
                pace = PACES[self.settings.pace]
                if pace is not None and not self._live.entered:
                    await self._step()
        finally:
            self._live.leave(queue)

    async def _pause(self, queue: asyncio.Queue[Any]) -> None:
        """Wait one beat; with nothing to do for the staff, until something happens or a second has gone."""
        pace = PACES[self.settings.pace] or 1.0
        look = LOOK if self._live.runner.table.state.phase == "settled" else 1
        await asyncio.sleep(pace * look if self._due() else 0.05)
        if not self._due():
            try:
                await asyncio.wait_for(queue.get(), timeout=0.5)
            except TimeoutError:
                return
        while not queue.empty():
            queue.get_nowait()

    def _waited(self) -> float:
        """Seconds since the table last moved."""
        if self._live.version != self._at:
            self._at, self._since = self._live.version, time.monotonic()
        return time.monotonic() - self._since

    def _due(self) -> bool:
        return self._choose(self._live.runner.table) is not None

    async def _step(self) -> None:
        chosen = self._choose(self._live.runner.table)
        if chosen is None:
            return
        do, role, by, args = chosen
        given = Given(do, args, f"staff-{uuid.uuid4()}", self._live.version)
        try:
            await self._live.give(given, role, by)
        except StaleVersion:
            return
        except TwentyoneError:
            await self._mend()

    async def _mend(self) -> None:
        """The step was refused: the cards are too long in use, or an inspection is missing."""
        table = self._live.runner.table
        devices = [clause.name for clause in table.rules.all(Device) if clause.inspected]
        for do, role, args in (
            *(("inspect_device", "floorperson", {"device": name}) for name in devices),
            ("change_cards", "floorperson", {}),
        ):
            try:
                await self._live.give(Given(do, args, f"staff-{uuid.uuid4()}"), role, STAFF[role])
            except TwentyoneError:
                await asyncio.sleep(0.5)

    # -- what to do

    def _choose(self, table: Table) -> tuple[str, str, str, dict[str, Any]] | None:
        waited = self._waited()
        for step in table.next_steps():
            if step.role in STAFF and self._mine(table, step, waited):
                dealer = table.state.dealer or DEALER
                by = dealer if step.role == "dealer" else STAFF[step.role]
                return step.do, step.role, by, _arguments(table, step)
        return self._for_absent(table) if waited > self.settings.clock else None

    def _mine(self, table: Table, step: NextStep, waited: float) -> bool:
        """Whether the staff does this step now, or gives people time first."""
        state = table.state
        if step.do == "deal":
            laid = {wager.player for wager in state.placed}
            everybody = laid >= set(state.players) and waited > READY
            return bool(laid) and (everybody or waited > self.settings.patience)
        if step.do in ("place_wager", "close_table"):
            return False
        if step.do in ("cut", "decline_cut"):
            return not state.cut_offered or (step.do == "decline_cut" and waited > min(self.settings.clock, CUT))
        return step.do != "decide"

    def _for_absent(self, table: Table) -> tuple[str, str, str, dict[str, Any]] | None:
        """Stand, or say no, for a player who does not answer; the record says who decided."""
        round_ = table.state.round
        if table.state.phase != "round" or round_ is None or not isinstance(round_.next, Offer):
            return None
        need = round_.next
        if need.optional:
            return "decide", "dealer", table.state.dealer or DEALER, {"action": "decline"}
        option = next((one for one in need.options if one.action == "stand"), need.options[0])
        args = {"action": option.action, "box": option.box, "absent": "decided by the decision clock"}
        if option.hand is not None and option.action == "designate":
            args["hand"] = option.hand
        return "decide", "player", option.player, args


def _arguments(table: Table, step: NextStep) -> dict[str, Any]:
    """What a command of the staff names."""
    state, rules = table.state, table.rules
    if step.do == "open_table":
        return {"dealer": DEALER}
    if step.do == "remove_tens":
        return {"floorperson": FLOORPERSON}
    if step.do == "decline_cut":
        return {"player": state.cut_offered}
    if step.do == "cut":
        return {"place": state.batches[step.about].cards // 2}
    if step.do == "insert_cover_card":
        cards = state.batches[step.about].cards
        return {"from_bottom": -int(-(rules.one(CoverCard).share * cards) // 1)}
    if step.do in ("device_repaired", "cover_device", "remove_device", "inspect_device"):
        return {"device": step.about} if step.do != "inspect_device" else {}
    return {}
