"""The automatic staff of a table: dealer and floorperson who do the next step at a set pace; and the decision clock.

They give the same commands as people, in the same roles, and the ledger names them. What the clock decided for an
absent player is recorded as such in the command.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import math
import time
import uuid
from collections.abc import Iterator, Sized
from typing import Any

from twentyone.errors import Refused, TwentyoneError
from twentyone.ledger.rows import StaleVersion
from twentyone.round import Round
from twentyone.round.events import Asked, InsuranceOffered
from twentyone.service.clocks import Clock, asked_boxes, asked_offer, first_box
from twentyone.service.lines import ABSENT
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.paces import PACES, PREPARING, Settings, paces_for
from twentyone.service.people import Person
from twentyone.table import NextStep, Table
from twentyone.table.card_devices import is_barred
from twentyone.table.follow import Follower

__all__ = ["PACES", "Settings", "Staff", "left_closed"]

LOG = logging.getLogger(__name__)

LOOK = 7
"""Steps for which the cards of a settled round stay visible, at the pace `fast` at least."""
CUT = 5.0
"""Seconds a player has to cut or decline."""
SITS_OUT = 8
"""Rounds that a player may sit out before he loses his box."""
LAID = 30.0
"""Seconds that a wager lies there at most before the cards are dealt, whatever others lay and take back."""
WAITS = ("place_wager", "sit", "make_ready", "open_table")
"""What is asked while a table waits for players, and their absence counts."""
TURNS = 5
"""How often a step is chosen anew if another process was quicker."""
STANDS, RESTS = 1.0, 10.0
"""Seconds between two checks of a table that people work, and of one at which nothing happens and no clock ends."""
TICKS, GATHERED = (0.025, 0.25), 15
"""Seconds between the moments at which the staff of all tables takes its steps, the least and the most: what it stores
shares a commit. So many tables have a second, more share it: nobody waits long until all of them have stepped. A pace
that is quicker has ticks of its own."""
AFTER = 0.05
"""Seconds after the end of a clock at which the staff looks whether it has ended."""
READY = 0.8
"""Seconds without a new wager after which all wagers are considered complete."""
DEALER, FLOORPERSON = "Auto dealer", "Auto floorperson"
Chosen = tuple[str, str, str, dict[str, Any]]
"""A command, its role, who gives it, and its arguments."""
STAFF = {"dealer": DEALER, "floorperson": FLOORPERSON, "operator": "Auto operator"}
FOLLOWER = Follower(STAFF)
"""The automatic staff, which follows the procedure."""


class Staff:
    """Runs one table until it is stopped."""

    def __init__(self, live: LiveTable, settings: Settings, tables: Sized = ()) -> None:
        """`tables`: those that step at the same moments."""
        self._live, self.settings, self._tables = live, settings, tables
        self._watch = Watch()
        self._sitting_out = SittingOut()
        self._absent = Absent()
        self._keys = map(f"staff-{uuid.uuid4()}-{{}}".format, itertools.count(1))

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
        bell.clear()
        self._live.look_at_clock()
        if self._choose(self._live.runner.table) is not None:
            await asyncio.sleep(self._until_tick(self._delay(self._live.runner.table)))
            await self.step()
            return
        if not self.settings.works or self._live.entered:  # only time that passes gives the staff something to do here
            await asyncio.sleep(self._rest())
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._until_tick(self._rest())):
                await bell.wait()

    def _until_tick(self, seconds: float) -> float:
        return until_tick(seconds, asyncio.get_running_loop().time(), tick_of(len(self._tables)))

    def _rest(self) -> float:
        """Seconds until the staff looks again if nothing happens: as soon as the first clock has ended."""
        ends = [max(clock.left, 0.0) + AFTER for clock in self.clocks()]
        return min([RESTS if self.settings.works else STANDS, *ends])

    def _delay(self, table: Table) -> float:
        """Seconds before the next step, for people to see the last one."""
        pace = self.settings.pace_at(table.state.players)
        if table.state.phase == "open" and table.state.placed:
            return 0.0  # the wagers have lain long enough
        seconds = PACES[pace] or 0.0
        if table.state.phase == "settled" and self.settings.works:
            return max(seconds, PACES["fast"] or 0.0) * LOOK
        return PREPARING.get(pace, seconds) if table.state.agenda else seconds

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
        return CommandRequest(do, args, next(self._keys), self._live.version), role, by

    # -- what to do

    def _choose(self, table: Table) -> Chosen | None:
        waited = self._watch.waited(table)
        goes = self._absent.who_goes(table, self._waits, self.settings.absence)
        if self._alone:
            return self._work(table, waited) or goes
        chosen = goes or (_for_absent(table) if waited > self.settings.absence else None)
        return chosen if chosen is None or table.state.players[chosen[2]].device else None

    def _work(self, table: Table, waited: float) -> Chosen | None:
        """What the staff of a table does that no people work."""
        self._sitting_out.count(table)
        if self._live.runner.law.barred(table) is not None and table.state.phase != "closed":
            return "close_table", "floorperson", FLOORPERSON, {}
        for step in self._live.steps:
            if step.role in STAFF and self._mine(table, step, waited):
                do, role, by, _, args = FOLLOWER.command(table, step)
                return do, role, by, {**args, **_says(table, do)}
        if waited > self.settings.clock and (chosen := _for_absent(table)) is not None:
            return chosen
        return self._sitting_out.who_goes(table)

    def _mine(self, table: Table, step: NextStep, waited: float) -> bool:
        """Whether the staff does this step now, or first gives people time."""
        state = table.state
        if step.do in ("deal", "take_back_wager"):
            if self._live.stops:
                return False
            lain = self._watch.unchanged(table) > self._patience(table) or self._watch.oldest(table) > LAID
            return bool(state.placed) and lain
        if step.do == "confirm_verbal_wager":
            return False  # nobody is there to take cash: what is spoken is declined
        if step.do == "open_table":
            return not left_closed(self._live) and self._live.runner.law.barred(table) is None
        if step.do in ("place_wager", "close_table"):
            return False
        if step.do in ("cut", "decline_cut"):
            return not state.cut_offered or (step.do == "decline_cut" and waited > self._cutting)
        return step.do != "decide"

    def _patience(self, table: Table) -> float:
        """Seconds for which more wagers are waited for: hardly any once all have laid who played the last round."""
        laid = {wager.player for wager in table.state.placed}
        playing = {name for name, player in table.state.players.items() if player.wagered}
        return READY if laid >= playing else self.settings.patience

    # -- what people are told

    @property
    def _cutting(self) -> float:
        """Seconds for the cut."""
        return min(self.settings.clock, CUT)

    @property
    def _alone(self) -> bool:
        """Whether no people work the table: then the clocks of the automatic staff run."""
        return self.settings.works and not self._live.entered

    def tempo(self, person: Person) -> dict[str, Any]:
        """What the view of a person says of time: the clocks, the pace, and the paces that he may set."""
        pace = self.settings.pace_at(self._live.runner.table.state.players)
        return {
            "clocks": [clock.to_json() for clock in self.clocks()],
            "pace": "by hand" if self._live.entered else pace,
            "paces": paces_for(self._live, self.settings, person),
        }

    def clocks(self) -> Iterator[Clock]:
        """Every clock that runs now."""
        table = self._live.runner.table
        state, waited = table.state, self._watch.waited(table)
        offer, time_ = asked_offer(table), self.settings.clock if self._alone else self.settings.absence
        for box, players in asked_boxes(offer) if offer is not None else ():
            yield Clock("decision", players, box, time_, time_ - waited)
        if self._alone and state.cut_offered:
            at = first_box(state, state.cut_offered)
            yield Clock("cut", (state.cut_offered,), at, self._cutting, self._cutting - waited)
        if self._alone and any(step.do == "deal" for step in self._live.steps):
            yield self._wagers(table)
        for name, left in self._absent.left(table, self._waits, self.settings.absence):
            yield Clock("absence", (name,), first_box(state, name), self.settings.absence, left)

    def _wagers(self, table: Table) -> Clock:
        """The time in which others may still lay their wagers."""
        laid, patience = {wager.player for wager in table.state.placed}, self._patience(table)
        left = min(patience - self._watch.unchanged(table), LAID - self._watch.oldest(table))
        others = tuple(name for name in table.state.players if name not in laid)
        return Clock("wagers", others, None, patience, left)

    @property
    def _waits(self) -> bool:
        """Whether the table waits for players, so that their absence counts."""
        return any(step.do in WAITS for step in self._live.steps)


def tick_of(tables: int) -> float:
    """Seconds between two moments at which the staff of so many tables steps.

    >>> [tick_of(tables) for tables in (1, 60, 150, 2_000)]
    [0.25, 0.25, 0.1, 0.025]
    """
    least, most = TICKS
    return min(most, max(least, GATHERED / max(tables, 1)))


def until_tick(seconds: float, now: float, tick: float) -> float:
    """Seconds to wait where at least some are to be waited: until the tick after that; a quicker pace ticks itself.

    >>> round(until_tick(0.45, 7.02, 0.1), 6), round(until_tick(0.08, 7.02, 0.1), 6), until_tick(0.0, 7.02, 0.1)
    (0.48, 0.1, 0.0)
    """
    if seconds >= tick:
        return math.ceil((now + seconds) / tick) * tick - now
    return round(now / seconds + 1) * seconds - now if seconds else seconds


def _says(table: Table, do: str) -> dict[str, str]:
    """Who declines a cut that a player did not answer."""
    if do != "decline_cut":
        return {}
    return {ABSENT: f"the clock declines the cut for {table.state.cut_offered}"}


def left_closed(live: LiveTable) -> bool:
    """Whether a person closed a table: then only a person opens it again."""
    closed = live.runner.table.state.phase == "closed"
    return closed and any(line.kind == "table_closed" for line in live.lines_after(0))


def _for_absent(table: Table) -> Chosen | None:
    """Stand or decline for a player who does not answer; the record says who decided."""
    need = asked_offer(table)
    if need is None:
        return None
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

    def left(self, table: Table, waits: bool, most: float) -> list[tuple[str, float]]:
        """Who loses his box if he goes on not to play, in how many seconds; while the table waits for players."""
        state, now = table.state, time.monotonic()
        passed = now - self._looked if waits else 0.0
        self._looked = now
        stay = {wager.player for wager in state.in_round}
        if state.in_round:
            stay |= {name for name, player in state.players.items() if is_barred(table.rules, player)}
        self._for = {name: 0.0 if name in stay else self._for.get(name, 0.0) + passed for name in state.players}
        laid = {wager.player for wager in (*state.placed, *state.in_round)}
        laid |= {name for name, player in state.players.items() if not player.device}  # the dealer frees their boxes
        return [(name, most - gone) for name, gone in self._for.items() if waits and name not in laid]

    def who_goes(self, table: Table, waits: bool, most: float) -> Chosen | None:
        """The first player who was away too long."""
        for name, left in self.left(table, waits, most):
            if left < 0:
                says = f"{name} has not played for {int(most - left)} s: the box is free again"
                return "leave", "player", name, {ABSENT: says}
        return None
