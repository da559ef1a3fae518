"""A day of each regulation from the consoles in a browser, with real cards, ten rounds of guests without devices, every
irregularity, a round of each game with the automatic dealer, and the desk: all tests in a browser, with those that
`make test` leaves out for their length.

    python -m bench.prove_day [--part RULEBOOK]

Exit status: 0 proved, 1 a fault.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence

from bench.prove import FAULT, PROVED

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tests of all books, or of one."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_day", description=__doc__)
    parser.add_argument("--part", default="", metavar="RULEBOOK", help="the tests of one book")
    part: str = parser.parse_args(arguments).part
    chosen = ["-k", part] if part else []
    pytest = [sys.executable, "-m", "pytest", "-n", "2", "-m", "browser", "tests/web", *chosen]
    return FAULT if subprocess.call(pytest) else PROVED


if __name__ == "__main__":
    sys.exit(main())
