"""Whether the tables notice the desk: decisions at twenty live tables while simulations and odds are worked out."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from tests.web.serving import Api, Server, serving
from websockets.asyncio.client import connect

from bench.web import LATE, MEMORY, Line, sleep, worst
from twentyone.money import Amount
from twentyone.rulebook import rulebook_ids

__all__ = ["Beside", "Decided", "busy", "measure"]

TABLES = 20
SIMULATIONS, ODDS = 10, 20
BOOK = "classic-blackjack"
WAGER = "10"
QUICK = {"pace": "fast", "patience": 0.2}
"""An automatic dealer who waits for nobody else."""


class Decided(NamedTuple):
    """What the players of all tables saw."""

    times: list[float]
    """Seconds from each decision to its answer."""
    machine: float
    """Seconds that the machine itself keeps a sleeper waiting, 99 times of 100: the yardstick."""

    @property
    def late(self) -> float:
        """Seconds that 99 of 100 decisions take at most."""
        return worst(self.times)


class Beside:
    """Asks for everything at once, as guests at six addresses may; keeps what was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        """The computations."""

    def __call__(self, server: Server) -> None:
        """Ask."""
        guests = [Api.guest(server.base, f"Ada {number}", f"127.0.0.{number + 2}") for number in range(6)]
        for number in range(SIMULATIONS):
            options = {"rounds": 10**9, "seed": number + 1}
            self._ask(guests[number % 6], {"kind": "simulate", "rulebook": BOOK, "options": options})
        for number, (decks, soft) in enumerate(product(range(1, 9), (False, True, None))):
            if number < ODDS:
                chosen = {
                    "decks": decks,
                    **({} if soft is None else {"dealer_hits_soft_17": soft, "surrender": "late"}),
                }
                self._ask(guests[number % 6], {"kind": "odds", "rulebook": BOOK, "submission": chosen})

    def _ask(self, who: Api, question: dict[str, Any]) -> None:
        self.asked.append(who.post("/jobs", question))


def busy(asked: list[dict[str, Any]]) -> int:
    """How many of the computations had to be worked out."""
    return sum(job["state"] != "done" for job in asked)


class Player:
    """Sits at a table with an automatic dealer, lays a wager and decides as soon as he is asked."""

    def __init__(self, server: Server, table: str, number: int) -> None:
        self._server, self._table = server, table
        self._api = Api.guest(server.base, f"Ann {number}")
        self._api.post(f"/tables/{table}/sit", {"box": 1})
        self.times: list[float] = []
        """Seconds from each decision to its answer."""

    async def play(self, end: float) -> None:
        """Play until the time is over."""
        self._line = await Line(self._server, self._table, self._api).open()
        async with httpx.AsyncClient(base_url=f"{self._server.base}/api/v1", cookies=self._api.http.cookies) as http:
            async for _ in self._frames(end):
                await self._answer((await http.get(f"/tables/{self._table}")).json())

    async def _frames(self, end: float) -> AsyncIterator[None]:
        cookies = "; ".join(f"{key}={value}" for key, value in self._api.http.cookies.items())
        address = f"{self._server.base.replace('http', 'ws')}/api/v1/tables/{self._table}/live"
        async with connect(address, additional_headers={"cookie": cookies}, compression=None) as ear:
            while (left := end - time.perf_counter()) > 0:
                try:
                    await asyncio.wait_for(ear.recv(), left)
                except TimeoutError:
                    return
                yield

    async def _answer(self, view: dict[str, Any]) -> None:
        wanted, offer = {step["do"] for step in view["next"]}, view["offer"]
        if any(request["do"] == "have_looked" for request in view["requests"]):
            await self._line.give("have_looked")
        elif "cut" in wanted and view["cut"]["offered"] == view["you"]["name"]:
            await self._line.give("decline_cut")
        elif "place_wager" in wanted and not view["boxes"][0]["placed"]:
            await self._lay(Amount(view["you"]["chips"]))
        elif offer is not None and "decisions" in offer:
            await self._decide(offer)

    async def _decide(self, offer: dict[str, Any]) -> None:
        """Decline what may be declined; else stand, or what is the first thing allowed."""
        allowed = [row["action"] for row in offer["decisions"] if row["allowed"]]
        action = "decline" if offer["optional"] else "stand" if "stand" in allowed else allowed[0]
        begun = time.perf_counter()
        await self._line.give("decide", action=action, box=offer["box"])
        self.times.append(time.perf_counter() - begun)

    async def _lay(self, chips: Amount) -> None:
        if chips < Amount(WAGER):
            await asyncio.to_thread(self._api.post, f"/tables/{self._table}/buy-in")
        await self._line.give("place_wager", box=1, amount=WAGER)


def decisions(seconds: float, beside: Callable[[Server], None] | None = None) -> Decided:
    """Twenty tables of all games, a player at each who decides at once; `beside`: other work, with nothing kept."""
    with tempfile.TemporaryDirectory(dir=MEMORY, prefix=".bench-") as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        with serving(str(folder / "web.db"), folder) as server:
            admin, books = Api.administrator(server), rulebook_ids()
            names = [f"table-{number}" for number in range(TABLES)]
            for number, table in enumerate(names):
                admin.post("/tables", {"name": table, "rulebook": books[number % len(books)]})
                admin.send("PUT", f"/tables/{table}/staff", QUICK).raise_for_status()
            players = [Player(server, table, number) for number, table in enumerate(names)]
            if beside is not None:
                beside(server)
            return asyncio.run(_play(players, seconds))


async def _play(players: list[Player], seconds: float) -> Decided:
    end = time.perf_counter() + seconds
    sleeper = asyncio.create_task(asyncio.to_thread(sleep, end))
    await asyncio.gather(*(player.play(end) for player in players))
    return Decided([late for player in players for late in player.times], worst(await sleeper))


def measure(seconds: float) -> tuple[Decided, Decided, int]:
    """The tables alone, then beside the desk's work; and how many computations that were."""
    alone, beside = decisions(seconds), Beside()
    return alone, decisions(seconds, beside), busy(beside.asked)


def run(seconds: float = 40.0) -> bool:
    """Print the figures; false where the bar is missed."""
    alone, beside, asked = measure(seconds)
    for title, found in ((f"{TABLES} live tables, alone", alone), (f"beside {asked} computations", beside)):
        late, yardstick = found.late * 1000, found.machine * 1000
        print(f"{title:42}{len(found.times):>10,} decisions, p99 {late:.0f} ms (machine's own {yardstick:.0f})")
    good = beside.late < LATE and asked >= SIMULATIONS and len(beside.times) > TABLES
    print(f"bench desk: p99 {beside.late * 1000:.0f} ms (bar {LATE * 1000:.0f}): {'good' if good else 'MISSED'}")
    return good


if __name__ == "__main__":
    sys.exit(0 if run(*map(float, sys.argv[1:2])) else 1)
