"""A search for an edge ends when it is stopped, at whatever moment of its worker's life."""

from __future__ import annotations

import asyncio
import subprocess
from typing import Any

import pytest

from twentyone.rulebook import Rulebook
from twentyone.service import edges


@pytest.mark.parametrize("turns", [1, 2, 3, 5, 8])
def test_a_search_that_is_cancelled_ends(turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop turns so often before it is stopped; nothing is waited for but the worker's death."""
    workers: list[subprocess.Popen[bytes]] = []
    plain = subprocess.Popen

    def begun(*args: Any, **named: Any) -> subprocess.Popen[bytes]:
        workers.append(plain(*args, **named))
        return workers[-1]

    monkeypatch.setattr(edges, "known_edge", lambda _: None)
    monkeypatch.setattr(edges, "COMMAND", ("-c", "import signal; signal.pause()"))
    monkeypatch.setattr(subprocess, "Popen", begun)

    async def work() -> bool:
        asked = edges.Edges()
        asked.of(Rulebook.load("pa-spanish-21").under())
        (task,) = asked._tasks
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        for worker in workers:
            await asyncio.to_thread(worker.wait)
        for _ in range(50):
            await asyncio.sleep(0)
        return task.done()

    loop = asyncio.new_event_loop()
    assert loop.run_until_complete(work()), "the search waits for ever"
    assert workers
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()
