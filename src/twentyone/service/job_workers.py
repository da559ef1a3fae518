"""A worker process beside the server: started when something is asked, ended when it is idle or the server stops."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["COMMAND", "GRACE", "WorkerEnded", "WorkerProcess"]

COMMAND = ("-m", "twentyone.desk.worker")
LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of the longest answer."""
GRACE = 12.0
"""Seconds that a worker may take to keep its work before it is killed."""


class WorkerEnded(Exception):
    """The worker process ended before it answered."""


class WorkerProcess:
    """One worker process, or none yet."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None

    async def ask(self, line: dict[str, Any], told: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        """Ask it; what it tells on the way, then its answer."""
        process = await self._started()
        assert process.stdout is not None
        try:
            self._send(process, line)
            while text := await process.stdout.readline():
                said: dict[str, Any] = json.loads(text)
                if "state" in said:
                    return said
                told(said)
        except (OSError, ValueError):
            pass
        raise WorkerEnded(await self._ended(process))

    def cancel(self, name: str) -> None:
        """Ask it to stop working on a question; it keeps what it has."""
        if self._process is not None and self._process.returncode is None:
            self._send(self._process, {"cancel": name})

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

    async def stop(self) -> None:
        """Let it keep its work and end."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        await _waited(process)

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            pipe, none = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, *self._command, stdin=pipe, stdout=pipe, stderr=none, limit=LONGEST_LINE,
                start_new_session=True,
            )  # fmt: skip
        return self._process

    @staticmethod
    def _send(process: asyncio.subprocess.Process, line: dict[str, Any]) -> None:
        assert process.stdin is not None
        process.stdin.write(json.dumps(line).encode() + b"\n")

    async def _ended(self, process: asyncio.subprocess.Process) -> str:
        status, self._process = await _waited(process), None
        how = f"by signal {-status}" if status < 0 else f"with status {status}"
        return f"the worker process ended {how} before it answered; ask again"


async def _waited(process: asyncio.subprocess.Process) -> int:
    """The status of a process that should end now; one that does not is killed."""
    try:
        return await asyncio.wait_for(process.wait(), GRACE)
    except TimeoutError:
        process.kill()
        return await process.wait()
