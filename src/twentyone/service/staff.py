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
from collections.abc import Collection, Iterator, Sized
from typing import Any

from twentyone.errors import Refused, TwentyoneError
from twentyone.ledger.rows import StaleVersion
from twentyone.round import Round
from twentyone.round.events import Asked, InsuranceOffered
from twentyone.service.attendance import Absent, SittingOut, barred_players, gone_player
from twentyone.service.clocks import Clock, asked_boxes, asked_offer, first_box, looking
from twentyone.service.lines import ABSENT
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.paces import PACES, PREPARING, Settings, paces_for
from twentyone.service.people import Person
from twentyone.service.rack import counted_rack, restock
from twentyone.table import Command, NextStep, Table
from twentyone.table.follow import Follower

__all__ = ["PACES", "Settings", "Staff", "left_closed"]

LOG = logging.getLogger(__name__)

LOOK = 7
"""Steps for which the cards of a settled round stay visible, at the pace `fast` at least."""
CUT = 5.0
"""Seconds a player has to cut or decline."""
LAID = 30.0
"""Seconds that a wager lies there at most before the cards are dealt, whatever others lay and take back."""
WAITS = ("place_wager", "sit", "make_ready", "open_table")
"""What is asked while a table waits for players, and their absence counts."""
NEVER = ("place_wager", "close_table", "confirm_verbal_wager", "device_repaired")
"""What automatic staff does not do: the wagers are the players', closing is for whoever orders it, nobody is there to
take cash (what is spoken is declined), and whether a device works again is for a person to say who has seen it."""
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
            self._live.presence.tell = bell.set
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
        chosen = self._choose(self._live.runner.table)
        if chosen is not None:
            waited = ABSENT in chosen[3]  # somebody's time is over: what follows from that keeps nobody waiting
            await asyncio.sleep(0.0 if waited else self._until_tick(self._delay(self._live.runner.table)))
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
        ends = [clock.left for clock in self.clocks()]
        if self._alone:
            ends += self._live.presence.left(self._live.runner.table).values()
        return min([RESTS if self.settings.works else STANDS, *(max(left, 0.0) + AFTER for left in ends)])

    def _delay(self, table: Table) -> float:
        """Seconds before the next step, for people to see the last one."""
        pace = self.settings.pace_at(table.state.players)
        if table.state.phase == "open" and table.state.placed:
            return 0.0  # the wagers have lain long enough
        seconds = PACES[pace] or 0.0
        if table.state.phase == "settled" and self.settings.works:
            return max(max(seconds, PACES["fast"] or 0.0) * LOOK - self._watch.waited(table), 0.0)
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
        self._watch.looked(table)
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
        if table.state.phase == "open" and (due := restock(table.state)) is not None:
            return due[0], "floorperson", FLOORPERSON, due[1]
        gone = self._live.presence.gone(table)
        chosen = gone_player(table, gone) or _for_absent(table, gone)
        if chosen is not None:
            return chosen
        for step in self._live.steps:
            if step.role in STAFF and self._mine(table, step, waited, gone):
                do, role, by, _, args = FOLLOWER.command(table, step)
                return do, role, by, {**args, **self._says(table, do)}
        if waited > self.settings.clock and (chosen := _for_absent(table)) is not None:
            return chosen
        return self._sitting_out.who_goes(table)

    def _mine(self, table: Table, step: NextStep, waited: float, gone: Collection[str]) -> bool:
        """Whether the staff does this step now, or first gives people time."""
        state = table.state
        if step.do in ("deal", "take_back_wager"):
            if self._live.stops:
                return False
            lain = self._watch.unchanged(table) > self._patience(table, gone) or self._watch.oldest(table) > LAID
            return bool(state.placed) and lain
        if step.do == "open_table":
            return not left_closed(self._live) and self._live.runner.law.barred(table) is None
        if step.do in ("cut", "decline_cut"):
            late = waited > self._cutting or state.cut_offered in gone
            return not state.cut_offered or (step.do == "decline_cut" and late)
        if step.do == "show_cards":
            return self._watch.looked(table) > self.settings.clock
        if step.do == "inspect_device":  # it would say that a device works which somebody reported out of order
            device = state.devices.get(step.about)
            return device is None or device.state != "out_of_order"
        if step.do == "decide":
            return asked_offer(table) is None  # what is left is the dealer's to choose, or to close
        return step.do not in NEVER

    def _patience(self, table: Table, gone: Collection[str]) -> float:
        """Seconds for which more wagers are waited for: hardly any once all have laid who played the last round."""
        laid = {wager.player for wager in table.state.placed}
        playing = {name for name, player in table.state.players.items() if player.wagered}
        return READY if laid >= playing - barred_players(table) - set(gone) else self.settings.patience

    def _says(self, table: Table, do: str) -> dict[str, str]:
        """What the procedure leaves open: the chips of the rack, and what the clock decided for somebody."""
        if do == "open_table":
            return {"inventory": counted_rack(table.state)}
        if do == "decline_cut":
            return {ABSENT: f"the clock declines the cut for {table.state.cut_offered}"}
        if do == "show_cards" and (looks := looking(table)) is not None:
            seconds = int(self._watch.looked(table))
            return {ABSENT: f"the clock ends the look at the cards: {looks[0]} has had {seconds} s"}
        return {}

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
        if self._alone and (looks := looking(table)) is not None:
            at = first_box(state, looks[0])
            yield Clock("look", looks[:1], at, self.settings.clock, self.settings.clock - self._watch.looked(table))
        if self._alone and any(step.do == "deal" for step in self._live.steps):
            yield self._wagers(table)
        for name, left in self._absent.left(table, self._waits, self.settings.absence):
            yield Clock("absence", (name,), first_box(state, name), self.settings.absence, left)

    def _wagers(self, table: Table) -> Clock:
        """The time in which others may still lay their wagers."""
        gone = self._live.presence.gone(table)
        patience = self._patience(table, gone)
        left = min(patience - self._watch.unchanged(table), LAID - self._watch.oldest(table))
        done = {wager.player for wager in table.state.placed} | barred_players(table) | gone
        others = tuple(name for name in table.state.players if name not in done)
        return Clock("wagers", others, None, patience, left)

    @property
    def _waits(self) -> bool:
        """Whether the table waits for players, so that their absence counts: not while it could not deal to them."""
        could = _takes_wagers(self._live) and not self._live.runner.table.state.stopped
        return could and any(step.do in WAITS for step in self._live.steps)


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


def _takes_wagers(live: LiveTable) -> bool:
    """Whether the house takes wagers at a table now, and deals rounds."""
    try:
        live.gate(live.runner.table, Command("place_wager", "player", ""))
    except Refused:
        return False
    return not live.stops


def left_closed(live: LiveTable) -> bool:
    """Whether a person closed a table: then only a person opens it again."""
    closed = live.runner.table.state.phase == "closed"
    return closed and any(line.kind == "table_closed" for line in live.lines_after(0))


def _for_absent(table: Table, gone: Collection[str] | None = None) -> Chosen | None:
    """Stand or decline for a player who does not answer, or for one who is gone; the record says who decided."""
    need = asked_offer(table)
    options = [option for option in need.options if gone is None or option.player in gone] if need is not None else []
    if need is None or not options:
        return None
    first, who = options[0], "{0}" if gone is None else "{0}, who is gone"
    if need.optional:
        says = f"the decision clock declines for {who.format(first.player)}"
        return "decide", "player", first.player, {"action": "decline", "box": first.box, ABSENT: says}
    option = next((one for one in options if one.action == "stand"), first)
    says = f"the decision clock decides for {who.format(option.player)}: {option.action}"
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
        """Seconds since the round or the agenda last changed; of an offer, since it was made, or could be answered."""
        state = table.state
        asked = state.round and _asked_at(state.round)
        return self._since("asked", (state.phase, asked, state.agenda, state.cut_offered, state.stopped))

    def looked(self, table: Table) -> float:
        """Seconds for which the player who came first has looked at the cards that lie spread for him."""
        return self._since("look", looking(table))

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
