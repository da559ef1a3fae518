"""`make prove PART=table`: whole days at a table of every regulation, watched event by event.

    python -m bench.prove_table [--part RULEBOOK] [--rounds N]

Days differ in their submissions, their players, and in what goes wrong; on every other day one command in ten is given
at random. Work is kept in `.prove/` after every day; a run that was stopped goes on where it was, as long as the code
is the same. At the end stands how often each paragraph on irregularities was put to use: one that was not used often
enough is a fault. Exit status: 0 proved, 1 a fault, 75 the time of a part was over before its rounds were (start again
to go on), 130 stopped.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from tests.contracts.table_days import A_DAY, DayFault, work_day
from tests.contracts.table_mischief import paragraphs
from tests.contracts.table_submissions import BOOKS

from bench.prove import FAULT, PROVED, STOPPED, TIME_OVER, fingerprint
from twentyone.rulebook import Rulebook

__all__ = ["TablePart", "main", "prove_part"]

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".prove"
ROUNDS = 40_000
LEAST = 200
"""How often each paragraph on irregularities is put to use in so many rounds."""
MINUTES = 15
"""The longest that one part may take in one run."""


@dataclass
class TablePart:
    """How far the proof of one rulebook's table has come."""

    rulebook: str
    code: str
    days: int = 0
    rounds: int = 0
    events: int = 0
    refused: int = 0
    fired: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    @classmethod
    def load(cls, rulebook: str) -> TablePart:
        """The part as it was left; from the start where there is none or the code is another."""
        code = code_of_table()
        try:
            body = json.loads((FOLDER / f"table-{rulebook}.json").read_text(encoding="utf-8"))
            part = cls(**{**body, "fired": Counter(body["fired"])})
        except (OSError, ValueError, TypeError, KeyError):
            return cls(rulebook, code)
        return part if part.code == code else cls(rulebook, code)

    def save(self) -> None:
        """Keep the work: whole or not at all."""
        FOLDER.mkdir(exist_ok=True)
        new = FOLDER / f"table-{self.rulebook}.json.new"
        new.write_text(json.dumps({**vars(self), "fired": dict(self.fired)}), encoding="utf-8")
        new.replace(FOLDER / f"table-{self.rulebook}.json")

    def add_day(self) -> None:
        """Work one more day; a fault leaves the part as it was."""
        start = time.monotonic()
        worked = work_day(Rulebook.load(self.rulebook), self.days)
        self.days += 1
        self.rounds += worked.rounds
        self.events += worked.events
        self.refused += worked.refused
        self.fired += worked.fired
        self.seconds += time.monotonic() - start

    def closing_line(self, faults: int) -> str:
        """What was proved, in one line."""
        told = f"{faults} fault{'' if faults == 1 else 's'}"
        return (
            f"prove table {self.rulebook}: {self.rounds:,} rounds in {self.days} days, {self.events:,} events, "
            f"{self.refused:,} refusals, irregularities {self.fired.total():,}, {told}, {self.seconds:.0f} s"
        )


def code_of_table() -> str:
    """A digest of everything that the proof depends on."""
    digest = hashlib.sha256(fingerprint().encode())
    for path in sorted((ROOT / "tests" / "contracts").glob("table_*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def too_rare(part: TablePart, rounds: int) -> list[str]:
    """The paragraphs that were not put to use often enough, for so many rounds."""
    least = max(1, LEAST * rounds // ROUNDS)
    texts = paragraphs(Rulebook.load(part.rulebook))
    return [f"{cite} {name}: {part.fired[name]} of {least}" for name, cite in texts.items() if part.fired[name] < least]


def count_table(part: TablePart) -> str:
    """How often each paragraph was put to use."""
    texts = paragraphs(Rulebook.load(part.rulebook))
    return "\n".join(f"  {part.fired[name]:>7,}  {cite}  {name.replace('_', ' ')}" for name, cite in texts.items())


def prove_part(rulebook: str, rounds: int, minutes: float = MINUTES) -> int:
    """Work the days of one rulebook that are still missing."""
    part, start = TablePart.load(rulebook), time.monotonic()
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"table {rulebook}", total=rounds, completed=min(part.rounds, rounds))
        while part.rounds < rounds:
            if time.monotonic() - start > minutes * 60:
                print(f"prove table {rulebook}: {part.rounds:,} of {rounds:,} rounds, time is over; start again")
                return TIME_OVER
            try:
                part.add_day()
            except DayFault as fault:
                print(f"{part.closing_line(faults=1)}\n{fault}", flush=True)
                return FAULT
            part.save()
            progress.update(task, completed=part.rounds)
    return _close(part, rounds)


def _close(part: TablePart, rounds: int) -> int:
    rare = too_rare(part, rounds)
    print(count_table(part))
    print(part.closing_line(faults=len(rare)), flush=True)
    for line in rare:
        print(f"too rare: {line}", flush=True)
    return FAULT if rare else PROVED


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove one rulebook's table or all."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_table", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--part", choices=BOOKS, help="one rulebook (absent: all)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds a rulebook ({ROUNDS:,}, {A_DAY} a day)")
    options = parser.parse_args(arguments)
    statuses = []
    try:
        for book in [options.part] if options.part else BOOKS:
            statuses.append(prove_part(book, options.rounds))
            if statuses[-1] == FAULT:
                return FAULT
    except KeyboardInterrupt:
        print("prove table: stopped; start again to go on")
        return STOPPED
    return max(statuses)


if __name__ == "__main__":
    sys.exit(main())
