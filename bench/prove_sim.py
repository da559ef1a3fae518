"""The long form of the simulator's contract: a million rounds a rulebook by simulator and round, 10^8 fast and plain.

    python -m bench.prove_sim [--part RULEBOOK] [--rounds 1000000] [--fast 100000000] [--minutes 15] [--workers N]

Blocks of work are shared by all cores and kept in `.prove/` as they are done: a run that was stopped goes on where it
was, as long as the code is the same. Exit status: 0 proved, 1 a difference (printed as a round script), 75 the minutes
were over before the rounds were (start again to go on), 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from tests.contracts.sim_driver import default_game, first_difference, random_setup

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.sim.compile import Compiled, compile_setup
from twentyone.sim.job import Job, run_batch

__all__ = ["Block", "main", "prove_block"]

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".prove"
"""Where the work is kept."""
READ = (
    "src/twentyone/*.py", "src/twentyone/rulebook/**/*.py", "src/twentyone/rulebooks/**/*",
    "src/twentyone/round/*.py", "src/twentyone/sim/*.py", "src/twentyone/strategy/**/*",
    "bench/prove_sim.py", "tests/contracts/sim_driver.py", "tests/property/chance.py",
)  # fmt: skip
"""What the proof depends on."""
ROUNDS = 5_000
"""Rounds of a block by simulator and round."""
RANDOM = 3
"""Every so many such blocks one is of a random submission and random players, the others the rulebook's own chart."""
FAST = 1 << 21
"""Rounds of a block by fast path and round function; every second block is dealt from real shoes."""
MINUTES = 15.0

PROVED, DIFFERENT, TIME_OVER, STOPPED = 0, 1, 75, 130


class Block(NamedTuple):
    """A piece of the proof."""

    book: str
    kind: str
    """`round`: by simulator and round; `fast`: by fast path and round function."""
    number: int
    size: int

    @property
    def name(self) -> str:
        """What it is kept as."""
        return " ".join(map(str, self))


def blocks(book: str, rounds: int, fast: int) -> Iterator[Block]:
    """The proof of a rulebook."""
    for kind, wanted, size in (("round", rounds, ROUNDS), ("fast", fast, FAST)):
        for number, first in enumerate(range(0, wanted, size)):
            yield Block(book, kind, number, min(size, wanted - first))


# -- one block


def prove_block(block: Block) -> str | None:
    """The first difference in a block, if there is one."""
    return _by_round(block) if block.kind == "round" else _by_both_paths(block)


def _by_round(block: Block) -> str | None:
    """The rulebook's own chart, or a random submission, boxes, wagers and players."""
    if block.number % RANDOM == 1:
        random = Random(f"prove {block.book} {block.number}")
        return first_difference(compile_setup(random_setup(Rulebook.load(block.book), random)), range(block.size))
    first = block.number * ROUNDS
    return first_difference(default_game(block.book), range(first, first + block.size))


def _by_both_paths(block: Block) -> str | None:
    game = default_game(block.book, "shoe" if block.number % 2 else "fresh")
    size = block.size // _rounds_per_shoe(block.book) + 1 if block.number % 2 else block.size
    first = block.number * FAST
    fast, plain = (_sums(game, way, first, first + size) for way in (True, False))
    if fast != plain:
        return f"{block.name}: the fast path and the round function differ from {first} to {first + size}"
    return None


def _sums(game: Compiled, fast: bool, first: int, last: int) -> list[int]:
    return run_batch(Job.of(game, 1, fast), first, last).sums


@cache
def _rounds_per_shoe(book: str) -> int:
    return run_batch(Job.of(default_game(book, "shoe"), 1), 0, 256).rounds // 256


# -- what is done


@dataclass
class Done:
    """The blocks that are proved, and the code they were proved for."""

    code: str
    names: set[str] = field(default_factory=set)
    seconds: float = 0.0

    @classmethod
    def load(cls) -> Done:
        """As it was left; nothing where there is nothing or the code is another."""
        code = fingerprint()
        with suppress(OSError, ValueError, TypeError, KeyError):
            body = json.loads((FOLDER / "sim.json").read_text(encoding="utf-8"))
            if body["code"] == code:
                return cls(code, set(body["names"]), float(body["seconds"]))
        return cls(code)

    def save(self) -> None:
        """Keep it: whole or not at all."""
        FOLDER.mkdir(exist_ok=True)
        new = FOLDER / "sim.json.new"
        new.write_text(json.dumps({**vars(self), "names": sorted(self.names)}), encoding="utf-8")
        new.replace(FOLDER / "sim.json")


def fingerprint() -> str:
    """A digest of everything that the proof depends on."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in READ for path in ROOT.glob(pattern) if path.suffix != ".pyc"}):
        if path.is_file():
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


# -- all blocks


def played(left: Iterable[Block], workers: int) -> Iterator[tuple[Block, str | None]]:
    """Prove blocks on so many cores; each is answered as it is done."""
    if workers == 1:
        yield from ((block, prove_block(block)) for block in left)
        return
    waiting, running = iter(left), dict[Future[str | None], Block]()
    pool = ProcessPoolExecutor(workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        while True:
            for block in islice(waiting, workers + 1 - len(running)):
                running[pool.submit(prove_block, block)] = block
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def prove(wanted: list[Block], done: Done, minutes: float, workers: int) -> int:
    """Prove what is missing; answers the exit status."""
    left, began, before = [block for block in wanted if block.name not in done.names], time.monotonic(), done.seconds
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("prove sim", total=len(wanted), completed=len(wanted) - len(left))
        results = played(left, workers)
        try:
            for block, difference in results:
                if difference is not None:
                    print(f"prove sim {block.name}: {difference}", flush=True)
                    return DIFFERENT
                done.names.add(block.name)
                done.seconds = before + time.monotonic() - began
                done.save()
                progress.update(task, advance=1, description=f"prove sim {block.book} {block.kind}")
                if time.monotonic() - began > 60 * minutes and len(done.names) < len(wanted):
                    return TIME_OVER
        except KeyboardInterrupt:
            return STOPPED
        finally:
            results.close()  # type: ignore[attr-defined]
    return PROVED


def _tell(wanted: list[Block], done: Done, status: int) -> None:
    """A line a rulebook, and what to do if something is missing."""
    for book in dict.fromkeys(block.book for block in wanted):
        told = []
        for kind, how in (("round", "simulator and round"), ("fast", "fast path and round function")):
            mine = [block for block in wanted if block.book == book and block.kind == kind]
            proved = sum(block.size for block in mine if block.name in done.names)
            told.append(f"{proved:,} of {sum(block.size for block in mine):,} rounds by {how}")
        print(f"prove sim {book}: {', '.join(told)}")
    after = {TIME_OVER: "; time is over, start again to go on", STOPPED: "; stopped, start again to go on"}
    found = "1 difference" if status == DIFFERENT else "0 differences"
    print(f"prove sim: {found}, {done.seconds:.0f} s{after.get(status, '')}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the rulebooks that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_sim", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--part", choices=rulebook_ids(), help="one rulebook (absent: all)")
    parser.add_argument("--rounds", type=int, default=1_000_000, help="rounds a rulebook by simulator and round")
    parser.add_argument("--fast", type=int, default=100_000_000, help="rounds a rulebook by both paths")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="the longest that one run may take (15)")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)), help="processes (one a core)")
    chosen = parser.parse_args(arguments)
    books = (chosen.part,) if chosen.part else rulebook_ids()
    wanted, done = [block for book in books for block in blocks(book, chosen.rounds, chosen.fast)], Done.load()
    status = prove(wanted, done, chosen.minutes, chosen.workers)
    _tell(wanted, done, status)
    return status


if __name__ == "__main__":
    sys.exit(main())
