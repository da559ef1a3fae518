"""The long form of the simulator's contract: a million rounds a rulebook by simulator and round, fast path and plain.

    python -m bench.prove_sim [--part RULEBOOK] [--rounds 1000000] [--fast 100000000]

Exit status: 0 proved, 1 a difference (printed as a round script), 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from random import Random

from tests.contracts.sim_driver import default_game, first_difference, random_setup

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.sim.compile import Compiled, compile_setup
from twentyone.sim.job import Job, run_batch

__all__ = ["main"]

BLOCK = 5_000
"""Rounds of one game; every second block is the rulebook's own chart."""


def games(book: str, rounds: int) -> list[tuple[Compiled, range]]:
    """The games and the numbers of their rounds: half the rulebook's own chart, half random submissions and players."""
    found = []
    for number in range(-(-rounds // BLOCK)):
        if number % 2:
            game = compile_setup(random_setup(Rulebook.load(book), Random(f"prove {book} {number}")))
            found.append((game, range(BLOCK)))
        else:
            found.append((default_game(book), range(number * BLOCK, (number + 1) * BLOCK)))
    return found


def prove_rounds(book: str, rounds: int) -> str | None:
    """The first difference between simulator and round, if there is one."""
    began, played = time.monotonic(), 0
    for game, numbers in games(book, rounds):
        difference = first_difference(game, numbers)
        if difference is not None:
            return difference
        played += len(numbers)
        _tell(f"{book}: {played:,} of {rounds:,} rounds, {played / (time.monotonic() - began):,.0f} a second")
    print(
        f"prove sim {book}: {played:,} rounds by simulator and round, 0 differences, {time.monotonic() - began:.0f} s"
    )
    return None


def prove_fast(book: str, rounds: int) -> str | None:
    """Fast path and round function on the same seeds, batch by batch."""
    began, size = time.monotonic(), 1 << 20
    fast, plain = Job.of(default_game(book), 1), Job.of(default_game(book), 1, fast=False)
    for first in range(0, rounds, size):
        last = min(first + size, rounds)
        if run_batch(fast, first, last) != run_batch(plain, first, last):
            return f"rounds {first} to {last} of {book}: the fast path and the round function differ"
        _tell(f"{book}: {last:,} of {rounds:,} rounds by both paths")
    print(
        f"prove sim {book}: {rounds:,} rounds by fast path and round function, equal, {time.monotonic() - began:.0f} s"
    )
    return None


def _tell(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the rulebooks that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_sim", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--part", choices=rulebook_ids(), help="one rulebook (absent: all)")
    parser.add_argument("--rounds", type=int, default=1_000_000, help="rounds by simulator and round")
    parser.add_argument("--fast", type=int, default=100_000_000, help="rounds by fast path and round function")
    chosen = parser.parse_args(arguments)
    try:
        for book in (chosen.part,) if chosen.part else rulebook_ids():
            difference = prove_rounds(book, chosen.rounds) or prove_fast(book, chosen.fast)
            if difference is not None:
                print(difference)
                return 1
    except KeyboardInterrupt:
        print("stopped")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
