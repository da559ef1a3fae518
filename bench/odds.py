"""How long an exact analysis takes, beside a yardstick from the same run."""

from __future__ import annotations

import time

import numpy as np

from twentyone.odds.analysis import analyse
from twentyone.rulebook import Rulebook, Rules, rulebook_ids

TIMES = 3
BARS = {
    "classic-blackjack": 0.4,
    "md-spanish-21": 2.0,
    "pa-double-back-jack": 3.0,
    "pa-down-under-blackjack": 2.0,
    "pa-spanish-21": 2.0,
    "s13-spanish-21": 2.0,
}
"""The most seconds of one core that an analysis may take, compiled and warm, also on a busy machine."""
GOALS = {"classic-blackjack": 0.15, "pa-double-back-jack": 1.0}
"""What it should take on a quiet one."""


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


def run() -> bool:
    """Print a row for each rulebook; false where one misses its bar."""
    measure = min(yardstick() for _ in range(TIMES))
    print(f"{'NumPy: 40 x sort and multiply 100,000':42}{measure:>12.3f} s")
    good = True
    for book in sorted(rulebook_ids()):
        spent = seconds(book)
        good = good and spent <= BARS[book]
        goal = f", goal {GOALS[book]} s" if book in GOALS else ""
        print(f"{'odds, ' + book:42}{spent:>12.3f} s {spent / measure:>6.1f} times it (bar {BARS[book]} s{goal})")
    return good
