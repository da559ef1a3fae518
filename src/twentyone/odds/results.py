"""The whole distribution of a round's result: every net result in original wagers and its probability."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np

from twentyone.odds.core import Core
from twentyone.odds.insurance import Answered, answered, wager
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.split_results import SplitResults

__all__ = ["Distribution", "Results"]

NOISE = 1e-15
"""What sums of signed chances leave of a result that cannot come."""


@dataclass(frozen=True)
class Distribution:
    """The net result of a round, in original wagers; super bonus and envy bonus left out.

    >>> fair = Distribution({Fraction(-1): 0.5, Fraction(1): 0.5})
    >>> fair.mean, fair.standard_deviation, fair.chance(lambda net: net > 0)
    (0.0, 1.0, 0.5)
    """

    chances: Mapping[Fraction, float]
    """Net result to its probability, the least first."""
    exact: bool = True
    """Whether all pairs of hands out of one split were followed; else some are independent given the dealer's hand."""

    @property
    def mean(self) -> float:
        """The expected net result: the house edge with the other sign."""
        return sum(float(net) * chance for net, chance in self.chances.items())

    @property
    def standard_deviation(self) -> float:
        """Of the net result."""
        mean = self.mean
        return float(sum((float(net) - mean) ** 2 * chance for net, chance in self.chances.items()) ** 0.5)

    def chance(self, of: Callable[[Fraction], bool]) -> float:
        """The probability of all results that are so."""
        return sum(chance for net, chance in self.chances.items() if of(net))

    def rows(self) -> list[dict[str, Any]]:
        """As JSON: each net result, written exactly and as a number, and its probability."""
        return [{"net": str(net), "wagers": float(net), "probability": p} for net, p in self.chances.items()]


class Results:
    """The results of a game under one strategy; worked out when asked for."""

    def __init__(self, core: Core, settled: SettlementMass) -> None:
        self.core, self.settled = core, settled

    def __getstate__(self) -> dict[str, Any]:
        """What travels: the distribution, and not what it was worked out from."""
        return {"distribution": self.distribution}

    def work_out(self, tell: Callable[[float], None]) -> None:
        """Work the results of all splits out; `tell` hears how far it is."""
        wanted = [
            (start, int(k)) for start, weight in self.settled.split_weight.items() for k in np.flatnonzero(weight)
        ]
        for done, (start, k) in enumerate(wanted, 1):
            self.splits[start].results(k)
            tell(done / len(wanted))

    @cached_property
    def distribution(self) -> Distribution:
        """Of all rounds."""
        tally = self._plain + self._insured
        chances = {Fraction(at - self._zero, self.unit): chance for at, chance in enumerate(tally) if chance != 0}
        kept = {net: float(chance) for net, chance in chances.items() if abs(chance) > NOISE}
        return Distribution(kept, all(split.exact for split in self.splits.values()))

    # -- the scale

    @cached_property
    def unit(self) -> int:
        """Into how many parts a wager is divided, so that every result is a whole number of them."""
        pays = [x for row in self.core.tables.rows for x in row.pays]
        return lcm(*(Fraction(x).denominator for x in (*pays, *wager(self.core))))

    @cached_property
    def pays(self) -> IntArray:
        """[rows, columns]: what each row pays, in units."""
        column = self.core.walk.column
        sample = [column.index(at) for at in range(self.core.walk.columns)]
        return np.array([[int(row.pays[i] * self.unit) for i in sample] for row in self.core.tables.rows])

    @cached_property
    def _zero(self) -> int:
        """Where a net result of nothing stands in a tally."""
        most = max([2, *(self.core.tables.most_hands(start) for start in self.settled.split_weight)])
        return int((most + 1) * max(np.abs(self.pays).max(), self.unit))

    @cached_property
    def splits(self) -> dict[int, SplitResults]:
        """Class of a pair that is split to its results."""
        return {start: SplitResults(self.core, start, self.pays) for start in self.settled.split_weight}

    # -- the rounds

    @cached_property
    def _plain(self) -> FloatArray:
        tally = np.zeros(2 * self._zero + 1)
        self._add(tally, self.settled.mass, self.settled.split_weight)
        return tally

    @cached_property
    def _insured(self) -> FloatArray:
        """What insurance and even money change: such rounds taken off, and added with what they come to."""
        tally = np.zeros(2 * self._zero + 1)
        won, lost = (int(x * self.unit) for x in wager(self.core))
        for taken in answered(self.core):
            mass, _, splits = self.settled.settle(taken.phase, self._only(taken))
            self._add(tally, -mass, {start: -weight for start, weight in splits.items()})
            if taken.answer == "even_money":
                tally[self._zero + int(taken.even * self.unit)] += float(taken.dealt * taken.chance)
            else:
                self._add(tally, mass, splits, won, -lost)
        return tally

    def _only(self, taken: Answered) -> FloatArray:
        """[states, conditions]: the chance of the deal that was answered so."""
        weights = np.zeros(taken.phase.turns.shape)
        up = self.core.tables.classes.names[taken.up]
        against = [k for k, condition in enumerate(self.core.tables.conditions) if condition.up == up]
        weights[taken.state, against] = float(taken.dealt)
        return weights

    def _add(
        self, tally: FloatArray, mass: FloatArray, splits: Mapping[int, FloatArray], against: int = 0, else_: int = 0
    ) -> None:
        """Add rounds, those against a dealer's Blackjack with `against` more, all others with `else_`."""
        more = np.full(self.core.walk.columns, else_)
        if self.core.game.blackjack >= 0:
            more[self.core.game.blackjack] = against
        np.add.at(tally, self._zero + self.pays + more, mass.sum(axis=1))
        for start, weight in splits.items():
            for k in np.flatnonzero(weight):
                for column, (least, chances) in enumerate(self.splits[start].results(int(k))):
                    at = self._zero + least + int(more[column])
                    tally[at : at + len(chances)] += float(weight[k]) * chances
