"""Owners of tables that are killed or stopped in mid-round, while somebody gives commands without a pause."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import psycopg
from tests.patience import until
from tests.web.serving import Api, Server, start
from tests.web.test_api_processes import deal_into, follow_on, ready_table, to_the_end

from twentyone.ledger.store import open_store

__all__ = ["House", "Taken", "faults", "house"]

LEADS = "SELECT address FROM streams JOIN processes ON id = leader WHERE stream = %s"
ROOT = Path(__file__).parents[2]


class Taken(NamedTuple):
    """One owner that was lost."""

    how: str
    """`kill` or `stop`."""
    seconds: float
    """Until the next command at its table was acknowledged."""


class Giver:
    """Gives one command after the other, each with its key until it is acknowledged."""

    def __init__(self, api: Api, table: str, name: str) -> None:
        self._api, self._table, self._name = api, table, name
        self._over = threading.Event()
        self.acknowledged: dict[str, int] = {}
        """Key to the version that was answered."""
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        for number in range(10**9):
            if self._over.is_set():
                return
            self._give(f"{self._name}-{number}")

    def _give(self, key: str) -> None:
        body = {"do": "fill", "args": {"amount": "5"}, "key": key}
        while not self._over.is_set():
            try:
                answer = self._api.send("POST", f"/tables/{self._table}/commands", body)
            except httpx.TransportError:
                continue
            if answer.status_code == 200:
                self.acknowledged[key] = answer.json()["version"]
                return
            assert answer.status_code == 503, answer.text

    def stop(self) -> None:
        """Give no more."""
        self._over.set()
        self._thread.join()


class House:
    """Two servers on one ledger, and a table that people work."""

    def __init__(self, ledger: str, folder: Path, clock: Callable[[], float]) -> None:
        self.ledger, self._folder, self._clock = ledger, folder, clock
        self.servers = [start(ledger, folder), start(ledger, folder)]
        """Those that are up."""
        self.admin = Api.administrator(self.servers[0])
        """The administrator, at the first process."""
        self._dealer, self._guest = ready_table(self.servers[0], self.admin, "mine")
        self._floor = self.admin.account(self.servers[0].base, "Fay", "floorperson")
        self.acknowledged: dict[str, int] = {}
        """Every key that was acknowledged, and the version that was answered."""

    def owner(self) -> Server:
        """Who leads the table now."""
        with psycopg.connect(self.ledger) as line:
            row = line.execute(LEADS, ("mine",)).fetchone()
        assert row is not None, "nobody leads the table"
        return next(server for server in self.servers if server.base == row[0])

    def lose_owner(self, how: str, number: int, still: float = 0.0) -> Taken:
        """Deal into a round, lose its owner, and play it to the end through the other process."""
        people = (self._dealer, self._guest, self._floor)
        dealer, guest, _ = (follow_on(self.servers[0], api) for api in people)
        deal_into(dealer, guest, "mine")
        owner = self.owner()  # in mid-round a table does not change hands unless it must
        other = next(server for server in self.servers if server is not owner)
        dealer, guest, floor = (follow_on(other, api) for api in people)
        giver = Giver(floor, "mine", f"{how} {number}".replace(" ", "-"))
        try:
            until(lambda: len(giver.acknowledged) >= 3, "commands are taken")
            owner.process.send_signal(signal.SIGKILL if how == "kill" else signal.SIGSTOP)
            lost = self._clock()
            until(lambda: self.owner() is other, "another has taken over", look=0.1)
            before = len(giver.acknowledged)
            until(lambda: len(giver.acknowledged) > before, "it takes commands")
            taken = self._clock() - lost
            if how == "stop":
                time.sleep(still)
        finally:
            giver.stop()
        self.acknowledged |= giver.acknowledged
        self._bring_back(owner, how)
        to_the_end(dealer, guest, "mine")
        return Taken(how, taken)

    def _bring_back(self, owner: Server, how: str) -> None:
        """The lost process goes on, or another is started; what it is asked is answered by who leads by now."""
        if how == "stop":
            owner.process.send_signal(signal.SIGCONT)
            near = follow_on(owner, self._guest)
            until(lambda: _version(near) == _version(self._guest_at(owner)), "both tell the same")
            return
        owner.process.wait()
        self.servers.remove(owner)
        self.servers.append(start(self.ledger, self._folder))

    def _guest_at(self, owner: Server) -> Api:
        return follow_on(next(server for server in self.servers if server is not owner), self._guest)

    def admin_anywhere(self) -> Api:
        """The administrator, at a process that is up."""
        return follow_on(self.servers[0], self.admin)

    def close(self) -> None:
        """End these servers, and no others."""
        for server in self.servers:
            server.process.send_signal(signal.SIGCONT)
            server.kill()


def _version(api: Api) -> int:
    return int(api.get("/tables/mine")["version"])


@contextmanager
def house(ledger: str, folder: Path, clock: Callable[[], float] = lambda: 0.0) -> Iterator[House]:
    """Two servers for as long as the block runs; `clock` is for whoever measures."""
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    built = House(ledger, folder, clock)
    try:
        yield built
    finally:
        built.close()


def faults(ledger: str, acknowledged: dict[str, int]) -> list[str]:
    """What was acknowledged and is not in the ledger, or is there twice, or elsewhere; by its events alone."""
    store = open_store(ledger)
    try:
        stored = [event for event in store.read("mine") if event.type == "command" and '"do":"fill"' in event.body]
    finally:
        store.close()
    keys = [(event.idem or "").partition(":")[2] for event in stored]
    lost = [f"{key} was acknowledged and is not stored" for key in acknowledged if key not in keys]
    doubled = [f"{key} is stored twice" for key in {*keys} if keys.count(key) > 1]
    moved = [
        f"{key} was answered with version {acknowledged[key]} and stands at {event.ver}"
        for key, event in zip(keys, stored, strict=True)
        if key in acknowledged and not event.ver <= acknowledged[key] < event.ver + 10
    ]
    return lost + doubled + moved
