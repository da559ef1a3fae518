"""The long form of the live table's contracts: times that tell no card (T12), a thousand examples an operation (T19).

    python -m bench.prove_web [--part timing|fuzz|fuzz-ROLE] [--answers 10000] [--examples 1000]

A role whose fuzzing is done is kept in `.prove/` and not fuzzed again as long as the code is the same. Exit status: 0
proved, 1 a fault, 75 the time of a part was over (start again to go on), 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.web.fuzzing import ROLES, fuzz_getting_in, fuzz_role, fuzzed_server, what_is_wrong
from tests.web.inside import inside
from tests.web.timing import Leak, Timed, measure, slow_where_high
from tests.web.worlds import rigged

from bench.prove import FAULT, FOLDER, MINUTES, PROVED, STOPPED, TIME_OVER, fingerprint

__all__ = ["main", "prove_fuzz", "prove_timing"]

BAR = 0.001
"""The worlds differ by chance more than they do with at least this probability."""
CONTROL = 1_000
"""Answers a world with a planted delay, which must be found."""
PLANTED = 0.0002
"""Seconds that a high hole card delays an answer, for control."""


def prove_timing(answers: int) -> int:
    """The times of both worlds; and, for control, the same with a delay of the hole card's making."""
    began, found = time.monotonic(), _timed(answers)
    for timed in found:
        shown = ", ".join(f"{median(times) * 1e6:,.0f}" for times in (timed.first, timed.second))
        print(
            f"prove web timing, {timed.ask}: {len(timed.first):,} answers a world, medians {shown} us, p {timed.p:.4f}"
        )
    planted = min(timed.p for timed in _timed(min(CONTROL, answers), slow_where_high(PLANTED)))
    good = all(timed.p > BAR for timed in found) and planted < BAR
    told = "no card is told" if good else "THE WORLDS DIFFER, or the planted delay was not found"
    print(f"prove web timing: planted delay p {planted:.1e}; {told}, {time.monotonic() - began:.0f} s", flush=True)
    return PROVED if good else FAULT


def _timed(answers: int, leak: Leak | None = None) -> list[Timed]:
    async def run(folder: str) -> list[Timed]:
        async with inside(Path(folder)) as inn:
            return await measure(inn, answers, leak)

    with tempfile.TemporaryDirectory() as folder, rigged():
        return asyncio.run(run(folder))


def prove_fuzz(role: str, examples: int, folder: Path = FOLDER) -> int:
    """Everything that a role can send; a role that is proved already is not proved again."""
    kept, mark = folder / f"web-fuzz-{role}", f"{fingerprint()} {examples}"
    if kept.exists() and kept.read_text(encoding="utf-8") == mark:
        print(f"prove web fuzz-{role}: {examples:,} examples an operation, proved before", flush=True)
        return PROVED
    began = time.monotonic()
    try:
        wrong = _fuzzed(role, examples)
    except subprocess.TimeoutExpired:
        print(f"prove web fuzz-{role}: time is over; start again with fewer examples", flush=True)
        return TIME_OVER
    told = wrong or "no server error, no answer outside the schema, the ledger is well"
    print(
        f"prove web fuzz-{role}: {examples:,} examples an operation, {told}, {time.monotonic() - began:.0f} s",
        flush=True,
    )
    if wrong:
        return FAULT
    folder.mkdir(exist_ok=True)
    kept.write_text(mark, encoding="utf-8")
    return PROVED


def _fuzzed(role: str, examples: int) -> str:
    """What was found; nothing: all is well."""
    with tempfile.TemporaryDirectory() as name, fuzzed_server(Path(name)) as fuzzed:
        runs = [fuzz_role, *([fuzz_getting_in] if role == "visitor" else [])]
        for run in runs:
            more = (role,) if run is fuzz_role else ()
            done = run(fuzzed, *more, examples=examples, seconds=MINUTES * 60)  # type: ignore[operator]
            if done.returncode:
                return f"FAULT\n{done.stdout[-6000:]}{done.stderr[-2000:]}"
        return what_is_wrong(fuzzed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the parts that were asked for."""
    fuzzes = [f"fuzz-{role}" for role in ROLES]
    parser = argparse.ArgumentParser(prog="python -m bench.prove_web", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--part", choices=("timing", "fuzz", *fuzzes), help="one part (absent: all)")
    parser.add_argument("--answers", type=int, default=10_000, help="answers a world (%(default)s)")
    parser.add_argument("--examples", type=int, default=1_000, help="examples an operation (%(default)s)")
    chosen = parser.parse_args(arguments)
    parts = {None: ["timing", *fuzzes], "fuzz": fuzzes}.get(chosen.part, [chosen.part])
    try:
        return max(
            prove_timing(chosen.answers)
            if part == "timing"
            else prove_fuzz(part.removeprefix("fuzz-"), chosen.examples)
            for part in parts
        )
    except KeyboardInterrupt:
        print("stopped; start again to go on")
        return STOPPED


if __name__ == "__main__":
    sys.exit(main())
