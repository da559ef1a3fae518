"""Whether one stranger stops a house: a player's commands, alone, beside sixty law pages at once, beside fifty lobbies.

The house has its limits, as everybody's has; the strangers are a process of their own, on loopback addresses.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from tests.web.serving import Api, Server, serving

from bench.web import Line, furnished, sleep, worst
from twentyone.rulebook import rulebook_ids

__all__ = ["LATE", "measure", "run"]

LATE = 0.100
"""Seconds that 99 of 100 of the player's commands may take."""
TABLES, LOBBIES, PAGES = 150, 50, 60
PACE = 0.04
"""Seconds between two commands of the player."""
ASK_EVERY = 2.0
"""Seconds between two looks of a lobby, as its page asks."""
PLAYED = "table-0"
STRANGER = "127.0.0.9"
GONE = 15.0
"""Seconds after which a stranger gives up waiting."""


class Given(NamedTuple):
    """What the player saw."""

    times: list[float]
    """Seconds of each command."""
    machine: float
    """Seconds that the machine itself keeps a sleeper waiting, 99 times of 100: the yardstick."""
    answers: Counter[int]
    """What the strangers were answered, by status."""

    @property
    def late(self) -> float:
        """Seconds that 99 of 100 commands take at most."""
        return worst(self.times)


# -- the strangers, in a process of their own


async def _get(port: int, path: str, address: str) -> int:
    """Ask for a page as a stranger at an address does; its status, 0 where none came."""
    with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
        async with asyncio.timeout(GONE):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
            writer.write(f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n\r\n".encode())
            head = await reader.readline()
            await reader.read()
            writer.close()
            return int(head.split()[1])
    return 0


async def _law_pages(port: int, end: float, seen: Counter[int]) -> None:
    """One address asks for sixty pages at once, none of them asked for before; again when all have come."""
    books, number = rulebook_ids(), count()
    while time.time() < end:
        paths = [f"/law/{books[n % len(books)]}?q={'' if n < len(books) else n}" for n in islice(number, PAGES)]
        seen.update(await asyncio.gather(*(_get(port, path, STRANGER) for path in paths)))


async def _lobbies(port: int, end: float, seen: Counter[int]) -> None:
    """Fifty strangers open the page of all tables, and ask for their news as that page does."""

    async def lobby(number: int) -> None:
        address = f"127.0.1.{number + 1}"
        await asyncio.sleep(ASK_EVERY * number / LOBBIES)
        seen[await _get(port, "/", address)] += 1
        while time.time() < end:
            await asyncio.sleep(ASK_EVERY)
            seen[await _get(port, "/api/v1/tables", address)] += 1

    await asyncio.gather(*(lobby(number) for number in range(LOBBIES)))


Crowd = Callable[[int, float, Counter[int]], Awaitable[None]]
CROWDS: dict[str, Crowd | None] = {
    "alone": None,
    f"beside {PAGES} law pages at once": _law_pages,
    f"beside {LOBBIES} lobbies of {TABLES} tables": _lobbies,
}


def _crowd(port: int, crowd: Crowd, end: float, told: str) -> None:
    seen = Counter[int]()
    asyncio.run(crowd(port, end, seen))  # type: ignore[arg-type]
    Path(told).write_text(" ".join(f"{status}:{number}" for status, number in seen.items()), encoding="ascii")


# -- the player


async def _play(server: Server, player: Api, seconds: float) -> tuple[list[float], list[float]]:
    line, end, times = await Line(server, PLAYED, player).open(), time.perf_counter() + seconds, list[float]()
    sleeper = asyncio.create_task(asyncio.to_thread(sleep, end))
    while (begun := time.perf_counter()) < end:
        await line.give("tip", amount="0.5")
        times.append(time.perf_counter() - begun)
        await asyncio.sleep(max(0.0, PACE - times[-1]))
    return times, await sleeper


def _beside(server: Server, player: Api, crowd: Crowd | None, seconds: float, folder: Path) -> Given:
    told = folder / "told"
    told.write_text("", encoding="ascii")
    port, end = int(server.base.rpartition(":")[2]), time.time() + seconds + 1
    others = get_context("spawn").Process(target=_crowd, args=(port, crowd, end, str(told))) if crowd else None
    if others is not None:
        others.start()
        time.sleep(1.0)  # the other process has begun
    times, late = asyncio.run(_play(server, player, seconds))
    if others is not None:
        others.join(GONE * 2)
    pairs = (pair.split(":") for pair in told.read_text(encoding="ascii").split())
    return Given(times, worst(late), Counter({int(status): int(number) for status, number in pairs}))


def measure(seconds: float) -> dict[str, Given]:
    """The player alone, then beside each crowd, in one house."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        with serving(str(folder / "web.db"), folder, limited=True) as server:
            players, _ = furnished(server, 1, 1)
            floor, books = Api(server.base), rulebook_ids()
            floor.post("/session/login", {"name": "Fay", "password": "correct horse"})
            for number in range(1, TABLES):
                floor.post("/tables", {"name": f"other-{number}", "rulebook": books[number % len(books)]})
            (player,) = players[PLAYED]
            return {title: _beside(server, player, crowd, seconds, folder) for title, crowd in CROWDS.items()}


def run(seconds: float = 12.0) -> bool:
    """Print the figures; false where the bar is missed."""
    found = measure(seconds)
    for title, given in found.items():
        answers = ", ".join(f"{number} x {status}" for status, number in sorted(given.answers.items()))
        figures = f"p50 {sorted(given.times)[len(given.times) // 2] * 1000:.0f}, p99 {given.late * 1000:.0f} ms"
        machine = f"machine's own {given.machine * 1000:.0f}"
        print(f"{title:36}{len(given.times):>6} commands, {figures}, most {max(given.times) * 1000:.0f} ({machine})")
        print(f"{'':36}strangers were answered {answers}" if answers else "", end="\n" if answers else "")
    late = max(given.late for given in found.values())
    good = late < LATE and all(given.answers for title, given in found.items() if CROWDS[title])
    print(f"bench stranger: p99 {late * 1000:.0f} ms (bar {LATE * 1000:.0f}): {'good' if good else 'MISSED'}")
    return good


if __name__ == "__main__":
    sys.exit(0 if run(*map(float, sys.argv[1:2])) else 1)
