"""`make prove PART=fuzz`: what strangers write, altered at random, long.

    python -m bench.prove_fuzz [--part scripts|law-scripts|rulebooks|events|files|people] [--count N] [--seed N]

Every target of `tests/faults/fuzz.py` is handed as many altered scripts, rulebooks, ledgers and files of people as the
size says; a fault is told with the seed that shows it again, and with what was handed over. Before each, a fault is
planted that it must find. Exit status: 0 proved, 1 a fault.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
from hypothesis.errors import HypothesisWarning
from tests.faults.fuzz import TARGETS

EXAMPLES = {"normal": 5_000, "full": 50_000}
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the targets that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_fuzz", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--part", choices=tuple(TARGETS), help="one target (absent: all)")
    parser.add_argument("--size", choices=tuple(EXAMPLES), default="normal")
    parser.add_argument("--count", type=int, help="how much material, instead of the size")
    parser.add_argument("--seed", type=int, default=19)
    options = parser.parse_args(arguments)
    status = 0
    for name in [options.part] if options.part else TARGETS:
        began, target = time.monotonic(), TARGETS[name]
        _, fault, _ = try_out(target.material(), planted(target.reads), 40, options.seed)
        if not isinstance(fault, Planted):
            print(f"prove fuzz {name}: FAULT: the planted fault was not found ({fault!r})", flush=True)
            status = 1
            continue
        tried, fault, shown = try_out(
            target.material(), target.reads, options.count or EXAMPLES[options.size], options.seed
        )
        told = "0 faults" if fault is None else f"FAULT:\n{faults(fault)}\n  {shown}\n"
        status = max(status, fault is not None)
        print(f"prove fuzz {name}: {tried:,} tried, seed {options.seed}, {told}, {time.monotonic() - began:.0f} s")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
