"""The rules as arrays: what each hand may do and what it is worth, asked of `Rules` once for each kind of hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from twentyone.cards import SUITS, Card
from twentyone.errors import Refused
from twentyone.odds.classes import alike
from twentyone.odds.dealer import Walk
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.payoffs import FIRST, Kind
from twentyone.odds.permissions import Permitted, numbered
from twentyone.rulebook import HandFacts, Rules
from twentyone.rulebook import clauses as c

__all__ = ["Pays", "Row", "Tables"]


class Row(NamedTuple):
    """A row of pay: one way to be settled, against every hand of the dealer's."""

    how: str
    """`played`, `over`, `rescue`, `surrender`, `chance` or `blackjack`."""
    kind: Kind
    """What lies on the hand."""
    hand: HandFacts
    """Such a hand."""
    pays: tuple[Fraction, ...]
    """Its net result in wagers of the hand, against each kind of the dealer's hand."""


@dataclass(frozen=True)
class Pays:
    """Which rows settle hands of one kind."""

    played: IntArray
    """[2, hands]: played out, doubled or not (1, 0)."""
    over: IntArray
    """[2]: over the limit, where it does not matter how."""
    rescue: int
    """Doubled and rescued."""
    surrender: IntArray
    """[conditions]: surrendered."""
    chance: IntArray
    """[2, hands, classes]: a second chance card of a class; empty where there is no second chance."""

    def ids(self) -> IntArray:
        """All rows, in an order that depends on the hands only."""
        return np.concatenate([self.played.ravel(), self.over, [self.rescue], self.chance.ravel()])


class Tables(Permitted):
    """A game as arrays. `shoe` may be any cards of its classes; `number` is float or `Fraction`.

    `cards` are the very cards of the shoe, where their suits are not as many of one as of the other; `whole` is the
    shoe from which cards of any suit have left, where only their values are known.
    """

    def __init__(
        self,
        rules: Rules,
        shoe: IntArray | None = None,
        number: Callable[[Any], Any] = float,
        cards: Mapping[Card, int] | None = None,
        whole: IntArray | None = None,
    ) -> None:
        super().__init__(rules, shoe)
        self._cards = cards
        self._whole = self.shoe if whole is None else whole
        self.number = number
        self.dtype: Any = float if number is float else object
        self.rows: list[Row] = []
        self._row_ids: dict[tuple[Any, ...], int] = {}
        self._sort_hands()

    def share_of_suit(self, held: int, suit: str, out: int = 0, others: int = 0) -> Any:
        """The chance that a card of a class is of one suit; `out` of that suit and `others` of the class are gone.

        Cards of unknown suits that have left the shoe do not change it.
        """
        one = self.number(1)
        if self._cards is None:
            every = self._whole[held] * one
            same = every / len(SUITS)
        else:
            every = self.shoe[held] * one
            same = sum(self._cards.get(Card(rank + suit), 0) for rank in self.classes.ranks[held]) * one
        return (same - out) / (every - out - others) if every != out + others else one * 0

    @cached_property
    def special(self) -> dict[tuple[int, ...], str]:
        """Hands of named ranks that a row pays, as classes, and the paragraph."""
        cites: dict[tuple[int, ...], str] = {}
        patterns = [*self.patterns(), *((bonus.hand, bonus.cite) for bonus in self.rules.all(c.SuperBonus))]
        for pattern, cite in patterns:
            if pattern.suits and not pattern.ranks:
                raise Refused("a row by suit alone is not represented", cite)
            if pattern.ranks:
                where = [self.classes.index(rank) for rank in pattern.ranks]
                if len(where) != 3 or any(len(self.classes.ranks[i]) > 1 for i in where):
                    raise Refused("a row by named ranks is represented for three cards of ranks that count alone", cite)
                cites[tuple(where.count(i) for i in range(len(self.classes.low)))] = cite
        return cites

    @cached_property
    def ranged(self) -> tuple[tuple[str, ...], ...]:
        """The value ranges of original cards that some row asks for."""
        return tuple(dict.fromkeys(pattern.ranges for pattern, _ in self.patterns() if pattern.ranges is not None))

    @cached_property
    def variants(self) -> tuple[tuple[str, ...], ...]:
        """The original cards that still matter after a further card; none of them first."""
        later = [p.ranges for p, _ in self.patterns() if p.ranges is not None and p.cards != 2]
        return ((), *dict.fromkeys(later))

    def ranges(self, counts: Sequence[int]) -> tuple[str, ...]:
        """The value ranges of two cards, where some row asks for them."""
        return self.rules.ranges_of(self.classes.cards(counts)) if self.ranged else ()

    def _sort_hands(self) -> None:
        """Gather hands that every row of pay treats alike."""
        hands = self.hands
        marks = np.zeros(len(hands), dtype=np.int64)
        for number, counts in enumerate(self.special, 1):
            marks[hands.find(np.array([counts]))] = number
        two = np.flatnonzero(hands.size == 2)
        original = np.zeros(len(hands), dtype=np.int64)
        asked = {ranges: number for number, ranges in enumerate(self.ranged, 1)}
        original[two] = [asked.get(self.ranges(hands.counts[i]), 0) for i in two]
        size = np.minimum(hands.size, self._sizes_paid + 1)
        natural = (hands.size == 2) & (hands.total == self.rules.limit)
        key = numbered(hands.total, size, marks, natural, original)
        _, self.sample, self.sort = np.unique(key, return_index=True, return_inverse=True)

    @cached_property
    def _sizes_paid(self) -> int:
        sizes = [2, *(row.cards for row in self.rules.all(c.Charlie))]
        for pattern, _ in self.patterns():
            sizes += [pattern.cards or 0, pattern.cards_over or 0]
        return max(sizes)

    def pays(self, kind: Kind, ranges: tuple[str, ...] = ()) -> Pays:
        """The rows for hands of a kind; `ranges`: of the original cards of a split hand, or of one of more cards."""
        samples = [self._facts(int(i), kind, ranges) for i in self.sample]
        played = np.array([[self._played(kind, hand, d) for hand in samples] for d in (False, True)])
        out = self.rules.hand(self.classes.cards([0] * (len(self.classes.low) - 1) + [3]), kind.split)
        out = out._replace(points=self.rules.limit + 1, soft=False, ranges=ranges)
        over = np.array([self._played(kind, out, d) for d in (False, True)])
        ups = [self.payoffs.surrendered(self.ranks_up(condition)) for condition in self.conditions]
        surrender = np.array([self._row("surrender", kind, out, row) for row in ups])
        rescue = self._row("rescue", kind, out, self.payoffs.rescued(kind.wager))
        return Pays(played[:, self.sort], over, rescue, surrender, self._chances(kind, samples))

    def _chances(self, kind: Kind, samples: list[HandFacts]) -> IntArray:
        if "second_chance" not in self.rules.decisions:
            return np.zeros((2, 0, 0), dtype=np.int64)
        return np.array([[self._reduced(kind, hand, d) for hand in samples] for d in (False, True)])[:, self.sort]

    def _reduced(self, kind: Kind, hand: HandFacts, doubled: bool) -> list[int]:
        if hand.points <= self.rules.limit:
            return [0] * len(self.classes.low)
        busted = hand._replace(doubled=doubled)
        return [
            self._row("chance", kind, busted._replace(points=left), self.payoffs.chance(busted, left))
            for left in (hand.points - low for low in self.classes.low)
        ]

    def _facts(self, hand: int, kind: Kind, ranges: tuple[str, ...]) -> HandFacts:
        facts = self.rules.hand(self.classes.cards(self.hands.counts[hand]), kind.split)
        if self.ranged and (kind.split or len(facts.cards) > 2):
            return facts._replace(ranges=ranges)
        return facts

    def blackjacks(self) -> IntArray:
        """[conditions]: the rows of a player's Blackjack, paid when the text pays it."""
        size = range(len(self.classes.low))
        two = next(i for i in size if self.rules.one(c.Blackjack).value == self.classes.low[i]), self.classes.index("A")
        hand = self.rules.hand(self.classes.cards([two.count(i) for i in size]))
        return np.array([self._blackjack(hand, at) for at in range(len(self.conditions))])

    def _blackjack(self, hand: HandFacts, at: int) -> int:
        rules, up = self.rules, self.ranks_up(self.conditions[at])
        names = [step.name for step in rules.steps]
        paid = [rules.blackjack_paid_on_turn(Card(rank + SUITS[0])) for rank in up]
        alike(paid, "the time a Blackjack is paid", rules.rulebook.decide_cite)
        before = "pay_blackjacks" in names
        if before and "read_hole" in names and names.index("pay_blackjacks") > names.index("read_hole"):
            raise Refused("Blackjacks paid after the hole card is read are not represented", rules.rulebook.decide_cite)
        early = self.payoffs.early(hand, "main")
        if before or (paid[0] and not self.read[at]):
            return self._row("blackjack", FIRST, hand, early)
        if not paid[0]:
            return self._row("blackjack", FIRST, hand, self.payoffs.row(hand, "main"))
        late = [
            self.payoffs.against(hand, "main", dealer) if dealer.blackjack else won
            for dealer, won in zip(self.payoffs.dealers, early, strict=True)
        ]
        return self._row("blackjack", FIRST, hand, tuple(late))

    def _played(self, kind: Kind, hand: HandFacts, doubled: bool) -> int:
        if hand.blackjack:
            return 0
        how = "over" if hand.points > self.rules.limit else "played"
        settled = hand._replace(doubled=doubled)
        return self._row(how, kind, settled, self.payoffs.row(settled, kind.wager))

    def _row(self, how: str, kind: Kind, hand: HandFacts, pays: tuple[Fraction, ...]) -> int:
        named = hand.cards if len(hand.cards) == 3 and self._is_special(hand) else ()
        worth = tuple(x.as_integer_ratio() for x in pays)
        key = how, kind, hand.points, len(hand.cards), hand.doubled, hand.ranges, named, worth
        if key not in self._row_ids:
            self._row_ids[key] = len(self.rows)
            self.rows.append(Row(how, kind, hand, pays))
        return self._row_ids[key]

    def _is_special(self, hand: HandFacts) -> bool:
        where = [self.classes.index(card.rank) for card in hand.cards]
        return tuple(where.count(i) for i in range(len(self.classes.low))) in self.special

    def suited(self, kind: Kind, counts: tuple[int, ...], suit: str, ranges: tuple[str, ...] = ()) -> tuple[int, int]:
        """The rows of a special hand whose cards are all of one suit, undoubled and doubled."""
        cards = tuple(Card(card.rank + suit) for card in self.classes.cards(counts))
        hand = self.rules.hand(cards, kind.split)
        hand = hand._replace(ranges=ranges) if self.ranged else hand
        return self._played(kind, hand, False), self._played(kind, hand, True)

    # -- columns

    def columns(self) -> tuple[Walk, FloatArray, int]:
        """The dealer's hands that no row tells apart as one column; the rows by column; the column of a Blackjack."""
        names: dict[tuple[int, int], int] = {}
        raw = np.array([[names.setdefault(x.as_integer_ratio(), len(names)) for x in row.pays] for row in self.rows])
        marked = np.concatenate([raw, [[-1 if kind.blackjack else 0 for kind in self.finals.kinds]]])
        _, sample, group = np.unique(marked, axis=1, return_index=True, return_inverse=True)
        group = group.reshape(len(self.finals.kinds))
        weight = np.zeros(len(sample), dtype=np.int64)
        plain = np.array([not kind.blackjack for kind in self.finals.kinds])[self.finals.kind]
        np.add.at(weight, group[self.finals.kind], (self.finals.ways > 0).sum(axis=1) * plain)
        column = np.argsort(np.argsort(weight, kind="stable"))
        values = np.array([self.number(Fraction(*x)) for x in names], dtype=self.dtype)
        table = np.ascontiguousarray(values[raw[:, sample[np.argsort(column)]]])
        blackjack = [int(column[group[i]]) for i, kind in enumerate(self.finals.kinds) if kind.blackjack]
        walk = Walk.of(self.finals, column[group].tolist(), self.shoe.tolist())
        return walk, table, blackjack[0] if blackjack else -1
