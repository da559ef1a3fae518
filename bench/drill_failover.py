"""The failover drill: the first PostgreSQL dies under load, its replica is promoted, the house plays on.

    python -m bench.drill_failover [--commands N] [--unsynchronised]

A real server works on an address that names both databases. Every command is a fill of an amount of its own; after the
promotion every acknowledged amount must stand in the promoted database once, commands are taken again, and the ledger
must verify. `--unsynchronised` is the negative control: a replica that lags must be found to have lost something. Exit
status: 0 held, 1 a fault.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from contextlib import chdir, closing, suppress
from functools import partial
from pathlib import Path

import httpx
import psycopg
from tests.faults.replica import Replica
from tests.patience import until
from tests.postgres import Postgres
from tests.web.serving import Api, Server, start

from bench.prove import FAULT, PROVED
from twentyone.money import Amount

__all__ = ["main"]

TABLE, HALF = "drilled", 500
ROWS = "SELECT type, body FROM events WHERE stream = %s ORDER BY ver"


class Drill:
    """A house on two databases."""

    def __init__(self, replica: Replica, ledger: str, folder: Path) -> None:
        self.replica, self.ledger, self.folder = replica, ledger, folder
        self.server: Server = start(replica.both(ledger), folder)
        self.acknowledged: set[int] = set()
        self.open: dict[int, str] = {}
        """Commands without an answer."""
        admin = Api.administrator(self.server)
        admin.account(self.server.base, "Dan", "dealer")
        self.floor = admin.account(self.server.base, "Fay", "floorperson")
        self.floor.post("/tables", {"name": TABLE, "rulebook": "pa-spanish-21", "cards": "person"})
        self.floor.command(TABLE, "open_table", dealer="Dan").raise_for_status()

    def give(self, amount: int) -> bool:
        """One command; where nobody answers, it stays open under its key."""
        key = self.open.setdefault(amount, uuid.uuid4().hex)
        body = {"do": "fill", "args": {"amount": str(Amount.from_thousandths(amount * HALF))}, "key": key}
        with suppress(httpx.TransportError):
            answer = self.floor.send("POST", f"/tables/{TABLE}/commands", body)
            if answer.status_code == 200:
                del self.open[amount]
                self.acknowledged.add(amount)
        return amount in self.acknowledged

    def again(self) -> None:
        """The server starts again, as whoever supervises it does, and finds the database that may write."""
        if self.server.process.poll() is None:
            self.server.kill()
        self.server = start(self.replica.both(self.ledger), self.folder, int(self.server.base.rpartition(":")[2]))

    def faults(self) -> list[str]:
        """What the promoted database has lost or doubled."""
        with psycopg.connect(self.replica.url(self.ledger)) as connection:
            rows = connection.execute(ROWS, (TABLE,)).fetchall()
        moved = (json.loads(body)["data"]["amount"] // HALF for kind, body in rows if kind == "chips_moved")
        stored = Counter(moved)
        lost = [f"the command of {amount} is lost" for amount in sorted(self.acknowledged) if not stored[amount]]
        return lost + [f"the command of {amount} is stored {n} times" for amount, n in stored.items() if n > 1]


def drill(commands: int, synchronous: bool) -> int:
    """Work, lose the first database, promote, play on."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name, closing(Postgres(Path(name) / "primary" / "data")) as primary:
        Path(name).chmod(0o755)
        ledger = "house"
        with psycopg.connect(primary.url(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE house")
        with closing(Replica(primary, Path(name) / "second" / "data", synchronous)) as replica:
            (Path(name) / "work").mkdir()
            with chdir(Path(name) / "work"):
                return _drill(Drill(replica, ledger, Path(name) / "work"), primary, commands, synchronous, began)


def _drill(house: Drill, primary: Postgres, commands: int, synchronous: bool, began: float) -> int:
    try:
        for amount in range(1, commands + 1):
            if amount == commands // 2 and not synchronous:
                house.replica.cut_off()
            house.give(amount)
        primary.stop_hard()
        house.give(commands + 1)
        lost_at = time.monotonic()
        house.replica.promote()
        found = house.faults()
        if not synchronous:
            told = f"{len(found)} acknowledged commands lost" if found else "NOTHING WAS FOUND"
            print(f"drill failover, a replica that lags: {told}, {time.monotonic() - began:.0f} s")
            return PROVED if found else FAULT
        house.again()
        for amount in [*house.open, *range(commands + 2, commands + 12)]:
            until(partial(house.give, amount), "an answer")
        back = time.monotonic() - lost_at
        report = Api.administrator(house.server).post("/verify")
        found += house.faults() + ([] if report["ok"] else [f"the ledger is not well: {report}"])
    finally:
        house.server.kill()
    told = f"{len(house.acknowledged)} commands acknowledged, {len(found)} lost or doubled"
    print(*found[:10], sep="\n", end="\n" if found else "")
    print(f"drill failover: {told}, played on {back:.1f} s after the loss, verified, {time.monotonic() - began:.0f} s")
    return FAULT if found else PROVED


def main(arguments: Sequence[str] | None = None) -> int:
    """Hold the drill."""
    parser = argparse.ArgumentParser(prog="python -m bench.drill_failover", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--commands", type=int, default=40)
    parser.add_argument("--unsynchronised", action="store_true")
    options = parser.parse_args(arguments)
    return drill(options.commands, not options.unsynchronised)


if __name__ == "__main__":
    sys.exit(main())
