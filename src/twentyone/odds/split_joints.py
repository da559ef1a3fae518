"""Two hands of one split together: the chance of every pair of results against every final hand of the dealer's.

Two hands draw from one shoe, so what one ends with changes what the other and the dealer may get. All pairs of sets are
gone through, the dealer's chances worked out once for each union of two sets.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twentyone.odds.compositions import keys_of
from twentyone.odds.core import Core
from twentyone.odds.dealer import Walk, distributions
from twentyone.odds.jit import jit
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.split_hands import Ends

__all__ = ["MOST_OUT", "MOST_PAIRS", "PairOfHands"]

MOST_PAIRS = 6_000_000
"""Where two hands have more pairs of sets than this, they are taken as independent given the dealer's hand."""
MOST_OUT = 4
"""With more pair cards than this out of the shoe, likewise: so many are met once in a million splits."""


class PairOfHands:
    """Two hands out of the split of one pair, under one condition."""

    def __init__(self, core: Core, start: int, condition: int, one: Ends, other: Ends, kinds: int) -> None:
        self.core, self.start, self.condition, self.kinds = core, start, condition, kinds
        self.one, self.other = one, other

    def followed(self, out: int) -> bool:
        """Whether both are followed together with this many further pair cards out of the shoe."""
        return len(self.one.sets) * len(self.other.sets) <= MOST_PAIRS and out <= MOST_OUT

    def joint(self, out: int) -> FloatArray:
        """[kinds, kinds, columns]: the chances of both, with this many further pair cards out of the shoe."""
        counts, index = self._unions
        chances = self._chances(counts, out, drawn_from=2)
        joint = np.zeros((2 * self.kinds, 2 * self.kinds, chances.shape[1]))
        one, other, alike = self.one, self.other, self.one is self.other
        _pair_up(index, one.at, one.kind, one.weight, other.at, other.kind, other.weight, alike, chances, joint)
        return joint + joint.transpose(1, 0, 2) if alike else joint

    def single(self, hand: Ends, out: int) -> FloatArray:
        """[kinds, columns]: the same of one of the hands alone."""
        chances = self._chances(hand.sets, out + 1, drawn_from=1)
        total = np.zeros((2 * self.kinds, chances.shape[1]))
        np.add.at(total, hand.kind, hand.weight[:, None] * chances[hand.at])
        return total

    @cached_property
    def _unions(self) -> tuple[IntArray, NDArray[np.int32]]:
        """[unions, classes] and [sets of one, sets of the other]: which union two sets make."""
        one, other = keys_of(self.one.sets), keys_of(self.other.sets)
        size = 1 << int(2 * len(one) * len(other)).bit_length()
        table = np.full(size, -1)
        index = np.empty((len(one), len(other)), dtype=np.int32)
        pairs = np.empty((len(one) * len(other), 2), dtype=np.int32)
        alike = self.one is self.other
        count = _number(one, other, alike, np.empty(size, dtype=np.int64), table, index, pairs)
        unions: IntArray = self.one.sets[pairs[:count, 0]] + self.other.sets[pairs[:count, 1]]
        return unions, index

    def _chances(self, sets: IntArray, out: int, drawn_from: int) -> FloatArray:
        """[sets, columns]: the chance that their cards are drawn in one order and the dealer ends so.

        `out` pair cards are out beside them, `drawn_from` of their own were there before the first draw.
        """
        shoe, start = self.core.tables.shoe, self.start
        here = np.eye(len(shoe), dtype=np.int64)[start]
        left = shoe - here * (out + drawn_from)
        drawn = sets - here * drawn_from
        possible = np.flatnonzero((drawn <= left).all(axis=1))
        chances = np.zeros((len(sets), self.core.walk.columns))
        if len(possible):
            dealer = distributions(self._walk, (left - drawn[possible]).astype(float))[:, 0]
            chances[possible] = _orders(left, drawn[possible])[:, None] * dealer
        game = self.core.game
        if game.blackjack >= 0 and self.core.tables.read[self.condition]:
            chances[:, game.blackjack] = 0
        return chances

    @cached_property
    def _walk(self) -> Walk:
        """The dealer's final hands under this condition alone."""
        finals, k = self.core.tables.finals, self.condition
        told = (finals.told != k).astype(np.int64)
        ways = np.stack([finals.ways[:, k], finals.ways[:, k] * 0], axis=1)
        met = ways[:, 0] > 0
        mine = replace(finals, told=told, counts=finals.counts[met], kind=finals.kind[met], ways=ways[met])
        return Walk.of(mine, self.core.walk.column, self.core.tables.shoe.tolist())


def _orders(left: IntArray, drawn: IntArray) -> FloatArray:
    """[sets]: the chance to draw each set in one given order."""
    most = int(drawn.sum(axis=1).max())
    falling = np.cumprod(np.maximum(left - np.arange(most)[:, None], 0), axis=0, dtype=float)
    falling = np.concatenate([np.ones((1, len(left))), falling])
    cards = np.concatenate([[1.0], np.cumprod(np.maximum(left.sum() - np.arange(most), 1), dtype=float)])
    chance: FloatArray = 1 / cards[drawn.sum(axis=1)]
    for held in range(len(left)):
        chance = chance * falling[drawn[:, held], held]
    return chance


@jit
def _number(one: Any, other: Any, alike: bool, keys: Any, table: Any, index: Any, pairs: Any) -> int:
    """Number the unions as they are met, by an open table of hashes; how many there are.

    Where both hands are alike, a pair of sets is met once only.
    """
    count, mask = 0, table.shape[0] - 1
    for i in range(one.shape[0]):
        for j in range(i if alike else 0, other.shape[0]):
            key = one[i] + other[j]
            at = ((key ^ (key >> 29)) * 0x9E3779B97F4A7C1) >> 20 & mask
            while table[at] >= 0 and keys[at] != key:
                at = (at + 1) & mask
            if table[at] < 0:
                keys[at], table[at] = key, count
                pairs[count, 0], pairs[count, 1] = i, j
                count += 1
            index[i, j] = table[at]
    return count


@jit
def _pair_up(
    index: Any, at: Any, kind: Any, weight: Any, other_at: Any, other_kind: Any, other_weight: Any, alike: bool,
    chances: Any, joint: Any,
) -> None:  # fmt: skip
    """Add every pair of ends where it belongs; where both hands are alike, half of them, and twins by half."""
    for i in range(at.shape[0]):
        for j in range(i if alike else 0, other_at.shape[0]):
            union, both = index[at[i], other_at[j]], weight[i] * other_weight[j]
            if alike and i == j:
                both = both / 2
            cell, row = joint[kind[i], other_kind[j]], chances[union]
            for t in range(row.shape[0]):
                cell[t] += both * row[t]
