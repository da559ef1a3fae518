"""What the tables of a process store at the same moment goes to the ledger's writer together.

Commands that are made in one turn of the loop share a commit, and their answers come back in one turn: the writer's
thread and the loop's take the interpreter from one another once for all of them, not once for each.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from twentyone.ledger.rows import Appended, Batch
from twentyone.ledger.writer import Answers, Writer

__all__ = ["Outbox"]


class Outbox:
    """The batches of one turn of the loop, on their way to the ledger."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._batches: list[Batch] = []
        self._waiting: list[asyncio.Future[Appended]] = []

    async def store(self, batch: Batch) -> Appended:
        """Store a batch; done when it is on the disk, or refused."""
        loop = asyncio.get_running_loop()
        if not self._batches:
            loop.call_soon(self._send, loop)
        waiting: asyncio.Future[Appended] = loop.create_future()
        self._batches.append(batch)
        self._waiting.append(waiting)
        return await waiting

    def _send(self, loop: asyncio.AbstractEventLoop) -> None:
        batches, waiting = self._batches, self._waiting
        self._batches, self._waiting = [], []

        def told(answers: Answers) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(_tell, waiting, answers)

        self._writer.submit_many(batches, told)


def _tell(waiting: Sequence[asyncio.Future[Appended]], answers: Answers) -> None:
    """Pass the answers on; whoever has gone meanwhile is told nothing."""
    for asked, answer in zip(waiting, answers, strict=True):
        if asked.done():
            continue
        if isinstance(answer, Exception):
            asked.set_exception(answer)
        else:
            asked.set_result(answer)
