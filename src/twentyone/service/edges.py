"""The house edge of each table's own game: at once where the package knows it, else worked out in another process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys

from twentyone.ledger.identity import given_submission
from twentyone.odds.edges import game_key, known_edge
from twentyone.rulebook import Rules

__all__ = ["Edges"]

COMMAND = ("-m", "twentyone.odds.edges")
LONGEST = 600.0
"""Seconds after which an edge is given up; the longest that is known takes a twentieth of it."""


class Edges:
    """House edges that were asked for, one worked out after the other."""

    def __init__(self) -> None:
        self._found: dict[str, float | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._one = asyncio.Lock()

    def of(self, rules: Rules) -> float | None:
        """The house edge of these rules; none while it is being worked out, or if that failed."""
        known = known_edge(rules)
        if known is not None:
            return known
        key = game_key(rules)
        if key not in self._found:
            self._found[key] = None
            task = asyncio.create_task(self._find(key, rules))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return self._found[key]

    async def _find(self, key: str, rules: Rules) -> None:
        """Ask another process: the analysis of a game would keep this one from its tables."""
        async with self._one:
            given = json.dumps(given_submission(rules)).encode()
            worker = _worker(rules.rulebook.id)
            try:
                said, _ = await asyncio.wait_for(asyncio.to_thread(worker.communicate, given), LONGEST)
                with contextlib.suppress(ValueError):
                    self._found[key] = json.loads(said)
            finally:
                worker.kill()
                worker.wait()

    async def stop(self) -> None:
        """Give up what is not worked out yet."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _worker(book: str) -> subprocess.Popen[bytes]:
    """The other process. Not one of asyncio's: its end is never told where it is cancelled while it starts."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, *COMMAND, book], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
