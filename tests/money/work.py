"""One process of a house: the tables it leads, automatic staff at full speed, guests who do anything anywhere.

    python -m tests.money.work LEDGER FOLDER PROCESS SEED PROGRESS

It works until its standard input is closed; PROGRESS holds how many commands its guests have given.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import uuid
from pathlib import Path
from random import Random
from typing import Any

import uvicorn

from tests.money.house import TABLES, service_of
from tests.patience import until_soon
from tests.web.inside import Answer, Client
from tests.web.serving import free_port
from twentyone.errors import Refused
from twentyone.ledger.rows import LedgerFailed, StaleVersion, Superseded
from twentyone.money import ZERO
from twentyone.round import Offer
from twentyone.service import staff
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.people import Person
from twentyone.service.service import Service
from twentyone.table import Table
from twentyone.table.play import COMMANDS
from twentyone.web.api.common import CSRF_COOKIE, SESSION_COOKIE
from twentyone.web.app import create_app
from twentyone.web.observability import begin_log

__all__ = ["Guest", "at_full_speed", "main"]

GUESTS = 25
"""Guests of one process."""
AMOUNTS = ("5", "10", "25", "100", "1", "500", "3", "1000000")
"""What guests say; some of it is wrong."""
WAITS = 0.9
"""How often a guest waits while nothing is asked of him."""
AT_ONCE = 4
"""Guests whose commands are on their way at the same time: the staff has to come to its turn, too."""
PAUSE = 0.02
"""The longest that a guest waits between two commands, in seconds."""
AWAY = 0.05
"""How often a guest turns to any table of the house."""
CREATED, SERVER_ERROR, AGAIN = 201, 500, 503
MAY_HAPPEN = (Refused, StaleVersion, Superseded, LedgerFailed)
"""What a dealer is told where a guest gets a refusal: another was quicker, or the table has just changed hands."""


def at_full_speed() -> None:
    """Automatic staff that waits for nobody longer than a moment."""
    staff.PACES["fast"] = 0.0
    staff.STANDS = staff.READY = staff.CUT = 0.02


class Guest:
    """Somebody who plays, and tries what he should not."""

    def __init__(self, service: Service, client: Client, name: str, rng: Random) -> None:
        self.service, self.client, self.name, self.rng = service, client, name, rng

    async def act(self) -> Answer | None:
        """One request; none where he rather waits."""
        mine = [name for name, live in self._tables() if self.name in live.state.players]
        if not mine or self.rng.random() < AWAY:
            return await self._blindly(self.rng.choice(list(TABLES)))
        name = self.rng.choice(mine)
        table = self.service.tables[name].runner.table
        if self._waits(table):
            return None
        do, args = self._choose(table)
        if do == "buy-in":
            return await self.client.send("POST", f"/tables/{name}/buy-in", {})
        return await self.client.command(name, do, **args)

    async def _blindly(self, name: str) -> Answer:
        """Something at a table that he may not see: often another process leads it."""
        do = self.rng.choice(("sit", "sit", "buy-in", "place_wager", "bring_chips", "leave"))
        if do in ("sit", "buy-in"):
            return await self.client.send("POST", f"/tables/{name}/{do}", {})
        args: dict[str, Any] = {} if do == "leave" else {"amount": self.rng.choice(AMOUNTS)}
        if do == "place_wager":
            args["box"] = self.rng.randint(1, 7)
        return await self.client.command(name, do, **args)

    def _waits(self, table: Table) -> bool:
        """Whether nothing is asked of him, and he does not try anything either."""
        round_, laid = table.state.round, {wager.player for wager in table.state.placed}
        offer = round_.next if table.state.phase == "round" and round_ is not None else None
        asked = isinstance(offer, Offer) and any(option.player == self.name for option in offer.options)
        wagers = table.state.phase == "open" and not table.state.agenda and self.name not in laid
        return not asked and not wagers and self.rng.random() < WAITS

    def _tables(self) -> list[tuple[str, Table]]:
        return [(name, live.runner.table) for name, live in self.service.tables.items() if not live.runner.stopped]

    def _choose(self, table: Table) -> tuple[str, dict[str, Any]]:
        round_ = table.state.round
        if table.state.phase == "round" and round_ is not None and isinstance(round_.next, Offer):
            options = [option for option in round_.next.options if option.player == self.name]
            if options and self.rng.random() < 0.95:
                return self._decide(options)
        chance = self.rng.random()
        if chance < 0.7:
            return self._wager(table)
        if chance < 0.9:
            return self._chips(table)
        return self._anything()

    def _decide(self, options: list[Any]) -> tuple[str, dict[str, Any]]:
        option = self.rng.choice(options)
        args: dict[str, Any] = {"action": option.action, "box": option.box}
        if option.hand is not None and option.action == "designate":
            args["hand"] = option.hand
        return "decide", args

    def _wager(self, table: Table) -> tuple[str, dict[str, Any]]:
        player = table.state.players[self.name]
        box = self.rng.choice(player.boxes or (1,))
        args: dict[str, Any] = {"box": box, "amount": self.rng.choice(AMOUNTS)}
        side = [name for name in table.rules.wagers if name != "main"]
        if side and any(wager.player == self.name for wager in table.state.placed):
            args |= {"wager": self.rng.choice(side), "amount": self.rng.choice(("1", "5"))}
        return "place_wager", args

    def _chips(self, table: Table) -> tuple[str, dict[str, Any]]:
        held = table.state.chips.get(self.name, ZERO)
        amount = self.rng.choice((str(held), *AMOUNTS))
        chosen: tuple[str, dict[str, Any]] = self.rng.choice(
            (
                ("leave", {}),
                ("tip", {"amount": amount}),
                ("bring_chips", {"amount": amount}),
                ("take_back_wager", {"box": self.rng.randint(1, 7)}),
                ("buy-in", {}),
                ("place_wager", {"box": 1, "amount": amount, "cash": True}),
            )
        )
        return chosen

    def _anything(self) -> tuple[str, dict[str, Any]]:
        names = sorted(COMMANDS)
        keys = ("box", "amount", "wager", "player", "cash", "coupon", "number", "hand", "action", "boxes")
        values = (1, 2, "5", "99999999", "main", self.name, True, "decline", [1, 2], -1)
        return self.rng.choice(names), {key: self.rng.choice(values) for key in self.rng.sample(keys, 3)}


async def coupons_go_round(service: Service, app: Any, process: int, rng: Random, count: Count) -> None:
    """A floorperson issues coupons, and the dealers lay them: new ones, used ones, at two tables at once."""
    session = service.people.begin(Person(f"Floor {process}", "floorperson"))
    client = Client(app, {SESSION_COOKIE: session.id, CSRF_COOKIE: session.csrf})
    numbers: list[str] = []
    while True:
        issued = {"amount": rng.choice(AMOUNTS), "ends": "2099-01-01", "key": uuid.uuid4().hex}
        answer = await client.send("POST", "/coupons", issued)
        count.add()
        if answer.status_code == CREATED:
            numbers.append(answer.json()["number"])
        for live in list(service.tables.values()):
            if not live.runner.stopped and numbers:
                await _lay_coupons(live, rng, numbers)
                count.add()
        await asyncio.sleep(PAUSE)


async def _lay_coupons(live: LiveTable, rng: Random, numbers: list[str]) -> None:
    state = live.runner.table.state
    for wager in state.placed[:1]:
        args = {"box": wager.box, "player": wager.player, "wager": wager.wager, "number": rng.choice(numbers[-20:])}
        request = CommandRequest("lay_coupon", args | {"amount": rng.choice(AMOUNTS)}, uuid.uuid4().hex)
        with contextlib.suppress(*MAY_HAPPEN):
            await live.give(request, "dealer", state.dealer or "")


class Count:
    """How many commands were given, where another process can read it."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self.count = int(os.pread(self._file, 20, 0) or b"0")

    def add(self) -> None:
        """One more."""
        self.count += 1
        os.pwrite(self._file, str(self.count).encode(), 0)


async def guests_play(service: Service, app: Any, process: int, seed: int, count: Count) -> None:
    """All guests of this process, until they are stopped."""

    few = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> None:
        name = f"Guest {process}-{number}"
        session = service.people.begin(Person(name, "player"))
        client = Client(app, {SESSION_COOKIE: session.id, CSRF_COOKIE: session.csrf})
        guest = Guest(service, client, name, Random(f"{seed}-{name}"))
        while True:
            async with few:
                answer = await guest.act()
            if answer is not None:
                count.add()
                if answer.status_code >= SERVER_ERROR and answer.status_code != AGAIN:
                    print(f"{name}: {answer.status_code} {answer.text}", file=sys.stderr, flush=True)
            await asyncio.sleep(guest.rng.random() * PAUSE)

    coupons = coupons_go_round(service, app, process, Random(seed), count)
    await asyncio.gather(coupons, *map(one, range(GUESTS)))


async def work(ledger: str, folder: Path, process: int, seed: int, progress: Path) -> None:
    """Serve and play until standard input is closed."""
    at_full_speed()
    begin_log(False)
    port = free_port()
    service = service_of(ledger, folder, f"http://127.0.0.1:{port}")
    app = create_app(service, first_tables=False, limited=False)
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", access_log=False))
    serving = asyncio.create_task(server.serve())
    await until_soon(lambda: server.started or serving.done(), "the process serves")
    playing = asyncio.create_task(guests_play(service, app, process, seed, Count(progress)))
    ended = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    await asyncio.wait({playing, ended}, return_when=asyncio.FIRST_COMPLETED)
    playing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await playing
    server.should_exit = True
    await serving


def main() -> None:
    """Work as the arguments say."""
    ledger, folder, process, seed, progress = sys.argv[1:]
    asyncio.run(work(ledger, Path(folder), int(process), int(seed), Path(progress)))


if __name__ == "__main__":
    main()
