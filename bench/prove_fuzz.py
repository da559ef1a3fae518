"""`make prove PART=fuzz`: what strangers write, altered at random, long.

    python -m bench.prove_fuzz [--part scripts|law-scripts|rulebooks|events|files|people] [--count N] [--seed N]
        [--workers N]

Every target of `tests/faults/fuzz.py` is handed as many altered scripts, rulebooks, ledgers and files of people as the
size says, block by block, each of a seed of its own, the next number; a fault is told with the seed that shows it
again, and with what was handed over. Before each target a fault is planted that it must find. Blocks are kept in
`.prove/`. Exit status: 0 proved, 1 a fault, 75 the time of a part was over (start again to go on), 130 stopped.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
from hypothesis.errors import HypothesisWarning
from rich.console import Console
from rich.progress import Progress
from tests.faults import fuzz
from tests.faults.fuzz import TARGETS

from bench.prove import FAULT, FOLDER, MINUTES, PROVED, STOPPED, TIME_OVER, fingerprint

EXAMPLES = {"normal": 5_000, "full": 50_000}
BLOCK = 2_500
"""How much material has one seed."""
CONTROL = 40
"""How much material is handed over to find the planted fault."""
SHOWN = 600
"""Characters of a fault's material that are printed."""


class Planted(Exception):
    """The fault that a target must find."""


def try_out(material: Any, reads: Callable[[Any], None], count: int, seed: int) -> tuple[int, Exception | None, str]:
    """Hand over so much material: how much it was, the first fault, and what led to it."""
    tried, last = [0], [""]

    @seeded(seed)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
        verbosity=Verbosity.quiet,
    )
    @given(material)
    def attempt(given_material: Any) -> None:
        tried[0] += 1
        try:
            reads(given_material)
        except Exception:
            last[0] = repr(given_material)[-SHOWN:]
            raise

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HypothesisWarning)  # files of people have a long repr
            attempt()
    except Exception as fault:
        return tried[0], fault, last[0]
    return tried[0], None, ""


def faults(fault: BaseException) -> str:
    """Each fault in a line, with the place in this software where it came from."""
    if isinstance(fault, BaseExceptionGroup):
        return "\n".join(map(faults, fault.exceptions))
    frames = [frame for frame in traceback.extract_tb(fault.__traceback__) if "twentyone" in frame.filename]
    where = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[:-4:-1])
    return f"  {type(fault).__name__}: {str(fault)[:200]} at {where}"


def planted(reads: Callable[[Any], None]) -> Callable[[Any], None]:
    """The same reader, with a fault in one of four materials: always in the same ones, whenever they are read again."""

    def faulty(material: Any) -> None:
        reads(material)
        if sha256(repr(material).encode()).digest()[0] < 64:
            raise Planted

    return faulty


class Block(NamedTuple):
    """Some material of one seed."""

    name: str
    """The target."""
    seed: int
    """Its seed."""
    size: int
    """How much material."""


def try_block(block: Block, control: bool) -> tuple[int, str]:
    """Hand over a block, after the planted fault where this is the `control`: how much it was, and any fault."""
    target = TARGETS[block.name]
    if control:
        _, fault, _ = try_out(target.material(), planted(target.reads), CONTROL, block.seed)
        if not isinstance(fault, Planted):
            return 0, f"the planted fault was not found ({fault!r})"
    tried, fault, shown = try_out(target.material(), target.reads, block.size, block.seed)
    return tried, "" if fault is None else f"seed {block.seed}, {block.size:,} tried:\n{faults(fault)}\n  {shown}\n"


# -- one target


def prove(name: str, count: int, seed: int, workers: int, until: float, folder: Path = FOLDER) -> int:
    """Hand over what is still missing of the material of a target, until a moment."""
    began, kept = time.monotonic(), _Kept(folder, name, seed, count)
    blocks = [Block(name, seed + first // BLOCK, min(BLOCK, count - first)) for first in range(0, count, BLOCK)]
    with Progress(console=(console := Console(stderr=True)), transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task(f"fuzz {name}", total=len(blocks), completed=kept.blocks)
        for tried, fault in _tried(blocks[kept.blocks :], workers, until):
            if fault:
                print(f"prove fuzz {name}: FAULT: {fault}", flush=True)
                return FAULT
            kept.add(tried)
            shown.update(task, completed=kept.blocks)
    whole = kept.blocks == len(blocks)
    told = "0 faults" if whole else "0 faults so far, time is over: start again to go on"
    seeds = f"seeds {seed} to {blocks[-1].seed}" if len(blocks) > 1 else f"seed {seed}"
    print(f"prove fuzz {name}: {kept.tried:,} tried, {seeds}, {told}, {time.monotonic() - began:.0f} s", flush=True)
    return PROVED if whole else TIME_OVER


class _Kept:
    """The blocks of a target that are done; none where the software or the target is another by now."""

    def __init__(self, folder: Path, name: str, seed: int, count: int) -> None:
        self._file = folder / f"fuzz-{name}.txt"
        material = sha256(Path(fuzz.__file__).read_bytes()).hexdigest()[:16]
        self._mark = f"{fingerprint()} {material} {seed} {count}"
        self.blocks = self.tried = 0
        if self._file.exists():
            mark, _, done = self._file.read_text(encoding="utf-8").partition(": ")
            if mark == self._mark:
                self.blocks, self.tried = map(int, done.split())

    def add(self, tried: int) -> None:
        """One more block is done."""
        self.blocks, self.tried = self.blocks + 1, self.tried + tried
        self._file.parent.mkdir(exist_ok=True)
        self._file.write_text(f"{self._mark}: {self.blocks} {self.tried}", encoding="utf-8")


def _tried(blocks: Sequence[Block], workers: int, until: float) -> Iterator[tuple[int, str]]:
    """Block after block in their order, some at a time; none is begun after the moment."""
    if workers == 1:
        for number, block in enumerate(blocks):
            if time.monotonic() > until:
                return
            yield try_block(block, control=not number)
        return
    waiting, rest = deque[Future[tuple[int, str]]](), iter(enumerate(blocks))
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        while True:
            while len(waiting) < workers and time.monotonic() <= until and (following := next(rest, None)):
                number, block = following
                waiting.append(pool.submit(try_block, block, control=not number))
            if not waiting:
                return
            yield waiting.popleft().result()


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the targets that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_fuzz", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--part", choices=tuple(TARGETS), help="one target (absent: all)")
    parser.add_argument("--size", choices=tuple(EXAMPLES), default="normal")
    parser.add_argument("--count", type=int, help="how much material, instead of the size")
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--workers", type=int, default=0, help="processes (two for more than a block, else one)")
    options = parser.parse_args(arguments)
    count, until = options.count or EXAMPLES[options.size], time.monotonic() + 60 * MINUTES
    workers, statuses = options.workers or (2 if count > BLOCK else 1), list[int]()
    try:
        for name in [options.part] if options.part else TARGETS:
            statuses.append(prove(name, count, options.seed, workers, until))
            if statuses[-1] == TIME_OVER:
                break
    except KeyboardInterrupt:
        print("prove fuzz: stopped; start again to go on")
        return STOPPED
    return FAULT if FAULT in statuses else max(statuses)


if __name__ == "__main__":
    sys.exit(main())
