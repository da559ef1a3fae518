"""`make prove`: random rounds of every rulebook, checked after every event, with irregularities of every kind.

    python -m bench.prove [--part RULEBOOK] [--size normal|full]

Work is kept in `.prove/` after every 1,000 rounds: a run that was stopped goes on where it was, as long as the code
is the same. Exit status: 0 proved, 1 a fault (its seed and commands are printed), 75 the time of a part was over
before its rounds were (start again to go on), 130 stopped by Ctrl-C.
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
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from tests.property.simulate import A_SUBMISSION, Fault, play_number, rules_number

from twentyone.rulebook import Rulebook, rulebook_ids

__all__ = ["Part", "main", "prove"]

ROOT = Path(__file__).parents[1]
SIZES = {"normal": 50_000, "full": 1_000_000}
FOLDER = ROOT / ".prove"
"""Where the work is kept."""
BLOCK = 1_000
"""Rounds between two checkpoints."""
MINUTES = 15
"""The longest that one part may take in one run."""

PROVED, FAULT, TIME_OVER, STOPPED = 0, 1, 75, 130


@dataclass
class Part:
    """How far the proof of one rulebook has come."""

    rulebook: str
    code: str
    """Fingerprint of the code that was proved."""
    rounds: int = 0
    events: int = 0
    fired: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    @classmethod
    def load(cls, rulebook: str, folder: Path) -> Part:
        """The part as it was left; from the start where there is none or the code is another."""
        code = fingerprint()
        try:
            body = json.loads((folder / f"{rulebook}.json").read_text(encoding="utf-8"))
            part = cls(**{**body, "fired": Counter(body["fired"])})
        except (OSError, ValueError, TypeError, KeyError):
            return cls(rulebook, code)
        return part if part.code == code else cls(rulebook, code)

    def save(self, folder: Path) -> None:
        """Keep the work: whole or not at all."""
        folder.mkdir(exist_ok=True)
        new = folder / f"{self.rulebook}.json.new"
        new.write_text(json.dumps({**vars(self), "fired": dict(self.fired)}), encoding="utf-8")
        new.replace(folder / f"{self.rulebook}.json")

    def closing_line(self, faults: int = 0) -> str:
        """What was proved, in one line."""
        fired = ", ".join(f"{name} {count:,}" for name, count in sorted(self.fired.items()))
        told = f"{faults} fault{'' if faults == 1 else 's'}"
        return (
            f"prove rounds {self.rulebook}: {self.rounds:,} rounds, {self.events:,} events, "
            f"irregularities {self.fired.total():,} ({fired or 'none'}), {told}, {self.seconds:.0f} s"
        )


def fingerprint() -> str:
    """A digest of everything that a proof depends on."""
    digest = hashlib.sha256()
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("*.md"), *(ROOT / "src").rglob("*.toml")]
    for path in sorted([*files, *(ROOT / "tests" / "property").glob("*.py")]):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


class OutOfTimeError(Exception):
    """The minutes of a part are over."""


def prove(part: Part, rounds: int, folder: Path, progress: Progress, task: TaskID, minutes: float = MINUTES) -> None:
    """Play the rounds of a part that are still missing; a broken invariant is a `Fault`."""
    start = time.monotonic()
    while part.rounds < rounds:
        if time.monotonic() - start > minutes * 60:
            raise OutOfTimeError
        _prove_block(part, min(part.rounds + BLOCK, rounds))
        part.save(folder)
        _show(progress, task, part)


def _prove_block(part: Part, last: int) -> None:
    """Play the next rounds up to a number; they count when all of them are played."""
    rulebook, events, fired = Rulebook.load(part.rulebook), 0, Counter[str]()
    rules, start = rules_number(rulebook, part.rounds), time.monotonic()
    for number in range(part.rounds, last):
        if number % A_SUBMISSION == 0:
            rules = rules_number(rulebook, number)
        played = play_number(rulebook, number, rules=rules)
        events += len(played.round.events)
        fired.update(played.fired)
    part.rounds, part.events, part.fired = last, part.events + events, part.fired + fired
    part.seconds += time.monotonic() - start


def _show(progress: Progress, task: TaskID, part: Part) -> None:
    rate = part.rounds / part.seconds if part.seconds else 0.0
    progress.update(task, completed=part.rounds, rate=f"{rate:,.0f} rounds/s")


# -- the command


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the parts that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--part", choices=rulebook_ids(), help="one rulebook (absent: all)")
    parser.add_argument("--size", choices=tuple(SIZES), default="normal", help="50,000 or 1,000,000 rounds a rulebook")
    chosen = parser.parse_args(arguments)
    parts = (chosen.part,) if chosen.part else rulebook_ids()
    statuses = []
    for rulebook in parts:
        statuses.append(_prove_part(rulebook, SIZES[chosen.size]))
        if statuses[-1] in (FAULT, STOPPED):
            break
    return statuses[-1] if statuses[-1] in (FAULT, STOPPED) else max(statuses)


def _prove_part(rulebook: str, rounds: int) -> int:
    folder = FOLDER
    part = Part.load(rulebook, folder)
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(rulebook, total=rounds, completed=min(part.rounds, rounds), rate="")
        try:
            prove(part, rounds, folder, progress, task)
        except Fault as fault:
            return _tell_fault(part, fault)
        except OutOfTimeError:
            print(f"prove rounds {rulebook}: {part.rounds:,} of {rounds:,} rounds, time is over; start again to go on")
            return TIME_OVER
        except KeyboardInterrupt:
            print(f"prove rounds {rulebook}: {part.rounds:,} of {rounds:,} rounds, stopped; start again to go on")
            return STOPPED
    print(part.closing_line(), flush=True)
    return PROVED


def _tell_fault(part: Part, fault: Fault) -> int:
    print(part.closing_line(faults=1))
    print(f'play it again: play_number(Rulebook.load("{part.rulebook}"), {fault.number})')
    print(fault, flush=True)
    return FAULT


if __name__ == "__main__":
    sys.exit(main())
