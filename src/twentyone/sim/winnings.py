"""What counting is worth: win rate, desirability, risk of ruin, Kelly's wagers, the best ramp within a spread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import erfc, exp, inf, log, sqrt
from typing import NamedTuple

from twentyone.sim import stats
from twentyone.sim.stats import Totals

__all__ = ["PER_HOUR", "AtCount", "Ramp", "Winnings", "best_ramp", "by_count", "lifetime_ruin", "trip_ruin"]

PER_HOUR = 100
"""Rounds of an hour unless another number is given: those of a SCORE."""
SCORE_BANK = 10_000
"""The bankroll of a SCORE in dollars."""
STEPS = 4_000
"""How finely the scale of a ramp is searched."""


# -- ruin


def lifetime_ruin(bankroll: float, mean: float, deviation: float) -> float:
    """The chance that a bankroll is ever lost, from mean and standard deviation of a round (a walk without steps)."""
    if bankroll <= 0:
        return 1.0
    return exp(-2 * mean * bankroll / deviation**2) if mean > 0 and deviation else float(mean <= 0)


def trip_ruin(bankroll: float, mean: float, deviation: float, rounds: int) -> float:
    """The chance that a bankroll is lost within so many rounds."""
    if bankroll <= 0:
        return 1.0
    wide = deviation * sqrt(rounds)
    below, beyond = _normal((-bankroll - mean * rounds) / wide), _normal((-bankroll + mean * rounds) / wide)
    try:
        return below + exp(-2 * mean * bankroll / deviation**2) * beyond
    except OverflowError:
        return 1.0


def _normal(x: float) -> float:
    return erfc(-x / sqrt(2)) / 2


# -- win rates


@dataclass(frozen=True)
class Winnings:
    """The gain of counting players per round, in dollars, side wagers left out."""

    totals: Totals
    """The sums of a simulation."""
    dollars: float
    """What a grain is."""

    @property
    def _gain(self) -> int:
        return self.totals[stats.GAIN] + self.totals[stats.PRIZE]

    @property
    def mean(self) -> float:
        """Gain per round, those without a wager included."""
        return self._gain / self.totals.rounds * self.dollars if self.totals.rounds else 0.0

    @property
    def deviation(self) -> float:
        """Standard deviation of a round."""
        totals = self.totals
        return sqrt(totals.variance) * totals[stats.INITIAL] / totals.rounds * self.dollars if totals.rounds else 0.0

    @property
    def _shoe_square(self) -> float:
        """The squares of what shoes gained beyond the mean of their rounds, together, in grains."""
        totals = self.totals
        gain, rounds = self._gain, totals.rounds
        square = totals[stats.SHOE_GAIN_2] * rounds**2 - 2 * gain * rounds * totals[stats.SHOE_GAIN_ROUNDS]
        return max(square + gain**2 * totals[stats.SHOE_ROUNDS_2], 0) / rounds**2

    @property
    def standard_error(self) -> float:
        """Of the mean, from whole shoes: rounds of one shoe depend on each other."""
        shoes, rounds = self.totals[stats.SHOES], self.totals.rounds
        if shoes < 2 or not self.totals[stats.SHOE_ROUNDS_2]:
            return inf
        return sqrt(self._shoe_square * shoes / (shoes - 1)) / rounds * self.dollars

    @property
    def deviation_by_shoe(self) -> float:
        """Standard deviation of a round as whole shoes show it: what a bankroll walks by in the long run."""
        shoes, rounds = self.totals[stats.SHOES], self.totals.rounds
        return sqrt(self._shoe_square * shoes / (shoes - 1) / rounds) * self.dollars if shoes > 1 else 0.0

    @property
    def desirability(self) -> float:
        """DI: a thousand times the mean over the standard deviation."""
        return 1000 * self.mean / self.deviation if self.deviation else 0.0

    @property
    def score(self) -> float | None:
        """The win of a hundred rounds with 10,000 dollars wagered by Kelly: the square of DI; none without a gain."""
        return self.desirability**2 if self.mean > 0 else None

    @property
    def score_error(self) -> float | None:
        """Its standard error: that of the mean decides."""
        return 2 * self.desirability**2 * self.standard_error / self.mean if self.mean > 0 else None

    @property
    def n0(self) -> float | None:
        """Rounds after which the expected gain is one standard deviation; none without a gain."""
        return (self.deviation / self.mean) ** 2 if self.mean > 0 else None

    @property
    def kelly_bankroll(self) -> float | None:
        """The bankroll for which these wagers are Kelly's: variance over mean; none without a gain."""
        return self.deviation**2 / self.mean if self.mean > 0 else None

    def bankroll_for(self, ruin: float) -> float | None:
        """The bankroll whose lifetime ruin is this; none without a gain."""
        return -log(ruin) / 2 * self.deviation**2 / self.mean if self.mean > 0 else None


# -- by count


@dataclass(frozen=True)
class AtCount:
    """What a wager of one unit does at one count."""

    count: int
    """The count."""
    rounds: int
    """Rounds dealt at it."""
    mean: float
    """Gain per unit wagered."""
    variance: float
    """Of the gain of a round, in units squared."""

    @property
    def kelly(self) -> float:
        """The share of a bankroll that Kelly wagers here."""
        return max(self.mean / self.variance, 0.0) if self.variance else 0.0


def by_count(totals: Totals, lowest: int) -> list[AtCount]:
    """What a unit does at each count where something was wagered."""
    rows = []
    for number in range(stats.MOST_BUCKETS):
        rounds, initial, gain, gain_2 = totals.sums[stats.BUCKET + number * stats.BUCKET_SUMS :][: stats.BUCKET_SUMS]
        if initial:
            variance = (gain_2 / rounds - (gain / rounds) ** 2) * (rounds / initial) ** 2
            rows.append(AtCount(lowest + number, rounds, gain / initial, variance))
    return rows


class Ramp(NamedTuple):
    """Wagers by count."""

    units: dict[int, int]
    """Count to whole units."""
    score: float
    """The SCORE of wagering so (0 without a gain)."""

    @property
    def spread(self) -> str:
        """The wagers as an option: where they change."""
        steps, last = [], None
        for count, units in sorted(self.units.items()):
            if units != last:
                steps.append(f"{count}:{units}")
            last = units
        return ",".join(steps)


def best_ramp(rows: Sequence[AtCount], rounds: int, least: int, most: int) -> Ramp:
    """The whole units from `least` to `most` with the highest SCORE: Kelly's at every scale, held within the spread.

    A higher count is taken to be worth no less than a lower one, so that chance makes no steps down. `rounds`: all that
    were dealt; at counts without a wager nothing is known, and nothing wagered.
    """
    rising = _rising(rows)
    high = max((row.kelly for row in rising), default=0.0)
    flat = dict.fromkeys((row.count for row in rows), max(least, 1))
    best = Ramp(flat, _score(rising, flat.values(), rounds))
    for step in range(1, STEPS + 1) if high else ():
        scale = most * (STEPS / step) / high
        units = {row.count: min(max(round(scale * row.kelly), least), most) for row in rising}
        score = _score(rising, units.values(), rounds)
        if score > best.score:
            best = Ramp(units, score)
    return best


def _rising(rows: Sequence[AtCount]) -> list[AtCount]:
    """The same with means that never fall: neighbours that do are taken together."""
    pools: list[list[AtCount]] = []
    for row in rows:
        pools.append([row])
        while len(pools) > 1 and _pooled(pools[-2]) > _pooled(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    return [replace(row, mean=_pooled(pool)) for pool in pools for row in pool]


def _pooled(pool: Sequence[AtCount]) -> float:
    return sum(row.mean * row.rounds for row in pool) / sum(row.rounds for row in pool)


def _score(rows: Iterable[AtCount], units: Iterable[int], rounds: int) -> float:
    total = square = 0.0
    for row, wager in zip(rows, units, strict=True):
        total += row.rounds * row.mean * wager
        square += row.rounds * (row.variance + row.mean**2) * wager**2
    if total <= 0:
        return 0.0
    mean = total / rounds
    return 100 * SCORE_BANK * mean**2 / (square / rounds - mean**2)
