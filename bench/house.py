"""A large house at a casino's pace: two processes on one PostgreSQL, many tables, a guest who plays at each.

    python -m bench.house [--tables N] [--seconds S] [--processes N] [--rounds N]

Automatic staff deals; each guest comes through one process after the other, listens, lays a wager as often as the pace
says (`--rounds` an hour) and decides after a moment. Told: how long 99 of 100 commands take to be seen at their seat,
what was not pushed, memory, and the processor time of servers, PostgreSQL and guests. It ends by itself.
What it measured is left for `make evidence`. Exit status: 0 within the bars, 1 not.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import resource
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from contextlib import chdir, closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import orjson
from rich.progress import Progress
from tests.postgres import Postgres
from tests.web.serving import Api, Server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from bench.owners import TICK, _answer, servers, spent
from bench.results import Running, told
from bench.web import GROWTH, LATE, _compare, _memory, sleep, worst
from twentyone.service.peer_client import PeerClient

__all__ = ["Figures", "measure", "run"]

TABLES, SECONDS, PROCESSES = 200, 60.0, 2
ROUNDS = 70
"""Rounds an hour at one table: a casino's pace with people."""
THINKS = 1.5
"""Seconds before a decision, on average."""
WARM = 20
"""Rounds at each table, as quick as can be, before anything is measured: stories, racks and caches fill until then,
and what is full does not grow."""
BOOK = "pa-spanish-21"
AGAIN = 0.5
"""Seconds after which a guest whose command was refused looks again what he is asked."""
SETTLE = 5.0
"""Seconds after the last command in which everything must have been pushed."""
PATIENCE = 30
"""Seconds in which a guest gets in, before the measurement."""
AT_ONCE = 8
"""Tables that are opened, and guests who connect, side by side before the measurement."""


class Figures(NamedTuple):
    """What a house did, and what it cost."""

    rounds: int
    commands: int
    """Of the guests."""
    pushes: int
    missed: int
    """Commands that were not pushed to their own seat, and seats that did not hear of the last change."""
    refusals: Counter[str]
    """Why commands of guests were not taken, and how often."""
    late: float
    """Seconds from command to seat, 99 times of 100."""
    machine: float
    """Seconds that the machine itself keeps a sleeper waiting, 99 times of 100."""
    growth: float
    """How much the servers' memory grew in the last three quarters of the time, as a share."""
    memory: float
    """Bytes that all servers together took for a table, beside what they took for themselves."""
    seconds: float
    """Processor time of the servers."""
    database: float
    """Processor time of PostgreSQL."""
    guests: float
    """Processor time of this program."""
    stolen: float
    """Processor time that the machine's host gave to others meanwhile."""

    @property
    def good(self) -> bool:
        """Whether every bar is met."""
        return not self.missed and self.late <= LATE and self.growth <= GROWTH


@dataclass
class Guest:
    """Somebody who plays at one table, at the pace of the house."""

    server: Server
    table: str
    rng: Random
    client: PeerClient
    pace: float
    """Seconds between two wagers."""
    thinks: float = THINKS
    """Seconds before a decision, on average."""
    cookies: dict[str, str] = field(default_factory=dict)
    heard: list[tuple[int, float]] = field(default_factory=list)
    sent: list[tuple[int, float]] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    first: int = -1
    last: int = 0
    """The rounds of the table when he came, and by now."""
    over: bool = True
    """Whether he plays no more, or not yet."""
    _due: float = 0.0
    _view: dict[str, Any] = field(default_factory=dict)
    _giving: asyncio.Task[None] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """One request with his cookies."""
        headers = [(b"host", self.server.base.removeprefix("http://").encode())]
        headers.append((b"cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()).encode()))
        headers.append((b"x-csrf-token", self.cookies.get("twentyone_csrf", "").encode()))
        headers.append((b"content-type", b"application/json"))
        sent = b"" if body is None else json.dumps(body).encode()
        answer = await self.client.ask(self.server.base, method, f"/api/v1{path}", headers, sent)
        for name, value in answer.headers:
            if name == b"set-cookie":
                key, _, rest = value.decode().partition("=")
                self.cookies[key] = rest.partition(";")[0]
        return answer.status, answer.body

    async def come(self, number: int) -> None:
        """Enter and sit down."""
        await self.ask("GET", "/me")
        for path, body in (("/session/guest", {"name": f"Guest {number}"}), (f"/tables/{self.table}/sit", {"box": 1})):
            for _ in range(PATIENCE):
                status, said = await self.ask("POST", path, body)
                if status != 503:  # a process that had no processor for seconds has lost its tables for a moment
                    break
                await asyncio.sleep(1)
            assert status == 200, f"{path}: {said.decode()}; {self.server.log.read_text()[-600:]}"

    async def play(self) -> None:
        """Listen, and play as he is asked, until it is over; the first wagers of a house are spread like all others."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        address = f"{self.server.base.replace('http', 'ws')}/api/v1/tables/{self.table}/live"
        options: dict[str, Any] = {"compression": None, "ping_interval": None}
        async for ear in connect(address, additional_headers={"cookie": cookies}, **options):
            try:
                async for text in ear:
                    self._hear(orjson.loads(text)["view"])
            except ConnectionClosed:
                continue

    def begin(self) -> None:
        """The house is open: what came before is not measured."""
        self._due, self.over = time.perf_counter() + self.rng.uniform(0.0, self.pace), False
        self._consider()

    def forget(self) -> None:
        """What he did and heard before does not count."""
        self.heard, self.sent, self.refusals, self.first = self.heard[-1:], [], [], self.last

    def _hear(self, view: dict[str, Any]) -> None:
        self.heard.append((view["version"], time.perf_counter()))
        self.last = view["round"]
        self.first = self.last if self.first < 0 else self.first
        self._view = view
        self._consider()

    def _consider(self) -> None:
        """Answer what he is asked, unless he is about to, or has not seen yet what came of his last answer."""
        acted = self.sent[-1][0] if self.sent else 0
        if self.over or self._giving is not None or self._view["version"] < acted:
            return
        given = _answer(self._view)
        if given is None:
            return
        wait = self.rng.uniform(0.5, 1.5) * self.thinks
        if given[0] == "place_wager":
            wait = max(0.0, self._due - time.perf_counter())
            self._due = max(self._due, time.perf_counter()) + self.pace
        self._giving = asyncio.create_task(self._give(wait, *given))

    async def _give(self, wait: float, do: str, args: dict[str, Any]) -> None:
        await asyncio.sleep(wait)
        if self.over:
            return
        begun, body = time.perf_counter(), {"do": do, "args": args, "key": uuid.uuid4().hex}
        status, said = await self.ask("POST", f"/tables/{self.table}/commands", body)
        self._giving = None
        if status != 200:
            self.refusals.append(json.loads(said).get("why", f"status {status}"))
            asyncio.get_running_loop().call_later(AGAIN, self._consider)
            return
        self.sent.append((json.loads(said)["version"], begun))
        self._consider()


def measure(tables: int, seconds: float, processes: int, rounds: float) -> Figures:
    """Open the house, let it be played, and look at what it cost."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with (
        tempfile.TemporaryDirectory() as name,
        chdir(name),
        closing(Postgres(Path(name) / "data")) as postgres,
        servers(postgres.new_database(), Path(name), processes, counting=False) as up,
        Progress(transient=True) as progress,
    ):
        return asyncio.run(_house(up, postgres, tables, seconds, 3600.0 / rounds, progress))


async def _house(
    up: Sequence[Server], postgres: Postgres, tables: int, seconds: float, pace: float, progress: Progress
) -> Figures:
    client, admin = PeerClient(), await asyncio.to_thread(Api.administrator, up[0])
    names = [f"table-{number}" for number in range(tables)]
    guests = [Guest(up[number % len(up)], name, Random(number), client, pace) for number, name in enumerate(names)]
    empty = sum(map(_memory, up))
    await _open(admin, guests, client, progress)
    ears = await _listen(guests)
    gc.collect()
    gc.disable()  # a search for garbage among thousands of guests would be measured as a pause of the house
    await _warm(admin, guests, pace, progress)
    for guest in guests:
        guest.begin()
    before, database, own, stolen = sum(map(spent, up)), _postgres_time(postgres), time.process_time(), _stolen()
    end = time.perf_counter() + seconds
    sleeper = asyncio.create_task(asyncio.to_thread(sleep, end))
    task, first = progress.add_task("seconds", total=seconds), 0.0
    while (left := end - time.perf_counter()) > 0:
        await asyncio.sleep(min(1.0, left))
        progress.update(task, completed=seconds - left)
        if not first and left < seconds * 3 / 4:
            first = sum(map(_memory, up))
    for guest in guests:
        guest.over = True
    cost = sum(map(spent, up)) - before, _postgres_time(postgres) - database, time.process_time() - own
    stolen = _stolen() - stolen
    memory = sum(map(_memory, up))
    await asyncio.sleep(SETTLE)
    missed = await _unheard(guests)
    for ear in ears:
        ear.cancel()
    await asyncio.gather(*ears, return_exceptions=True)
    client.close()
    each = (memory - empty) / tables
    return _figures(guests, missed, worst(await sleeper), memory / first - 1, each, (*cost, stolen))


async def _open(admin: Api, guests: Sequence[Guest], client: PeerClient, progress: Progress) -> None:
    """Make the tables, and seat a guest at each."""
    task, numbers = progress.add_task("tables", total=len(guests)), iter(range(len(guests)))
    boss = Guest(guests[0].server, "", guests[0].rng, client, 0.0, cookies=dict(admin.http.cookies))

    async def open_some() -> None:
        for number in numbers:
            table = guests[number].table
            for method, path, body in (
                ("POST", "/tables", {"name": table, "rulebook": BOOK}),
                ("PUT", f"/tables/{table}/staff", {"pace": "fast", "patience": 0}),
            ):
                status, said = await boss.ask(method, path, body)
                assert status < 300, said
            await guests[number].come(number)
            progress.advance(task)

    await asyncio.gather(*(open_some() for _ in range(AT_ONCE)))


async def _listen(guests: Sequence[Guest]) -> list[asyncio.Task[None]]:
    """Let all guests listen, some at a time; who they are by then have seen their tables."""
    ears = list[asyncio.Task[None]]()
    for number, guest in enumerate(guests):
        ears.append(asyncio.create_task(guest.play()))
        while sum(not guest.heard for guest in guests[max(0, number - AT_ONCE) : number + 1]) >= AT_ONCE:
            await asyncio.sleep(0.01)
    while not all(guest.heard for guest in guests):
        await asyncio.sleep(0.1)
    return ears


async def _warm(admin: Api, guests: Sequence[Guest], pace: float, progress: Progress) -> None:
    """Play some rounds as quickly as they go, at nearly all tables, then let the house come to rest."""
    wanted = WARM * len(guests)
    task = progress.add_task("rounds before", total=wanted)
    for guest in guests:
        guest.pace = guest.thinks = 0.0
        guest.begin()
    while (done := sum(min(WARM, guest.last - max(guest.first, 0)) for guest in guests)) < 0.99 * wanted:
        progress.update(task, completed=done)
        for guest in guests:
            guest.over = guest.last - max(guest.first, 0) >= WARM
        await asyncio.sleep(0.5)
    await asyncio.to_thread(_set_pace, admin, guests, "normal")
    await asyncio.sleep(SETTLE)
    for guest in guests:
        guest.pace, guest.thinks = pace, THINKS
        guest.forget()


def _set_pace(admin: Api, guests: Sequence[Guest], pace: str) -> None:
    for guest in guests:
        admin.send("PUT", f"/tables/{guest.table}/staff", {"pace": pace, "patience": 0}).raise_for_status()


async def _unheard(guests: Sequence[Guest]) -> int:
    """Seats that have not heard of their table's last change."""
    missed = 0
    for guest in guests:
        before = guest.heard[-1][0] if guest.heard else 0
        status, said = await guest.ask("GET", f"/tables/{guest.table}")
        version = json.loads(said)["version"] if status == 200 else sys.maxsize
        if before < version:
            await asyncio.sleep(0.2)  # it may have changed meanwhile
            missed += guest.heard[-1][0] < version if guest.heard else 1
    return missed


def _postgres_time(postgres: Postgres) -> float:
    """Seconds of processor time of PostgreSQL: its own, that of its children, and of those that have ended."""
    first = int((postgres.folder / "postmaster.pid").read_text().split()[0])
    total = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(folder.name) == first:
                total += sum(map(int, fields[11:15]))
            elif int(fields[1]) == first:
                total += int(fields[11]) + int(fields[12])
    return total / TICK


def _stolen() -> float:
    """Seconds for which a core of this machine was not there, since it was started."""
    return int(Path("/proc/stat").read_text().split(maxsplit=9)[8]) / TICK


def _figures(
    guests: Sequence[Guest], missed: int, machine: float, growth: float, memory: float, cost: tuple[float, ...]
) -> Figures:
    class Seat(NamedTuple):
        heard: list[tuple[int, float]]

    sent = {guest.table: guest.sent for guest in guests}
    unheard, late = _compare(sent, {guest.table: [Seat(guest.heard)] for guest in guests})  # type: ignore[list-item]
    return Figures(
        sum(guest.last - max(guest.first, 0) for guest in guests),
        sum(len(guest.sent) for guest in guests),
        sum(len(guest.heard) for guest in guests),
        missed + unheard,
        Counter(why for guest in guests for why in guest.refusals),
        worst(late),
        machine,
        growth,
        memory,
        *cost,
    )


def run(tables: int = TABLES, seconds: float = SECONDS, processes: int = PROCESSES, rounds: float = ROUNDS) -> bool:
    """Print the figures; false where a bar is missed."""
    found = measure(tables, seconds, processes, rounds)
    hourly = found.rounds * 3600 / seconds / tables
    cores = (found.seconds + found.database) / seconds
    print(
        f"{tables:,} tables, {processes} processes, {seconds:.0f} s: {found.rounds:,} rounds ({hourly:.0f} an hour and "
        f"table), {found.commands:,} commands of guests ({found.refusals.total()} refused), {found.pushes:,} pushes"
    )
    for why, count in found.refusals.most_common(3):
        print(f"  refused {count} times: {why}")
    print(
        f"  command to seat: p99 {found.late * 1000:.0f} ms (bar {LATE * 1000:.0f}; the machine's own "
        f"{found.machine * 1000:.0f}), {found.missed} missed; memory {found.growth:+.1%}, "
        f"{found.memory / 1e6:.2f} MB a table"
    )
    print(
        f"  processor time: servers {found.seconds:.1f} s, PostgreSQL {found.database:.1f} s, the guests "
        f"{found.guests:.1f} s: a core carries {tables / cores:,.0f} tables with its share of PostgreSQL, "
        f"{tables * seconds / found.seconds:,.0f} without; the host took {found.stolen:.1f} s for others"
    )
    print(f"bench house: {'good' if found.good else 'MISSED'}", flush=True)
    return found.good


def main(argv: Sequence[str] | None = None) -> int:
    """Measure."""
    parser = argparse.ArgumentParser(prog="python -m bench.house", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--rounds", type=float, default=ROUNDS, help="rounds an hour at a table (%(default)s)")
    chosen = vars(parser.parse_args(argv))
    command = " ".join(["python -m bench.house", *(f"--{name} {value:g}" for name, value in chosen.items())])
    running = Running(f"bench-house-{chosen['tables']}", command, ("twentyone.desk", "bench/house.py"))
    good, rows = told(lambda: run(**chosen))
    running.ends("held" if good else "broken", rows)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
