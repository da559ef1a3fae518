"""Exact sums of a simulation: whole numbers that can be merged in any order, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["LENGTH", "Totals"]

# -- the sums, by index
(
    ROUNDS, INITIAL, GAIN, GAIN_2, PRIZE, PRIZE_2, GAIN_PRIZE, SIDE, SIDE_2, TOTAL_SIDE, WAGERED, DOUBLES, SPLITS,
    INSURED, CARDS, HANDS, FAULTS, RELOADS, SHOES, SHOE_INITIAL_2, SHOE_GAIN_2, SHOE_GAIN_INITIAL, INITIAL_2,
    GAIN_INITIAL, PARTS, PART_GAIN_2, PART_GAIN_INITIAL, PART_INITIAL_2, CONTROL, EXPECTED, ADJUSTED, ADJUSTED_2,
    ADJUSTED_INITIAL, COARSE, COARSE_2, COARSE_INITIAL, SHOE_ROUNDS_2, SHOE_GAIN_ROUNDS,
) = range(38)  # fmt: skip
NAMES = (
    "rounds", "initial_wagers", "gain", "gain_squared", "prizes", "prizes_squared", "gain_times_prizes", "side_gain",
    "side_gain_squared", "total_times_side", "staked", "doubles", "splits", "insured", "cards", "hands", "faults",
    "reloads", "shoes", "shoe_initial_squared", "shoe_gain_squared", "shoe_gain_times_initial",
    "initial_squared", "total_times_initial", "parts", "part_total_squared", "part_total_times_initial",
    "part_initial_squared", "control", "control_expected", "adjusted", "adjusted_squared", "adjusted_times_initial",
    "control_coarse", "control_coarse_squared", "control_coarse_times_initial",
    "shoe_rounds_squared", "shoe_gain_times_rounds",
)  # fmt: skip
"""From `parts` on only where variance is reduced (`reduced.py`): a part is what is independent of all others. The last
two only where players count."""
TALLY = 40
MOST_TALLIES = 64
HISTOGRAM = TALLY + MOST_TALLIES
BINS, MIDDLE = 192, 64
"""The histogram counts halves of the initial wager, from 32 wagers lost to 64 won; what is beyond counts at the end."""
BUCKET = HISTOGRAM + BINS
MOST_BUCKETS, BUCKET_SUMS = 32, 4
"""By count: rounds, initial wagers, gain, gain squared."""
LENGTH = BUCKET + MOST_BUCKETS * BUCKET_SUMS


@dataclass
class Totals:
    """The sums of some rounds, in grains; `totals + other` are the sums of both."""

    sums: list[int]

    @classmethod
    def zero(cls) -> Totals:
        """The sums of no rounds: all zero."""
        return cls([0] * LENGTH)

    @classmethod
    def of(cls, sums: NDArray[np.int64] | Sequence[int]) -> Totals:
        """Sums that were counted in an array."""
        return cls([int(number) for number in sums])

    def __add__(self, other: Totals) -> Totals:
        return Totals([one + two for one, two in zip(self.sums, other.sums, strict=True)])

    def __getitem__(self, index: int) -> int:
        return self.sums[index]

    @classmethod
    def merged(cls, parts: Iterable[Totals]) -> Totals:
        """The sums of all parts."""
        total = cls.zero()
        for part in parts:
            total = total + part
        return total

    # -- what follows from them

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return self[ROUNDS]

    @property
    def mean(self) -> float:
        """Gain per initial wager, prizes included, side wagers not."""
        return (self[GAIN] + self[PRIZE]) / self[INITIAL] if self[INITIAL] else 0.0

    @property
    def mean_without_prizes(self) -> float:
        """Gain per initial wager without super bonus and envy bonus."""
        return self[GAIN] / self[INITIAL] if self[INITIAL] else 0.0

    @property
    def _total_2(self) -> int:
        return self[GAIN_2] + 2 * self[GAIN_PRIZE] + self[PRIZE_2]

    @property
    def variance(self) -> float:
        """Of the gain of a round, in initial wagers of a round squared."""
        rounds, total = self.rounds, self[GAIN] + self[PRIZE]
        if rounds < 2:
            return 0.0
        spread = (rounds * self._total_2 - total * total) / (rounds * (rounds - 1))
        return spread * (rounds / self[INITIAL]) ** 2

    @property
    def standard_error(self) -> float:
        """Of the mean; in a real shoe from whole shoes, because rounds of one shoe are correlated."""
        total = self[GAIN] + self[PRIZE]
        if self[SHOES] > 1:
            return self.ratio_error(SHOES, total, self[SHOE_GAIN_2], self[SHOE_GAIN_INITIAL], self[SHOE_INITIAL_2])
        return self.ratio_error(ROUNDS, total, self._total_2, self[GAIN_INITIAL], self[INITIAL_2])

    @property
    def part_error(self) -> float:
        """The standard error of the mean from the parts of a run whose variance is reduced."""
        total = self[GAIN] + self[PRIZE]
        return self.ratio_error(PARTS, total, self[PART_GAIN_2], self[PART_GAIN_INITIAL], self[PART_INITIAL_2])

    def ratio_error(self, parts: int, total: int, total_2: int, total_initial: int, initial_2: int) -> float:
        """The standard error of a sum per initial wager, from the squares and products of independent parts."""
        count, initial = self[parts], self[INITIAL]
        if count < 2:
            return float("inf")
        left = total_2 * initial**2 - 2 * total * initial * total_initial + total**2 * initial_2
        return sqrt(max(left, 0) / initial**2 * (count / (count - 1))) / initial

    @property
    def side_mean(self) -> float:
        """Gain on side wagers per initial wager."""
        return self[SIDE] / self[INITIAL] if self[INITIAL] else 0.0

    @property
    def side_correlation(self) -> float:
        """Of the gains on side wagers and on everything else, round by round."""
        rounds, total, side = self.rounds, self[GAIN] + self[PRIZE], self[SIDE]
        both = (rounds * self._total_2 - total**2) * (rounds * self[SIDE_2] - side**2)
        return (rounds * self[TOTAL_SIDE] - total * side) / sqrt(both) if both > 0 else 0.0

    def tallies(self, names: Sequence[str]) -> dict[str, int]:
        """How many hands ended in each way."""
        return {name: self[TALLY + number] for number, name in enumerate(names) if self[TALLY + number]}

    def histogram(self) -> dict[str, int]:
        """Half wagers won or lost in a round to how often."""
        return {str((index - MIDDLE) / 2): self[HISTOGRAM + index] for index in range(BINS) if self[HISTOGRAM + index]}

    def by_count(self, lowest: int) -> list[dict[str, Any]]:
        """Rounds and mean by count; no mean where nothing is wagered."""
        rows = []
        for number in range(MOST_BUCKETS):
            rounds, initial, gain, gain_2 = self.sums[BUCKET + number * BUCKET_SUMS :][:BUCKET_SUMS]
            if rounds:
                mean = error = None
                if initial:
                    mean, error = gain / initial, sqrt(max(gain_2 - gain * gain / rounds, 0)) / initial
                rows.append({"true_count": lowest + number, "rounds": rounds, "mean": mean, "standard_error": error})
        return rows

    def named(self) -> Mapping[str, int]:
        """The sums by name; those of variance reduction only where there is any."""
        named = dict(zip(NAMES, self.sums, strict=False))
        left = (() if self[PARTS] else NAMES[PARTS:SHOE_ROUNDS_2]) + (
            () if self[SHOE_ROUNDS_2] else NAMES[SHOE_ROUNDS_2:]
        )
        return {name: number for name, number in named.items() if name not in left}
