"""The simulator: million rounds a second on one core and on two, beside a bare shuffle of the same cards."""

from __future__ import annotations

import os

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.sim.engines import engine_named
from twentyone.sim.yardstick import rounds_per_second, shuffled_cards

SECONDS = 1.5
FLOORS = {
    "classic-blackjack": 30e6,
    "pa-spanish-21": 25e6,
    "pa-down-under-blackjack": 20e6,
    "pa-double-back-jack": 20e6,
}
"""Rounds a second of real shoes with a cover card on one core, at least."""
PAIRS = {"cpu": ("cores", 1.9, SECONDS), "dask": ("workers of a cluster", 1.7, 3 * SECONDS)}
"""Two against one, at least; a cluster takes longer to get going."""
TIMES = 3
"""How often one and two are measured, by turns; the best of each counts."""


def rate(book: str, name: str = "cpu", workers: int = 1, seconds: float = SECONDS, mode: str = "shoe") -> float:
    """Rounds a second, of real shoes unless told otherwise."""
    engine = engine_named(name, workers)
    try:
        return rounds_per_second(engine, Rulebook.load(book).under(), mode, seconds)
    finally:
        engine.close()


def pair(book: str, name: str, seconds: float) -> float:
    """Two against one."""
    runs = [(rate(book, name, 1, seconds), rate(book, name, 2, seconds)) for _ in range(TIMES)]
    return max(two for _, two in runs) / max(one for one, _ in runs)


def run() -> bool:
    """Print the figures; false where one misses its floor."""
    cards = shuffled_cards(SECONDS)
    print(f"compiled for {os.environ.get('NUMBA_CPU_NAME', 'this core')}")
    print(f"{'bare Fisher-Yates, one core':42}{cards / 1e6:>12,.1f} million cards/s")
    found = {book: rate(book) for book in rulebook_ids()}
    for book, one in found.items():
        floor = f", floor {FLOORS[book] / 1e6:.0f}" if book in FLOORS else ""
        beside = f"({cards / one:.1f} cards of it{floor})"
        print(f"{'sim, real shoes, ' + book:42}{one / 1e6:>12,.1f} million rounds/s {beside}")
    for book in rulebook_ids():
        print(f"{'sim, fresh shoes, ' + book:42}{rate(book, mode='fresh') / 1e6:>12,.1f} million rounds/s")
    good = all(found[book] >= floor for book, floor in FLOORS.items())
    for name, (what, bar, seconds) in PAIRS.items():
        times = pair(next(iter(FLOORS)), name, seconds)
        good &= times >= bar
        print(f"{f'sim, two {what} against one':42}{times:>12.2f} (bar {bar})")
    return good
