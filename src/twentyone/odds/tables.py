"""The rules as arrays: what each hand may do and what it is worth, asked of `Rules` once for each kind of hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from twentyone.cards import SUITS, Card
from twentyone.errors import Refused
from twentyone.odds.classes import Classes, alike
from twentyone.odds.compositions import Compositions, compositions
from twentyone.odds.dealer import Finals, Walk, finals_of
from twentyone.odds.model import Condition, FloatArray, IntArray
from twentyone.odds.payoffs import FIRST, Kind, Payoffs
from twentyone.rulebook import HandFacts, HandPattern, Rules
from twentyone.rulebook import clauses as c

__all__ = ["CHANCE", "DECISIONS", "DOUBLE", "HIT", "RESCUE", "SPLIT", "STAND", "SURRENDER", "Pays", "Row", "Tables"]

DECISIONS = ("stand", "hit", "double", "surrender", "split")
"""The decisions of a turn; a hand's permissions are bits in this order, then rescue and second chance."""
STAND, HIT, DOUBLE, SURRENDER, SPLIT, RESCUE, CHANCE = range(7)

MOST_HANDS = 8
"""Hands a box that are followed; a ninth is so rare that no figure shows it (see `docs/odds.md`)."""


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


class Tables:
    """A game as arrays. `shoe` may be any cards of its classes; `number` is float or `Fraction`."""

    def __init__(self, rules: Rules, shoe: IntArray | None = None, number: Callable[[Any], Any] = float) -> None:
        self.rules, self.number = rules, number
        self.dtype: Any = float if number is float else object
        self.classes = Classes.of(rules)
        self.shoe = self.classes.shoe if shoe is None else shoe
        self.finals: Finals = finals_of(rules, self.classes, self._told())
        self.payoffs = Payoffs(rules, self.finals.kinds)
        self._check()
        self.explicit = self._over_matters()
        self.hands: Compositions = compositions(rules, self.classes, self.shoe, self.explicit)
        self.rows: list[Row] = []
        self._row_ids: dict[tuple[Any, ...], int] = {}
        self._may: dict[int | None, IntArray] = {}
        self._sort_hands()

    # -- what is known of the dealer's hand

    def _told(self) -> Callable[[int, int], Condition]:
        rules, classes = self.rules, self.classes
        announced = next((step for step in rules.steps if step.name == "announce_range"), None)
        if announced is None:
            return lambda up, _: Condition(classes.names[up])
        for ranks in classes.ranks:
            alike((rules.ranges[rank].name for rank in ranks), "a value range", announced.cite)
        ranges = [rules.ranges[ranks[0]].name for ranks in classes.ranks]
        expose = rules.maybe(c.Expose)

        def told(up: int, hole: int) -> Condition:
            shown = expose is not None and ranges[up] == ranges[hole] == expose.range
            return Condition(classes.names[up], f"={classes.names[hole]}" if shown else ranges[hole])

        return told

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What a player can know of the dealer's hand."""
        return self.finals.conditions

    def ranks_up(self, condition: Condition) -> tuple[str, ...]:
        """The ranks of a condition's up card."""
        return self.classes.ranks[self.classes.names.index(condition.up)]

    def up_card(self, condition: Condition) -> Card:
        """A card that may be a condition's up card."""
        return Card(self.ranks_up(condition)[0] + SUITS[0])

    @cached_property
    def read(self) -> tuple[bool, ...]:
        """For each condition, whether a dealer's Blackjack would have ended the round before the players decide."""
        return tuple(self._is_read(condition) for condition in self.conditions)

    @cached_property
    def idle(self) -> tuple[bool, ...]:
        """For each condition, whether it is only met with a Blackjack that was read: nothing is ever decided on it."""
        size = range(len(self.classes.low))
        pairs = [(up, hole) for up in size for hole in size]
        played = {
            int(self.finals.told[pair])
            for pair in pairs
            if not self.rules.is_blackjack(self.classes.cards([pair.count(i) for i in size]))
        }
        return tuple(read and k not in played for k, read in enumerate(self.read))

    @cached_property
    def always_read(self) -> bool:
        """Whether no dealer's Blackjack is left to be found after the players have decided."""
        ace, ten = self.classes.index("A"), self.classes.low.index(self.rules.one(c.Blackjack).value)
        return all(self.read[self.finals.told[pair]] for pair in ((ace, ten), (ten, ace)))

    def _is_read(self, condition: Condition) -> bool:
        found = []
        for rank in self.ranks_up(condition):
            steps = [step for step in self.rules.steps if step.name in ("read_hole", "announce_range")]
            found.append(any(not step.if_up or rank in step.if_up for step in steps))
        alike(found, "the reader", self.rules.rulebook.decide_cite)
        return found[0] and self.rules.maybe(c.BlackjackEnds) is not None

    # -- what cannot be represented

    def _check(self) -> None:
        rules = self.rules
        for clause in (*rules.may_nots, *rules.decisions.values()):
            if clause.name != "split" and (clause.hands is not None or clause.hands_key is not None):
                raise Refused(f"{clause.name} by the number of hands is not represented", clause.cite)
        for row in (*rules.all(c.Outcome), *rules.all(c.Pay)):
            pattern = row.dealer
            if pattern.ranks or pattern.suits or pattern.ranges or (pattern.cards or 2) > 2 or (pattern.cards_over or 2) > 2:
                raise Refused("a row by the dealer's very cards is not represented", row.cite)

    def _patterns(self) -> Iterable[tuple[HandPattern, str]]:
        for outcome in self.rules.all(c.Outcome):
            yield outcome.player, outcome.cite
        for pay in self.rules.all(c.Pay):
            yield pay.hand, pay.cite

    def _over_matters(self) -> bool:
        """Whether it matters how far, or with which cards, a hand went over."""
        if self.rules.decisions.get("second_chance") is not None:
            return True
        limit, most = self.rules.limit, max(self.classes.low)
        facts = self.rules.hand(self.classes.cards([0] * (len(self.classes.low) - 1) + [3]))
        rows = {self.payoffs.row(facts._replace(points=limit + more), "main") for more in range(1, most + 1)}
        return len(rows) > 1

    # -- permissions

    def permissions(self, start: int | None = None) -> IntArray:
        """[hands]: what each hand may do, as bits; `start`: a hand out of a split that began with this class."""
        if start in self._may:
            return self._may[start]
        hands = self.hands
        counts = hands.counts
        pair = np.where((hands.size == 2) & (counts.max(axis=1) == 2), counts.argmax(axis=1) + 1, 0)
        mine = np.ones(len(hands), dtype=bool) if start is None else counts[:, start] > 0
        enough = hands.size >= 2
        size = np.minimum(hands.size, self._sizes_asked + 1)
        ace_ten = (hands.size == 2) & (hands.total == self.rules.limit)
        key = _number(hands.total, hands.soft, size, pair, ace_ten, mine & enough)
        _, first, back = np.unique(key, return_index=True, return_inverse=True)
        bits = [self._bits(int(i), start) if mine[i] and enough[i] else 0 for i in first]
        self._may[start] = np.array(bits, dtype=np.int64)[back]
        return self._may[start]

    @cached_property
    def _sizes_asked(self) -> int:
        sizes = [2]
        for decision in self.rules.decisions.values():
            sizes += [decision.cards or 0, decision.cards_least or 0]
        return max(sizes)

    def _bits(self, hand: int, start: int | None) -> int:
        rules, split = self.rules, start is not None
        cards = self.cards(hand, start)
        facts = rules.hand(cards, split, False, 2 if split else 1)
        doubled = rules.hand(cards, split, True, 2 if split else 1)
        bits = 0
        if facts.points > rules.limit:
            bits |= (rules.refusal("second_chance", facts) is None) << CHANCE
            return bits | (rules.refusal("second_chance", doubled) is None) << (CHANCE + 1)
        for at, name in enumerate(DECISIONS):
            bits |= (rules.refusal(name, facts) is None) << at
        if rules.refusal("hit", doubled) is None or rules.refusal("double", doubled) is None:
            self._no_further_play(bits, rules)
        return bits | 1 << STAND | (rules.refusal("rescue", doubled) is None) << RESCUE

    def _no_further_play(self, bits: int, rules: Rules) -> None:
        """A doubled hand draws no more in any of these games; one that may is not represented."""
        if bits >> DOUBLE & 1 and not any(clause.after == "double" for clause in rules.may_nots):
            raise Refused("a doubled hand that may draw again is not represented", rules.decisions["double"].cite)

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
        while hands < MOST_HANDS and self.rules.refusal("split", self.rules.hand(pair, hands > 1, False, hands)) is None:
            hands += 1
        return hands

    # -- pay

    @cached_property
    def special(self) -> dict[tuple[int, ...], str]:
        """Hands of named ranks that a row pays, as classes, and the paragraph."""
        found: dict[tuple[int, ...], str] = {}
        patterns = [*self._patterns(), *((bonus.hand, bonus.cite) for bonus in self.rules.all(c.SuperBonus))]
        for pattern, cite in patterns:
            if pattern.suits and not pattern.ranks:
                raise Refused("a row by suit alone is not represented", cite)
            if pattern.ranks:
                where = [self.classes.index(rank) for rank in pattern.ranks]
                if len(where) != 3 or any(len(self.classes.ranks[i]) > 1 for i in where):
                    raise Refused("a row by named ranks is represented for three cards of ranks that count alone", cite)
                found[tuple(where.count(i) for i in range(len(self.classes.low)))] = cite
        return found

    @cached_property
    def ranged(self) -> tuple[tuple[str, ...], ...]:
        """The value ranges of original cards that some row asks for."""
        return tuple(dict.fromkeys(pattern.ranges for pattern, _ in self._patterns() if pattern.ranges is not None))

    @cached_property
    def variants(self) -> tuple[tuple[str, ...], ...]:
        """The original cards that still matter after a further card; none of them first."""
        later = [p.ranges for p, _ in self._patterns() if p.ranges is not None and p.cards != 2]
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
        key = _number(hands.total, size, marks, natural, original)
        _, self.sample, self.sort = np.unique(key, return_index=True, return_inverse=True)

    @cached_property
    def _sizes_paid(self) -> int:
        sizes = [2]
        for pattern, _ in self._patterns():
            sizes += [pattern.cards or 0, pattern.cards_over or 0]
        return max(sizes)

    def pays(self, kind: Kind, ranges: tuple[str, ...] = ()) -> Pays:
        """The rows for hands of a kind; `ranges`: of the original cards of a split hand, or of one with further cards."""
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
            self._row("chance", kind, busted._replace(points=left), self.payoffs.chance(busted, kind.wager, left))
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
        paid = [
            any(row.at == "turn" and (not row.if_up or rank in row.if_up) for row in rules.all(c.PayBlackjack))
            for rank in up
        ]
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
        for _, kind, ways in self.finals.ended:
            weight[group[kind]] += len(ways) * (not self.finals.kinds[kind].blackjack)
        place = np.argsort(np.argsort(weight, kind="stable"))
        values = np.array([self.number(Fraction(*x)) for x in names], dtype=self.dtype)
        table = np.ascontiguousarray(values[raw[:, sample[np.argsort(place)]]])
        blackjack = [int(place[group[i]]) for i, kind in enumerate(self.finals.kinds) if kind.blackjack]
        walk = Walk.of(self.finals, place[group].tolist(), self.shoe.tolist())
        return walk, table, blackjack[0] if blackjack else -1


def _number(*columns: Any) -> IntArray:
    """Several small numbers as one."""
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        key = key * 64 + column
    return key
