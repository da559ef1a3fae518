"""The simulator: million rounds a second on one core and on two, beside a bare shuffle of the same cards."""

from __future__ import annotations

import time

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.sim.cache import compiled_once
from twentyone.sim.engines import engine_named
from twentyone.sim.job import Job
from twentyone.sim.setup import Setup
from twentyone.sim.yardstick import shuffled_cards

SECONDS = 1.5
FLOORS = {
    "classic-blackjack": 30e6,
    "pa-spanish-21": 25e6,
    "pa-down-under-blackjack": 20e6,
    "pa-double-back-jack": 20e6,
}
"""Rounds a second of real shoes with a cover card on one core, at least."""
PAIR = 1.9
"""Two cores against one, at least."""


def rate(book: str, threads: int) -> float:
    """Rounds a second of real shoes."""
    engine = engine_named("cpu", threads)
    try:
        job = Job.of(compiled_once(Setup.of(Rulebook.load(book).under(), mode="shoe")), seed=1)
        list(engine.play(job, [(0, engine.shoes)]))
        began, played, first = time.perf_counter(), 0, 1
        while (spent := time.perf_counter() - began) < SECONDS:
            batches = [(place * engine.shoes, (place + 1) * engine.shoes) for place in range(first, first + 8)]
            played += sum(totals.rounds for totals in engine.play(job, batches))
            first += 8
        return played / spent
    finally:
        engine.close()


def run() -> bool:
    """Print the figures; false where one misses its floor."""
    cards = shuffled_cards(SECONDS)
    print(f"{'bare Fisher-Yates, one core':42}{cards / 1e6:>12,.1f} million cards/s")
    found = {book: rate(book, 1) for book in rulebook_ids()}
    for book, one in found.items():
        floor = f", floor {FLOORS[book] / 1e6:.0f}" if book in FLOORS else ""
        beside = f"({cards / one:.1f} cards of it{floor})"
        print(f"{'sim, real shoes, ' + book:42}{one / 1e6:>12,.1f} million rounds/s {beside}")
    first = next(iter(FLOORS))
    pair = rate(first, 2) / found[first]
    print(f"{'sim, two cores against one':42}{pair:>12.2f} (bar {PAIR})")
    return pair >= PAIR and all(found[book] >= floor for book, floor in FLOORS.items())
