"""T11: two worlds that differ in hidden cards only, session by session: every byte that anybody receives is the same.

    python -m bench.prove_worlds [--count N]

Work is kept in `.prove/` after every block of sessions. Exit status: 0 proved, 1 a fault, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from rich.progress import track
from tests.web.inside import inside
from tests.web.test_api_worlds import CONFIGS
from tests.web.worlds import compare, rigged

from bench.prove import FAULT, FOLDER, PROVED, STOPPED, fingerprint

__all__ = ["main", "prove"]

BLOCK = 20


async def _sessions(numbers: range, folder: Path) -> int:
    """Compare some sessions; the steps that were compared."""
    async with inside(folder) as inn:
        await inn.service.create("another", CONFIGS[0].rulebook, {})  # so that no report is of all tables
        inn.forget("another")
        return sum([await compare(inn, number, CONFIGS[number % len(CONFIGS)]) for number in numbers])


def prove(count: int) -> int:
    """Compare the sessions that are still missing."""
    file, began = FOLDER / "worlds.txt", time.monotonic()
    code, done, steps = fingerprint(), 0, 0
    if file.exists() and (kept := file.read_text(encoding="utf-8").split())[0] == code:
        done, steps = int(kept[1]), int(kept[2])
    FOLDER.mkdir(exist_ok=True)
    for first in track(range(done, count, BLOCK), "sessions", transient=True):
        last = min(first + BLOCK, count)
        with tempfile.TemporaryDirectory() as name, rigged():
            try:
                steps += asyncio.run(_sessions(range(first, last), Path(name)))
            except AssertionError as fault:
                print(f"prove worlds: sessions {first} to {last - 1}: {fault}", flush=True)
                return FAULT
        done = last
        file.write_text(f"{code} {done} {steps}", encoding="utf-8")
    told = f"{done:,} sessions of {len(CONFIGS)} kinds of table, {steps:,} steps compared to the byte"
    print(f"prove worlds: {told}, {time.monotonic() - began:.0f} s", flush=True)
    return PROVED if steps > 3 * done else FAULT


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare worlds."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_worlds", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=1_000)
    try:
        return prove(parser.parse_args(arguments).count)
    except KeyboardInterrupt:
        print("prove worlds: stopped; start again to go on")
        return STOPPED


if __name__ == "__main__":
    sys.exit(main())
