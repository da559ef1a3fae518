"""One live table: commands are carried out one after the other, all listeners are notified."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from twentyone.errors import Refused
from twentyone.ledger.codec import LAW_BEGUN
from twentyone.ledger.rows import Appended, Batch, StaleVersion, StoredEvent, Superseded
from twentyone.ledger.runner import Answer, Runner
from twentyone.ledger.store import Store
from twentyone.service.attendance import Presence
from twentyone.service.last_round import LastRounds
from twentyone.service.lines import StoryLine, lines
from twentyone.service.people import Person
from twentyone.service.stops import Stops
from twentyone.service.story import Story
from twentyone.service.view_cache import ViewCache, frame, log_text
from twentyone.table import Command, NextStep, Table, TableEvent

__all__ = ["CommandRequest", "LiveTable"]

LOG = logging.getLogger("twentyone.service")
BY_HAND = "shuffled by hand"
"""Replaces the commitment if nobody knows the order of the cards."""
SHUFFLES = ("shuffle", "reload_rack")

Submit = Callable[[Batch], Awaitable[Appended]]
"""Stores a batch; done when it is on the disk."""
OTHERS = 8
"""So often another process may be quicker before a command that is meant for any version is told of it."""


class CommandRequest(NamedTuple):
    """A command as a person or the service gives it."""

    do: str
    """The name of the command."""
    args: Mapping[str, Any]
    """Its arguments."""
    key: str
    """Its idempotency key."""
    version: int | None = None
    """The version of the table that it was made for; none: any version."""


class LiveTable:
    """A table, its story and its listeners, in one process."""

    def __init__(self, name: str, runner: Runner, store: Store, submit: Submit, clock: Callable[[], int]) -> None:
        self.name = name
        """The name of the stream and of the table."""
        self.runner = runner
        """The table itself."""
        self.dealers: Callable[[], Sequence[str]] = tuple
        """Who can be called to deal here."""
        self.stops = Stops()
        """Why no further round is dealt."""
        self.last_rounds = LastRounds()
        """The last round of everybody here."""
        self.presence = Presence()
        """Who is there."""
        self.tempo: Callable[[Person], Mapping[str, Any]] = lambda _: {}
        """What a person is told of time: clocks and paces."""
        self.moved = False
        """Whether another process leads the table by now."""
        self.gate: Callable[[Table, Command], None] = lambda *_: None
        """Refuses what the house does not take now, before it is stored."""
        self._ledger, self._submit, self._clock = store, submit, clock
        self.at_rest = asyncio.Lock()
        """Held while a command is carried out."""
        self._story = Story()
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

    async def give(self, request: CommandRequest, role: str, by: str) -> Answer:
        """Carry out a command in a role; refused or stored, never in between."""
        args = {"commitment": BY_HAND, **request.args} if self.entered and request.do in SHUFFLES else request.args
        command = Command(request.do, role, by, args=args)
        async with self.at_rest:
            try:
                for _ in range(OTHERS):
                    try:
                        return await self._store(command, request)
                    except (StaleVersion, Refused) as wrong:
                        if request.version is not None or not self._behind(wrong):
                            raise
                return await self._store(command, request)
            finally:
                self._publish()

    async def give_next(self, choose: Callable[[], tuple[CommandRequest, str, str] | None]) -> Answer | None:
        """Choose a command, its role and its giver by the table as it is then, and carry it out.

        Nobody's command comes between, so that whoever follows the procedure gets his turn among many.
        """
        async with self.at_rest:
            chosen = choose()
            if chosen is None:
                return None
            request, role, by = chosen
            try:
                return await self._store(Command(request.do, role, by, args=request.args), request)
            finally:
                self._publish()

    def _behind(self, wrong: Exception) -> bool:
        """Whether another process had changed the table before the command was judged; if so, catch up."""
        if isinstance(wrong, StaleVersion):
            return True
        behind = self._ledger.version(self.name) > self.version
        if behind:
            self.runner.catch_up()
        return behind

    async def _store(self, command: Command, request: CommandRequest) -> Answer:
        """Apply in memory, store, finish; the runner applies what others stored in the meantime."""
        if self.moved:
            raise Superseded(self.name)
        self._ledger.check_open()
        self.stops.check(command.do)
        self._heed(command, request.key)
        prepared = self.runner.prepare(command, request.key, request.version)
        if isinstance(prepared, Answer):
            return prepared
        try:
            outcome: Appended | Exception = await self._submit(prepared.batch)
        except Exception as wrong:
            outcome = wrong
        answer = self.runner.finish(prepared, outcome)
        if not self.runner.stopped and answer.events[0].ver == self._story_version + 1:
            ours = self.runner.table is prepared.table
            self._add(answer.events, prepared.table.new_events if ours else ())
        return answer

    def _heed(self, command: Command, key: str) -> None:
        """Refuse what the house does not take now; what it took before is answered as it was."""
        try:
            self.gate(self.runner.table, command)
        except Refused:
            if self._ledger.find_key(key) is None:
                raise

    def _add(self, events: Iterable[StoredEvent], happened: Iterable[TableEvent] = ()) -> None:
        self._story.extend(lines(events, happened))
        self._story_version = self.version

    def _publish(self) -> None:
        """Ring if the table changed; what fails here must not turn the answer to a stored command into an error."""
        if not self.runner.stopped:
            try:
                self._tell()
            except Exception as fault:
                LOG.error("the story of %s: %s", self.name, type(fault).__name__)

    def _tell(self) -> None:
        """What other processes wrote is read from the ledger."""
        if self._story_version < self.version:
            self._read(self._story_version)
        self.last_rounds.note(self.runner.table.state)
        if self._rung_version < self.version:
            self._rung_version = self.version
            self._ring()

    def _ring(self) -> None:
        for bell in self._listeners:
            bell.set()

    # -- other processes, and a ledger that failed

    async def catch_up(self, version: int) -> None:
        """Apply what others have stored up to a version; a command of our own is waited for first.

        Where the ledger failed in the middle of one, and answers again, the table is read anew: so it is known.
        """
        async with self.at_rest:
            if self.runner.comes_back:
                await asyncio.to_thread(self.runner.load)
                self._rung_version = 0
            elif version > self.version:
                self.runner.catch_up()
            else:
                return
            self._publish()

    def remember(self, events: int = 300) -> None:
        """Fill the story from the ledger after a start."""
        self._read(max(0, self.version - events))
        self.last_rounds.note(self.runner.table.state)
        self._rung_version = self._story_version

    def _read(self, after: int) -> None:
        """What the ledger has after a version: the story, and the rounds that ended."""
        stored = list(self._ledger.read(self.name, after))
        self._add(stored)
        begins = max((event.ver for event in stored if event.type == LAW_BEGUN), default=0)
        self.last_rounds.read(self.runner.table.rules, [event for event in stored if event.ver > begins])

    # -- listeners

    def lines_after(self, number: int) -> list[StoryLine]:
        """The lines of the story after a number."""
        return self._story.after(number)

    @property
    def steps(self) -> tuple[NextStep, ...]:
        """What the procedure asks now: by the state of the table and by the time (new cards, an inspection)."""
        asked = (self.version, self._clock())
        if asked != self._asked:
            self._steps = self.runner.table.next_steps(at=asked[1])
            self._asked = asked
        return self._steps

    @property
    def view_cache(self) -> ViewCache:
        """The current table, for everybody who looks at it."""
        cache, steps = self._view_cache, self.steps
        if cache is None or (cache.version, cache.steps) != (self.version, steps):
            sealed = self.runner.custody.wheel
            wheel = sealed.commitment if sealed is not None else ""
            cache = self._view_cache = ViewCache(
                self.name,
                self.runner.table,
                self.version,
                steps,
                self.entered,
                self.dealers,
                wheel,
                self.last_rounds,
                self.tempo,
            )
        return cache

    def look_at_clock(self, changed: bool = False) -> None:
        """Ring if the procedure asks for something else since time has passed, or if the clocks were changed."""
        seen = self._view_cache
        if changed or (seen is not None and seen.version == self.version and self.view_cache is not seen):
            self._ring()

    def frame(self, person: Person, after: int) -> tuple[str, int]:
        """The message for a listener who knows the story up to a number, and the number he knows it to afterwards."""
        log, heard = self._news_after(after)
        return frame(self.view_cache.text(person), log), heard

    def _news_after(self, number: int) -> tuple[bytes, int]:
        """The lines after a number in JSON, and the number of the last; most listeners know the same lines."""
        if self._news is None or self._news[0] != (number, self._story_version):
            new = self.lines_after(number)
            self._news = (number, self._story_version), log_text(new), new[-1].n if new else number
        return self._news[1], self._news[2]

    @contextmanager
    def listening(self) -> Iterator[asyncio.Event]:
        """An event that is set whenever the table changes, for as long as somebody listens."""
        bell = asyncio.Event()
        self._listeners.add(bell)
        try:
            yield bell
        finally:
            self._listeners.discard(bell)
