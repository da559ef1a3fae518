"""A house in one process: two servers on one database, clients who ask again, and everything that can go wrong.

    history = World(seed=7).run()

Clock, chance, database and bus are the simulation's own; tables, rounds, runners, live tables, views and the store are
the real ones. One seed is one run, step by step: the same seed plays it again. What comes out is plain data (answers,
frames, stored rows), for a checker that knows nothing of the engine (`checker.py`).
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from tests.contracts.runner_driver import KEYRING, seeded_source
from tests.simulation.disk import ROWS, empty_database, open_on
from tests.simulation.points import Points
from twentyone.errors import Refused, TwentyoneError
from twentyone.ledger.rows import Appended, Batch, KeyReused, StaleVersion
from twentyone.ledger.runner import Runner
from twentyone.ledger.sqlite import SqliteStore
from twentyone.rulebook import Rulebook, Rules
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.people import Person
from twentyone.service.shift.people import ShiftPeople
from twentyone.table import Command
from twentyone.table.health import Source

__all__ = ["BOOKS", "STEPS", "History", "World"]

BOOKS = ("pa-spanish-21", "md-spanish-21", "s13-spanish-21", "pa-double-back-jack", "pa-down-under-blackjack")
BEGINS = 1_767_254_400
TABLES, CLIENTS, NODES = ("one", "two"), 2, 2
BUSY = 3
"""Messages that arrive, and clients who may act, in one step."""
READY = 20
"""Ledgers that runs of one book begin with: one run in so many on the same."""
STEPS, QUIET = 200, 400
"""Steps of a run; and how many more it may take at most until everybody has an answer."""
PATIENCE = 12
"""Steps after which a client asks again, with the same key."""
LATE = 25
"""Steps that something late takes."""
RATE = Fraction(1, 40)
"""How often something irregular happens at a table."""
MISTRUST = 4
"""One look in so many is kept for the checker."""
HOUR, DAY = 3_600, 86_400


class History(NamedTuple):
    """What came out of a run; nothing in it is of the engine's types."""

    rows: list[tuple[Any, ...]]
    """The events as the database holds them at the end."""
    answers: list[dict[str, Any]]
    """What clients were answered, in the order in which they heard it."""
    frames: list[dict[str, Any]]
    """What listeners saw."""
    unanswered: list[str]
    """Keys of commands that nobody answered although nothing went wrong any more."""
    crashes: list[str]
    """What no process may do: raise anything that is no refusal."""
    fired: dict[str, int]
    """How often each fault point fired."""


class Client:
    """Somebody who gives commands at a table, one after the other, and asks again where no answer comes."""

    def __init__(self, name: str, table: str) -> None:
        self.name, self.table = name, table
        self.request: dict[str, Any] | None = None
        self.since = self.count = self.refusals = 0


class Node:
    """One server process: its store, its tables, what waits for the next commit."""

    def __init__(self, world: World, number: int) -> None:
        self.world, self.number = world, number
        self.rng = Random(f"entropy {world.seed} {number}")
        self.still = 0
        """Until which step it stands still."""
        self.births = 0
        self.tasks: set[asyncio.Task[None]] = set()
        self.die()

    def die(self) -> None:
        """Everything that was in memory is gone."""
        for task in list(getattr(self, "tasks", ())):
            task.cancel()
        self.tasks = set()
        self.queue: list[tuple[Batch, asyncio.Future[Appended]]] = []
        self.tables: dict[str, LiveTable] = {}
        self.store: SqliteStore | None = None

    @property
    def up(self) -> bool:
        return self.store is not None

    def start(self) -> None:
        """Open the ledger and load the tables; where that fails, it stays down."""
        self.store, self.births = open_on(self.world.raw, self.world.points), self.births + 1
        try:
            for name in TABLES:
                source = Source(self._bytes)
                runner = Runner(self.store, name, KEYRING, source, self.world.now, snapshot_every=30)
                runner.load()
                live = LiveTable(name, runner, self.store, self.submit, self.world.now)
                live.remember()
                self.tables[name] = live
        except Exception as failed:
            self.die()
            self.world.failed(self, "starts", failed)

    def _bytes(self, count: int) -> bytes:
        return bytes(count) if self.world.points.fires("entropy fails") else self.rng.randbytes(count)

    async def submit(self, batch: Batch) -> Appended:
        """Wait for the next commit."""
        future: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        self.queue.append((batch, future))
        return await future

    def commit(self) -> None:
        """Store what waits, all in one transaction; a database that fails ends the process."""
        assert self.store is not None
        waiting, self.queue = self.queue, []
        try:
            answers = self.world.store(self.store, [batch for batch, _ in waiting])
        except TwentyoneError as failed:
            for _, future in waiting:
                if not future.done():
                    future.set_exception(failed)
            self.world.ends.append(self)
            return
        if self.world.points.fires("process dies after a commit"):
            self.die()
            return
        for (batch, future), answer in zip(waiting, answers, strict=True):
            if not future.done():
                future.set_exception(answer) if isinstance(answer, Exception) else future.set_result(answer)
            self.world.call(self, batch.stream)

    def serve(self, request: dict[str, Any]) -> None:
        """Take a request; the answer goes out when it is there."""
        task = asyncio.get_running_loop().create_task(self._serve(request))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _serve(self, request: dict[str, Any]) -> None:
        asked = CommandRequest(request["do"], request["args"], request["key"], request["version"])
        answer: dict[str, Any] = {"key": request["key"], "client": request["client"], "table": request["table"]}
        try:
            done = await self.tables[request["table"]].give(asked, request["role"], request["by"])
            answer |= {"kind": "stored", "version": done.version, "hashes": [event.hash for event in done.events]}
        except (Refused, StaleVersion, KeyReused) as refused:
            answer |= {"kind": type(refused).__name__, "why": str(refused)}
        except Exception as failed:
            answer |= {"kind": "failed", "why": str(failed)}
            self.world.failed(self, request["do"], failed)
        self.world.answer(answer)


class World:
    """Everything, from one seed."""

    def __init__(self, seed: int, steps: int = STEPS, plant: Any = None) -> None:
        self.seed, self.steps, self.plant = seed, steps, plant
        self.rng, self.points = Random(f"world {seed}"), Points(seed)
        book = BOOKS[seed % len(BOOKS)]
        self.raw, self.rules = _database(book, seed // len(BOOKS) % READY), _rules(book)
        self.clock, self.step = BEGINS + DAY // 4, 0
        self.bus: list[tuple[int, Callable[[], None]]] = []
        """What is under way: from which step on it may arrive, and what happens then."""
        self.ends: list[Node] = []
        """Processes that must start again."""
        self.answers: list[dict[str, Any]] = []
        self.frames: list[dict[str, Any]] = []
        self.crashes: list[str] = []
        self.nodes = [Node(self, number) for number in range(NODES)]
        self.clients = [Client(f"{table} {n}", table) for table in TABLES for n in range(CLIENTS)]
        self.people = {name: ShiftPeople(self.rules, f"{seed} {name}", RATE, 1_000) for name in TABLES}

    def now(self) -> int:
        """The clock on the wall."""
        return self.clock

    # -- the bus

    def send(self, what: Callable[[], None], late: bool = False) -> None:
        """Put something on its way."""
        self.bus.append((self.step + (LATE if late else 0), what))

    def call(self, by: Node, table: str) -> None:
        """The database calls the other processes."""
        for node in self.nodes:
            if node is not by and not self.points.fires("call lost"):
                self.send(lambda node=node: self._called(node, table), self.points.fires("call late"))  # type: ignore[misc]

    def _called(self, node: Node, table: str) -> None:
        if node.up and table in node.tables:
            task = asyncio.get_running_loop().create_task(self._catch_up(node, table))
            node.tasks.add(task)
            task.add_done_callback(node.tasks.discard)

    async def _catch_up(self, node: Node, table: str) -> None:
        try:
            assert node.store is not None
            await node.tables[table].catch_up(node.store.version(table))
        except Exception as failed:
            self.failed(node, "catches up", failed)

    def failed(self, node: Node, what: str, failed: Exception) -> None:
        """A process must start again; one that did not refuse but broke is a fault."""
        self.ends.append(node)
        if not isinstance(failed, TwentyoneError):
            self.crashes.append(f"{what}: {type(failed).__name__}: {failed}")

    def answer(self, answer: dict[str, Any]) -> None:
        """An answer goes back to whoever asked."""
        if not self.points.fires("answer lost"):
            self.send(lambda: self._heard(answer))

    def _heard(self, answer: dict[str, Any]) -> None:
        client = next(one for one in self.clients if one.name == answer["client"])
        self.answers.append({**answer, "step": self.step})
        if client.request is None or client.request["key"] != answer["key"]:
            return
        if answer["kind"] == "failed":
            client.since = self.step - PATIENCE  # he asks again at once
            return
        client.refusals = 0 if answer["kind"] == "stored" else client.refusals + 1
        client.request = None

    # -- clients

    def act(self, client: Client) -> None:
        """Give the next command, or ask again."""
        if client.request is None:
            if self.points.quiet:
                return
            client.request = self._choose(client)
            if client.request is None:
                return
        elif self.step - client.since < PATIENCE:
            return
        client.since = self.step
        request, node = client.request, self.rng.choice(self.nodes)
        for _ in range(2 if self.points.fires("request twice") else 1):
            if not self.points.fires("request lost"):
                self.send(lambda: self._arrives(node, request), self.points.fires("request late"))

    def _arrives(self, node: Node, request: dict[str, Any]) -> None:
        if node.up and request["table"] in node.tables:
            node.serve(request)

    def _choose(self, client: Client) -> dict[str, Any] | None:
        """What somebody at this table does next, as he sees the table."""
        seen = [node.tables[client.table] for node in self.nodes if client.table in node.tables]
        if not seen:
            return None
        live = self.rng.choice(seen)
        if live.runner.stopped:
            return None
        people = self.people[client.table]
        try:
            found = list(islice(people.commands(live.runner.table, live.version, self.clock), 8))
        except Exception as broken:  # a table that a planted fault has led astray
            self.crashes.append(f"{client.table}: {type(broken).__name__}: {broken}")
            return None
        if not found:
            return None
        command: Command = found[client.refusals % len(found)]
        client.count += 1
        version = live.version if self.rng.random() < 0.7 else None
        known = {"client": client.name, "table": client.table, "key": f"{client.name} {client.count}"}
        asked = {"do": command.do, "role": command.role, "by": command.by, "args": dict(command.args)}
        return {**known, **asked, "version": version}

    # -- what happens

    def run(self) -> History:
        """Play the run to its end."""
        return asyncio.run(self._run())

    async def _run(self) -> History:
        for node in self.nodes:
            node.start()
        while self.step < self.steps:
            await self._one()
        self.points.quiet = True
        end = self.step + QUIET
        while self.step < end and (self.bus or any(client.request for client in self.clients)):
            await self._one()
        left = [client.request["key"] for client in self.clients if client.request]
        for node in self.nodes:
            node.die()
        await asyncio.sleep(0)
        rows = self.raw.execute(ROWS).fetchall()
        self.raw.close()
        fired = dict(self.points.fired)
        return History(rows, self.answers, self.frames, left, self.crashes, fired)

    async def _one(self) -> None:
        """One step: something arrives, somebody acts, something is stored; and what is meant to go wrong does."""
        self.step += 1
        self.clock += self.rng.randrange(3)
        self._misfortune()
        for _ in range(BUSY):
            ready = [place for place, (due, _) in enumerate(self.bus) if due <= self.step]
            if ready:
                self.bus.pop(self.rng.choice(ready))[1]()
            self.act(self.rng.choice(self.clients))
        await _settle()
        for node in self.nodes:
            if node.up and node.queue and node.still <= self.step and self.rng.random() < 0.8:
                node.commit()
        await _settle()
        if self.rng.randrange(MISTRUST) == 0:
            self._look()

    def _misfortune(self) -> None:
        for node in self.nodes:
            if node.up and self.points.fires("process dies"):
                node.die()
            if self.points.fires("process stands still"):
                node.still = self.step + LATE
        for node in self.ends:
            node.die()
        self.ends.clear()
        for node in self.nodes:
            if not node.up and node.still <= self.step and self.rng.random() < 0.3:
                node.start()
        if self.points.fires("clock goes back"):
            self.clock -= self.rng.randrange(HOUR)
        if self.points.fires("clock jumps ahead"):
            self.clock += self.rng.randrange(DAY)

    def _look(self) -> None:
        """Somebody looks at a table."""
        live = self.rng.choice([live for node in self.nodes for live in node.tables.values()] or [None])
        if live is None or live.runner.stopped:
            return
        who = self.rng.choice([Person("Ann", "player"), Person("Uma", "auditor"), Person("Dan", "dealer")])
        view = json.loads(live.frame(who, 1 << 62)[0])["view"]
        if self.plant is not None:
            view = self.plant.shown(view, live)
        self.frames.append({"table": live.name, "version": view["version"], "who": who.role, "cards": _cards_of(view)})

    def store(self, store: SqliteStore, batches: list[Batch]) -> list[Appended | Exception]:
        """Store a group; a planted fault may have its way with it."""
        return store.append_many(batches) if self.plant is None else self.plant.store(store, batches)


async def _settle() -> None:
    """Let every task go as far as it can."""
    for _ in range(8):
        await asyncio.sleep(0)


def _cards_of(view: dict[str, Any]) -> list[str]:
    """The cards of the round that a view names."""
    hands = [hand["cards"] for box in view["boxes"] for hand in box["hands"]]
    return [card for cards in (view["dealer"]["cards"] if view["dealer"] else [], *hands) for card in cards]


@cache
def _rules(book: str) -> Rules:
    return Rulebook.load(book).under({})


@cache
def _template(book: str, number: int) -> bytes:
    """A ledger with two tables that wait for wagers; in one of four, for their first shuffle."""
    raw, rules = empty_database(), _rules(book)
    store, until = open_on(raw), "shuffle" if number % 4 == 0 else "place_wager"
    for place, name in enumerate(TABLES):
        source = seeded_source(len(TABLES) * number + place)
        runner = Runner(store, name, KEYRING, source, lambda: BEGINS, 10_000)
        runner.create(rules, for_play=False)
        people = ShiftPeople(rules, f"template {number} {name}", Fraction(0), 1_000)
        while (command := next(people.commands(runner.table, runner.version, BEGINS))).do != until:
            runner.handle(command, f"template {name} {runner.version}")
    return raw.serialize()


def _database(book: str, number: int) -> sqlite3.Connection:
    raw = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    raw.deserialize(_template(book, number))
    return raw
