"""How long an exact analysis takes, beside a yardstick from the same run: `python -m bench.odds`."""

from __future__ import annotations

import resource
import time

import numpy as np

from twentyone.odds.analyse import analyse
from twentyone.rulebook import Rulebook, Rules, rulebook_ids

TIMES = 3


def yardstick() -> float:
    """Seconds of processor time for a fixed piece of NumPy work on one core: sorting and multiplying."""
    numbers = np.random.default_rng(21).random((40, 100_000))
    start = time.process_time()
    for row in numbers:
        (np.sort(row) * row).sum()
    return time.process_time() - start


def seconds(book: str) -> float:
    """Processor seconds of one analysis, compiled and warm, of rules that were asked nothing yet: the best of a few."""
    spent = []
    for _ in range(TIMES + 1):
        shared = Rulebook.load(book).under({})
        rules = Rules(shared.rulebook, shared.submission)
        start = time.process_time()
        analyse(rules)
        spent.append(time.process_time() - start)
    return min(spent[1:])


def main() -> None:
    """Print a row for each rulebook."""
    measure = min(yardstick() for _ in range(TIMES))
    print(f"odds: yardstick {measure:.3f} s (NumPy: 40 times sort and multiply 100,000 numbers)")
    for book in sorted(rulebook_ids()):
        spent = seconds(book)
        print(f"odds {book:<26} {spent:6.2f} s   {spent / measure:6.2f} yardsticks")
    print(f"odds: most memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
