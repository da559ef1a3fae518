"""The rounds of a simulation one by one, or its real shoes: a row of sums for each, by the round function."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from twentyone.errors import Refused
from twentyone.sim import stats
from twentyone.sim.job import Job
from twentyone.sim.kernels import play_rounds, play_shoes
from twentyone.sim.stats import Totals
from twentyone.sim.work import WORK_LENGTH

__all__ = ["MONEY", "MOST_ROWS", "NUMBERS", "part_rows"]

MOST_ROWS = 20_000_000
"""Rows that a file may have."""
AT_ONCE = 1 << 14
"""Rows made at a time."""

NUMBERS = {
    "rounds": (stats.ROUNDS, "rounds: 1, or those of the shoe"),
    "hands": (stats.HANDS, "hands of all boxes"),
    "doubles": (stats.DOUBLES, "doubles"),
    "splits": (stats.SPLITS, "splits"),
    "insured": (stats.INSURED, "boxes that insured"),
}
"""Counts of a row: where its sums have them, and what they are."""
MONEY = {
    "initial_wagers": (stats.INITIAL, "the initial wagers of all boxes"),
    "staked": (stats.WAGERED, "everything wagered but side wagers"),
    "gain": (stats.GAIN, "what the players won or, below zero, lost; without prizes and side wagers"),
    "prizes": (stats.PRIZE, "super bonuses and envy bonuses"),
    "side_gain": (stats.SIDE, "the gain on side wagers"),
}
"""Money of a row, likewise."""


def part_rows(job: Job, totals: Totals) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """The sums of each round, or of each real shoe, that a simulation has played, some thousands at a time."""
    parts = totals[stats.SHOES] if job.mode == "shoe" else totals.rounds
    if parts > MOST_ROWS:
        raise Refused(f"{parts:,} rows are more than {MOST_ROWS:,}: play fewer rounds", step="rounds")
    play = play_shoes if job.mode == "shoe" else play_rounds
    w, deck, keys = np.zeros(WORK_LENGTH, np.int64), np.zeros(1 << 10, np.int16), job.keys.copy()
    for first in range(0, parts, AT_ONCE):
        out = np.zeros((min(AT_ONCE, parts - first), stats.LENGTH), np.int64)
        for number, sums in enumerate(out, first):
            play(job.rules, job.money, w, deck, keys, number, number + 1, sums)
        yield first, out
