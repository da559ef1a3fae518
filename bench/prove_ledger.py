"""`make prove PART=ledger`: the long forms of the store's proofs, each with its negative control.

    python -m bench.prove_ledger [--part NAME] [--size normal|full] [--count N]

Work is kept in `.prove/` after every block; a run that was stopped goes on where it was, as long as the code is the
same. Exit status: 0 proved, 1 a fault, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import apsw
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from tests.faults.failing import check_after, fail_at
from tests.faults.power import cut_power, record
from tests.faults.rivals import STREAM, Rivals, history_faults
from tests.faults.stopping import stop_and_start
from tests.faults.tampering import attacks, faults_of, fill, flip, forge
from tests.faults.work import scratch
from tests.money.house import House, open_house
from tests.postgres import Postgres

from twentyone.ledger.chain import verify_chain
from twentyone.ledger.rows import Appended
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.writer import Writer

__all__ = ["PARTS", "Proof", "main", "prove"]

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".prove"
PROVED, FAULT, STOPPED = 0, 1, 130
Block = Callable[[range], tuple[Counter[str], list[str]]]
"""Does the work with these numbers; what happened how often, and what is wrong."""


class Proof(NamedTuple):
    """One part: its unit, how many of them make it, how many of them are done at a time, and how."""

    unit: str
    normal: int
    full: int
    block: int
    work: Block


@contextmanager
def server() -> Iterator[Postgres]:
    """A PostgreSQL that is stopped by its own handle afterwards."""
    with tempfile.TemporaryDirectory(prefix="prove-ledger-") as name, closing(Postgres(Path(name) / "data")) as running:
        yield running


# -- T1: the power is cut


def power(numbers: range, synchronous: str = "FULL") -> tuple[Counter[str], list[str]]:
    """Every block has its own day's work; every number is one power cut."""
    with scratch() as folder:
        recording = record(folder, synchronous, seed=numbers.start + 1)
    found = [(number, cut_power(recording, number)) for number in numbers]
    faults = [f"image {number}: {'; '.join(faults)}" for number, faults in found if faults]
    return Counter(images=len(numbers), damaged=len(faults)), faults


def power_control(numbers: range) -> tuple[Counter[str], list[str]]:
    """The same with synchronous=NORMAL must lose what was acknowledged."""
    counts, lost = power(numbers, "NORMAL")
    return counts, [] if len(lost) > len(numbers) // 5 else ["power cuts with synchronous=NORMAL are not noticed"]


# -- T3: the disk fails


def disk(numbers: range) -> tuple[Counter[str], list[str]]:
    """The n-th write or synchronisation fails, in four ways."""
    counts: Counter[str] = Counter()
    with scratch() as folder:
        open_store(str(folder / "new.db"), create=True).close()
        for number in numbers:
            for error in (apsw.IOError, apsw.FullError):
                for sticky in (False, True):
                    path = folder / f"{number}.db"
                    shutil.copy(folder / "new.db", path)
                    expected, failed = fail_at(number + 1, path, error, sticky, commands=10_000)
                    assert failed is not None
                    counts["survived" if check_after(path, expected, failed) else "undone"] += 1
                    path.unlink()
    return counts, []


# -- T4: PostgreSQL is stopped hard


def postgres(numbers: range) -> tuple[Counter[str], list[str]]:
    """Every number is one stop in the middle of the work."""
    with server() as running:
        report = stop_and_start(running, len(numbers), seed=numbers.start)
    noticed = [] if report.failed == len(numbers) else [f"{len(numbers) - report.failed} stops were not noticed"]
    return Counter(stops=report.failed, acknowledged=report.acknowledged), report.faults + noticed


# -- T6: many clients on one table


def rivals(numbers: range) -> tuple[Counter[str], list[str]]:
    """64 clients through one writer, on SQLite; every number is a command."""
    with scratch() as folder, closing(open_store(str(folder / "ledger.db"), create=True)) as store:
        return _rivals(store, numbers)


def rivals_postgres(numbers: range) -> tuple[Counter[str], list[str]]:
    """The same on PostgreSQL."""
    with server() as running, closing(open_store(running.new_database(), create=True)) as store:
        return _rivals(store, numbers)


def _rivals(store: Store, numbers: range) -> tuple[Counter[str], list[str]]:
    with Writer(store) as writer:
        clients = Rivals(store, [writer.append])
        clients.run(len(numbers), seed=numbers.start)
    faults = history_faults(clients.answers, list(store.read(STREAM)))
    accepted = sum(isinstance(answer.outcome, Appended) for answer in clients.answers)
    counts = Counter(accepted=accepted, refused=len(clients.answers) - accepted)
    return counts, faults + [str(fault) for fault in verify_chain(store)[0]]


# -- T10: somebody tampers


def flips(numbers: range) -> tuple[Counter[str], list[str]]:
    """Every number is a byte of a small ledger's file that is flipped."""
    with scratch() as folder:
        path, trail = folder / "ledger.db", folder / "trail"
        with closing(open_store(str(path), create=True)) as store:
            rows = fill(store, trail, commands=6)
        original = path.read_bytes()
        places = [number for number in numbers if number < len(original)]
        found, missed = flip(original, rows, places, trail, folder)
        found["behind the file's end"] = len(numbers) - len(places)
    return found, [f"byte {place} was flipped and nobody noticed" for place in missed]


def tamper(numbers: range) -> tuple[Counter[str], list[str]]:
    """Every number is an attack on one event; the chain alone must miss those that stamp anew or cut off."""
    counts, faults = Counter[str](), list[str]()
    with scratch() as folder:
        trail = folder / "trail"
        with closing(open_store(str(folder / "ledger.db"), create=True)) as store:
            rows = fill(store, trail, commands=24)
        for number, (name, forged, known_to_chain) in enumerate(islice(attacks(rows), numbers.start, numbers.stop)):
            with closing(open_store(str(folder / f"{number}.db"), create=True)) as store:
                forge(store, forged)
                counts["found"] += bool(faults_of(store, trail))
                counts["missed by the chain alone"] += not faults_of(store, None)
                if not faults_of(store, trail) or (forged and bool(faults_of(store, None)) != known_to_chain):
                    faults.append(f"attack {numbers.start + number} ({name})")
    return counts, faults


# -- all the money of a house


def money(numbers: range) -> tuple[Counter[str], list[str]]:
    """Two processes, fifty guests, six tables, a sudden end: every number is a command; then two accounts."""
    with server() as running, scratch() as folder:
        ledger = running.new_database()
        house = House(ledger, folder, seed=numbers.start)
        open_house(ledger, folder)
        house.run(len(numbers), kills=1)
        return house.counts(), list(house.faults())


PARTS = {
    "power": Proof("power cuts", 20_000, 100_000, 500, power),
    "power-control": Proof("power cuts without full synchronisation", 500, 2_000, 500, power_control),
    "disk": Proof("failing operations", 150, 600, 25, disk),
    "postgres": Proof("hard stops", 50, 200, 25, postgres),
    "rivals": Proof("commands of 64 clients", 32_000, 128_000, 6_400, rivals),
    "rivals-postgres": Proof("commands of 64 clients", 12_800, 64_000, 6_400, rivals_postgres),
    "flips": Proof("places whose byte is flipped", 61_440, 61_440, 1_024, flips),
    "tamper": Proof("attacks", 1_000, 2_500, 250, tamper),
    "money": Proof("commands of 50 guests, one kill in 50,000", 50_000, 1_000_000, 50_000, money),
}


# -- the command


@dataclass
class Kept:
    """How far a part has come."""

    code: str
    done: int = 0
    seconds: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)

    @classmethod
    def load(cls, name: str) -> Kept:
        """As it was left; from the start where the code is another."""
        code = fingerprint(name == "money")
        try:
            kept = cls(**json.loads((FOLDER / f"ledger-{name}.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return cls(code)
        return kept if kept.code == code else cls(code)

    def save(self, name: str) -> None:
        """Whole or not at all."""
        FOLDER.mkdir(exist_ok=True)
        new = FOLDER / f"ledger-{name}.json.new"
        new.write_text(json.dumps(vars(self)), encoding="utf-8")
        new.replace(FOLDER / f"ledger-{name}.json")

    def line(self, name: str, faults: int = 0) -> str:
        """What was proved, in one line."""
        counts = ", ".join(f"{what} {count:,}" for what, count in sorted(self.counts.items()) if count)
        told = f"{faults} fault{'' if faults == 1 else 's'}"
        return f"prove ledger {name}: {self.done:,} {PARTS[name].unit} ({counts}), {told}, {self.seconds:.0f} s"


@cache
def fingerprint(whole: bool = False) -> str:
    """A digest of the code that is proved, the ledger or all of it, and of the code that proves it."""
    digest = hashlib.sha256()
    folder = ROOT / "src" / "twentyone" / "ledger"
    files = [*folder.glob("*.py"), *folder.rglob("*.sql")]
    if whole:
        files += [*(ROOT / "src" / "twentyone").rglob("*.py"), *(ROOT / "tests" / "money").glob("*.py")]
    for path in sorted([*files, *(ROOT / "tests" / "faults").glob("*.py")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def prove(name: str, size: str, count: int = 0) -> int:
    """Do what is missing of a part, or of a number of its units; the faults found."""
    proof, kept = PARTS[name], Kept.load(name)
    total = count or (proof.full if size == "full" else proof.normal)
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"ledger {name}", total=total, completed=kept.done)
        while kept.done < total:
            start = time.monotonic()
            counts, faults = proof.work(range(kept.done, min(kept.done + proof.block, total)))
            if faults:
                print(kept.line(name, len(faults)), *faults[:20], sep="\n", flush=True)
                return len(faults)
            kept.done = min(kept.done + proof.block, total)
            kept.seconds += time.monotonic() - start
            kept.counts = dict(Counter(kept.counts) + counts)
            kept.save(name)
            progress.update(task, completed=kept.done)
    print(kept.line(name), flush=True)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove one part or all of them."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.prove_ledger", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--part", choices=tuple(PARTS), help="one part (absent: all)")
    parser.add_argument("--size", choices=("normal", "full"), default="normal")
    parser.add_argument("--count", type=int, default=0, help="so many units (absent: as many as the size says)")
    chosen = parser.parse_args(arguments)
    names = [chosen.part] if chosen.part else list(PARTS)
    try:
        faults = sum(prove(name, chosen.size, chosen.count) for name in names)
    except KeyboardInterrupt:
        print("prove ledger: stopped; start again to go on")
        return STOPPED
    kept = {name: Kept.load(name) for name in names}
    told = ", ".join(f"{name} {kept[name].done:,}" for name in names)
    if len(names) > 1:
        print(f"prove ledger: {told}: {faults} faults, {sum(item.seconds for item in kept.values()):.0f} s", flush=True)
    return FAULT if faults else PROVED


if __name__ == "__main__":
    sys.exit(main())
