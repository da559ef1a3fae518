"""The automatic staff of a table: dealer and floorperson who do the next step at a set pace; and the decision clock.

They give the same commands as people, in the same roles, and the ledger names them. What the clock decided for an
absent player is recorded as such in the command.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
import uuid
from typing import Any

from twentyone.errors import Refused, TwentyoneError
from twentyone.ledger.rows import StaleVersion
from twentyone.round import Offer, Round
from twentyone.round.events import Asked, InsuranceOffered
from twentyone.service.lines import ABSENT
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.table import NextStep, Table
from twentyone.table.fallback_rules import game_stopped
from twentyone.table.follow import Follower

__all__ = ["PACES", "Settings", "Staff"]

PACES = {"by hand": None, "slow": 1.2, "normal": 0.45, "fast": 0.08}
"""Seconds between two steps; none: people work the table."""

LOOK = 7
"""Steps for which the cards of a settled round stay visible."""

CUT = 10.0
"""Seconds a player has to cut or decline."""
SITS_OUT = 8
"""Rounds that a player may sit out before he loses his box."""
STANDS = 1.0
"""Seconds between two checks of an idle table."""
READY = 0.8
"""Seconds without a new wager after which all wagers are considered complete."""
DEALER, FLOORPERSON = "Auto dealer", "Auto floorperson"
Chosen = tuple[str, str, str, dict[str, Any]]
"""A command, its role, who gives it, and its arguments."""
STAFF = {"dealer": DEALER, "floorperson": FLOORPERSON, "operator": "Auto operator"}
FOLLOWER = Follower(STAFF)
"""The automatic staff, which follows the procedure."""


class Settings:
    """What the operator chose for the automatic staff of one table."""

    def __init__(self, pace: str = "normal", clock: float = 45.0, patience: float = 8.0) -> None:
        self.pace = pace
        """One of `PACES`."""
        self.clock = clock
        """Seconds a player has for a decision or a cut, or to look at the cards."""
        self.patience = patience
        """Seconds the dealer waits for more wagers after the first one."""


class Staff:
    """Runs one table until it is stopped."""

    def __init__(self, live: LiveTable, settings: Settings) -> None:
        self._live, self.settings = live, settings
        self._watch = Watch()
        self._sitting_out = SittingOut()

    async def work(self) -> None:
        """Do the next step, wait, repeat; if a step fails, the next one is tried."""
        with self._live.listening() as bell:
            while True:
                try:
                    await self._beat(bell)
                except TwentyoneError:
                    await asyncio.sleep(STANDS)

    async def _beat(self, bell: asyncio.Event) -> None:
        """Do one step, after its delay; if there is none, wait until something happens or some time has passed."""
        pace = PACES[self.settings.pace]
        works = pace is not None and not self._live.entered
        bell.clear()
        self._live.look_at_clock()
        if works and self._choose(self._live.runner.table) is not None:
            look = LOOK if self._live.runner.table.state.phase == "settled" else 1
            await asyncio.sleep((pace or 0) * look)
            await self._step()
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.5 if works else STANDS):
                await bell.wait()

    async def _step(self) -> None:
        chosen = self._choose(self._live.runner.table)
        if chosen is None:
            return
        do, role, by, args = chosen
        given = CommandRequest(do, args, f"staff-{uuid.uuid4()}", self._live.version)
        try:
            await self._live.give(given, role, by)
        except StaleVersion:
            return
        except Refused:
            await asyncio.sleep(STANDS)

    # -- what to do

    def _choose(self, table: Table) -> Chosen | None:
        waited = self._watch.waited(table)
        self._sitting_out.count(table)
        for step in self._live.steps:
            if step.role in STAFF and self._mine(table, step, waited):
                do, role, by, _, args = FOLLOWER.command(table, step)
                return do, role, by, dict(args)
        if waited > self.settings.clock and (chosen := _for_absent(table)) is not None:
            return chosen
        return self._sitting_out.who_goes(table)

    def _mine(self, table: Table, step: NextStep, waited: float) -> bool:
        """Whether the staff does this step now, or first gives people time."""
        state = table.state
        if step.do == "deal":
            laid = {wager.player for wager in state.placed}
            playing = {name for name, player in state.players.items() if player.wagered}
            return bool(laid) and waited > (READY if laid >= playing else self.settings.patience)
        if step.do == "open_table":
            return not self._live.left_closed
        if step.do in ("place_wager", "close_table"):
            return False
        if step.do in ("cut", "decline_cut"):
            return not state.cut_offered or (step.do == "decline_cut" and waited > min(self.settings.clock, CUT))
        return step.do != "decide"


def _for_absent(table: Table) -> Chosen | None:
    """Stand or decline for a player who does not answer; the record says who decided."""
    round_, state = table.state.round, table.state
    if (
        state.phase != "round"
        or game_stopped(table.rules, state)
        or round_ is None
        or not isinstance(round_.next, Offer)
    ):
        return None
    need = round_.next
    if need.optional:
        first = need.options[0]
        says = f"the decision clock declines for {first.player}"
        return "decide", "player", first.player, {"action": "decline", "box": first.box, ABSENT: says}
    option = next((one for one in need.options if one.action == "stand"), need.options[0])
    says = f"the decision clock decides for {option.player}: {option.action}"
    args: dict[str, Any] = {"action": option.action, "box": option.box, ABSENT: says}
    if option.hand is not None and option.action == "designate":
        args["hand"] = option.hand
    return "decide", "player", option.player, args


class Watch:
    """How long the staff has waited for people: what others do at the table does not reset the clock."""

    def __init__(self) -> None:
        self._for: object = None
        self._since = time.monotonic()

    def waited(self, table: Table) -> float:
        """Seconds since the round, the wagers or the agenda last changed; of an offer, since it was made."""
        state = table.state
        moment = (state.phase, state.round and _asked_at(state.round), state.placed, state.agenda, state.cut_offered)
        if moment != self._for:
            self._for, self._since = moment, time.monotonic()
        return time.monotonic() - self._since


def _asked_at(round_: Round) -> int:
    """How many events a round had when it last asked: the answers of some do not give others more time."""
    count = len(round_.events)
    if round_.state.ask is None:
        return count
    asked = (n for n in range(count, 0, -1) if isinstance(round_.events[n - 1], Asked | InsuranceOffered))
    return next(asked, count)


class SittingOut:
    """Players who sit out rounds: after some rounds they leave their box, with their chips."""

    def __init__(self) -> None:
        self._round = 0
        self._out: dict[str, int] = {}

    def count(self, table: Table) -> None:
        """Record who sits out the round in progress."""
        state = table.state
        if state.phase == "round" and state.rounds != self._round:
            self._round = state.rounds
            playing = {wager.player for wager in state.in_round}
            self._out = {name: self._out.get(name, 0) + 1 for name in state.players if name not in playing}

    def who_goes(self, table: Table) -> Chosen | None:
        """The first player who sat out too long."""
        state = table.state
        laid = {wager.player for wager in (*state.placed, *state.in_round)}
        for name, rounds in self._out.items():
            if rounds >= SITS_OUT and name in state.players and name not in laid:
                says = f"{name} sat out {rounds} rounds: the box is free again"
                return "leave", "player", name, {ABSENT: says}
        return None
