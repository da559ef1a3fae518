"""`make prove PART=shifts`: shifts under every two choices of the operator and readings, with seeds and rates.

    python -m bench.prove_shifts [--count N] [--broken]

Each shift of the matrix (`tests/contracts/shift_matrix.py`) is worked to its end into a ledger of its own, verified and
reported on. Work is kept in `.prove/`; a run ends after 15 minutes with status 75, and the next one goes on. With
`--broken` people have two old faults again, which must be found. Exit status: 0 proved, 1 a fault, 130 stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from traceback import extract_tb
from typing import Any
from unittest.mock import patch

from rich.progress import track
from tests.contracts.shift_matrix import MATRIX_BOOKS, Cell, cell_of, covering, work_cell

from bench.prove_lines import fingerprint
from twentyone.rulebook import Rules
from twentyone.service.shift import people
from twentyone.service.shift.players import boxes_taken

__all__ = ["main", "prove_shifts"]

FOLDER = Path(__file__).parents[1] / ".prove"
COUNT, MINUTES = 2_400, 15
PROVED, FAULT, TIME_OVER, STOPPED = 0, 1, 75, 130
TOLD = 5
"""Faults that are told one by one."""


def prove_shifts(count: int = COUNT, minutes: float = MINUTES, file: Path = FOLDER / "shifts.json") -> int:
    """So many shifts of the matrix; the status of the proof."""
    began, start = time.monotonic(), time.process_time()
    done = _kept(file)
    spent = done["seconds"]
    for number in track(range(done["shifts"], count), "shifts", disable=not sys.stderr.isatty()):
        if time.monotonic() - began > minutes * 60:
            print(f"prove shifts: {done['shifts']:,} of {count:,} so far, {len(done['faults'])} faults; start again")
            return TIME_OVER
        _work(cell_of(number), done)
        done.update(shifts=number + 1, seconds=spent + time.process_time() - start)
        _keep(file, done)
    return _told(done)


def _kept(file: Path) -> dict[str, Any]:
    """How far the proof of this code has come."""
    code = fingerprint()
    try:
        kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        kept = {}
    fresh = {"code": code, "shifts": 0, "rounds": 0, "events": 0, "seconds": 0.0, "faults": []}
    return kept if kept.get("code") == code else fresh


def _keep(file: Path, done: dict[str, Any]) -> None:
    file.parent.mkdir(exist_ok=True)
    new = file.with_suffix(".new")
    new.write_text(json.dumps(done), encoding="utf-8")
    new.replace(file)


def _work(cell: Cell, done: dict[str, Any]) -> None:
    """One shift; whatever is raised is a fault, and told."""
    with tempfile.TemporaryDirectory(prefix="twentyone-") as folder:
        try:
            worked = work_cell(cell, Path(folder))
        except Exception as fault:  # any exception is a fault of the shift: it is told with its number
            last = extract_tb(fault.__traceback__)[-1]
            place = f"{Path(last.filename).name}:{last.lineno} {last.line}"
            done["faults"].append(f"{cell}: {type(fault).__name__} {fault} at {place}")
            if len(done["faults"]) <= TOLD:
                print(f"prove shifts: {done['faults'][-1]}", flush=True)
        else:
            done["rounds"], done["events"] = done["rounds"] + worked.rounds, done["events"] + worked.events


def _told(done: dict[str, Any]) -> int:
    submissions = sum(len(covering(book)) for book in MATRIX_BOOKS)
    print(
        f"prove shifts: {done['shifts']:,} shifts of {len(MATRIX_BOOKS)} books under {submissions} submissions, "
        f"{done['rounds']:,} rounds, {done['events']:,} events, {len(done['faults'])} faults (tracebacks, stuck, "
        f"ledgers not verified), {done['seconds']:.0f} s"
    )
    return FAULT if done["faults"] else PROVED


def prove_broken(count: int) -> int:
    """Whether two old faults are found: a table of one box that nobody may sit at, barred players who wait for ever."""

    def narrow(rules: Rules, seed: str, rounds: int) -> dict[str, list[int]]:
        return boxes_taken(rules, seed, rounds) if rules.boxes > 1 else {}

    def waiting(*_: Any) -> tuple[()]:
        return ()

    for name, fault in (("boxes_taken", narrow), ("ShiftPeople._without_wagers", waiting)):
        done: dict[str, Any] = {"rounds": 0, "events": 0, "faults": []}
        with patch(f"{people.__name__}.{name}", fault):
            for number in range(count):
                _work(cell_of(number), done)
        print(f"prove shifts: planted in {name}: found in {len(done['faults'])} of {count} shifts")
        if not done["faults"]:
            return FAULT
    return PROVED


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the matrix, or that it finds what is planted."""
    parser = argparse.ArgumentParser(prog="prove_shifts")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--broken", action="store_true")
    options = parser.parse_args(arguments)
    try:
        return prove_broken(options.count) if options.broken else prove_shifts(options.count)
    except KeyboardInterrupt:
        return STOPPED


if __name__ == "__main__":
    sys.exit(main())
