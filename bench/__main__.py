"""`make bench [PART=...]`: every figure beside a yardstick from the same run."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from importlib import import_module

import twentyone
from bench.results import Running, told

PARTS = {
    "round": "cli",
    "table": "table",
    "ledger": "ledger",
    "shift": "service",
    "recovery": "service",
    "odds": "odds",
    "analyse": "review",
    "sim": "sim",
    "learn": "learn",
    "web": "desk",
    "checks": "desk",
    "owners": "desk",
    "house": "desk",
    "desk": "desk",
    "stranger": "web",
}
"""Modules of this folder, each with `run() -> bool`: prints its figures, false where one misses its bar.

Beside each the highest package that it measures: a change there or below makes its result stale.
"""
CORE = os.environ.get("NUMBA_CPU_NAME", "")
"""The kind of core that Numba compiles for, where it is not this one: such figures are results of their own."""


def main() -> int:
    """Measure; status 1 where a figure misses its bar."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; may be given again")
    parts = parser.parse_args().part or PARTS
    print(f"twentyone {twentyone.__version__}, Python {platform.python_version()}, {platform.machine()}")
    good = {part: _measured(part) for part in parts}
    missed = [part for part, well in good.items() if not well]
    print(f"bench: {', '.join(parts)}: {'good' if not missed else 'MISSED in ' + ', '.join(missed)}")
    return 1 if missed else 0


def _measured(part: str) -> bool:
    running = Running(
        "-".join(filter(None, ("bench", part, CORE))),
        f"{f'NUMBA_CPU_NAME={CORE} ' if CORE else ''}make bench PART={part}",
        (f"twentyone.{PARTS[part]}", f"bench/{part}.py"),
    )
    good, rows = told(import_module(f"bench.{part}").run)
    running.ends("held" if good else "broken", rows)
    return bool(good)


if __name__ == "__main__":
    sys.exit(main())
