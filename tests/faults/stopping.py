"""T4: clients work a ledger in PostgreSQL through a writer while the server is stopped hard and started again."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field

from tests.faults.work import command
from tests.patience import PATIENCE, until
from tests.postgres import Postgres

from twentyone.ledger.chain import verify_chain
from twentyone.ledger.rows import LedgerFailed
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.writer import Writer

__all__ = ["Report", "stop_and_start"]

CLIENTS = 4
FEWEST = 8
"""Answers that the clients have between two stops at least."""


@dataclass
class Report:
    """What the clients saw and what the ledger holds."""

    acknowledged: int = 0
    """Commands that had a good answer."""
    failed: int = 0
    """Stops that the clients noticed."""
    faults: list[str] = field(default_factory=list)
    """What was lost, doubled or broken."""


@dataclass
class _Client:
    """One table: its next command, made anew only when the last one is answered."""

    stream: str
    number: int = 0
    tries: int = 0
    done: dict[int, str] = field(default_factory=dict)
    """Numbers of acknowledged commands, with the hash of their last event."""

    def work(self, writer: Writer, store: Store, blind: bool) -> None:
        """Send commands until the ledger fails; then forget the last answer, so that its command is sent once more."""
        try:
            while True:
                asked = command(self.number, self.stream, store.version(self.stream))
                key = f"{self.stream}-{self.number}-{self.tries}" if blind else f"{self.stream}-{self.number}"
                answer = writer.append(*asked._replace(key=key))
                self.done[self.number] = answer.events[-1].hash
                self.number += 1
        except LedgerFailed:
            self.tries += 1
            self.number = max(0, self.number - 1)


def stop_and_start(server: Postgres, stops: int, seed: int, blind: bool = False) -> Report:
    """Stop the server a number of times at moments that chance chooses."""
    url, dice, report = server.new_schema(), random.Random(seed), Report()
    open_store(url, create=True).close()
    clients = [_Client(f"table {place}") for place in range(CLIENTS)]
    for _ in range(stops):
        report.failed += _until_stopped(server, url, clients, dice.uniform(0, 0.05), blind)
    with closing(open_store(url)) as store:
        report.acknowledged = sum(len(client.done) for client in clients)
        report.faults = [str(fault) for fault in verify_chain(store)[0]]
        for client in clients:
            report.faults += _faults(client, store)
    return report


def _until_stopped(server: Postgres, url: str, clients: list[_Client], seconds: float, blind: bool) -> bool:
    """Work, stop the server hard, start it again; whether every client noticed: only a failed ledger ends its work."""
    with closing(open_store(url)) as store, closing(Writer(store)) as writer:
        threads = [threading.Thread(target=client.work, args=(writer, store, blind)) for client in clients]
        for thread in threads:
            thread.start()
        _wait_for_answers(clients, FEWEST)
        time.sleep(seconds)
        server.stop_hard()
        for thread in threads:
            thread.join(timeout=PATIENCE)
        noticed = not any(thread.is_alive() for thread in threads)
    server.start()
    return noticed


def _wait_for_answers(clients: list[_Client], count: int) -> None:
    before = sum(client.number for client in clients)
    until(lambda: sum(client.number for client in clients) >= before + count, "the clients are answered", look=0.001)


def _faults(client: _Client, store: Store) -> list[str]:
    hashes = {event.hash for event in store.read(client.stream)}
    stored = Counter(event.body for event in store.read(client.stream) if event.type == "command")
    lost = [f"{client.stream}: command {number} is lost" for number, last in client.done.items() if last not in hashes]
    doubled = [f"{client.stream}: {body} is stored {times} times" for body, times in stored.items() if times > 1]
    return lost + doubled
