"""What the ledger costs a shift: rounds a second into one, beside the same people at the same tables without."""

from __future__ import annotations

import tempfile
import time
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from tests.contracts.shift_driver import Felt

from twentyone.ledger.keys import Keyring
from twentyone.ledger.store import open_store
from twentyone.rulebook import Rulebook, Rules
from twentyone.service.shift.people import ShiftPeople
from twentyone.service.shift.work import Shift, ShiftPlan
from twentyone.table.shoe import os_source

__all__ = ["Figures", "figures"]

BOOK = "pa-spanish-21"
TABLES, ROUNDS = 8, 800
TURNS = 3
BAR = 0.2


class Figures(NamedTuple):
    """What was measured in one run."""

    table: float
    """Rounds per second through tables in memory."""
    ledger: float
    """Rounds per second of a shift at eight tables, every command on the disk."""

    @property
    def ratio(self) -> float:
        """The share of the table's own speed."""
        return self.ledger / self.table

    @property
    def good(self) -> bool:
        """Whether the bar is met."""
        return self.ratio >= BAR


def figures(rounds: int = ROUNDS) -> Figures:
    """Measure in turns, so that both meet the same machine; the best of each counts."""
    rules = Rulebook.load(BOOK).under({})
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        runs = [(_table(rules, rounds), _ledger(rules, rounds, Path(folder) / f"{turn}.db")) for turn in range(TURNS)]
    return Figures(max(table for table, _ in runs), max(ledger for _, ledger in runs))


def _table(rules: Rules, rounds: int) -> float:
    start = time.perf_counter()
    for number in range(TABLES):
        Felt(rules, ShiftPeople(rules, f"1/{BOOK}-{number + 1}", Fraction(0), rounds // TABLES), number).work()
    return rounds / (time.perf_counter() - start)


def _ledger(rules: Rules, rounds: int, path: Path) -> float:
    with closing(open_store(str(path), create=True)) as store:
        keys = Keyring.new(os_source())
        shift = Shift(store, keys, ShiftPlan(rules, TABLES, rounds, seed="1"), lambda: 0, "")
        start = time.perf_counter()
        shift.work(lambda _: None)
        return rounds / (time.perf_counter() - start)


def run() -> bool:
    """Print the figures of a shift; false where one misses its bar."""
    found = figures()
    print(f"{'shift, eight tables, no ledger':42}{found.table:>12,.0f} rounds/s")
    print(f"{'shift, eight tables, into a ledger':42}{found.ratio:>12.2f} of it (bar 0.20)")
    return found.good
