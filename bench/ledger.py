"""How fast the ledger is, beside a bare loop of INSERT and commit on the same kind of file."""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from twentyone.ledger.chain import Chain
from twentyone.ledger.rows import Batch, NewEvent
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.writer import Writer

__all__ = ["Figures", "figures", "fill"]

SECONDS = 3.0
TURNS = 9
"""Every loop has so many turns, one after the other; its figure is the median."""
CLIENTS = 50
EVENTS = 100_000
BODY = {"at": 1_700_000_000, "by": "d1", "do": "card", "args": {"card": "8S", "to": "box 3"}, "role": "dealer"}
MARK = "0" * 64


class Figures(NamedTuple):
    """What was measured in one run."""

    bare: float
    """Bare INSERT and commit with full synchronisation, per second."""
    one: float
    """Commands per second of one client."""
    many: float
    """Commands per second of fifty clients through the writer."""
    verified: float
    """Events per second: read from the file and followed along their chains."""

    @property
    def good(self) -> bool:
        """Whether every bar is met."""
        return self.one >= 0.4 * self.bare and self.many >= 1.2 * self.bare and self.verified >= 200_000


def figures(seconds: float = SECONDS, events: int = EVENTS) -> Figures:
    """Measure; the loops take turns, so that all of them meet the same disk."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as name:
        folder, loops = Path(name), (_bare, _one, _many)
        rates: list[list[float]] = [[], [], []]
        for turn in range(TURNS):
            for place, loop in enumerate(loops):
                rates[place].append(loop(folder / f"{place}-{turn}.db", seconds / TURNS))
        bare, one, many = (statistics.median(found) for found in rates)
        return Figures(bare, one, many, _verified(folder / "chain.db", events))


def _rate(job: Callable[[int], object], seconds: float) -> float:
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        job(done)
        done += 1
    return done / spent


def _bare(path: Path, seconds: float) -> float:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE events (gseq INTEGER PRIMARY KEY, body TEXT)")
        body = str(BODY)

        def insert(_: int) -> None:
            connection.execute("BEGIN")
            connection.execute("INSERT INTO events (body) VALUES (?)", (body,))
            connection.execute("COMMIT")

        return _rate(insert, seconds)


def _event() -> list[NewEvent]:
    return [NewEvent("command", BODY, 1_700_000_000)]


def _one(path: Path, seconds: float) -> float:
    with closing(open_store(str(path), create=True)) as store:
        return _rate(lambda n: store.append("table", n, _event(), f"k{n}", MARK), seconds)


def _many(path: Path, seconds: float) -> float:
    with closing(open_store(str(path), create=True)) as store, Writer(store) as writer:
        done = [0] * CLIENTS
        until = time.perf_counter() + seconds
        clients = [threading.Thread(target=_client, args=(writer, place, done, until)) for place in range(CLIENTS)]
        start = time.perf_counter()
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        return sum(done) / (time.perf_counter() - start)


def _client(writer: Writer, place: int, done: list[int], until: float) -> None:
    """One table's commands, each sent when the one before it is acknowledged."""
    while time.perf_counter() < until:
        writer.append(f"table {place}", done[place], _event(), f"{place}-{done[place]}", MARK)
        done[place] += 1


def _verified(path: Path, events: int) -> float:
    with closing(open_store(str(path), create=True)) as store:
        fill(store, events)
        return max(_verify(store, events) for _ in range(5))


def _verify(store: Store, events: int) -> float:
    chain, start = Chain(), time.perf_counter()
    assert chain.follow_all(store.read_all()) == []
    assert chain.count == events
    return events / (time.perf_counter() - start)


def fill(store: Store, events: int, streams: int = 8, a_command: int = 5) -> None:
    """Store many events, in large groups."""
    versions = [0] * streams
    for first in range(0, events, 1_000):
        batches = []
        for number in range(first, min(first + 1_000, events), a_command):
            place = number // a_command % streams
            count = min(a_command, events - number)
            batches.append(Batch(f"table {place}", versions[place], _event() * count, f"k{number}", MARK))
            versions[place] += count
        store.append_many(batches)


def run() -> bool:
    """Print the figures of the store; false where one misses its bar."""
    found = figures()
    print(f"{'bare INSERT and commit':42}{found.bare:>12,.0f} /s")
    print(f"{'commands, one client':42}{found.one / found.bare:>12.2f} of it (bar 0.40)")
    print(f"{'commands, fifty clients':42}{found.many / found.bare:>12.2f} of it (bar 1.20)")
    print(f"{'chain verification':42}{found.verified:>12,.0f} events/s (bar 200,000)")
    return found.good
