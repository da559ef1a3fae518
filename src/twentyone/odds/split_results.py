"""What all hands of one split come to together.

Two hands: exactly. Of three and more every two are taken exactly, and the rest by their product, so that mean and
deviation are exact and a single result is off only by what three hands know of one another beside every two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, reduce
from math import comb
from typing import NamedTuple

import numpy as np

from twentyone.odds.core import Core
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.split_hands import SplitHand
from twentyone.odds.split_joints import PairOfHands
from twentyone.odds.splits import all_pairs, endings

__all__ = ["SplitResults"]


class OfSplit(NamedTuple):
    """A hand of a split."""

    original: bool
    """Whether it bears the original wager (told apart only where that makes a difference)."""
    parted: bool
    """Whether its second card is no pair card; else it may be any."""


class Ending(NamedTuple):
    """How many hands a split ends with."""

    drawn: int
    """Pair cards drawn as second cards, which were split again."""
    done: int
    """Hands whose second card is no pair card."""
    pending: int
    """Hands whose second card may be any: no more may be split."""

    @property
    def most_out(self) -> int:
        """The most pair cards that are out of the shoe beside two hands."""
        return self.drawn + self.done - max(0, 2 - self.pending)


class SplitResults:
    """The results of splitting one pair, each time that it is split."""

    def __init__(self, core: Core, start: int, pays: IntArray) -> None:
        self.core, self.split, self.start = core, core.splits[start], start
        values, kinds = np.unique(pays, axis=0, return_inverse=True)
        self.least = int(values.min())
        self.values: IntArray = values - self.least
        """[kinds of pay, columns]: what each pays above the least."""
        alike = self.split.phases[True] is self.split.phases[False]
        self.hands = {
            original: SplitHand(self.split.phases[original], kinds.reshape(-1), len(values))
            for original in ((False,) if alike else (True, False))
        }
        self.exact = True
        """Whether every two hands that were asked for so far were followed together."""
        self.results = cache(self._results)
        self._worked_out: dict[tuple[int, tuple[bool, ...], int], FloatArray] = {}
        self._pairs: dict[tuple[int, bool], PairOfHands] = {}

    def _results(self, k: int) -> list[tuple[int, FloatArray]]:
        """For each column: the least result, and the chances of it and all above, joint with the condition."""
        most = self.core.tables.most_hands(self.start)
        ways = endings(most) if self.split.again[k] else {(0, 0, 2): 1}
        size = max(done + pending for _, done, pending in ways)
        total = np.zeros((self.values.shape[1], size * int(self.values.max()) + 1))
        for ending, times in ways.items():
            for t, chances in self._ended(k, Ending(*ending)):
                shift = (size - sum(ending[1:])) * -self.least
                total[t, shift : shift + len(chances)] += times * chances
        self._worked_out, self._pairs = {}, {}
        return [(size * self.least, row) for row in total]

    # -- one ending

    def _ended(self, k: int, ending: Ending) -> Iterator[tuple[int, FloatArray]]:
        """Column and the chances of the sums of all hands, from the least on."""
        hands = self._kinds(ending)
        twos: dict[Two, FloatArray] = {}
        if all(self._pair(k, original).followed(ending.most_out) for original in self.hands):
            twos = {two: self._together(k, ending, two) for two in _pairs(hands)}
            single = {kind: _alone(twos, kind) for kind in hands}
        else:
            self.exact = False
            single = {kind: self._together(k, ending, (kind,)) for kind in hands}
        for t in range(self.values.shape[1]):
            whole = single[next(iter(hands))][:, t].sum()
            if whole != 0:
                alone = {kind: self._sum(mass[:, t] / whole, self.values[:, t]) for kind, mass in single.items()}
                sums = self.values[:, t][:, None] + self.values[:, t]
                both = {two: self._sum(joint[:, :, t] / whole, sums) for two, joint in twos.items()}
                yield t, whole * _sums(hands, alone, both)

    def _kinds(self, ending: Ending) -> Counter[OfSplit]:
        """The hands of an ending; the one with the original wager is finished first."""
        first = ending.done > 0
        hands = Counter({OfSplit(True in self.hands, first): 1})
        hands[OfSplit(False, True)] += ending.done - first
        hands[OfSplit(False, False)] += ending.pending - (not first)
        return Counter({kind: many for kind, many in hands.items() if many})

    def _together(self, k: int, ending: Ending, some: tuple[OfSplit, ...]) -> FloatArray:
        """[kinds of pay of each, columns]: one or two hands, no parted hand's second card being a pair card."""
        shoe, kinds = self.core.tables.shoe.astype(float), len(self.values)
        shoe[self.start] -= 2
        others = ending.done - sum(kind.parted for kind in some)
        total: FloatArray = np.zeros((2 * kinds,) * len(some) + (self.values.shape[1],))
        for more in range(others + 1):
            chance = all_pairs(ending.drawn + more, shoe[self.start], shoe.sum())
            if chance > 0:
                total = total + (-1) ** more * comb(others, more) * chance * self._known(k, some, ending.drawn + more)
        for axis, kind in enumerate(some):
            first, paired = np.split(total, 2, axis=axis)
            total = first if kind.parted else first + paired
        return total

    def _known(self, k: int, some: tuple[OfSplit, ...], out: int) -> FloatArray:
        """[kinds of pay of each, columns]: one or two hands with this many further pair cards out of the shoe."""
        originals = tuple(kind.original for kind in some)
        if (k, originals, out) not in self._worked_out:
            pair = self._pair(k, any(originals))
            if len(some) == 1:
                self._worked_out[k, originals, out] = pair.single(pair.one, out)
            else:
                self._worked_out[k, originals, out] = pair.joint(out)
        return self._worked_out[k, originals, out]

    def _pair(self, k: int, original: bool) -> PairOfHands:
        """Two hands, the first with the original wager or not."""
        if (k, original) not in self._pairs:
            other = self.hands[False].ends(k)
            one = self.hands[True].ends(k) if original else other
            self._pairs[k, original] = PairOfHands(self.core, self.start, k, one, other, len(self.values))
        return self._pairs[k, original]

    def _sum(self, mass: FloatArray, values: IntArray) -> FloatArray:
        return np.bincount(values.ravel(), weights=mass.ravel())


Two = tuple[OfSplit, OfSplit]


def _pairs(hands: Counter[OfSplit]) -> dict[Two, int]:
    """Every two kinds of hands, and how many pairs of hands are of them."""
    kinds = list(hands)
    ways = {(kind, kind): comb(hands[kind], 2) for kind in kinds}
    ways |= {(one, other): hands[one] * hands[other] for i, one in enumerate(kinds) for other in kinds[i + 1 :]}
    return {two: many for two, many in ways.items() if many}


def _alone(twos: dict[Two, FloatArray], kind: OfSplit) -> FloatArray:
    """[kinds of pay, columns]: one hand of two, whatever the other."""
    two = next(two for two in twos if kind in two)
    mass: FloatArray = twos[two].sum(axis=1 if two[0] == kind else 0)
    return mass


def _sums(hands: Counter[OfSplit], alone: dict[OfSplit, FloatArray], both: dict[Two, FloatArray]) -> FloatArray:
    """The chances of the sum of all hands: the product of all, put right for every two that were followed."""
    ways = _pairs(hands) if both else {}
    parts = [(1 - sum(ways.values()), _product(hands, alone))]
    for two, many in ways.items():
        rest = _product(hands - Counter(two), alone)
        parts.append((many, np.convolve(both[two], rest) if rest.size else both[two]))
    total = np.zeros(max(len(part) for _, part in parts))
    for times, part in parts:
        total[: len(part)] += times * part
    return total


def _product(hands: Counter[OfSplit], alone: dict[OfSplit, FloatArray]) -> FloatArray:
    """The chances of the sum of hands that know nothing of one another; empty: there are none."""
    each = [alone[kind] for kind in hands.elements()]
    return reduce(np.convolve, each) if each else np.zeros(0)
