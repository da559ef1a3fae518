"""`make bench [PART=...]`: every figure beside a yardstick from the same run."""

from __future__ import annotations

import argparse
import platform
import sys
from importlib import import_module

import twentyone

PARTS = (
    "round",
    "table",
    "ledger",
    "shift",
    "recovery",
    "odds",
    "analyse",
    "sim",
    "learn",
    "web",
    "owners",
    "house",
    "desk",
)
"""Modules of this folder, each with `run() -> bool`: prints its figures, false where one misses its bar."""


def main() -> int:
    """Measure; status 1 where a figure misses its bar."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; may be given again")
    parts = parser.parse_args().part or PARTS
    print(f"twentyone {twentyone.__version__}, Python {platform.python_version()}, {platform.machine()}")
    good = {part: import_module(f"bench.{part}").run() for part in parts}
    missed = [part for part, well in good.items() if not well]
    print(f"bench: {', '.join(parts)}: {'good' if not missed else 'MISSED in ' + ', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
