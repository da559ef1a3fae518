"""`make prove PART=suite`: our own engine answers every case of the conformance suite over the pipe.

    python -m bench.prove_suite [--part RULEBOOK]

Exit status: 0 proved, 1 a fault.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence

from rich.progress import Progress

from bench.prove import FAULT, PROVED
from twentyone.suite.files import runner, suite_folder

__all__ = ["main"]

TIMEOUT = 600.0
"""Seconds for one answer: a house edge is worked out in it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask every case, or those of one book."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_suite", description=__doc__)
    parser.add_argument("--part", default="", metavar="RULEBOOK", help="the cases of one book")
    part: str = parser.parse_args(arguments).part
    suite = runner()
    cases = suite.read(suite_folder(), [], [part] if part else [], "*")
    before = os.times()
    with Progress() as bar:
        task = bar.add_task("cases", total=1.0)
        engine = shlex.join([sys.executable, "-m", "twentyone", "suite", "engine"])
        report = suite.examine(cases, engine, TIMEOUT, lambda share: bar.update(task, completed=share))
    after = os.times()
    worked = sum(after[:4]) - sum(before[:4])
    for case in report["faults"]:
        print(f"prove suite: {case['id']}: {case['faults'][0]}")
    failed = len(report["faults"])
    print(f"prove suite: {len(cases)} cases over the pipe, {failed} failed, {worked:.1f} s of a processor")
    return FAULT if report["exit"] else PROVED


if __name__ == "__main__":
    sys.exit(main())
