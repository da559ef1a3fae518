"""`make prove PART=table`: whole days at a table of every regulation, watched event by event.

    python -m bench.prove_table [--part RULEBOOK] [--rounds N]

Half of the days are worked by the next steps alone; on the others every tenth command is given at random. Work is
kept in `.prove/` after every day; a run that was stopped goes on where it was. Exit status: 0 proved, 1 a fault, 130
stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.progress import track
from tests.contracts.table_driver import Day
from tests.contracts.test_table_days import BOOKS, Witness

from bench.prove import fingerprint
from twentyone.rulebook import Rulebook

__all__ = ["main", "prove"]

FOLDER = Path(__file__).parents[1] / ".prove"
ROUNDS = 40_000
A_DAY = 100
NOISE = 0.1


def work_day(book: str, number: int) -> tuple[int, int]:
    """One day at a table; answers its rounds and events."""
    rules = Rulebook.load(book).under({"shuffler": "automated"} if number % 4 == 3 else {})
    seen: list[Witness] = []
    day = Day(rules, number, lambda before, events: seen[0].see(before, events), NOISE if number % 2 else 0.0)
    seen.append(Witness(rules.rulebook, day.table))
    day.work(A_DAY)
    return day.done, len(day.table.events)


def prove(book: str, rounds: int) -> bool:
    """Work days at a rulebook's table until so many rounds are watched; answers whether none had a fault."""
    file, start = FOLDER / f"table-{book}.json", time.monotonic()
    done: dict[str, Any] = {"code": fingerprint(), "days": 0, "rounds": 0, "events": 0, "seconds": 0.0}
    if file.exists() and (kept := json.loads(file.read_text(encoding="utf-8")))["code"] == done["code"]:
        done = kept
    for number in track(range(done["days"], -(-rounds // A_DAY)), f"table {book}"):
        try:
            dealt, events = work_day(book, number)
        except Exception as fault:  # any exception is a fault of the table: it is told with the day's number
            print(f"prove table {book}: day {number}: {type(fault).__name__}: {fault}")
            return False
        done.update(days=number + 1, rounds=done["rounds"] + dealt, events=done["events"] + events)
        done["seconds"], start = done["seconds"] + time.monotonic() - start, time.monotonic()
        FOLDER.mkdir(exist_ok=True)
        file.write_text(json.dumps(done), encoding="utf-8")
    figures = f"{done['rounds']:,} rounds in {done['days']} days, {done['events']:,} events"
    print(f"prove table {book}: {figures}, 0 faults, {done['seconds']:.0f} s")
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove one rulebook's table or all."""
    parser = argparse.ArgumentParser(prog="prove_table")
    parser.add_argument("--part", choices=BOOKS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args(arguments)
    try:
        return 0 if all(prove(book, options.rounds) for book in ([options.part] if options.part else BOOKS)) else 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
