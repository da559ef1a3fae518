"""Money as grains: the largest amount of which everything that is wagered or paid is a multiple."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import gcd

import numpy as np
from numpy.typing import NDArray

from twentyone.cards import RANKS, SUITS, Card
from twentyone.money import THOUSANDTH, Amount
from twentyone.rulebook.side_hands import side_pay
from twentyone.sim import layout as at
from twentyone.sim.layout import BoxMoney
from twentyone.sim.payoffs import UNSEEN
from twentyone.sim.setup import Box, Setup
from twentyone.sim.states import CannotCompile
from twentyone.sim.wheels import METER, PRIZE, wheel_number, wheel_table

__all__ = ["Amounts"]

SIDES = {
    "match_the_dealer": BoxMoney.MATCH_WAGER,
    "perfect_pairs": BoxMoney.PAIRS_WAGER,
    "twenty_one_plus_three": BoxMoney.THREES_WAGER,
    "bonus_spin": BoxMoney.SPIN_WAGER,
    "xtreme_16": BoxMoney.XTREME_WAGER,
}
FIRSTS = ("perfect_pairs", "twenty_one_plus_three")
"""The wagers on the kind of the first cards: on a pair, and on three cards."""


@dataclass(frozen=True)
class Amounts:
    """What is wagered and paid in a simulation."""

    setup: Setup
    unit: int
    """The parts of a wager in which every gain is a whole number."""
    players: Sequence[Box]
    """A box of each strategy, by its number."""

    @cached_property
    def grain(self) -> Amount:
        """The money that one grain is."""
        envy = self.setup.rules.envy(paid=True)
        every = [amount for box in self._rows for row in box for amount in row.values()]
        every += [envy.pays] if envy is not None else []
        every += [Amount.from_thousandths(int(pays)) for pays in self._match_pays.flat]
        every += [Amount.from_thousandths(int(pays)) for pays in np.unique(self._first_pays)]
        every += [
            Amount.from_thousandths(int(pays)) for pays in wheel_table(self.setup, THOUSANDTH)[:, :, PRIZE:METER].flat
        ]
        return Amount.from_thousandths(gcd(*map(int, every)))

    @cached_property
    def money(self) -> NDArray[np.int64]:
        """Box, count, `MAIN` and so on to grains."""
        table = np.zeros((len(self._rows), len(self._rows[0]), at.MONEY), np.int64)
        for number, box in enumerate(self._rows):
            like = [self.setup.boxes[number].plays_like(known) for known in self.players]
            table[number, :, BoxMoney.STRATEGY] = like.index(True)
            table[number, :, BoxMoney.SPIN_WHEEL] = wheel_number(self.setup, self.setup.boxes[number])
            for bucket, row in enumerate(box):
                for what, amount in row.items():
                    table[number, bucket, what] = amount // self.grain
        return table

    @cached_property
    def match(self) -> NDArray[np.int64]:
        """Box and how its two cards match the up card to grains."""
        return self._match_pays // int(self.grain)

    @cached_property
    def firsts(self) -> NDArray[np.int64]:
        """Box and kind of its first cards to grains."""
        return self._first_pays // int(self.grain)

    @cached_property
    def _rows(self) -> list[list[dict[BoxMoney, Amount]]]:
        """Box, count to the amounts in force."""
        count = self.setup.count
        units = [count.units(bucket) for bucket in count.buckets] if count else [1]
        return [[self._of(box, box.main * (factor * box.counts)) for factor in units] for box in self.setup.boxes]

    def _of(self, box: Box, main: Amount) -> dict[BoxMoney, Amount]:
        rules = self.setup.rules
        if not main:
            return {}
        if int(main) % self.unit:
            raise CannotCompile(f"a wager of {main} cannot be paid in whole thousandths", rules.wagers["main"].cite)
        band = rules.band(main)
        amounts = {
            BoxMoney.MAIN: main,
            BoxMoney.MAIN_UNIT: main / self.unit,
            BoxMoney.SUPER: band.pays if band else Amount(0),
        }
        if "insure" in rules.decisions:
            insured = rules.most_insurance(main)
            odds = rules.pay("insurance", UNSEEN, UNSEEN).odds
            amounts |= {BoxMoney.INSURED: insured, BoxMoney.INSURED_WINS: odds.pays(insured)}
        return amounts | {SIDES[kind]: amount for kind, amount in box.sides.items()}

    @cached_property
    def _match_pays(self) -> NDArray[np.int64]:
        """Box and how its two cards match to thousandths."""
        boxes = self.setup.boxes
        table = np.zeros((len(boxes), 3, 3), np.int64)
        up, cards = Card("7S"), (Card("8H"), Card("7H"), Card("7S"))
        for number, box in enumerate(boxes):
            wager = box.sides.get("match_the_dealer")
            if wager is None:
                continue
            for one, first in enumerate(cards):
                for two, second in enumerate(cards):
                    won = self.setup.rules.match((first, second), up)
                    table[number, one, two] = int(-wager if won is None else won[0].pays(wager))
        return table

    @cached_property
    def _first_pays(self) -> NDArray[np.int64]:
        """Box and kind of its first cards to thousandths; see `GameArrays.firsts`."""
        rules, laid = self.setup.rules, [set(box.sides) & set(FIRSTS) for box in self.setup.boxes]
        if not any(laid):
            return np.zeros((0, at.FIRSTS), np.int64)
        pairs = [(Card(RANKS[0] + one), Card(RANKS[0] + two)) for one, two in product(SUITS, repeat=2)]
        threes = [
            tuple(Card(rank + SUITS[(number == 2) * apart]) for number, rank in enumerate(ranks))
            for ranks in product(RANKS, repeat=3)
            for apart in (True, False)
        ]
        table = np.zeros((len(laid), at.FIRSTS), np.int64)
        for number, box in enumerate(self.setup.boxes):
            for kind, cards, first in ((FIRSTS[0], pairs, 0), (FIRSTS[1], threes, at.PAIRS)):
                wager = box.sides.get(kind)
                for index, (one, two, *up) in enumerate(cards if wager is not None else ()):
                    assert wager is not None
                    row = side_pay(rules, kind, (one, two), *(up or [Card(RANKS[1] + SUITS[0])]))
                    table[number, first + index] = -wager if row is None else row.odds.pays(wager)
        return table
