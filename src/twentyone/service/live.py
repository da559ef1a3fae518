"""One table that is being played: commands go in one after the other, everybody who listens is told."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from twentyone.errors import Refused
from twentyone.ledger.rows import Appended, Batch, StaleVersion, StoredEvent
from twentyone.ledger.runner import Answer, Runner
from twentyone.ledger.store import Store
from twentyone.service.lines import StoryLine, lines
from twentyone.service.people import Person
from twentyone.service.view_cache import ViewCache, frame, log_text
from twentyone.table import Command, NextStep, TableEvent

__all__ = ["CommandRequest", "LiveTable"]

REMEMBERED = 400
"""Lines of the story kept at hand."""

BY_HAND = "shuffled by hand"
"""Stands for the commitment to an order that nobody knows."""
SHUFFLES = ("shuffle", "reload_rack")

Submit = Callable[[Batch], Awaitable[Appended]]
"""Stores a batch; done when it is on the disk."""
Note = Callable[[Iterable[StoredEvent]], None]
"""Is told every stored event of a table, once or again."""


class CommandRequest(NamedTuple):
    """A command that somebody gives."""

    do: str
    """Which."""
    args: Mapping[str, Any]
    """What it names."""
    key: str
    """Its idempotency key."""
    version: int | None = None
    """The version it was made on; none: whatever the table is at."""


class LiveTable:
    """A table, its story and its listeners, in one process."""

    def __init__(
        self, name: str, runner: Runner, store: Store, submit: Submit, clock: Callable[[], int], note: Note
    ) -> None:
        self.name = name
        """The stream, and the table's address."""
        self.runner = runner
        """The table itself."""
        self._ledger, self._submit, self._clock, self._note = store, submit, clock, note
        self._lock = asyncio.Lock()
        self._story: deque[StoryLine] = deque(maxlen=REMEMBERED)
        self._listeners: set[asyncio.Event] = set()
        self._view_cache: ViewCache | None = None
        self._news: tuple[tuple[int, int], bytes, int] | None = None
        self._steps: tuple[NextStep, ...] = ()
        self._asked: tuple[int, int] | None = None
        self._story_version = self._rung_version = 0

    @property
    def version(self) -> int:
        """The version of the stream."""
        return self.runner.version

    @property
    def entered(self) -> bool:
        """Whether a person enters the cards of a real shoe."""
        return bool(self.runner.created["cards"] == "person")

    @property
    def left_closed(self) -> bool:
        """Whether somebody closed the table: then only people open it again."""
        return self.runner.table.state.phase == "closed" and any(line.kind == "table_closed" for line in self._story)

    async def give(self, request: CommandRequest, role: str, by: str) -> Answer:
        """Carry out a command in a role; refused or stored, never in between."""
        args = {"commitment": BY_HAND, **request.args} if self.entered and request.do in SHUFFLES else request.args
        command = Command(request.do, role, by, args=args)
        async with self._lock:
            try:
                return await self._store(command, request)
            except (StaleVersion, Refused) as wrong:
                if request.version is not None or not self._behind(wrong):
                    raise
                return await self._store(command, request)
            finally:
                self._publish()

    def _behind(self, wrong: Exception) -> bool:
        """Whether a command was judged at a table that another process had moved on; it is followed then."""
        if isinstance(wrong, StaleVersion):
            return True
        behind = self._ledger.version(self.name) > self.version
        if behind:
            self.runner.catch_up()
        return behind

    async def _store(self, command: Command, request: CommandRequest) -> Answer:
        """Apply in memory, store, take over; what others stored meanwhile is followed by the runner."""
        prepared = self.runner.prepare(command, request.key, request.version)
        if isinstance(prepared, Answer):
            return prepared
        try:
            outcome: Appended | Exception = await self._submit(prepared.batch)
        except Exception as wrong:
            outcome = wrong
        answer = self.runner.finish(prepared, outcome)
        if answer.events[0].ver == self._story_version + 1:
            ours = self.runner.table is prepared.table
            self._add(answer.events, prepared.table.new_events if ours else ())
        return answer

    def _add(self, events: Iterable[StoredEvent], happened: Iterable[TableEvent] = ()) -> None:
        new = tuple(events)
        self._note(new)
        self._story.extend(lines(new, happened))
        self._story_version = self.version

    def _publish(self) -> None:
        """Ring, where the table moved on; what other processes wrote is read from the ledger."""
        if self._story_version < self.version:
            self._add(self._ledger.read(self.name, self._story_version))
        if self._rung_version < self.version:
            self._rung_version = self.version
            self._ring()

    def _ring(self) -> None:
        for bell in self._listeners:
            bell.set()

    # -- other processes

    async def catch_up(self) -> None:
        """Take over what other processes have stored."""
        async with self._lock:
            self.runner.catch_up()
            self._publish()

    def remember(self, events: int = 300) -> None:
        """Fill the story from the ledger: after a start."""
        self._add(self._ledger.read(self.name, max(0, self.version - events)))
        self._rung_version = self._story_version

    # -- who looks

    def lines_after(self, number: int) -> list[StoryLine]:
        """The lines of the story after a number."""
        news: list[StoryLine] = []
        for line in reversed(self._story):
            if line.n <= number:
                break
            news.append(line)
        return news[::-1]

    @property
    def steps(self) -> tuple[NextStep, ...]:
        """What the procedure asks now: by what stands on the table, and by the time (new cards, an inspection)."""
        asked = (self.version, self._clock())
        if asked != self._asked:
            self._steps = self.runner.table.next_steps(at=asked[1])
            self._asked = asked
        return self._steps

    @property
    def view_cache(self) -> ViewCache:
        """The table as it stands, for those who look."""
        cache, steps = self._view_cache, self.steps
        if cache is None or (cache.version, cache.steps) != (self.version, steps):
            cache = self._view_cache = ViewCache(self.name, self.runner.table, self.version, steps, self.entered)
        return cache

    def look_at_clock(self) -> None:
        """Ring, where nothing happened and the time alone asks for something else than those who look have seen."""
        seen = self._view_cache
        if seen is not None and seen.version == self.version and self.view_cache is not seen:
            self._ring()

    def frame(self, person: Person, after: int) -> tuple[str, int]:
        """What a listener is sent who has heard the story up to a number; and the number he has heard it to then."""
        log, heard = self._news_after(after)
        return frame(self.view_cache.text(person), log), heard

    def _news_after(self, number: int) -> tuple[bytes, int]:
        """The lines after a number in JSON, and the last one's number; most listeners have heard the same lines."""
        if self._news is None or self._news[0] != (number, self._story_version):
            new = self.lines_after(number)
            self._news = (number, self._story_version), log_text(new), new[-1].n if new else number
        return self._news[1], self._news[2]

    @contextmanager
    def listening(self) -> Iterator[asyncio.Event]:
        """A bell that rings whenever the table moves on, as long as somebody listens."""
        bell = asyncio.Event()
        self._listeners.add(bell)
        try:
            yield bell
        finally:
            self._listeners.discard(bell)
