"""`make prove PART=mutants`: every written value of every rulebook decides something.

    python -m bench.prove_mutants [--part RULEBOOK]

Each value is replaced by each other word of its type (numbers by their neighbours), one at a time, and the loader, the
law scripts, the layout and the golden day are asked whether they notice. At most 1 % of a book's mutants may survive,
each with its reason in `tests/contracts/survivors.toml`; a survivor that is not listed, and an entry that no survivor
has any more, is a fault. Work is kept in `.prove/`: a run that was stopped goes on where it was, as long as code and
scripts are the same. Exit status: 0 proved, 1 a fault, 75 the time of a part was over (start again), 130 stopped.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from tests.contracts.mutants import Noticing, mutants_of

from bench.prove import FAULT, PROVED, STOPPED, TIME_OVER, fingerprint
from twentyone.rulebook import Rulebook, rulebook_ids

__all__ = ["MutantPart", "faults_of", "main", "prove_part"]

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".prove"
SURVIVORS = ROOT / "tests" / "contracts" / "survivors.toml"
"""Book to survivors, each by the beginning of its name, with the reason why nobody can notice it."""
MOST = 0.01
"""The share of a book's mutants that may survive."""
MINUTES = 15
"""The longest that one part may take in one run."""
CHUNK = 40
"""Mutants between two checkpoints of a worker."""
WORKERS = 2


@dataclass
class MutantPart:
    """How far the proof of one rulebook has come."""

    rulebook: str
    code: str
    tried: int = 0
    noticed: Counter[str] = field(default_factory=Counter)
    survivors: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @classmethod
    def load(cls, rulebook: str) -> MutantPart:
        """The part as it was left; from the start where there is none or something changed."""
        code = code_of(rulebook)
        try:
            body = json.loads((FOLDER / f"mutants-{rulebook}.json").read_text(encoding="utf-8"))
            part = cls(**{**body, "noticed": Counter(body["noticed"])})
        except (OSError, ValueError, TypeError, KeyError):
            return cls(rulebook, code)
        return part if part.code == code else cls(rulebook, code)

    def save(self) -> None:
        """Keep the work: whole or not at all."""
        FOLDER.mkdir(exist_ok=True)
        new = FOLDER / f"mutants-{self.rulebook}.json.new"
        new.write_text(json.dumps({**vars(self), "noticed": dict(self.noticed)}), encoding="utf-8")
        new.replace(FOLDER / f"mutants-{self.rulebook}.json")

    def add(self, results: Sequence[tuple[str, str | None]]) -> None:
        """Take over what became of some mutants."""
        for name, noticed_by in results:
            self.tried += 1
            if noticed_by is None:
                self.survivors.append(name)
            else:
                self.noticed["script" if "/" in noticed_by else noticed_by] += 1

    def closing_line(self, faults: int) -> str:
        """What was proved, in one line."""
        by = ", ".join(f"{who} {count:,}" for who, count in self.noticed.most_common())
        share = 100 * len(self.survivors) / max(1, self.tried)
        return (
            f"prove mutants {self.rulebook}: {self.tried:,} mutants, noticed by {by}; {len(self.survivors)} survive "
            f"({share:.2f} %), {faults} fault{'' if faults == 1 else 's'}, {self.seconds:.0f} s"
        )


def code_of(rulebook: str) -> str:
    """A digest of everything that the proof of a book depends on."""
    digest = hashlib.sha256(fingerprint().encode())
    own = [*sorted((ROOT / "tests" / "law" / rulebook).glob("*/*.json")), Path(__file__)]
    for path in [*own, ROOT / "tests" / "contracts" / "mutants.py", *sorted((ROOT / "tests" / "golden").glob("*.py"))]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def listed(rulebook: str) -> Mapping[str, str]:
    """The survivors that are known, with their reasons."""
    table = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))
    return {**table.get("every", {}), **table.get(rulebook, {})}


def faults_of(part: MutantPart, known: Mapping[str, str], own: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the survivors of a book; `own` are the entries that only this book has."""
    for name in part.survivors:
        if not any(entry in name for entry in known):
            yield f"survives and is not listed: {name}"
    for entry in own:
        if not any(entry in name for name in part.survivors):
            yield f"listed, but nothing survives: {entry}"
    if len(part.survivors) > MOST * part.tried:
        yield f"{len(part.survivors)} of {part.tried:,} mutants survive, more than {MOST:.0%}"


_NOTICING: dict[str, Noticing] = {}


def _try(rulebook: str, start: int, stop: int) -> list[tuple[str, str | None]]:
    """What becomes of some mutants, in a worker."""
    if rulebook not in _NOTICING:
        _NOTICING[rulebook] = Noticing(rulebook)
    noticing = _NOTICING[rulebook]
    mutants = list(mutants_of(noticing.book))[start:stop]
    return [(mutant.name, noticing.noticed_by(mutant)) for mutant in mutants]


def prove_part(rulebook: str, minutes: float = MINUTES) -> int:
    """Try the mutants of one book that are still missing."""
    part, begun = MutantPart.load(rulebook), time.monotonic()
    total = sum(1 for _ in mutants_of(Rulebook.load(rulebook)))
    console = Console(stderr=True)
    with (
        ProcessPoolExecutor(WORKERS) as workers,
        Progress(console=console, transient=True, disable=not console.is_terminal) as progress,
    ):
        task = progress.add_task(f"mutants {rulebook}", total=total, completed=part.tried)
        while part.tried < total:
            if time.monotonic() - begun > minutes * 60:
                print(f"prove mutants {rulebook}: {part.tried:,} of {total:,} mutants, time is over; start again")
                return TIME_OVER
            started = time.monotonic()
            starts = [part.tried + CHUNK * number for number in range(WORKERS)]
            jobs = [workers.submit(_try, rulebook, start, start + CHUNK) for start in starts]
            for job in jobs:
                part.add(job.result())
            part.seconds += time.monotonic() - started
            part.save()
            progress.update(task, completed=part.tried)
    return _close(part)


def _close(part: MutantPart) -> int:
    table = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))
    faults = list(faults_of(part, listed(part.rulebook), table.get(part.rulebook, {})))
    print(part.closing_line(len(faults)), flush=True)
    for fault in faults:
        print(fault, flush=True)
    return FAULT if faults else PROVED


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove one rulebook or all."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.prove_mutants", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--part", choices=rulebook_ids(), help="one rulebook (absent: all)")
    options = parser.parse_args(arguments)
    statuses = []
    try:
        for book in [options.part] if options.part else rulebook_ids():
            statuses.append(prove_part(book))
    except KeyboardInterrupt:
        print("prove mutants: stopped; start again to go on")
        return STOPPED
    return max(statuses)


if __name__ == "__main__":
    sys.exit(main())
