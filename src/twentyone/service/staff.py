"""The automatic staff of a table: dealer and floorperson who do the next step at a set pace; and the decision clock.

They give the same commands as people, in the same roles, and the ledger names them. What the clock decided for an
absent player is recorded as such in the command.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
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
from twentyone.table.card_devices import is_barred
from twentyone.table.fallback_rules import game_stopped
from twentyone.table.follow import Follower

__all__ = ["PACES", "Settings", "Staff", "left_closed"]

LOG = logging.getLogger(__name__)

PACES = {"by hand": None, "slow": 1.2, "normal": 0.45, "fast": 0.08}
"""Seconds between two steps; none: people work the table."""

LOOK = 7
"""Steps for which the cards of a settled round stay visible."""

CUT = 10.0
"""Seconds a player has to cut or decline."""
SITS_OUT = 8
"""Rounds that a player may sit out before he loses his box."""
LAID = 30.0
"""Seconds that a wager lies there at most before the cards are dealt, whatever others lay and take back."""
WAITS = ("place_wager", "sit", "make_ready", "open_table")
"""What is asked while a table waits for players, and their absence counts."""
TURNS = 5
"""How often a step is chosen anew if another process was quicker."""
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

    def __init__(
        self, pace: str = "normal", clock: float = 45.0, patience: float = 8.0, absence: float = 300.0
    ) -> None:
        self.pace = pace
        """One of `PACES`."""
        self.clock = clock
        """Seconds a player has for a decision or a cut, or to look at the cards, where no people work the table."""
        self.patience = patience
        """Seconds the dealer waits for more wagers after the first one."""
        self.absence = absence
        """Seconds in which a player could wager and did not play, after which he loses his box; where people work
        the table, also those after which it is decided for him."""

    @property
    def works(self) -> bool:
        """Whether the staff works the table, and people do not."""
        return PACES[self.pace] is not None


class Staff:
    """Runs one table until it is stopped."""

    def __init__(self, live: LiveTable, settings: Settings) -> None:
        self._live, self.settings = live, settings
        self._watch = Watch()
        self._sitting_out = SittingOut()
        self._absent = Absent()

    async def work(self) -> None:
        """Do the next step, wait, repeat; if a step fails, the next one is tried: a table is never left alone."""
        with self._live.listening() as bell:
            while True:
                try:
                    await self._beat(bell)
                except TwentyoneError:
                    await asyncio.sleep(STANDS)
                except Exception as fault:
                    LOG.error("the staff of %s: %s", self._live.name, type(fault).__name__)
                    await asyncio.sleep(STANDS)

    async def _beat(self, bell: asyncio.Event) -> None:
        """Do one step, after its delay; if there is none, wait until something happens or some time has passed."""
        pace = PACES[self.settings.pace]
        bell.clear()
        self._live.look_at_clock()
        if self._choose(self._live.runner.table) is not None:
            look = LOOK if self._live.runner.table.state.phase == "settled" else 1
            await asyncio.sleep((pace or 0) * look)
            await self.step()
            return
        if pace is None or self._live.entered:  # here only time that passes gives the staff something to do
            await asyncio.sleep(STANDS)
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                await bell.wait()

    async def step(self) -> None:
        """Do what is to be done now, if anything; whatever others do meanwhile, the staff gets its turn."""
        for _ in range(TURNS):
            try:
                await self._live.give_next(self._next)
            except StaleVersion:
                continue
            except Refused:
                await asyncio.sleep(STANDS)
            return

    def _next(self) -> tuple[CommandRequest, str, str] | None:
        chosen = self._choose(self._live.runner.table)
        if chosen is None:
            return None
        do, role, by, args = chosen
        return CommandRequest(do, args, f"staff-{uuid.uuid4()}", self._live.version), role, by

    # -- what to do

    def _choose(self, table: Table) -> Chosen | None:
        waits, waited = any(step.do in WAITS for step in self._live.steps), self._watch.waited(table)
        goes = self._absent.who_goes(table, waits, self.settings.absence)
        if self.settings.works and not self._live.entered:
            return self._work(table, waited) or goes
        return goes or (_for_absent(table) if waited > self.settings.absence else None)

    def _work(self, table: Table, waited: float) -> Chosen | None:
        """What the staff of a table does that no people work."""
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
            patience = READY if laid >= playing else self.settings.patience
            return bool(laid) and (self._watch.unchanged(table) > patience or self._watch.oldest(table) > LAID)
        if step.do == "confirm_verbal_wager":
            return False  # nobody is there to take cash: what is spoken is declined
        if step.do == "open_table":
            return not left_closed(self._live)
        if step.do in ("place_wager", "close_table"):
            return False
        if step.do in ("cut", "decline_cut"):
            return not state.cut_offered or (step.do == "decline_cut" and waited > min(self.settings.clock, CUT))
        return step.do != "decide"


def left_closed(live: LiveTable) -> bool:
    """Whether a person closed a table: then only a person opens it again."""
    closed = live.runner.table.state.phase == "closed"
    return closed and any(line.kind == "table_closed" for line in live.lines_after(0))


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
        self._seen: dict[str, tuple[object, float]] = {}
        self._lain: dict[tuple[int, str, str], float] = {}

    def waited(self, table: Table) -> float:
        """Seconds since the round or the agenda last changed; of an offer, since it was made."""
        state = table.state
        return self._since(
            "asked", (state.phase, state.round and _asked_at(state.round), state.agenda, state.cut_offered)
        )

    def unchanged(self, table: Table) -> float:
        """Seconds since wagers were last laid or taken back, while they may be."""
        state = table.state
        return self._since("wagers", (state.phase, state.agenda, state.placed))

    def oldest(self, table: Table) -> float:
        """Seconds for which the oldest wager has lain on the layout."""
        now, laid = time.monotonic(), [(wager.box, wager.player, wager.wager) for wager in table.state.placed]
        self._lain = {wager: self._lain.get(wager, now) for wager in laid}
        return now - min(self._lain.values(), default=now)

    def _since(self, what: str, moment: object) -> float:
        now = time.monotonic()
        if what not in self._seen or self._seen[what][0] != moment:
            self._seen[what] = moment, now
        return now - self._seen[what][1]


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


class Absent:
    """Players who could wager and do not play: after some time they leave their boxes, with their chips."""

    def __init__(self) -> None:
        self._looked = time.monotonic()
        self._for: dict[str, float] = {}

    def who_goes(self, table: Table, waits: bool, most: float) -> Chosen | None:
        """The first player who was away too long; time counts while the table waits for players."""
        state, now = table.state, time.monotonic()
        passed = now - self._looked if waits else 0.0
        self._looked = now
        playing = {wager.player for wager in state.in_round}
        barred = {name for name, player in state.players.items() if is_barred(table.rules, player)}
        self._for = {
            name: 0.0 if name in playing else self._for.get(name, 0.0) + (passed if name not in barred else 0.0)
            for name in state.players
        }
        laid = {wager.player for wager in state.placed} | playing
        for name, seconds in self._for.items():
            if seconds > most and name not in laid:
                says = f"{name} has not played for {int(seconds)} s: the box is free again"
                return "leave", "player", name, {ABSENT: says}
        return None
