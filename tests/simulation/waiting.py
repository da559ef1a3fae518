"""A day at a table of automatic staff, from one seed: players leave, stop answering, lose their connection, are barred,
refuse cards; a floorperson reports irregularities and devices at any moment. Who waits longer than the clock says?

    faults = WaitingDay("pa-spanish-21", 7).run()

Time is the simulation's own, and so is the loop that waits for it; table, runner, store, live table and staff are the
real ones. Beside them an observer looks at the table four times a second, and keeps books of its own: who is there, who
is asked since when, which device is broken.
"""

from __future__ import annotations

import asyncio
import logging
import selectors
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from tests.contracts.runner_driver import KEYRING, seeded_source
from tests.property.chance import random_rules
from tests.simulation.disk import empty_database, open_on
from twentyone.errors import Refused
from twentyone.ledger.codec import COMMAND, read_body
from twentyone.ledger.rows import Appended, Batch
from twentyone.ledger.runner import Runner
from twentyone.round import Offer, Option
from twentyone.rulebook import Rulebook
from twentyone.rulebook.clauses import Device
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.paces import Settings
from twentyone.service.people import Person
from twentyone.service.shift.mishaps import of_round
from twentyone.service.staff import LAID, Staff
from twentyone.table import Table
from twentyone.table.card_devices import is_barred
from twentyone.table.fallback_rules import game_stopped, rules_in_force
from twentyone.table.model import TableState
from twentyone.table.play import ABSENT

__all__ = ["WaitingDay"]

BEGINS = 1_767_254_400
LASTS = 240.0
"""Seconds of a day."""
CLOCK, PATIENCE, ABSENCE, GONE = 10.0, 3.0, 40.0, 5.0
"""The clocks of the table: for decisions and looks, for more wagers, for a box that nobody plays, for who is gone."""
MORE = 2.0
"""Seconds that anybody may wait beyond the clock."""
LOOKS = 0.25
"""Seconds between two looks of the observer."""
FREE = "the box is free again"
ANSWERS = ("DecisionTaken", "Declined", "InsuranceTaken", "OfferDeclined")
"""Events of a round by which somebody answers."""
MOODS = ("plays", "plays", "plays", "silent", "gone", "leaves")
NAMES = ("Ann", "Bob", "Cy", "Dot")


class _NothingComes(selectors.SelectSelector):
    """A selector that lets the time of its loop pass instead of waiting."""

    loop: Loop

    def select(self, timeout: float | None = None) -> list[Any]:
        assert timeout is not None, "everybody waits for ever"
        self.loop.now += max(timeout, 0.0)
        return []


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose clock is its own: it sleeps through every wait at once."""

    def __init__(self) -> None:
        self.now = 1_000.0
        selector = _NothingComes()
        super().__init__(selector)
        selector.loop = self

    def time(self) -> float:
        return self.now


class _Faults(logging.Handler):
    """What the staff logs is a fault."""

    def __init__(self, found: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._found = found

    def emit(self, record: logging.LogRecord) -> None:
        self._found.append(f"broke: {record.getMessage()}")


class WaitingDay:
    """A table, its automatic staff, and people of whom nobody knows what they do next."""

    def __init__(self, book: str, seed: int) -> None:
        self.rng = Random(f"waiting {book} {seed}")
        rulebook, rules = Rulebook.load(book), None
        while rules is None:
            with suppress(Refused):
                rules = Table.new(random_rules(rulebook, self.rng)).rules
        self.counts = Counter[str]()
        """What happened."""
        self._found: list[str] = []
        self._stops = self._heard = 0
        self._excluded, self._there = set[str](), set[str]()
        self._loop = Loop()
        self._store = open_on(empty_database())
        runner = Runner(self._store, "one", KEYRING, seeded_source(seed), self._wall, 10_000)
        runner.create(rules, for_play=False)
        self.live = LiveTable("one", runner, self._store, self._submit, self._wall)
        self._keys, self._connections = 0, dict[str, AbstractContextManager[None]]()
        self._moods = dict.fromkeys(NAMES[: self.rng.randint(2, len(NAMES))], "plays")

    def _wall(self) -> int:
        return BEGINS + int(self._loop.now)

    async def _submit(self, batch: Batch) -> Appended:
        outcome = self._store.append_many([batch])[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def run(self) -> list[str]:
        """Play the day; everything that was wrong with it."""
        handler = _Faults(self._found)
        logger = logging.getLogger("twentyone.service.staff")
        logger.addHandler(handler)
        try:
            with _at_the_time_of(self._loop):
                self._loop.run_until_complete(self._day())
        except AssertionError as wrong:
            self._found.append(str(wrong))
        finally:
            logger.removeHandler(handler)
            self._loop.close()
        self._read_record()
        return self._found

    async def _day(self) -> None:
        pace = self.rng.choice(("slow", "normal", "fast"))
        staff = Staff(self.live, Settings(pace, CLOCK, PATIENCE, ABSENCE))
        self.live.tempo = staff.tempo
        works: list[Coroutine[Any, Any, None]] = [staff.work(), self._floor(), self._observe()]
        tasks = [asyncio.ensure_future(work) for work in (*works, *map(self._person, self._moods))]
        await asyncio.sleep(LASTS)
        for task in tasks:
            assert not task.done(), f"somebody's task ended: {task}"
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def _state(self) -> TableState:
        return self.live.runner.table.state

    async def _give(self, do: str, role: str, by: str, **args: Any) -> bool:
        """A command; the text may refuse it."""
        self._keys += 1
        if role == "player":
            self.live.presence.heard(by)
        try:
            await self.live.give(CommandRequest(do, args, f"{by}-{self._keys}"), role, by)
        except Refused:
            return False
        self.counts[do] += 1
        return True

    # -- players

    async def _person(self, name: str) -> None:
        """A player: each of his moods lasts a while."""
        rng = Random(f"{name} {self.rng.random()}")
        await asyncio.sleep(rng.uniform(0, 20))
        while True:
            mood = self._moods[name] = rng.choice(MOODS)
            self._connect(name, mood != "gone")
            ends = self._loop.now + rng.uniform(5, 60)
            if mood == "leaves":
                await self._give("leave", "player", name)
            while self._loop.now < ends:
                await asyncio.sleep(rng.uniform(0.1, 4))
                if mood == "plays":
                    await self._act(name, rng)

    def _connect(self, name: str, on: bool) -> None:
        if on and name not in self._connections:
            self._connections[name] = self.live.presence.connected(name)
            self._connections[name].__enter__()
        elif not on and name in self._connections:
            self._connections.pop(name).__exit__(None, None, None)

    async def _act(self, name: str, rng: Random) -> None:
        """Something that a player does who plays."""
        state, round_ = self._state, self._state.round
        need = round_.next if round_ is not None and state.phase == "round" else None
        mine = [option for option in need.options if option.player == name] if isinstance(need, Offer) else []
        if name not in state.players:
            boxes = [rng.randint(1, self.live.runner.table.rules.boxes)]
            if await self._give("sit", "player", name, boxes=boxes):
                await self._give("buy_in", "dealer", state.dealer or "", player=name, amount="500")
        elif mine and isinstance(need, Offer):
            if need.optional and rng.random() < 0.4:
                await self._give("decide", "player", name, action="decline", box=mine[0].box)
            else:
                await self._give("decide", "player", name, **_said(rng.choice(mine)))
        elif state.cut_offered == name:
            await self._give("decline_cut", "player", name)
        elif rng.random() < 0.3:
            do = rng.choice(("have_looked", "ask_face_up", "ask_batch_spread", "make_ready", "ask_burn_card"))
            await self._give(do, "player", name)
        elif state.phase == "open" and not state.agenda:
            await self._wager(name, rng)

    async def _wager(self, name: str, rng: Random) -> None:
        """A wager on a box of his own, or behind somebody; now and then it is taken back."""
        state = self._state
        if any(wager.player == name for wager in state.placed) and rng.random() < 0.1:
            await self._give("take_back_wager", "player", name, box=rng.choice(state.placed).box)
            return
        others = [wager.box for wager in state.placed if wager.player != name]
        boxes = list(state.players[name].boxes) or others
        if not boxes or rng.random() < 0.3:
            boxes = others or boxes
        kinds = list(self.live.runner.table.rules.wagers)
        kind = "main" if rng.random() < 0.8 else rng.choice(kinds)
        for box in boxes[:1]:
            first = next((wager.player for wager in state.placed if wager.box == box), name)
            if first != name and first in self._connections:
                await self._give("consent", "player", first, box=box, player=name)
            amount = str(rng.choice((5, 10, 25, 50)))
            await self._give("place_wager", "player", name, box=box, wager=kind, amount=amount)

    # -- the floor

    async def _floor(self) -> None:
        """A floorperson reports what goes wrong, and a device again once it was seen to."""
        rng = Random(f"floor {self.rng.random()}")
        while True:
            await asyncio.sleep(rng.uniform(0.2, 3))
            state, round_ = self._state, self._state.round
            broken = [name for name, device in state.devices.items() if device.state != "working"]
            if broken and rng.random() < 0.15:
                await self._give("device_repaired", "floorperson", "Fay", device=rng.choice(broken))
            elif rng.random() < 0.03:
                names = [clause.name for clause in self.live.runner.table.rules.all(Device)]
                for name in names and [rng.choice(names)]:
                    await self._give("device_out_of_order", "floorperson", "Fay", device=name)
            elif rng.random() < 0.03:
                await self._give("reshuffle", "floorperson", "Fay")
            elif rng.random() < 0.02:
                await self._give("bar_mid_shoe_entry", "operator", "Oda", on=rng.random() < 0.7)
            elif state.phase == "round" and round_ is not None and rng.random() < 0.4:
                rules = rules_in_force(self.live.runner.table.rules, state)
                reports = [args for do, args in of_round(rules, round_) if do == "happened"]
                if reports:
                    args = rng.choice(reports)
                    if await self._give("happened", "floorperson", "Fay", **args):
                        self.counts[args["name"]] += 1

    # -- the observer

    async def _observe(self) -> None:
        since: dict[str, tuple[object, float]] = {}
        stopped = ""
        heard: dict[str, float] = {}
        while True:
            await asyncio.sleep(LOOKS)
            self.live.tempo(Person("", "player"))
            self._sent_away()
            self._stops, stopped = self._stops + (self._state.stopped != stopped), self._state.stopped
            for name in NAMES:
                if name in self._connections or name not in heard:
                    heard[name] = self._loop.now
            gone = {name: self._loop.now - at - GONE for name, at in heard.items() if self._loop.now - at > GONE}
            for what, moment, most in (*self._standing(), *self._asked(), *self._gone_boxes(gone)):
                began = since.setdefault(what, (moment, self._loop.now))
                if began[0] != moment:
                    since[what] = (moment, self._loop.now)
                elif (waited := self._loop.now - began[1]) > most + LOOKS and not most < 0:
                    asked = [f"{step.role} {step.do}" for step in self.live.steps]
                    told = f"{what}: {waited:.1f} s where {most:.0f} are the most"
                    self._found.append(f"{self._loop.now:.1f} {told}; asked: {asked}, {self._moods}")
                    since[what] = (moment, self._loop.now + LASTS)

    def _sent_away(self) -> None:
        """Nobody who is there is sent away as gone, and nobody for not playing who may not play."""
        lines = [line.says for line in self.live.lines_after(self._heard) if FREE in line.says]
        self._heard = max([self._heard, *(line.n for line in self.live.lines_after(self._heard))])
        for name, says in ((name, says) for says in lines for name in NAMES if says.startswith(name)):
            if name in self._there & self._connections.keys() and f"{name} is gone" in says:
                self._found.append(f"{self._loop.now:.1f} {says}: but {name} is connected")
            if name in self._excluded and "gone" not in says:
                self._found.append(f"{self._loop.now:.1f} {says}: but {name} is barred")
        self._excluded, self._there = self._barred(), set(self._connections)

    def _standing(self) -> Iterator[tuple[str, object, float]]:
        """How long nothing goes on, and how long it may."""
        state = self._state
        events = len(state.round.events) if state.round is not None else 0
        there = set(state.players) - self._barred()
        first = min((player.arrived for player in state.players.values()), default=0)
        seen = (state.phase, state.agenda, state.cut_offered, state.rounds, events, state.shoes, state.stopped)
        moment = (*seen, state.face_down, state.burn_asked, first, bool(there))
        most = CLOCK + MORE
        if not state.players or state.stopped or state.phase == "closed":
            most = LASTS
        elif state.placed:
            most = LAID + MORE + CLOCK
        elif state.phase == "open" and not state.agenda and there:
            most = LASTS  # each of those who are there may lay a wager; who does not, loses his box by the next clock
        elif state.phase == "idle":
            most = ABSENCE + MORE
        yield "the table stands still", moment, most
        lazy = state.phase == "open" and not state.agenda and not state.placed and not state.stopped
        for name in there:
            arrived = state.players[name].arrived
            yield f"{name} keeps his box", (lazy and name, state.rounds, arrived), ABSENCE + MORE if lazy else LASTS

    def _barred(self) -> set[str]:
        rules = rules_in_force(self.live.runner.table.rules, self._state)
        return {name for name, player in self._state.players.items() if is_barred(rules, player)}

    def _asked(self) -> Iterator[tuple[str, object, float]]:
        """Who is asked since when."""
        state, round_ = self._state, self._state.round
        need = round_.next if state.phase == "round" and round_ is not None else None
        stopped = game_stopped(self.live.runner.table.rules, state)
        asked = need.options if isinstance(need, Offer) and not stopped else ()
        if isinstance(need, Offer) and not stopped:
            assert round_ is not None
            told = [event for event in round_.events if round_.state.ask is None or not _is_answer(event)]
            yield "a decision", (state.rounds, need.kind, self._stops, len(told)), CLOCK + MORE
        for name in dict.fromkeys(option.player for option in asked):
            if name in NAMES:
                yield f"the answer of {name}", (state.rounds, self._stops, len(round_.events)), CLOCK + MORE  # type: ignore[union-attr]

    def _gone_boxes(self, gone: dict[str, float]) -> Iterator[tuple[str, object, float]]:
        """Nobody waits for who is gone, and nobody keeps a box who is."""
        state = self._state
        laid = {wager.player for wager in (*state.placed, *state.in_round)}
        for name in state.players:
            away = name in gone and name not in laid
            yield (
                f"{name}, who is gone, keeps his box",
                (away and state.players[name].arrived, state.rounds),
                CLOCK + MORE if away else LASTS,
            )
        offer = next((moment for what, moment, _ in self._asked() if what == "a decision"), None)
        need = state.round.next if state.round is not None else None
        options = need.options if isinstance(need, Offer) and offer is not None else ()
        waits = bool(options) and {option.player for option in options} <= gone.keys()
        yield "they wait for who is gone", (waits, offer), MORE if waits else LASTS

    # -- what the record says

    def _read_record(self) -> None:
        """What the automatic staff did, as the ledger has it: nothing that only a person can know."""
        broken: set[str] = set()
        for event in self._store.read("one"):
            if event.type == "device_reported":
                body = read_body(event)["data"]
                (broken.add if body["state"] == "out_of_order" else broken.discard)(body["device"])
            if event.type == "device_inspected" and (device := read_body(event)["data"]["device"]) in broken:
                self._found.append(f"the {device} is inspected, which somebody has reported out of order")
            if event.type != COMMAND:
                continue
            body = read_body(event)
            automatic = body["by"].startswith("Auto")
            if automatic:
                self.counts[f"auto {body['do']}"] += 1
                if (body["do"], body["args"].get("action")) in (("decide", "go_on"), ("decide", "call_dead")):
                    self.counts["dealer chose"] += 1
            if automatic and body["do"] == "device_repaired":
                self._found.append(f"the automatic staff says that the {body['args']['device']} works again")
            said = body["args"].get(ABSENT, "")
            if "has had" in said and int(said.split()[-2]) < CLOCK:
                self._found.append(f"too short a look: {said}")
            for word in ("is gone", "sat out", "not played", "declines", "decides for", "has had"):
                self.counts[word] += word in said


def _is_answer(event: object) -> bool:
    """Whether an event only says what one of several answered: the others have no more time for it."""
    return type(event).__name__ in ANSWERS


def _said(option: Option) -> dict[str, Any]:
    """An option as a player says it."""
    said: dict[str, Any] = {"action": option.action, "box": option.box}
    if option.least is not None:
        said["amount"] = str(option.least)
    if option.action == "designate":
        said["hand"] = option.hand
    return said


@contextmanager
def _at_the_time_of(loop: Loop) -> Iterator[None]:
    """Staff and attendance read the clock of a loop."""
    clock = SimpleNamespace(monotonic=loop.time)
    asyncio.set_event_loop(loop)
    try:
        with patch("twentyone.service.staff.time", clock), patch("twentyone.service.attendance.time", clock):
            yield
    finally:
        asyncio.set_event_loop(None)
