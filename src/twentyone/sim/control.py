"""An exact control variate: what it is made of, and what it makes of a result.

The control of a round is what the first deal of each box is worth: its two cards and the up card. Whoever asks for it
brings those values; here they become whole numbers, whose mean over all deals is then exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from twentyone.sim import stats
from twentyone.sim.compile import Compiled
from twentyone.sim.layout import BoxMoney, MoneyHead
from twentyone.sim.reduced import COARSE, FINE
from twentyone.sim.stats import Totals

__all__ = ["COEFFICIENT", "Adjusted", "Control", "adjusted_error"]

COEFFICIENT = 1
"""Of the control: fixed, so that the adjusted mean has no bias; one, because the control is an expected gain."""

Values = NDArray[np.float64]
"""What one card counts, what the other counts, what the up card counts (aces low) to the value of the deal."""


@dataclass(frozen=True)
class Control:
    """A control variate."""

    table: NDArray[np.int64]
    """Strategy, up card, one card, the other (what each counts) to the value of the deal, in parts of a wager."""
    mean: Fraction
    """Its exact mean over all deals of a full shoe, in parts of a grain per round."""
    main: int
    """The first box's main wager, in grains."""

    @classmethod
    def of(cls, compiled: Compiled, values: Sequence[Values]) -> Control:
        """The control of a game from the values of its first deals, one table for each box."""
        game = compiled.game
        strategies = game.money[:, 0, BoxMoney.STRATEGY]
        table = np.zeros((int(strategies.max()) + 1, *values[0].shape), np.int64)
        for strategy, worth in zip(strategies, values, strict=True):
            table[strategy] = np.rint(np.moveaxis(worth, 2, 0) * FINE)
        held = np.bincount(game.value[game.cards >> 2], minlength=table.shape[1])
        means = [exact_mean(part, held) for part in table]
        boxes = zip(strategies, game.money[:, 0, BoxMoney.MAIN], strict=True)
        mean = sum((means[strategy] * int(main) for strategy, main in boxes), Fraction(0))
        return cls(table, mean, compiled.main)

    def packed(self, money: NDArray[np.int64]) -> NDArray[np.int64]:
        """The money of a game with the control behind it, as the round function reads them."""
        packed = np.concatenate([money, self.table.ravel()])
        packed[MoneyHead.CONTROL], packed[MoneyHead.CONTROL_ROW] = len(money), self.table.shape[1]
        packed[MoneyHead.COARSE] = max(self.main * FINE // COARSE, 1)
        return packed


def exact_mean(table: NDArray[np.int64], held: NDArray[np.int64]) -> Fraction:
    """The mean of a control over all deals of two cards and an up card, all whole numbers."""
    cards, total = [int(count) for count in held], 0
    for up, one, other in product(range(len(cards)), repeat=3):
        deals = cards[up] * (cards[one] - (one == up)) * (cards[other] - (other == up) - (other == one))
        total += deals * int(table[up, one, other])
    size = sum(cards)
    return Fraction(total, size * (size - 1) * (size - 2))


@dataclass(frozen=True)
class Adjusted:
    """What a simulation has come to with its control variate."""

    totals: Totals
    control: Control

    @property
    def _exact(self) -> Fraction:
        """The sum of the control as it is expected: in fresh shoes its mean, in real ones by the cards left."""
        totals = self.totals
        return Fraction(totals[stats.EXPECTED]) if totals[stats.SHOES] else totals.rounds * self.control.mean

    def _mean(self, parts: Fraction | int) -> float:
        initial = self.totals[stats.INITIAL]
        return float(parts / Fraction(FINE * initial)) if initial else 0.0

    @property
    def control_mean(self) -> float:
        """The mean of the control in the rounds played, per initial wager."""
        return self._mean(self.totals[stats.CONTROL])

    @property
    def exact_mean(self) -> float:
        """What it is exactly."""
        return self._mean(self._exact)

    @property
    def mean(self) -> float:
        """The mean of the simulation, less what the control was away from its exact mean."""
        totals = self.totals
        gain = (totals[stats.GAIN] + totals[stats.PRIZE]) * FINE
        return self._mean(gain - COEFFICIENT * (totals[stats.CONTROL] - self._exact))

    @property
    def standard_error(self) -> float:
        """Of the adjusted mean."""
        return adjusted_error(self.totals, self.control.main)

    @property
    def control_away(self) -> float:
        """How far the control's mean was from the exact one, in standard errors: a wrong exact mean shows here."""
        totals = self.totals
        sums = totals[stats.COARSE], totals[stats.COARSE_2], totals[stats.COARSE_INITIAL]
        error = totals.ratio_error(stats.PARTS, *sums, totals[stats.PART_INITIAL_2]) * self.control.main / COARSE
        return (self.control_mean - self.exact_mean) / error if error else 0.0


def adjusted_error(totals: Totals, main: int) -> float:
    """The standard error of a mean with its control variate; `main`: the first box's wager in grains."""
    sums = totals[stats.ADJUSTED], totals[stats.ADJUSTED_2], totals[stats.ADJUSTED_INITIAL]
    return totals.ratio_error(stats.PARTS, *sums, totals[stats.PART_INITIAL_2]) * main / COARSE
