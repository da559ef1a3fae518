"""Which decisions each hand may take, as bits: `Rules` asked once for each kind of hand."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from twentyone.errors import Refused
from twentyone.odds.compositions import Compositions, compositions
from twentyone.odds.game import Game
from twentyone.odds.kernels import CHANCE, DECISIONS, DOUBLE, RESCUE, STAND
from twentyone.odds.model import IntArray
from twentyone.rulebook import HandFacts, Rules
from twentyone.rulebook.clauses import Charlie

__all__ = ["Permitted", "numbered"]

MOST_HANDS = 8
"""Hands a box that are followed; a ninth is so rare that no figure shows it (see `docs/odds-method.md`)."""


class Permitted(Game):
    """A game with every hand a player can hold from a shoe, and what each may do."""

    def __init__(self, rules: Rules, shoe: IntArray | None = None) -> None:
        super().__init__(rules)
        self.shoe = self.classes.shoe if shoe is None else shoe
        self.explicit = self._over_matters()
        """Whether hands over the limit are followed one by one."""
        self.hands: Compositions = compositions(rules, self.classes, self.shoe, self.explicit)
        self._may: dict[int | None, IntArray] = {}

    def _over_matters(self) -> bool:
        """Whether it matters how far, or with which cards, a hand went over."""
        if self.rules.decisions.get("second_chance") is not None:
            return True
        limit, most = self.rules.limit, max(self.classes.low)
        facts = self.rules.hand(self.classes.cards([0] * (len(self.classes.low) - 1) + [3]))
        rows = {self.payoffs.row(facts._replace(points=limit + more), "main") for more in range(1, most + 1)}
        return len(rows) > 1

    def permissions(self, start: int | None = None) -> IntArray:
        """[hands]: what each hand may do, as bits; `start`: a hand out of a split that began with this class."""
        if start in self._may:
            return self._may[start]
        hands = self.hands
        counts = hands.counts
        mine = np.ones(len(hands), dtype=bool) if start is None else counts[:, start] > 0
        asked = np.flatnonzero(mine & (hands.size >= 2))
        _, first, back = np.unique(self._kinds_asked[asked], return_index=True, return_inverse=True)
        bits = [self._bits(int(asked[i]), start) for i in first]
        self._may[start] = np.zeros(len(hands), dtype=np.int64)
        self._may[start][asked] = np.array(bits, dtype=np.int64)[back]
        return self._may[start]

    @cached_property
    def _kinds_asked(self) -> IntArray:
        """[hands]: hands of one number are asked once."""
        hands = self.hands
        pair = np.where((hands.size == 2) & (hands.counts.max(axis=1) == 2), hands.counts.argmax(axis=1) + 1, 0)
        size = np.minimum(hands.size, self._sizes_asked + 1)
        ace_ten = (hands.size == 2) & (hands.total == self.rules.limit)
        return numbered(hands.total, hands.soft, size, pair, ace_ten)

    @cached_property
    def _sizes_asked(self) -> int:
        sizes = [2, *(row.cards for row in self.rules.all(Charlie))]
        for decision in self.rules.decisions.values():
            sizes += [decision.cards or 0, decision.cards_least or 0]
        return max(sizes)

    def _bits(self, hand: int, start: int | None) -> int:
        rules, split = self.rules, start is not None
        cards = self.cards(hand, start)
        facts = rules.hand(cards, split, False, 2 if split else 1)
        doubled = facts._replace(doubled=True)
        bits = 0
        if facts.points > rules.limit:
            bits |= (rules.refusal("second_chance", facts) is None) << CHANCE
            return bits | (rules.refusal("second_chance", doubled) is None) << (CHANCE + 1)
        for at, name in enumerate(DECISIONS):
            bits |= self._may_decide(name, facts) << at
        if bits >> DOUBLE & 1 and not self._doubles_end:
            self._no_further_play(doubled)
        return bits | 1 << STAND | self._may_decide("rescue", doubled) << RESCUE

    def _may_decide(self, name: str, hand: HandFacts) -> bool:
        return name in self.rules.decisions and self.rules.refusal(name, hand) is None

    @cached_property
    def _doubles_end(self) -> bool:
        return any(clause.after == "double" for clause in self.rules.may_nots)

    def _no_further_play(self, doubled: HandFacts) -> None:
        """A doubled hand draws no more in any of these games; one that may is not represented."""
        if any(self.rules.refusal(name, doubled) is None for name in ("hit", "double")):
            raise Refused("a doubled hand that may draw again is not represented", self.rules.decisions["double"].cite)

    def cards(self, hand: int, start: int | None = None) -> tuple[Any, ...]:
        """Cards of a hand; of one out of a split, the card it began with first."""
        counts = self.hands.counts[hand]
        cards = self.classes.cards(counts)
        if start is None:
            return cards
        first = int(counts[:start].sum())
        return (cards[first], *cards[:first], *cards[first + 1 :])

    def most_hands(self, start: int) -> int:
        """How many hands a box may hold after splitting pairs of this class."""
        pair = self.classes.cards([2 * (i == start) for i in range(len(self.classes.low))])
        hands = 1
        while (
            hands < MOST_HANDS and self.rules.refusal("split", self.rules.hand(pair, hands > 1, False, hands)) is None
        ):
            hands += 1
        return hands


def numbered(*columns: Any) -> IntArray:
    """Several small numbers as one."""
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        key = key * 64 + column
    return key
