"""Trips: what becomes of a player's bankroll after a number of rounds; ruin, results, losing streaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twentyone.errors import Refused, TwentyoneError
from twentyone.money import Amount
from twentyone.platforms import core_count
from twentyone.sim import stats
from twentyone.sim.bounds import SUM
from twentyone.sim.compile import Compiled
from twentyone.sim.draw import FRESH
from twentyone.sim.engines import Batch, in_order
from twentyone.sim.job import Job
from twentyone.sim.kernels import first_wagers, play_trips, play_trips_of_shoes
from twentyone.sim.run import check_totals, job_of
from twentyone.sim.stats import Totals
from twentyone.sim.work import WORK_LENGTH

__all__ = ["MOST_TRIPS", "QUANTILES", "Trips", "TripsHalted", "play_bankroll"]

MARKS = 100
"""Points of a trip at which the bankroll is kept."""
FAN = 10_000
"""Trips, evenly chosen, along which it is kept; of all others only how they ended."""
MOST_TRIPS = 10_000_000
"""Trips whose ends fit into memory: 24 bytes each, and 8 more while they are sorted."""
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
    """Rounds that were played before the one whose wagers the bankroll could not pay; -1: none."""
    marks: NDArray[np.int64]
    """The bankroll along some of the trips, evenly chosen."""
    totals: Totals = field(default_factory=Totals.zero)

    @classmethod
    def planned(cls, compiled: Compiled, bankroll: Amount, rounds: int, trips: int) -> Trips:
        """Room for trips that are still to be played."""
        ends, streaks, ruins = (np.zeros(trips, np.int64) for _ in range(3))
        marks = np.zeros((min(FAN, trips), min(MARKS, rounds)), np.int64)
        return cls(rounds, bankroll, int(compiled.grain), ends, streaks, ruins, marks)

    def rows(self, first: int, last: int) -> NDArray[np.int64]:
        """The rows of `marks` for these trips; -1: none. Row n is that of trip n * trips // rows."""
        rows, trips = len(self.marks), len(self.ends)
        numbers = np.arange(first, last)
        indices = -(-numbers * rows // trips)
        indices[indices * trips // rows != numbers] = -1
        return indices

    def before(self, last: int) -> Trips:
        """Those before a trip, with the sums as they are."""
        rows = -(-last * len(self.marks) // len(self.ends))
        ends, streaks, ruins = self.ends[:last], self.streaks[:last], self.ruins[:last]
        return Trips(self.rounds, self.bankroll, self.grain, ends, streaks, ruins, self.marks[:rows], self.totals)

    @property
    def risk_of_ruin(self) -> float:
        """The share of trips that were ruined."""
        return float(np.mean(self.ruins >= 0))

    def told(self) -> dict[str, Any]:
        """Everything as JSON has it; money in dollars."""
        risk = self.risk_of_ruin
        unit = self.grain / 1000
        ends, streaks = np.quantile(self.ends, QUANTILES), np.quantile(self.streaks, QUANTILES)
        fan = np.quantile(self.marks, QUANTILES, axis=0)
        return {
            "trips": len(self.ends),
            "trip_rounds": self.rounds,
            "bankroll": str(self.bankroll),
            "risk_of_ruin": risk,
            "risk_of_ruin_standard_error": sqrt(risk * (1 - risk) / len(self.ends)),
            "mean_result": float(self.ends.mean() * unit) - float(self.bankroll),
            "results": {str(q): float(end * unit) for q, end in zip(QUANTILES, ends, strict=True)},
            "longest_losing_streak": {str(q): int(streak) for q, streak in zip(QUANTILES, streaks, strict=True)},
            "fan_trips": len(self.marks),
            "fan": {str(q): [float(x * unit) for x in line] for q, line in zip(QUANTILES, fan, strict=True)},
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
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Trips:
    """Play trips of this many rounds, each until its end or until it cannot pay the wagers of a round before its deal.

    Without `threads` all cores play; the trips are the same whoever plays them.
    """
    _check_trips(rounds, trips)
    job = job_of(compiled, seed, False, False, None)
    _check_bankroll(compiled, job, bankroll, rounds)
    planned = Trips.planned(compiled, bankroll, rounds, trips)
    size = max(1, min(trips, BATCH // rounds + 1, job.bounds.most_rounds // rounds))
    done, count = 0, threads or core_count()
    pool = ThreadPoolExecutor(count)
    try:
        played = in_order(lambda batch: pool.submit(_batch, job, planned, *batch), _batches(trips, size), 2 * count)
        for totals in played:
            planned.totals, done = planned.totals + totals, min(done + size, trips)
            if progress is not None:
                progress(done / trips)
    except KeyboardInterrupt:
        if not done:
            raise
        check_totals(compiled, planned.totals)
        raise TripsHalted(planned.before(done)) from None
    finally:
        pool.shutdown(cancel_futures=True)
    check_totals(compiled, planned.totals)
    return planned


def _check_trips(rounds: int, trips: int) -> None:
    if rounds < 1 or trips < 1 or rounds * trips > 1 << 50:
        raise Refused(f"{trips} trips of {rounds} rounds cannot be simulated", step="trips")
    if trips > MOST_TRIPS:
        raise Refused(f"the ends of {trips} trips are not kept: at most {MOST_TRIPS}", step="trips")


def _check_bankroll(compiled: Compiled, job: Job, bankroll: Amount, rounds: int) -> None:
    w, deck = _work_space()
    due = Amount.from_thousandths(
        int(first_wagers(job.rules, job.money, w, deck, job.keys.copy(), job.source)) * int(compiled.grain)
    )
    if bankroll < due:
        why = f"a bankroll of {bankroll} does not pay the first wagers of {due}, side wagers included"
        raise Refused(why, step="bankroll")
    if job.bounds.most_rounds < rounds or int(bankroll) // int(compiled.grain) + rounds * job.bounds.total > SUM:
        raise Refused(f"the sums of a trip of {rounds:,} rounds with such wagers are too large: wager less")
    if bankroll % compiled.grain:
        raise Refused(f"a bankroll of {bankroll} is no whole number of {compiled.grain}", step="bankroll")


def _batches(trips: int, size: int) -> Iterator[Batch]:
    for first in range(0, trips, size):
        yield first, min(first + size, trips)


def _work_space() -> tuple[NDArray[np.int64], NDArray[np.int16]]:
    return np.zeros(WORK_LENGTH, np.int64), np.zeros(1 << 10, np.int16)


def _batch(job: Job, into: Trips, first: int, last: int) -> Totals:
    """Play these trips; each writes its figures at its own index."""
    sums, aside = np.zeros(stats.LENGTH, np.int64), np.zeros(into.marks.shape[1], np.int64)
    w, deck = _work_space()
    play = play_trips if job.source == FRESH else play_trips_of_shoes
    play(
        job.rules, job.money, w, deck, job.keys.copy(), first, last,
        into.rounds, int(into.bankroll) // into.grain, sums,
        into.ends[first:last], into.streaks[first:last], into.ruins[first:last],
        into.rows(first, last), into.marks, aside,
    )  # fmt: skip
    return Totals.of(sums)
