"""T11: two worlds that differ in hidden cards only, session by session: every byte that anybody receives is the same.

    python -m bench.prove_worlds [--count N] [--workers N]

Work is kept in `.prove/` after every block of sessions. Exit status: 0 proved, 1 a fault, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from tests.web.inside import inside
from tests.web.test_api_worlds import CONFIGS
from tests.web.worlds import compare, rigged

from bench.prove import FAULT, FOLDER, PROVED, STOPPED, fingerprint

__all__ = ["main", "prove"]

BLOCK = 100


async def _sessions(numbers: range, folder: Path) -> int:
    """Compare some sessions; the steps that were compared."""
    async with inside(folder) as inn:
        await inn.service.create("another", CONFIGS[0].rulebook, {})  # so that no report is of all tables
        inn.service.table("another")
        inn.forget("another")
        return sum([await compare(inn, number, CONFIGS[number % len(CONFIGS)]) for number in numbers])


def _block(first: int, last: int) -> tuple[int, str]:
    """Compare a block of sessions in an application of its own: the steps, and what tells the worlds apart, if any."""
    with tempfile.TemporaryDirectory() as name, rigged():
        try:
            return asyncio.run(_sessions(range(first, last), Path(name))), ""
        except AssertionError as fault:
            return 0, f"sessions {first} to {last - 1}: {fault}"


def _blocks(done: int, count: int, workers: int) -> Iterator[tuple[int, tuple[int, str]]]:
    """Block by block in their order, some at a time: where each ends, and what it came to."""
    ends = [(first, min(first + BLOCK, count)) for first in range(done, count, BLOCK)]
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        jobs = [(last, pool.submit(_block, first, last)) for first, last in ends]
        try:
            yield from ((last, job.result()) for last, job in jobs)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def prove(count: int, workers: int) -> int:
    """Compare the sessions that are still missing."""
    file, began = FOLDER / "worlds.txt", time.monotonic()
    code, done, steps = fingerprint(), 0, 0
    if file.exists() and (kept := file.read_text(encoding="utf-8").split())[0] == code:
        done, steps = int(kept[1]), int(kept[2])
    FOLDER.mkdir(exist_ok=True)
    with Progress(console=(console := Console(stderr=True)), transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task("sessions", total=count, completed=done)
        for last, (compared, fault) in _blocks(done, count, workers):
            if fault:
                print(f"prove worlds: {fault}", flush=True)
                return FAULT
            done, steps = last, steps + compared
            file.write_text(f"{code} {done} {steps}", encoding="utf-8")
            shown.update(task, completed=done)
    told = f"{done:,} sessions of {len(CONFIGS)} kinds of table, {steps:,} steps compared to the byte"
    print(f"prove worlds: {told}, {time.monotonic() - began:.0f} s", flush=True)
    return PROVED if steps > 3 * done else FAULT


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare worlds."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_worlds", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--workers", type=int, default=0, help="processes (two for more than a thousand, else one)")
    options = parser.parse_args(arguments)
    try:
        return prove(options.count, options.workers or (2 if options.count > 1_000 else 1))
    except KeyboardInterrupt:
        print("prove worlds: stopped; start again to go on")
        return STOPPED


if __name__ == "__main__":
    sys.exit(main())
