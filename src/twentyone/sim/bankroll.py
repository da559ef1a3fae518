"""Trips: what becomes of a player's bankroll after so many rounds; ruin, results, losing streaks."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twentyone.errors import Refused, TwentyoneError
from twentyone.money import Amount
from twentyone.sim import layout as at
from twentyone.sim import stats
from twentyone.sim.compile import Compiled
from twentyone.sim.draw import FRESH, SHOE
from twentyone.sim.job import Job
from twentyone.sim.kernels import play_trips
from twentyone.sim.stats import Totals

__all__ = ["QUANTILES", "Trips", "TripsHalted", "play_bankroll"]

MARKS = 100
"""Points of a trip at which the bankroll is kept."""
BATCH = 500_000
"""Rounds of the trips that are played between two looks at the progress."""
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


@dataclass
class Trips:
    """Trips that were played."""

    rounds: int
    """Rounds of a trip."""
    bankroll: Amount
    """What each began with."""
    grain: int
    ends: NDArray[np.int64]
    """Each trip's last bankroll, in grains."""
    streaks: NDArray[np.int64]
    """Each trip's longest losing streak."""
    ruins: NDArray[np.int64]
    """The round after which the bankroll could not pay the next wagers; -1: never."""
    marks: NDArray[np.int64]
    """The bankroll along each trip."""
    totals: Totals = field(default_factory=Totals.nothing)

    @property
    def risk_of_ruin(self) -> float:
        """The share of trips that were ruined."""
        return float(np.mean(self.ruins >= 0))

    def told(self) -> dict[str, Any]:
        """Everything as JSON has it; money in dollars."""
        risk = self.risk_of_ruin
        unit = self.grain / 1000
        return {
            "trips": len(self.ends),
            "trip_rounds": self.rounds,
            "bankroll": str(self.bankroll),
            "risk_of_ruin": risk,
            "risk_of_ruin_standard_error": sqrt(risk * (1 - risk) / len(self.ends)),
            "mean_result": float(self.ends.mean() * unit) - int(self.bankroll) / 1000,
            "results": {str(q): float(np.quantile(self.ends, q) * unit) for q in QUANTILES},
            "longest_losing_streak": {str(q): int(np.quantile(self.streaks, q)) for q in QUANTILES},
            "fan": {str(q): [float(x * unit) for x in np.quantile(self.marks, q, axis=0)] for q in QUANTILES},
        }


class TripsHalted(TwentyoneError):
    """Trips that somebody stopped before the last, with those that were played."""

    def __init__(self, trips: Trips) -> None:
        super().__init__("interrupted")
        self.trips = trips
        """What was played."""


def play_bankroll(
    compiled: Compiled,
    *,
    bankroll: Amount,
    rounds: int,
    trips: int,
    seed: int = 1,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
) -> Trips:
    """Play trips of so many rounds, each until its end or until it cannot pay the next initial wagers."""
    if rounds < 1 or trips < 1 or rounds * trips > 1 << 50:
        raise Refused(f"{trips} trips of {rounds} rounds cannot be simulated", "--trips")
    if bankroll % compiled.grain:
        raise Refused(f"a bankroll of {bankroll} is no whole number of {compiled.grain}", "--bankroll")
    least = int(compiled.game.money[:, 0, at.MAIN].sum()) * int(compiled.grain)
    if bankroll < least:
        raise Refused(f"a bankroll of {bankroll} does not pay the first wagers of {Amount(least)}", "--bankroll")
    job = Job.of(compiled, seed, fast=False)
    size = max(1, min(trips, BATCH // rounds + 1))
    batches = [(first, min(first + size, trips)) for first in range(0, trips, size)]
    parts: list[tuple[NDArray[np.int64], ...]] = []
    pool = ThreadPoolExecutor(threads)
    try:
        for part in pool.map(lambda batch: _batch(job, int(bankroll // compiled.grain), rounds, *batch), batches):
            parts.append(part)
            if progress is not None:
                progress(len(parts) / len(batches))
    except KeyboardInterrupt:
        if not parts:
            raise
        raise TripsHalted(_together(compiled, rounds, bankroll, parts)) from None
    finally:
        pool.shutdown(cancel_futures=True)
    return _together(compiled, rounds, bankroll, parts)


def _together(compiled: Compiled, rounds: int, bankroll: Amount, parts: list[tuple[NDArray[np.int64], ...]]) -> Trips:
    ends, streaks, ruins, marks = (np.concatenate([part[place] for part in parts]) for place in range(4))
    totals = Totals.merged(Totals.of(part[4]) for part in parts)
    return Trips(rounds, bankroll, int(compiled.grain), ends, streaks, ruins, marks, totals)


def _batch(job: Job, bankroll: int, rounds: int, first: int, last: int) -> tuple[NDArray[np.int64], ...]:
    count, sums = last - first, np.zeros(stats.LENGTH, np.int64)
    ends, streaks, ruins = (np.zeros(count, np.int64) for _ in range(3))
    marks = np.full((count, min(MARKS, rounds)), bankroll, np.int64)
    w, deck = np.zeros(at.WORK, np.int64), np.zeros(1 << 10, np.int16)
    source = SHOE if job.mode == "shoe" else FRESH
    play_trips(
        job.rules, job.money, w, deck, job.keys.copy(), source, first, last, rounds, bankroll, sums,
        ends, streaks, ruins, marks,
    )  # fmt: skip
    return ends, streaks, ruins, marks, sums
