"""How fast the live tables are: commands through HTTP beside the same ledger written directly; pushes to many seats."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.web.serving import Api, Server, serving
from websockets.asyncio.client import ClientConnection, connect

from bench import across, page
from twentyone.ledger.keys import Keyring
from twentyone.ledger.runner import Runner
from twentyone.ledger.store import open_store
from twentyone.rulebook import Rulebook
from twentyone.table import Command
from twentyone.table.shoe import os_source

__all__ = ["Figures", "Line", "Live", "figures", "furnished", "live", "sleep", "worst"]

BOOK = "pa-spanish-21"
CLIENTS = (1, 10, 50)
SECONDS = 3.0
TURNS = 2
BAR = 0.3
TABLES, SEATS = 50, 5
LATE = 0.150
"""Seconds within which a command is at every seat, 99 times of 100."""
GROWTH = 0.05
MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path(tempfile.gettempdir())
"""A place without a disk: what is late there is late by the software."""
BUY = {"player": "Ann", "amount": "5"}


class Figures(NamedTuple):
    """Commands a second and the 99th percentile of their time, by number of clients."""

    direct: float
    """Commands per second of the runner itself, every one on the disk."""
    rates: dict[int, float]
    """Commands per second through HTTP."""
    late: dict[int, float]
    """Seconds that 99 of 100 commands take at most."""

    @property
    def ratio(self) -> float:
        """The share of the ledger's own speed that is left with the most clients."""
        return self.rates[max(self.rates)] / self.direct

    @property
    def good(self) -> bool:
        """Whether the bar is met."""
        return self.ratio >= BAR


class Live(NamedTuple):
    """Many tables with many seats."""

    pushes: int
    """Frames that came to seats."""
    missed: int
    """Commands that a seat did not hear of."""
    late: float
    """Seconds from command to seat, 99 times of 100."""
    growth: float
    """How much the server's memory grew, as a share."""
    machine: float
    """Seconds that the machine itself keeps a sleeper waiting, 99 times of 100: the yardstick."""
    disk: float
    """Seconds that as many bare writes take until they are on the disk, 99 times of 100: the other yardstick."""

    @property
    def good(self) -> bool:
        """Whether every bar is met."""
        return not self.missed and self.late < LATE and self.growth < GROWTH


# -- directly


def _direct(folder: Path, seconds: float) -> float:
    """The same command at as many tables as there are clients, one after the other, each synced."""
    with closing(open_store(str(folder / f"{uuid.uuid4().hex}.db"), create=True)) as store:
        keys, rules = Keyring.new(os_source()), Rulebook.load(BOOK).under({})
        runners = [Runner(store, f"table-{number}", keys, os_source(), lambda: 0) for number in range(max(CLIENTS))]
        for runner in runners:
            runner.create(rules, cards="person")
            runner.handle(Command("open_table", "floorperson", "Fay", args={"dealer": "Dan"}), uuid.uuid4().hex)
            runner.handle(Command("sit", "player", "Ann", args={"boxes": [1]}), uuid.uuid4().hex)
        done, begun = 0, time.perf_counter()
        while (spent := time.perf_counter() - begun) < seconds:
            runner = runners[done % len(runners)]
            runner.handle(Command("buy_in", "dealer", "Dan", args=BUY), uuid.uuid4().hex)
            done += 1
        return done / spent


# -- through HTTP


class Line:
    """One connection that asks and waits for the answer: as little as a client can be."""

    def __init__(self, server: Server, table: str, api: Api) -> None:
        self._host, self._port = server.base.removeprefix("http://").split(":")
        cookies = "; ".join(f"{name}={value}" for name, value in api.http.cookies.items())
        self._head = (
            f"POST /api/v1/tables/{table}/commands HTTP/1.1\r\nhost: {self._host}:{self._port}\r\ncookie: {cookies}\r\n"
            f"x-csrf-token: {api.http.cookies['twentyone_csrf']}\r\ncontent-type: application/json\r\n"
        )

    async def open(self) -> Line:
        """Connect."""
        self._in, self._out = await asyncio.open_connection(self._host, int(self._port))
        return self

    async def give(self, do: str, **args: Any) -> dict[str, Any]:
        """Give one command; answers what it answered."""
        body = json.dumps({"do": do, "args": args, "key": uuid.uuid4().hex})
        self._out.write(f"{self._head}content-length: {len(body)}\r\n\r\n{body}".encode())
        head = (await self._in.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.split("content-length: ")[1].split("\r\n")[0])
        answer: dict[str, Any] = json.loads(await self._in.readexactly(length))
        assert " 200 " in head.split("\r\n")[0], answer
        return answer


@contextmanager
def _service(folder: Path, tables: int, seats: int) -> Iterator[tuple[Server, dict[str, list[Api]], Api]]:
    """A server with tables that a person deals, players at them, and a dealer."""
    with serving(str(folder / "web.db"), folder) as server:
        yield server, *furnished(server, tables, seats)


def furnished(server: Server, tables: int, seats: int) -> tuple[dict[str, list[Api]], Api]:
    """Open tables that a person deals at a server; the players at each, and a dealer."""
    admin = Api.administrator(server)
    dealer = admin.account(server.base, "Dan", "dealer")
    floor = admin.account(server.base, "Fay", "floorperson")
    found: dict[str, list[Api]] = {}
    for number in range(tables):
        name = f"table-{number}"
        floor.post("/tables", {"name": name, "rulebook": BOOK, "cards": "person"})
        floor.command(name, "open_table", dealer="Dan").raise_for_status()
        found[name] = [Api.guest(server.base, f"Ann {number} {seat}") for seat in range(seats)]
        for seat, guest in enumerate(found[name], 1):
            guest.post(f"/tables/{name}/sit", {"box": seat})
    return found, dealer


async def _press(server: Server, names: list[str], players: dict[str, list[Api]], dealer: Api, seconds: float) -> Any:
    """Every client gives one command after the other; rate, and the time that 99 of 100 take at most."""
    lines = [await Line(server, name, dealer).open() for name in names]
    end, times = time.perf_counter() + seconds, list[float]()

    async def client(line: Line, name: str) -> None:
        who = players[name][0].get("/me")["name"]
        while (begun := time.perf_counter()) < end:
            await line.give("buy_in", player=who, amount="5")
            times.append(time.perf_counter() - begun)

    begun = time.perf_counter()
    await asyncio.gather(*(client(line, name) for line, name in zip(lines, names, strict=True)))
    return len(times) / (time.perf_counter() - begun), worst(times)


def worst(times: list[float]) -> float:
    return statistics.quantiles(times, n=100)[98] if len(times) > 1 else float("inf")


def figures(seconds: float = SECONDS, turns: int = TURNS, clients: tuple[int, ...] = CLIENTS) -> Figures:
    """Measure by turns, so that all meet the same machine; the best of each counts."""
    with (
        tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as name,
        _service(Path(name), max(clients), 1) as service,
    ):
        server, players, dealer = service
        direct, rates, late = 0.0, dict.fromkeys(clients, 0.0), dict.fromkeys(clients, float("inf"))
        for _ in range(turns):
            direct = max(direct, _direct(Path(name), seconds))
            for count in clients:
                names = list(players)[:count]
                rate, worst = asyncio.run(_press(server, names, players, dealer, seconds))
                rates[count], late[count] = max(rates[count], rate), min(late[count], worst)
        return Figures(direct, rates, late)


# -- many seats


class Seat:
    """A plain listener: when it heard of which version."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, float]] = []

    async def listen(self, ear: ClientConnection) -> None:
        """Note every frame."""
        async for text in ear:
            version = int(text[text.index('"version":') + 10 :][:20].split(",")[0])  # type: ignore[arg-type]
            self.heard.append((version, time.perf_counter()))


def live(
    seconds: float = 120.0,
    tables: int = TABLES,
    seats: int = SEATS,
    pace: float = 0.5,
    place: Path | None = None,
    beside: Callable[[Server, Api], None] | None = None,
) -> Live:
    """Many tables with listeners at every seat, a command at each every `pace` seconds; `beside`: other work."""
    with (
        tempfile.TemporaryDirectory(dir=place or Path.cwd(), prefix=".bench-") as name,
        _service(Path(name), tables, seats) as service,
    ):
        if beside is not None:
            beside(service[0], service[2])
        return asyncio.run(_live(*service, seconds, pace, Path(name)))


async def _live(
    server: Server, players: dict[str, list[Api]], dealer: Api, seconds: float, pace: float, folder: Path
) -> Live:
    listening: dict[str, list[Seat]] = {name: [Seat() for _ in row] for name, row in players.items()}
    ears, tasks = [], []
    for name, row in players.items():
        for api, seat in zip(row, listening[name], strict=True):
            cookies = "; ".join(f"{key}={value}" for key, value in api.http.cookies.items())
            address = f"{server.base.replace('http', 'ws')}/api/v1/tables/{name}/live"
            ear = await connect(address, additional_headers={"cookie": cookies}, compression=None)
            ears.append(ear)
            tasks.append(asyncio.create_task(seat.listen(ear)))
    sent: dict[str, list[tuple[int, float]]] = {name: [] for name in players}
    end = time.perf_counter() + seconds

    async def work(number: int, name: str) -> None:
        line = await Line(server, name, dealer).open()
        who = players[name][0].get("/me")["name"]
        await asyncio.sleep(pace * number / len(players))
        while (begun := time.perf_counter()) < end:
            answer = await line.give("buy_in", player=who, amount="5")
            sent[name].append((answer["version"], begun))
            await asyncio.sleep(max(0.0, pace - (time.perf_counter() - begun)))

    working = [asyncio.create_task(work(number, name)) for number, name in enumerate(players)]
    sleeper = asyncio.create_task(asyncio.to_thread(sleep, end))
    bare = asyncio.create_task(asyncio.to_thread(_write, end, folder / "bare", pace / len(players)))
    await asyncio.sleep(seconds / 4)
    first = _memory(server)
    await asyncio.gather(*working)
    await asyncio.sleep(1)
    grown = _memory(server) / first - 1
    for task, ear in zip(tasks, ears, strict=True):
        task.cancel()
        await ear.close()
    missed, late = _compare(sent, listening)
    pushes = sum(len(seat.heard) for row in listening.values() for seat in row)
    return Live(pushes, missed, worst(late), grown, worst(await sleeper), worst(await bare))


def sleep(end: float) -> list[float]:
    """How much longer than asked each short sleep of a thread takes that does nothing else."""
    late = []
    while (begun := time.perf_counter()) < end:
        time.sleep(0.01)
        late.append(time.perf_counter() - begun - 0.01)
    return late


def _write(end: float, path: Path, pace: float) -> list[float]:
    """How long writes that come at this pace wait until they are on the disk, each after the one before it."""
    late, due = [], time.perf_counter()
    with path.open("wb", buffering=0) as file:
        while due < end:
            time.sleep(max(0.0, due - time.perf_counter()))
            file.write(bytes(4096))
            os.fdatasync(file.fileno())
            late.append(time.perf_counter() - due)
            due += pace
    return late


def _compare(sent: dict[str, list[tuple[int, float]]], listening: dict[str, list[Seat]]) -> tuple[int, list[float]]:
    """How often a seat did not hear of a command, and how long it took where it did."""
    missed, late = 0, []
    for name, commands in sent.items():
        for seat in listening[name]:
            frames = iter(seat.heard)
            frame = next(frames, None)
            for version, begun in commands:
                while frame is not None and frame[0] < version:
                    frame = next(frames, None)
                if frame is None:
                    missed += 1
                else:
                    late.append(frame[1] - begun)
    return missed, late


def _memory(server: Server) -> float:
    """Bytes that the server's process holds."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


def _tell(title: str, seats: Live, beside: str) -> None:
    yardstick = (seats.machine if "machine" in beside else seats.disk) * 1000
    said = f"p99 {seats.late * 1000:.0f} ms ({beside} {yardstick:.0f}), memory {seats.growth:+.1%}"
    print(f"{title:42}{seats.pushes:>10,} pushes, {seats.missed} missed, {said}")


def run(seconds: float = 120.0) -> bool:
    """Print the figures; false where one misses its bar."""
    found = figures()
    print(f"{'runner, every command on the disk':42}{found.direct:>10,.0f} commands/s")
    for count, rate in found.rates.items():
        late = found.late[count] * 1000
        share = f"{rate / found.direct:>6.2f}x   p99 {late:.0f} ms"
        print(f"{f'through HTTP, {count} clients':42}{rate:>10,.0f} commands/s {share}")
    stored, seats = live(seconds / 2), live(seconds / 2, place=MEMORY)
    _tell(f"{TABLES} tables x {SEATS} seats, live", stored, "bare writes to this disk")
    _tell("the same with the ledger in memory", seats, f"bar {LATE * 1000:.0f}; the machine's own")
    seen = page.run() & across.run()
    print(f"bench web: {found.ratio:.2f}x at {max(found.rates)} clients (bar {BAR}): ", end="")
    print("good" if found.good and seats.good and not stored.missed and seen else "MISSED")
    return found.good and seats.good and seen


if __name__ == "__main__":
    sys.exit(0 if run(*map(float, sys.argv[1:2])) else 1)
