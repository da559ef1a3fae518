"""The same work on one, two and four processes: processor time, and commands that came too late (stale).

    python -m bench.owners [--tables N] [--rounds N] [--processes 1,2,4] [--near]

Every table is worked by the automatic staff; one guest plays there and listens: through a process by turns, so that
with four of them three of four requests are passed on, or through the one that leads his table (`near`), where a load
balancer that knows the tables would send him. The houses of one, two and four processes have the machine to themselves
by turns, there and back again: caches of a house that shares cores with others measure the others, too. The yardstick
is as many separate houses as the last has processes, side by side, each with its share of the tables: what the same
work costs if it is only divided.
Exit status: 0 within the bars, 1 not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, chdir, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from tests.patience import PATIENCE
from tests.postgres import Postgres
from tests.web.serving import PROGRAM, Api, Server, start
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from bench.counted_server import counted as counted_in

__all__ = ["Work", "compare", "measure", "run"]

TABLES, MANY, ROUNDS, PROCESSES = 30, 150, 3, (1, 2, 4)
WARM = 3
"""Tables a process with which all is done once before it is measured: modules, routes and rulebooks are loaded. Every
house has as many as that of the most processes needs: they are there afterwards, too."""
MOST = 1.25
"""Processor time of the most processes at most, as a multiple of one's: the bar."""
ROOT = Path(__file__).parents[1]
TICK = os.sysconf("SC_CLK_TCK")


class Work(NamedTuple):
    """What some processes spent on the work."""

    processes: int
    """How many served."""
    seconds: float
    """Processor time of all of them together."""
    counts: Counter[str]
    """What became of the batches that they asked the ledger to store: `stored`, `StaleVersion`, others."""

    @property
    def stale(self) -> int:
        """Commands that were made on a version that was no longer the last."""
        return self.counts["StaleVersion"]

    @property
    def asked(self) -> int:
        """All batches."""
        return self.counts.total() - self.counts["commits"]


def spent(server: Server) -> float:
    """Seconds of processor time of a server until now."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


@contextmanager
def servers(ledger: str, folder: Path, count: int, *, counting: bool = True) -> Iterator[list[Server]]:
    """Some servers on one ledger, each with its counts in `folder` if they are wanted; ended by their ids."""
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    up: list[Server] = []
    try:
        for number in range(count):
            counted_server = ("-m", "bench.counted_server", str(folder / f"counts-{number}"))
            up.append(start(ledger, folder, program=counted_server if counting else PROGRAM))
        yield up
    finally:
        for server in up:
            server.process.terminate()
        for server in up:
            server.process.wait(PATIENCE)


def counted(folder: Path) -> Counter[str]:
    """What the servers of a folder have counted."""
    return sum(map(counted_in, folder.glob("counts-*")), Counter[str]())


# -- a guest


class Player:
    """A guest who plays as soon as he is asked, and never thinks."""

    def __init__(self, server: Server, table: str, number: int) -> None:
        self._server, self._table, self._api = server, table, Api.guest(server.base, f"Guest {number}")
        self.rounds = 0
        """Rounds that he has seen end."""
        self._asked = -1

    async def play(self, rounds: int) -> None:
        """Sit down, and play so many rounds to their end."""
        await asyncio.to_thread(self._api.post, f"/tables/{self._table}/sit", {"box": 1})
        cookies = "; ".join(f"{name}={value}" for name, value in self._api.http.cookies.items())
        address = f"{self._server.base.replace('http', 'ws')}/api/v1/tables/{self._table}/live"
        async for ear in connect(address, additional_headers={"cookie": cookies}, compression=None):
            with suppress(ConnectionClosed):  # the table has changed hands
                async for text in ear:
                    await self._hear(json.loads(text)["view"])
                    if self.rounds >= rounds:
                        return

    async def _hear(self, view: dict[str, Any]) -> None:
        """Count rounds, and answer what is asked, once."""
        self.rounds = view["round"] - (view["phase"] == "round")
        given = _answer(view)
        if given is not None and view["version"] != self._asked:
            self._asked = view["version"]
            await asyncio.to_thread(self._give, *given)

    def _give(self, do: str, args: dict[str, Any]) -> None:
        self._api.send("POST", f"/tables/{self._table}/commands", {"do": do, "args": args, "key": uuid.uuid4().hex})


def _answer(view: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """What he does when the table looks like this."""
    you, asked = view["you"], {step["do"] for step in view["next"] if step["role"] == "player"}
    if any(request["do"] == "have_looked" for request in view["requests"]):
        return "have_looked", {}
    if view["cut"] and view["cut"]["offered"] and "decline_cut" in asked:
        return "decline_cut", {}
    if "place_wager" in asked and not any(row["placed"] for row in view["boxes"] if row["box"] in you["boxes"]):
        return "place_wager", {"box": you["boxes"][0], "amount": "5"}
    if view["offer"] and view["phase"] == "round":
        return "decide", {"action": "decline" if view["offer"]["optional"] else "stand", "box": you["boxes"][0]}
    return None


# -- the work


class House:
    """Some processes on a ledger of their own."""

    def __init__(self, ledger: str, folder: Path, up: Sequence[Server], near: bool) -> None:
        self._ledger, self._folder, self._up, self._near = ledger, folder, up, near
        self._admin = Api.administrator(up[0])
        self._before, self._first = 0.0, Counter[str]()

    def open(self, tables: Sequence[str]) -> list[Player]:
        """Open tables; somebody who plays at each, through the process that leads it or through one by turns."""
        for table in tables:
            self._admin.post("/tables", {"name": table, "rulebook": "pa-spanish-21"})
            self._admin.send("PUT", f"/tables/{table}/staff", {"pace": "normal", "patience": 0}).raise_for_status()
        ways = _near(self._ledger, self._up, tables) if self._near else _by_turns(self._up, tables)
        return [Player(*way, number) for number, way in enumerate(zip(ways, tables, strict=True))]

    def begin(self) -> None:
        """Measure from now on."""
        self._before, self._first = sum(map(spent, self._up)), counted(self._folder)

    def end(self) -> Work:
        """What was spent since."""
        seconds, counts = sum(map(spent, self._up)) - self._before, counted(self._folder)
        counts.subtract(self._first)
        return Work(len(self._up), seconds, counts)


Share = tuple[int, range]
"""How many processes a house has, and which tables are played there."""


def measure(postgres: Postgres, processes: Sequence[int], tables: int, rounds: int, near: bool = False) -> list[Work]:
    """Open tables, let each be played for some rounds; what it cost, once every process has done everything once.

    The last is the yardstick: separate houses.
    """
    apart = processes[-1]
    sides: list[list[Share]] = [[(count, range(tables))] for count in processes]
    sides.append([(1, range(number, tables, apart)) for number in range(apart)])
    works: list[list[Work]] = [[] for _ in sides]
    for turn in [*range(len(sides)), *reversed(range(len(sides)))]:
        works[turn] += _played(postgres, sides[turn], WARM * apart, rounds, near)
    return [_together(side, done) for side, done in zip(sides, works, strict=True)]


def _together(side: Sequence[Share], works: Sequence[Work]) -> Work:
    """What the houses of a side spent in all turns."""
    counts = sum((work.counts for work in works), Counter[str]())
    return Work(sum(count for count, _ in side), sum(work.seconds for work in works), counts)


def _played(postgres: Postgres, side: Sequence[Share], warm: int, rounds: int, near: bool) -> list[Work]:
    """What some houses spend that play side by side, with as many tables together that are opened before."""
    with tempfile.TemporaryDirectory() as name, chdir(name), ExitStack() as all_up:
        places = [Path(name) / f"house-{number}" for number in range(len(side))]
        houses = [_house(postgres, place, count, near, all_up) for place, (count, _) in zip(places, side, strict=True)]
        for house in houses:
            asyncio.run(_all(house.open([f"warm-{number}" for number in range(warm // len(side))]), 1))
        for house in houses:
            house.begin()
        opened = [
            house.open([f"table-{number}" for number in share[1]]) for house, share in zip(houses, side, strict=True)
        ]
        asyncio.run(_all([player for players in opened for player in players], rounds))
        return [house.end() for house in houses]


def _house(postgres: Postgres, folder: Path, count: int, near: bool, all_up: ExitStack) -> House:
    folder.mkdir()
    ledger = postgres.new_database()
    return House(ledger, folder, all_up.enter_context(servers(ledger, folder, count)), near)


def _by_turns(up: Sequence[Server], tables: Sequence[str]) -> list[Server]:
    return [up[number % len(up)] for number in range(len(tables))]


def _near(ledger: str, up: Sequence[Server], tables: Sequence[str]) -> list[Server]:
    """The process that leads each table."""
    with psycopg.connect(ledger) as line:
        rows = line.execute("SELECT stream, address FROM streams JOIN processes ON id = leader").fetchall()
    led = {str(table): str(address) for table, address in rows}
    servers = {server.base: server for server in up}
    return [servers[led[table]] for table in tables]


async def _all(players: Sequence[Player], rounds: int) -> None:
    await asyncio.wait_for(asyncio.gather(*(player.play(rounds) for player in players)), PATIENCE)


def run() -> bool:
    """Print the figures of a small house and of a larger one; false where a bar is missed."""
    return all([compare(TABLES), compare(MANY), compare(MANY, near=True)])


def compare(tables: int, rounds: int = ROUNDS, processes: Sequence[int] = PROCESSES, *, near: bool = False) -> bool:
    """Print the figures of a house; false where a bar is missed."""
    with tempfile.TemporaryDirectory() as name, closing(Postgres(Path(name) / "data")) as postgres:
        works = measure(postgres, processes, tables, rounds, near)
    house = f"{tables} tables{', near' * near}"
    served = [f"{work.processes} process{'es' * (work.processes > 1)}" for work in works[:-1]]
    for work, by in zip(works, [*served, f"{works[-1].processes} separate houses"], strict=True):
        times = work.seconds / works[0].seconds
        print(
            f"{f'{house}, {rounds} rounds, {by}':50}{work.seconds:>10.2f} s of processor time ({times:.2f}x), "
            f"{work.stale} of {work.asked} commands came too late, {work.counts['commits']} commits"
        )
    good = works[-2].seconds <= MOST * works[0].seconds and not any(work.stale for work in works)
    print(f"{house}: at most {MOST}x and 0 too late: {'good' if good else 'MISSED'}")
    return good


def main(argv: Sequence[str] | None = None) -> int:
    """Measure."""
    parser = argparse.ArgumentParser(prog="python -m bench.owners", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--processes", default=",".join(map(str, PROCESSES)))
    parser.add_argument(
        "--near", action="store_true", help="every guest comes through the process that leads his table"
    )
    options = parser.parse_args(argv)
    processes = [int(part) for part in options.processes.split(",")]
    return 0 if compare(options.tables, options.rounds, processes, near=options.near) else 1


if __name__ == "__main__":
    sys.exit(main())
