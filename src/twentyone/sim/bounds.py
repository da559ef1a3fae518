"""How large the sums of a batch can become: they are whole numbers of 64 bits, and none may run over.

Every bound is far above what happens. All that counts is that nothing is ever above it, and that its reason is short.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from twentyone.sim import layout as at
from twentyone.sim.layout import BoxMoney, MoneyHead, Parameter, Part
from twentyone.sim.reduced import FINE
from twentyone.sim.wheels import AGAIN, COLUMNS, OTHERS, OTHERS_SECOND, PRIZE, WHEELS
from twentyone.sim.work import SHOE_ROOM

__all__ = ["SUM", "Bounds"]

SUM = (1 << 63) - 1
"""The largest number that a sum holds."""
LAID = 4
"""Main wagers laid on one hand at most: its own, a double, and a second chance for each."""


@dataclass(frozen=True)
class Bounds:
    """What no round and no part of a simulation exceeds, from the arrays of the round function, in grains."""

    rules: NDArray[np.int32]
    money: NDArray[np.int64]
    mode: str
    antithetic: bool

    def _section(self, begin: int, end: int) -> NDArray[np.int32]:
        """A section of the packed table, up to the one behind it."""
        return self.rules[self.rules[begin] : self.rules[end]]

    @property
    def _boxes(self) -> int:
        return int(self.rules[Parameter.BOXES])

    @property
    def _hands(self) -> int:
        """Hands of a box: it may split only where it holds fewer than `splits` says."""
        return max(1, int(self._section(Part.SPLITS, Part.KIND).max()))

    def _wagers(self, what: int) -> int:
        """An amount of every box, each at the true count where it is largest, together."""
        first, last = at.MONEY_HEADER, int(self.money[MoneyHead.MATCH])
        rows = self.money[first:last].reshape(self._boxes, -1, at.MONEY)[:, :, what]
        return sum(int(row.max()) for row in rows)

    @cached_property
    def total(self) -> int:
        """Of the gain with prizes of a round, either alone, and its initial wagers.

        A hand gains or loses no more than the largest number in the table of gains, times its wager's unit; insurance
        is added once per box. A hand with a prize gets the super bonus, and all other boxes the envy bonus.
        """
        gains = int(np.abs(self._section(Part.GAIN, Part.TALLY).astype(np.int64)).max())
        played = self._hands * gains * self._wagers(BoxMoney.MAIN_UNIT)
        insured = self._wagers(BoxMoney.INSURED) + self._wagers(BoxMoney.INSURED_WINS)
        prizes = 0
        if self._section(Part.PRIZE, Part.MARK).any():
            envy = int(self.rules[Parameter.ENVY]) * self._boxes
            prizes = self._hands * (self._wagers(BoxMoney.SUPER) + envy * self._boxes)
        return max(played + insured + prizes, self._wagers(BoxMoney.MAIN))

    @cached_property
    def side(self) -> int:
        """Of the gain on side wagers of a round.

        A box settles a match once, two wagers on its first cards, and turns each wheel once at most: it gets the
        largest prize or loses its wager, and everyone else is paid.
        """
        money, boxes = self.money, self._boxes
        match = int(np.abs(money[money[MoneyHead.MATCH] : money[MoneyHead.FIRSTS]]).max())
        firsts = int(np.abs(money[money[MoneyHead.FIRSTS] : money[MoneyHead.WHEEL]]).max(initial=0))
        laid = range(BoxMoney.MATCH_WAGER, BoxMoney.XTREME_WAGER + 1)
        wagers = sum(self._wagers(what) for what in laid)
        first, row = int(money[MoneyHead.WHEEL]), int(money[MoneyHead.WHEEL_ROW])
        wheels = money[first : first + len(WHEELS) * row].reshape(len(WHEELS), -1, COLUMNS)
        paid = [sum(map(int, wheels[:, :, what].max(axis=1))) for what in (PRIZE, AGAIN, OTHERS, OTHERS_SECOND)]
        return boxes * (match + 2 * firsts) + wagers + boxes * (paid[0] + paid[1] + boxes * max(paid[2:]))

    @cached_property
    def round(self) -> int:
        """Of what a round adds to any sum of rounds: the product of two of its amounts, or a number of cards or hands.

        The wagers laid are never multiplied, but may be more than all gains.
        """
        laid = LAID * self._hands * self._wagers(BoxMoney.MAIN) + self._wagers(BoxMoney.INSURED)
        return max(self.total, self.side, 2) ** 2 + laid + SHOE_ROOM

    @property
    def rounds(self) -> int:
        """Rounds of a part (of a fresh shoe, a real one, or a pair of either).

        A real shoe begins a round up to its cover card, and each takes its initial deal out of it.
        """
        shoe = 1
        if self.mode == "shoe":
            passes = self._section(Part.PASSES, Part.TAGS)
            dealt = int(np.where(passes == 0, self._boxes, 1).sum())
            shoe = int(self.rules[Parameter.COVER]) // dealt + 1
        return 2 * shoe if self.antithetic else shoe

    @cached_property
    def part(self) -> int:
        """Of what a part adds to any sum: its rounds, or the square of its total, or the square with its control."""
        total = self.rounds * self.total
        return max(self.rounds * self.round, total**2, self._controlled(total))

    def _controlled(self, total: int) -> int:
        """The same of a control variate: fine parts of the total and of two controls, and squares of coarse ones.

        A control is a value of the table times the main wager; the expected one is an average of such, rounded.
        """
        money = self.money
        if not money[MoneyHead.CONTROL]:
            return 0
        worth = int(np.abs(money[money[MoneyHead.CONTROL] :]).max()) + 1
        fine = total * FINE + 2 * self.rounds * worth * self._wagers(BoxMoney.MAIN)
        coarse = fine // int(money[MoneyHead.COARSE]) + 1
        return max(fine + int(money[MoneyHead.COARSE]), coarse**2, coarse * total)

    @property
    def most_rounds(self) -> int:
        """Rounds whose sums hold in 64 bits, where no sums of shoes or parts are made (trips)."""
        return SUM // self.round

    @property
    def most_parts(self) -> int:
        """Parts (rounds, shoes, or pairs of them) whose sums hold in 64 bits."""
        return SUM // self.part
