"""Long computations beside the tables: turns, limits for each person, progress, cancelling; answers are kept."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from twentyone.odds.cache import code_hash
from twentyone.service.job_turns import Turns
from twentyone.service.job_workers import COMMAND, GRACE, WorkerEnded, WorkerProcess
from twentyone.service.kept_answers import KeptAnswers
from twentyone.service.people import NotAllowed, Person
from twentyone.service.questions import KINDS, LEDGER, DeskQuestion, check_size, code_stamp

__all__ = ["DeskJob", "Jobs"]

QUEUES = tuple(dict.fromkeys(queue for queue, _ in KINDS.values()))
WORKERS = max(1, (os.cpu_count() or 1) // 4)
"""Worker processes of each queue."""
WAITING = 100
"""Questions of all people that may wait or be worked on."""
VISITOR = "visitor"
PER_PERSON = {VISITOR: 4, "player": 6}
STAFF = 20
"""Questions that one person may have waiting or worked on: of those two, and of everybody else."""
PER_PLACE, KEPT = 24, 20
"""Those of all visitors and players at one address, who can be as many as they like; places for staff alone."""
SLICE = 4.0
"""Seconds of play after which a simulation that can go on later lets others have their turn."""
PLAYED = "rounds"
"""What a simulation tells once it has played something that is kept."""
LONGEST = 600.0
"""Seconds that a computation may take for a visitor, in all its turns."""
TOO_LONG = "it took more than {} seconds, which is all that a visitor may have: ask for less, or log in"
IDLE = 180.0
"""Seconds after which an idle worker is ended: it gives back its memory."""
REMEMBERED = 200
"""Jobs that are over and still told of."""
ADMITTED = 5_000
"""Answers of which is remembered who may read them."""
OVER = ("done", "failed", "cancelled")


@dataclass
class DeskJob:
    """A question that somebody asked, and how far it is."""

    question: DeskQuestion
    """What was asked."""
    state: str = "waiting"
    """`waiting`, `running`, `done`, `failed` or `cancelled`."""
    told: dict[str, Any] = field(default_factory=dict)
    """What is known already: `share` of the work, and what its kind tells."""
    why: str = ""
    """Why it failed."""
    cite: str = ""
    """The paragraph that refuses it, if one does."""
    changes: int = 0
    """Grows with everything that is told."""
    people: set[str] = field(default_factory=set)
    """Who waits for it."""
    place: str = ""
    """The address from which a visitor or a player asked first; empty: staff did."""
    turn: str = ""
    """Whose turn it takes: all visitors and players at an address take one, and each of the staff another."""
    limit: float = 0.0
    """Seconds that it may take; 0: as many as it needs."""
    seconds: float = 0.0
    """Seconds that it has taken in its turns until now."""
    news: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    """Set with the next change."""

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in OVER

    def change(self, **values: Any) -> None:
        """Change something, and tell whoever waits for news."""
        for name, value in values.items():
            setattr(self, name, value)
        self.changes += 1
        self.news.set()
        self.news = asyncio.Event()


class Jobs:
    """The questions of all people of one server."""

    def __init__(
        self,
        where: Path | None = None,
        workers: int = WORKERS,
        command: tuple[str, ...] = COMMAND,
        slices: float = SLICE,
        longest: float = LONGEST,
    ) -> None:
        self._slice, self._longest = slices, longest
        self.answers = KeptAnswers(where)
        """What was worked out."""
        self._jobs: dict[str, DeskJob] = {}
        self._readers: dict[str, set[str]] = {}
        self._queues = {name: Turns[DeskJob]() for name in QUEUES}
        self._wake = {name: asyncio.Event() for name in QUEUES}
        self._working: dict[str, WorkerProcess] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._workers, self._command = workers, command

    def ask(self, question: DeskQuestion, person: Person, address: str = "") -> DeskJob:
        """The job of a question: the one that answers it already, or a new one, unless too many are his already."""
        self.admit(question.id, person)
        found = self.find(question.id)
        if found is not None and (found.state == "done" or not found.over):
            if not found.over:
                found.people.add(person.name)
                found.limit = found.limit if person.role == VISITOR else 0.0
            return found
        check_size(question, person.role)
        place = address if person.role in PER_PERSON else ""
        self._check_limits(person, place)
        limit = self._longest if person.role == VISITOR else 0.0
        job = DeskJob(question, people={person.name}, place=place, turn=place or person.name, limit=limit)
        self._jobs.pop(question.id, None)
        self._jobs[question.id] = job
        self._forget()
        self._queues[question.queue].add(job)
        self._begin()
        self._wake[question.queue].set()
        return job

    def admit(self, name: str, person: Person) -> None:
        """Somebody may read an answer: who asked for it, or may read the rounds that it is about."""
        readers = self._readers.pop(name, set())
        self._readers[name] = readers | {person.name}
        while len(self._readers) > ADMITTED:
            del self._readers[next(iter(self._readers))]

    def admits(self, name: str, person: Person) -> bool:
        """Whether somebody may read an answer; one that tells nothing of the ledger is for whoever has its name."""
        kept = self.answers.get(name)
        return kept is None or LEDGER not in kept.asked or person.name in self._readers.get(name, ())

    def find(self, name: str) -> DeskJob | None:
        """A job by the name of its question: one that is known here, or whose answer is kept."""
        job = self._jobs.get(name)
        if job is None and (kept := self.answers.get(name)) is not None:
            job = DeskJob(DeskQuestion(kept.kind, kept.asked, name), "done", {"share": 1.0})
        return job

    def ahead(self, job: DeskJob) -> int:
        """How many questions are answered before this one is begun."""
        return self._queues[job.question.queue].ahead(job)

    async def news(self, job: DeskJob, seen: int, seconds: float) -> None:
        """Wait until something changed since `seen`, but not longer."""
        if job.changes <= seen and not job.over:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(job.news.wait(), seconds)

    def cancel(self, job: DeskJob, person: Person) -> None:
        """One person waits no longer; the work stops when nobody does. What a simulation has is kept."""
        if person.name not in job.people:
            raise NotAllowed("only who asked may cancel it")
        job.people.discard(person.name)
        if job.people or job.over:
            return
        queue = self._queues[job.question.queue]
        if job in queue:
            queue.remove(job)
            job.change(state="cancelled")
        elif (worker := self._working.get(job.question.id)) is not None:
            self._end(job, worker)

    def make_ready(self) -> None:
        """Read the code that answers depend on, beside everything else: the first question would wait for it."""
        self._ready = asyncio.gather(asyncio.to_thread(code_hash), asyncio.to_thread(code_stamp))

    async def stop(self) -> None:
        """End with the server: workers keep their work."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _check_limits(self, person: Person, place: str) -> None:
        busy = [job for job in self._jobs.values() if not job.over]
        own, most = sum(person.name in job.people for job in busy), PER_PERSON.get(person.role, STAFF)
        if own >= most:
            raise NotAllowed(f"{own} computations of yours wait or run, and {most} are allowed: cancel one first", 429)
        if place and sum(job.place == place for job in busy) >= PER_PLACE:
            raise NotAllowed(f"{PER_PLACE} computations from your address wait or run: ask again later", 429, wait=30)
        if len(busy) >= WAITING - (KEPT if person.role in PER_PERSON else 0):
            raise NotAllowed(f"{len(busy)} computations wait or run already: ask again later", 429, wait=30)

    def _forget(self) -> None:
        over = [name for name, job in self._jobs.items() if job.over]
        for name in over[: max(0, len(over) - REMEMBERED)]:
            del self._jobs[name]

    def _begin(self) -> None:
        """Begin to work with the first question."""
        if not self._tasks:
            wanted = [name for name in QUEUES for _ in range(self._workers)]
            self._tasks = [asyncio.create_task(self._work(name)) for name in wanted]

    async def _work(self, name: str) -> None:
        """Answer the questions of a queue, one after the other, with one process."""
        worker = WorkerProcess(self._command)
        try:
            while True:
                job = await self._next(name, worker)
                await self._answer(job, worker)
        finally:
            await worker.stop()

    async def _next(self, name: str, worker: WorkerProcess) -> DeskJob:
        queue, wake = self._queues[name], self._wake[name]
        while not queue:
            wake.clear()
            try:
                await asyncio.wait_for(wake.wait(), IDLE)
            except TimeoutError:
                await worker.stop()
                await wake.wait()
        return queue.take()

    async def _answer(self, job: DeskJob, worker: WorkerProcess) -> None:
        question = job.question
        job.change(state="running")
        self._working[question.id] = worker
        line = {"id": question.id, "kind": question.kind, "asked": dict(question.asked)}
        try:
            async with self._timed(job, worker):
                said = await worker.ask(line | {"work": str(self.answers.work(question.id))}, self._told(job, worker))
        except WorkerEnded as ended:
            said = {"state": "failed", "why": str(ended), "cite": ""} if job.people else {"state": "cancelled"}
        finally:
            self._working.pop(question.id, None)
        if said["state"] == "done":
            await asyncio.to_thread(self.answers.keep, question, said["body"])
            job.told["share"] = 1.0
        elif job.people and job.limit and job.seconds >= job.limit:
            said = {"state": "failed", "why": TOO_LONG.format(round(job.limit)), "cite": ""}
        elif said["state"] == "cancelled" and job.people:
            job.change(state="waiting")
            self._queues[question.queue].add(job)
            return
        job.told |= said.get("told", {})
        job.change(state=said["state"], why=said.get("why", ""), cite=said.get("cite", ""))

    @contextlib.asynccontextmanager
    async def _timed(self, job: DeskJob, worker: WorkerProcess) -> AsyncIterator[None]:
        """Count the seconds of one turn; the work ends when it has taken all that it may."""
        loop = asyncio.get_running_loop()
        begun, end = loop.time(), None
        if job.limit:
            end = loop.call_later(job.limit - job.seconds, lambda: self._end(job, worker) if job.limit else None)
        try:
            yield
        finally:
            job.seconds += loop.time() - begun
            if end is not None:
                end.cancel()

    def _told(self, job: DeskJob, worker: WorkerProcess) -> Callable[[dict[str, Any]], None]:
        """What is told on the way; work that can go on later ends its turn when it is over and others wait."""
        loop, since, queue = asyncio.get_running_loop(), list[float](), self._queues[job.question.queue]

        def told(said: dict[str, Any]) -> None:
            job.told |= said
            job.change()
            if PLAYED in said and not since:
                since.append(loop.time())
            if len(since) == 1 and loop.time() - since[0] >= self._slice and queue.others(job.turn):
                since.append(0.0)
                worker.cancel(job.question.id)

        return told

    @staticmethod
    def _end(job: DeskJob, worker: WorkerProcess) -> None:
        """Let the work be kept, then end it."""
        worker.cancel(job.question.id)
        asyncio.get_running_loop().call_later(GRACE, lambda: None if job.over else worker.kill())
