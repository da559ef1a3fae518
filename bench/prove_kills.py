"""T2: the real server killed in the middle of its work, again and again; its clients send again what had no answer.

    python -m bench.prove_kills [--count N] [--blind]

Every command is a fill of an amount of its own. After each kill and restart every amount must stand in the ledger
once, read from the file itself. `--blind` is the negative control: clients who send again under a new key must be found
to have stored something twice. Exit status: 0 proved, 1 a fault, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random

import httpx
from rich.progress import track
from tests.patience import until
from tests.web.serving import Api, Server, free_port, start

from bench.prove import FAULT, PROVED, STOPPED
from twentyone.money import Amount

__all__ = ["Killed", "main"]

TABLE, CLIENTS = "killed", 4
FEWEST, MOST = 3, 40
"""Commands that are acknowledged before a kill, at least and at most."""
LOST = 5
"""One answer in so many does not reach its client, who does not know what became of his command."""
HALF = 500
"""Thousandths of the smallest fill; the others are its multiples."""
ROWS = "SELECT gseq, type, body FROM events WHERE stream = ? AND gseq > ? ORDER BY gseq"


class Killed:
    """A server on a ledger, and clients who want an answer to everything."""

    def __init__(self, folder: Path, blind: bool = False, seed: int = 1) -> None:
        self.folder, self.blind = folder, blind
        self.ledger, self.port = folder / "killed.db", free_port()
        self.rng = Random(seed)
        self.acknowledged = self.resent = self.last = 0
        self.wrong: list[str] = []
        """Answers that no client should have had."""
        self.server = self._start()
        self.floor = self._table()
        self._new_rows()

    def _start(self) -> Server:
        return start(str(self.ledger), self.folder, self.port)

    def _table(self) -> Api:
        admin = Api.administrator(self.server)
        admin.account(self.server.base, "Dan", "dealer")
        floor = admin.account(self.server.base, "Fay", "floorperson")
        floor.post("/tables", {"name": TABLE, "rulebook": "pa-spanish-21", "cards": "person"})
        floor.command(TABLE, "open_table", dealer="Dan").raise_for_status()
        return floor

    def _new_rows(self) -> Counter[int]:
        """The amounts of the fills that were stored since the last look."""
        found: Counter[int] = Counter()
        with closing(sqlite3.connect(f"file:{self.ledger}?mode=ro", uri=True)) as raw:
            for gseq, kind, body in raw.execute(ROWS, (TABLE, self.last)):
                self.last = gseq
                if kind == "chips_moved":
                    found[json.loads(body)["data"]["amount"] // HALF] += 1
        return found

    def kill(self, number: int) -> list[str]:
        """Let the clients work, kill the server, start it again; what is lost or doubled then."""
        waiting: dict[int, str] = {}
        numbers, stop, gate = iter(range(1, 10_000)), threading.Event(), threading.Lock()
        told = [0]

        def client() -> None:
            while not stop.is_set():
                with gate:
                    amount = next(numbers)
                    waiting[amount] = f"kill-{number}-{amount}"
                try:
                    stored = self._send(amount, waiting[amount])
                except httpx.TransportError:
                    return
                if stored and amount % LOST:
                    with gate:
                        told[0] += 1
                        acknowledged.add(amount)
                        del waiting[amount]

        acknowledged: set[int] = set()
        threads = [threading.Thread(target=client) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        enough = self.rng.randint(FEWEST, MOST)
        until(lambda: told[0] >= enough or self.wrong, "the clients work", look=0.002)
        time.sleep(self.rng.uniform(0.0, 0.02))
        self.server.kill()
        stop.set()
        for thread in threads:
            thread.join()
        self.server = self._start()
        for amount, key in sorted(waiting.items()):
            self.resent += 1
            until(partial(self._answered, amount, key + "-again" * self.blind), "an answer")
        self.acknowledged += told[0]
        return self._faults(acknowledged | set(waiting))

    def _answered(self, amount: int, key: str) -> bool:
        return self._send(amount, key) or bool(self.wrong)

    def _send(self, amount: int, key: str) -> bool:
        body = {"do": "fill", "args": {"amount": str(Amount.from_thousandths(amount * HALF))}, "key": key}
        answer = self.floor.send("POST", f"/tables/{TABLE}/commands", body)
        if answer.status_code not in (200, 503):
            self.wrong.append(f"{key}: {answer.status_code} {answer.text[:200]}")
        return answer.status_code == 200

    def _faults(self, sent: set[int]) -> list[str]:
        stored = self._new_rows()
        lost = [f"the command of {amount} is lost" for amount in sorted(sent) if not stored[amount]]
        return (
            self.wrong
            + lost
            + [f"the command of {amount} is stored {count} times" for amount, count in stored.items() if count > 1]
        )


def prove(count: int, blind: bool) -> int:
    """Kill so many times; then the whole ledger must verify."""
    began, faults = time.monotonic(), list[str]()
    with tempfile.TemporaryDirectory() as name:
        house = Killed(Path(name), blind)
        try:
            for number in track(range(count), "kills", transient=True):
                faults += house.kill(number)
                if faults and not blind:
                    break
            if not blind:
                report = Api.administrator(house.server).post("/verify")
                faults += [] if report["ok"] else [f"the ledger is not well: {report}"]
        finally:
            house.server.kill()
    told = f"{house.acknowledged:,} commands acknowledged, {house.resent} sent again, {time.monotonic() - began:.0f} s"
    if blind:
        good = bool(house.resent) and any("times" in fault for fault in faults)
        said = f"{len(faults)} stored twice" if good else "NOTHING WAS FOUND"
        print(f"prove kills, sent again under a new key: {said}, {told}", flush=True)
        return PROVED if good else FAULT
    print(f"prove kills: {count} kills of the server, {len(faults)} faults, {told}", *faults[:10], sep="\n", flush=True)
    return FAULT if faults else PROVED


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill the server."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_kills", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--blind", action="store_true")
    options = parser.parse_args(arguments)
    try:
        return prove(options.count, options.blind)
    except KeyboardInterrupt:
        print("prove kills: stopped")
        return STOPPED


if __name__ == "__main__":
    sys.exit(main())
