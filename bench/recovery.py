"""How soon a table takes commands again (T27): a start on a ledger of a million events, with snapshots and without.

    python -m bench.recovery [--events N] [--ledger FILE]

The ledger is worked by a shift of eight tables, and is kept where a file is named: the same command goes on with it.
A start is measured in a process of its own, from opening the ledger to the first accepted command at each table.
Exit status: 0 soon enough, 1 too slow or too large.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from rich.progress import track

from twentyone.ledger.checkpoints import write_checkpoint
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rounds import list_rounds
from twentyone.ledger.runner import Runner
from twentyone.ledger.start import Files, open_to_play
from twentyone.ledger.store import Store, open_store, table_streams
from twentyone.rulebook import Rulebook
from twentyone.service.shift.work import Shift, ShiftPlan
from twentyone.table import Command
from twentyone.table.shoe import os_source

__all__ = ["Start", "main"]

BOOK = "pa-spanish-21"
TABLES, EVENTS = 8, 1_000_000
A_STEP = 200
"""Rounds after which the bar moves."""
A_ROUND = 30
"""Events that a round has at least."""
SOON, WITHOUT, LARGE = 5.0, 60.0, 500
"""Seconds with snapshots, seconds without, megabytes."""


class Start(NamedTuple):
    """What one start took."""

    seconds: float
    """From opening the ledger to the first accepted command at every table."""
    megabytes: int
    """The most memory it held."""
    events: int
    """Events of the ledger."""


def fill(path: Path, events: int) -> None:
    """Work a shift until the ledger holds so many events."""
    with closing(open_store(str(path), create=True)) as store:
        keys = _keys(path)
        rules = Rulebook.load(BOOK).under({})
        steps = range(A_STEP, events // A_ROUND + A_STEP, A_STEP)
        for rounds in track(steps, "events", transient=True):
            if _count(store) >= events:
                break
            Shift(store, keys, ShiftPlan(rules, TABLES, rounds, seed="recovery"), lambda: 0, "").work(lambda _: None)
        list(list_rounds(store, keyring=keys))
        write_checkpoint(store, _files(path).checkpoints, keys.signer, 0)


def _files(path: Path) -> Files:
    return Files(Path(f"{path}.key"), Path(f"{path}.checkpoints"))


def _keys(path: Path) -> Keyring:
    file = _files(path).key
    return Keyring.load(file) if file.exists() else Keyring.create(file, os_source())


def _count(store: Store) -> int:
    return sum(store.version(stream) for stream in store.streams())


def start(path: Path, snapshots: bool) -> Start:
    """Open a ledger with all checks of a start, load every table, and have a command accepted at each."""
    if not snapshots:
        with closing(open_store(str(path))) as store:
            store.drop_snapshots()
    began = time.perf_counter()
    entropy = os_source()
    store, keys = open_to_play(str(path), _files(path), entropy, 0)
    with closing(store):
        for stream in table_streams(store):
            runner = Runner(store, stream, keys, entropy, lambda: 2_000_000_000)
            runner.load()
            command = Command("fill", "floorperson", "Fay", args={"amount": "5"})
            runner.handle(command, f"{stream} {runner.version}")
        seconds = time.perf_counter() - began
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        return Start(seconds, most, _count(store))


def _measure(path: Path, *options: str) -> Start:
    command = [sys.executable, "-m", "bench.recovery", "--ledger", str(path), "--start", *options]
    return Start(*json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def measure(path: Path, events: int) -> bool:
    """Fill a ledger, start on it twice, say what it took."""
    fill(path, events)
    with_them, without = _measure(path), _measure(path, "--without")
    for name, found, most in (("with snapshots", with_them, SOON), ("without", without, WITHOUT)):
        print(
            f"start on {found.events:,} events, {TABLES} tables, {name}: {found.seconds:.2f} s (at most {most:.0f}), "
            f"{found.megabytes} MB (at most {LARGE})"
        )
    return with_them.seconds <= SOON and without.seconds <= WITHOUT and with_them.megabytes <= LARGE


def main(argv: Sequence[str] | None = None) -> int:
    """Measure the recovery."""
    parser = argparse.ArgumentParser(prog="python -m bench.recovery", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--ledger", type=Path)
    parser.add_argument("--start", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--without", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.start:
        print(json.dumps(start(options.ledger, not options.without)))
        return 0
    if options.ledger is not None:
        return 0 if measure(options.ledger, options.events) else 1
    with tempfile.TemporaryDirectory() as folder:
        return 0 if measure(Path(folder) / "recovery.db", options.events) else 1


def run() -> bool:
    """Measure on a million events; false where a bar is missed."""
    return main([]) == 0


if __name__ == "__main__":
    sys.exit(main())
