"""The machine's yardstick: how many cards a bare Fisher-Yates shuffle of a shoe deals on one core."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import time

import numpy as np

from twentyone.sim.draw import fill_shoe
from twentyone.sim.rng import key_of

__all__ = ["shuffled_cards"]

SHOE = 6 * 48


def shuffled_cards(seconds: float) -> float:
    """Cards a second of whole shoes that are shuffled and not played."""
    deck, key = np.arange(SHOE, dtype=np.int16), key_of(1)
    fill_shoe(SHOE, 0, 0, SHOE, deck, key)
    began, shoes = time.perf_counter(), 0
    while (spent := time.perf_counter() - began) < seconds:
        for _ in range(100):
            fill_shoe(SHOE, shoes, 0, SHOE, deck, key)
            shoes += 1
    return shoes * SHOE / spent
