"""A real `twentyone shift` killed at random moments, and what must hold of its ledger afterwards.

Kills(url, folder, book).work(50) answers the faults: rounds that were told as stored and are not there, rounds that
are there twice, and whatever `verify` finds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random

from tests.patience import until

from twentyone.ledger.codec import read_body
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import LedgerRefused
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.verify import verify

__all__ = ["Kills", "doubled", "lost", "shift_command", "stored_rounds"]

ENDLESS = 10_000_000


def shift_command(url: str, folder: Path, book: str, rounds: int, *more: str) -> list[str]:
    """A shift with its key and checkpoints in a folder."""
    files = ["--key", str(folder / "l.key"), "--checkpoints", str(folder / "l.checkpoints")]
    work = ["shift", book, "--tables", "2", "--rounds", str(rounds), "--irregularities", "0.02", "--ledger", url]
    return [sys.executable, "-m", "twentyone", *work, "--seed", "7", *files, *more]


def stored_rounds(store: Store) -> Counter[str]:
    """How often each round that is over stands in the events of a ledger."""
    found: Counter[str] = Counter()
    for stream in store.streams():
        number = 0
        for event in store.read(stream):
            if event.type == "round_begun":
                number = read_body(event)["data"]["number"]
            elif event.type == "cards_collected":
                found[f"{stream}:{number}"] += 1
    return found


def lost(told: set[str], stored: Counter[str]) -> list[str]:
    """Rounds that were told as stored and are not there."""
    return [f"{name} was told as stored and is lost" for name in sorted(told) if not stored[name]]


def doubled(stored: Counter[str]) -> list[str]:
    """Rounds that are there twice, and gaps among those of a table."""
    faults = [f"{name} is stored {count} times" for name, count in stored.items() if count > 1]
    tables: dict[str, set[int]] = {}
    for name in stored:
        table, _, number = name.rpartition(":")
        tables.setdefault(table, set()).add(int(number))
    return faults + [
        f"{table} has rounds missing" for table, numbers in tables.items() if numbers != set(range(1, len(numbers) + 1))
    ]


class Kills:
    """One ledger, and a shift at it that is killed again and again."""

    def __init__(self, url: str, folder: Path, book: str, seed: int = 1) -> None:
        self.url, self.folder, self.book = url, folder, book
        self.rng = Random(seed)
        self.told: set[str] = set()
        """Rounds that some process has told as stored."""
        self.at_work = 0
        """Kills that hit a process after it had told of a round."""

    def work(self, kills: int) -> list[str]:
        """Kill so many shifts, let the last one end, and examine the ledger."""
        for number in range(kills):
            self._kill_one(early=number % 5 == 4)
        ended = subprocess.run(shift_command(self.url, self.folder, self.book, 1), capture_output=True, text=True)
        if ended.returncode:
            return [f"the last shift left with {ended.returncode}: {ended.stderr}"]
        return self.examine()

    def _kill_one(self, early: bool) -> None:
        """Let a shift begin, and kill it: while it starts, or soon after the first round that it tells of."""
        command = shift_command(self.url, self.folder, self.book, ENDLESS, "--tell")
        process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        lines: list[str] = []
        assert process.stderr is not None
        reader = threading.Thread(target=lines.extend, args=(process.stderr,))
        reader.start()
        try:
            if early:
                time.sleep(self.rng.uniform(0.05, 0.5))
            else:
                self._wait_for_work(process, lines)
                time.sleep(self.rng.uniform(0.0, 0.1))
        finally:
            process.kill()
            process.wait()
            reader.join()
        whole = [line.split()[1] for line in lines if line.startswith("stored ") and line.endswith("\n")]
        self.at_work += bool(whole)
        self.told.update(whole)

    def _wait_for_work(self, process: subprocess.Popen[str], lines: list[str]) -> None:
        def begun() -> bool:
            assert process.poll() is None, f"the shift ended: {''.join(lines[-5:])}"
            return any(line.startswith("stored ") for line in lines)

        until(begun, "the shift works", look=0.005)

    def examine(self) -> list[str]:
        """Everything that is wrong with the ledger now."""
        with closing(open_store(self.url)) as store:
            stored = stored_rounds(store)
            report = verify(store, Keyring.load(self.folder / "l.key"), self.folder / "l.checkpoints")
        found = [*map(str, report.faults), *report.unchecked]
        return lost(self.told, stored) + doubled(stored) + found

    def rounds(self) -> int:
        """Rounds that are over in the ledger."""
        try:
            with closing(open_store(self.url)) as store:
                return sum(stored_rounds(store).values())
        except LedgerRefused as refused:  # pragma: no cover - a fault, told with its reason
            raise AssertionError(json.dumps(str(refused))) from None
