"""One table that is being played: commands go in one after the other, everybody who listens is told."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from twentyone.ledger.rows import Appended, Batch, StaleVersion
from twentyone.ledger.runner import Answer, Runner
from twentyone.ledger.store import Store
from twentyone.service.catalogue import actions, fields
from twentyone.service.lines import Line, lines
from twentyone.service.people import Person
from twentyone.service.view import table_view
from twentyone.table import Command

__all__ = ["Given", "LiveTable", "Push"]

REMEMBERED = 400
"""Lines of the story kept at hand."""

BY_HAND = "shuffled by hand"
"""Stands for the commitment to an order that nobody knows."""
SHUFFLES = ("shuffle", "reload_rack")

Submit = Callable[[Batch], Awaitable[Appended]]
"""Stores a batch; done when it is on the disk."""


class Given(NamedTuple):
    """A command that somebody gives."""

    do: str
    """Which."""
    args: Mapping[str, Any]
    """What it names."""
    key: str
    """Its idempotency key."""
    version: int | None = None
    """The version it was made on; none: whatever the table is at."""


class Push(NamedTuple):
    """What listeners are told: the table moved on."""

    version: int
    """To this version."""
    lines: tuple[Line, ...]
    """And this happened."""


class LiveTable:
    """A table, its story and its listeners, in one process."""

    def __init__(self, name: str, runner: Runner, store: Store, submit: Submit) -> None:
        self.name = name
        """The stream, and the table's address."""
        self.runner = runner
        """The table itself."""
        self._ledger, self._submit = store, submit
        self._lock = asyncio.Lock()
        self._story: deque[Line] = deque(maxlen=REMEMBERED)
        self._listeners: set[asyncio.Queue[Push]] = set()

    @property
    def version(self) -> int:
        """The version of the stream."""
        return self.runner.version

    @property
    def entered(self) -> bool:
        """Whether a person enters the cards of a real shoe."""
        return bool(self.runner.created["cards"] == "person")

    async def give(self, given: Given, role: str, by: str) -> Answer:
        """Carry out a command in a role; refused or stored, never in between."""
        args = {"commitment": BY_HAND, **given.args} if self.entered and given.do in SHUFFLES else given.args
        command = Command(given.do, role, by, args=args)
        async with self._lock:
            try:
                answer = await self._store(command, given)
            except StaleVersion:
                self.catch_up()
                if given.version is not None:
                    raise
                answer = await self._store(command, given)
            self._tell(answer)
        return answer

    async def _store(self, command: Command, given: Given) -> Answer:
        prepared = self.runner.prepare(command, given.key, given.version)
        if isinstance(prepared, Answer):
            return prepared
        try:
            outcome: Appended | Exception = await self._submit(prepared.batch)
        except Exception as wrong:
            outcome = wrong
        return self.runner.finish(prepared, outcome)

    def _tell(self, answer: Answer) -> None:
        new = tuple(line for line in lines(answer.events) if not self._story or line.n > self._story[-1].n)
        self._story.extend(new)
        self._push(Push(self.version, new))

    def _push(self, push: Push) -> None:
        for queue in self._listeners:
            queue.put_nowait(push)

    # -- other processes

    def catch_up(self) -> None:
        """Take over what other processes have stored."""
        before = self.runner.version
        self.runner.load()
        if self.runner.version > before:
            new = tuple(lines(self._ledger.read(self.name, before)))
            self._story.extend(new)
            self._push(Push(self.version, new))

    def remember(self, events: int = 300) -> None:
        """Fill the story from the ledger: after a start."""
        self._story.extend(lines(self._ledger.read(self.name, max(0, self.version - events))))

    # -- who looks

    def story(self, after: int = 0) -> list[dict[str, Any]]:
        """The lines after a number."""
        return [line._asdict() for line in self._story if line.n > after]

    def seen_by(self, person: Person) -> dict[str, Any]:
        """The table as a person may see it, with what he can do where he is staff."""
        table, role = self.runner.table, person.at_table
        view = {"table": self.name, **table_view(table, self.version, role, person.name)}
        if role in ("dealer", "floorperson", "operator"):
            view["actions"] = actions(table, role, self.entered)
            view["fields"] = {step.do: fields(table.rules, step.do, self.entered) for step in table.next_steps()}
        return view

    def listen(self) -> asyncio.Queue[Push]:
        """A queue that every push goes into."""
        queue: asyncio.Queue[Push] = asyncio.Queue()
        self._listeners.add(queue)
        return queue

    def leave(self, queue: asyncio.Queue[Push]) -> None:
        """Push no more into this queue."""
        self._listeners.discard(queue)
