"""How fast: rounds per second of an engine, beside the machine's yardstick, a bare Fisher-Yates shuffle of a shoe."""
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count

import numpy as np

from twentyone.rulebook import Rules
from twentyone.sim.cache import compiled_once
from twentyone.sim.draw import fill_shoe
from twentyone.sim.engines import Engine
from twentyone.sim.job import Job
from twentyone.sim.rng import key_of
from twentyone.sim.setup import Setup

__all__ = ["rounds_per_second", "shuffled_cards"]

SHOE = 6 * 48


def shuffled_cards(seconds: float) -> float:
    """Cards per second of whole shoes that are shuffled and not played."""
    deck, key = np.arange(SHOE, dtype=np.int16), key_of(1)
    fill_shoe(SHOE, 0, 0, SHOE, deck, key)
    began, shoes = time.perf_counter(), 0
    while (spent := time.perf_counter() - began) < seconds:
        for _ in range(100):
            fill_shoe(SHOE, shoes, 0, SHOE, deck, key)
            shoes += 1
    return shoes * SHOE / spent


def rounds_per_second(engine: Engine, rules: Rules, mode: str, seconds: float) -> float:
    """Rounds per second of an engine that has played a batch before, so that everything is compiled."""
    job = Job.of(compiled_once(Setup.of(rules, mode=mode)), seed=1)
    size = engine.shoes if mode == "shoe" else engine.rounds
    list(engine.play(job, [(0, size)]))
    began = time.perf_counter()
    played = sum(totals.rounds for totals in engine.play(job, _batches(size, began + seconds)))
    return played / (time.perf_counter() - began)


def _batches(size: int, end: float) -> Iterator[tuple[int, int]]:
    """Batches until a moment."""
    for number in count(1):
        if time.perf_counter() > end:
            return
        yield number * size, (number + 1) * size
