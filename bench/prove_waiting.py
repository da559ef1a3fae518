"""`make prove PART=waiting`: random days at tables of automatic staff; nobody waits longer than the clock says.

    python -m bench.prove_waiting [--part RULEBOOK] [--days N]
    python -m bench.prove_waiting --part RULEBOOK --seed 417   # one day again

Work is kept in `.prove/` after every few days: a run that was stopped goes on where it was, as long as the code is the
same. Exit status: 0 proved, 1 a fault, 75 the time of a part was over before its days were (start again to go on), 130
stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from tests.simulation.waiting import WaitingDay

from bench.prove import FAULT, FOLDER, MINUTES, PROVED, STOPPED, TIME_OVER, fingerprint
from twentyone.rulebook import rulebook_ids

__all__ = ["main", "prove"]

DAYS, BLOCK = 500, 10
TELLS = {"deal": "auto deal", "decisions of the clock": "decides for", "looks ended": "has had", "gone": "is gone"}
TELLS |= {"not played": "not played", "sat out": "sat out", "devices": "device_out_of_order", "mishaps": "happened"}
"""What the closing line says, and what it is counted as."""


def _code() -> str:
    days = Path(__file__).parents[1] / "tests" / "simulation" / "waiting.py"
    return hashlib.sha256(fingerprint().encode() + days.read_bytes()).hexdigest()[:16]


def _load(book: str) -> dict[str, Any]:
    fresh: dict[str, Any] = {"code": _code(), "done": 0, "seconds": 0.0, "counts": {}}
    try:
        kept: dict[str, Any] = json.loads((FOLDER / f"waiting-{book}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return fresh
    return kept if kept.get("code") == fresh["code"] else fresh


def _save(book: str, kept: dict[str, Any]) -> None:
    FOLDER.mkdir(exist_ok=True)
    new = FOLDER / f"waiting-{book}.json.new"
    new.write_text(json.dumps(kept), encoding="utf-8")
    new.replace(FOLDER / f"waiting-{book}.json")


def prove(book: str, days: int) -> int:
    """Live the days of a book that are still missing."""
    kept, console, ends = _load(book), Console(stderr=True), time.monotonic() + 60 * MINUTES
    blocks = range(kept["done"], days, BLOCK)
    for start in track(blocks, book, console=console, transient=True, disable=not console.is_terminal):
        began, counts = time.monotonic(), Counter(kept["counts"])
        if began > ends:
            print(f"prove waiting {book}: {kept['done']:,} of {days:,} days; start again to go on", flush=True)
            return TIME_OVER
        for seed in range(start, min(start + BLOCK, days)):
            day = WaitingDay(book, seed)
            if faults := day.run():
                print(*faults[:10], f"again: python -m bench.prove_waiting --part {book} --seed {seed}", sep="\n")
                return FAULT
            counts.update(day.counts)
        kept |= {"counts": dict(counts), "done": min(start + BLOCK, days)}
        kept["seconds"] += time.monotonic() - began
        _save(book, kept)
    told = ", ".join(f"{name} {kept['counts'].get(word, 0):,}" for name, word in TELLS.items())
    print(f"prove waiting {book}: {kept['done']:,} days ({told}), 0 faults, {kept['seconds']:.0f} s", flush=True)
    return PROVED


def _again(book: str, seed: int) -> int:
    day = WaitingDay(book, seed)
    faults = day.run()
    print(*(faults or ["nothing is wrong"]), dict(day.counts), sep="\n")
    return FAULT if faults else PROVED


def main(arguments: Sequence[str] | None = None) -> int:
    """Live the days of all books, of one, or one day."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_waiting", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--part", choices=rulebook_ids())
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--seed", type=int)
    options = parser.parse_args(arguments)
    books = [options.part] if options.part else rulebook_ids()
    try:
        if options.seed is not None:
            return max(_again(book, options.seed) for book in books)
        return max(prove(book, options.days) for book in books)
    except KeyboardInterrupt:
        print("prove waiting: stopped; start again to go on")
        return STOPPED


if __name__ == "__main__":
    sys.exit(main())
