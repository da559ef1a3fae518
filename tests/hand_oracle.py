"""A hand valued a second way: the dealer card by card in every order, suits by very cards, splits by their patterns.

Of `odds` it takes what the law says alone: which hands may do what, and which row of pay settles them. Every hand is
drawn from the very cards left, with the dealer's cards after it; cards of other hands of a split come last of all, as
many pair cards and as many others as the pattern says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from twentyone.cards import Card
from twentyone.odds.core import Core
from twentyone.odds.hand_group import HandGroup
from twentyone.odds.kernels import CHANCE, DECISIONS, DOUBLE, HIT, RESCUE, STAND, SURRENDER
from twentyone.odds.model import Condition
from twentyone.odds.payoffs import SPLIT_MAIN, SPLIT_MORE
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rules

__all__ = ["Beside", "Oracle", "patterns"]

Cards = tuple[int, ...]
Floats = NDArray[np.float64]
Others = tuple[tuple[int, int], ...]
"""(pair cards, other cards) that further hands of a split take."""
ALONE: Others = ((0, 0),)


@njit
def _finish(node, depth, chance, left, many, child, end, hole, blackjack, pair, others, into):  # type: ignore[no-untyped-def]
    """Deal the dealer's cards in every order; at the end, the cards of other hands."""
    if end[node] >= 0:
        if depth == 2 and end[node] == blackjack:
            return
        for i in range(len(others)):
            share = chance
            for one in range(others[i, 0]):
                share *= (left[pair] - one) / (many - one)
            for one in range(others[i, 1]):
                share *= (many - left[pair] - one) / (many - others[i, 0] - one)
            into[i, end[node]] += share
        return
    for card in range(len(left)):
        if left[card] > 0 and (depth != 1 or hole[card]):
            left[card] -= 1
            more = chance * (left[card] + 1) / many
            _finish(child[node, card], depth + 1, more, left, many - 1, child, end, hole, blackjack, pair, others, into)
            left[card] += 1


class Oracle:
    """A game whose hands are valued."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.core = rules, Core(Tables(rules))
        self.tables = self.core.tables
        self.classes = range(len(self.tables.shoe))
        self._tree()

    def _tree(self) -> None:
        """Every set of cards that the dealer may hold: what one more card makes of it, or the column it ends in."""
        kinds = {(kind.points, kind.several, kind.blackjack): at for at, kind in enumerate(self.tables.finals.kinds)}
        numbers: dict[Cards, int] = {(0,) * len(self.classes): 0}
        child, end, listed = [], [], list(numbers)
        for held in listed:
            hand = self.rules.dealer_hand(self.tables.classes.cards(held))
            child.append([-1] * len(self.classes))
            end.append(-1)
            if sum(held) > 1 and not self.rules.dealer_draws(hand):
                final = kinds[hand.points, len(hand.cards) > 2, hand.blackjack]
                end[-1] = self.core.walk.column[final]
                continue
            for card in self.classes:
                more = (*held[:card], held[card] + 1, *held[card + 1 :])
                if more not in numbers:
                    numbers[more] = len(numbers)
                    listed.append(more)
                child[-1][card] = numbers[more]
        self.child, self.end = np.array(child), np.array(end)

    def class_of(self, card: Card) -> int:
        """The value class of a card."""
        return self.tables.classes.index(card.rank)

    def counts(self, cards: Mapping[Card, int]) -> Cards:
        """How many of each class."""
        found = [0] * len(self.classes)
        for card, many in cards.items():
            found[self.class_of(card)] += many
        return tuple(found)


class Hand(NamedTuple):
    """What is asked about."""

    cards: tuple[Card, ...]
    split: bool = False
    doubled: bool = False
    twin: Card | None = None
    """The card that the first was split from."""


class Beside:
    """Hands against one up card, from the cards that were not seen (`left`: the up card is none of them)."""

    def __init__(self, oracle: Oracle, left: Mapping[Card, int], up: Card, hole: str = "") -> None:
        self.oracle, self.left, self.rules = oracle, Counter(left), oracle.rules
        self.core, tables = oracle.core, oracle.tables
        self.up, self.counts = oracle.class_of(up), np.array(oracle.counts(left), dtype=float)
        self.condition = tables.conditions.index(Condition(tables.classes.names[self.up], hole))
        self.allowed = tables.finals.told[self.up] == self.condition
        self.blackjack = self.core.game.blackjack if tables.read[self.condition] else -2
        self.root = int(oracle.child[0, self.up])
        self.rows: Floats = self.core.game.rows
        self._dealer: dict[Any, Floats] = {}
        self._plays: dict[Any, Play] = {}

    def dealer(self, out: Cards, pair: int, others: Others) -> Floats:
        """[others, columns]: what the dealer ends with once these cards are out too."""
        key = out, others, pair if others != ALONE else 0
        if key not in self._dealer:
            left = self.counts - out
            into = np.zeros((len(others), self.rows.shape[1]))
            hole, ends = self.allowed, (self.oracle.child, self.oracle.end)
            _finish(self.root, 1, 1.0, left, left.sum(), *ends, hole, self.blackjack, pair, np.array(others), into)
            self._dealer[key] = into
        return self._dealer[key]

    def play(self, group: HandGroup, base: Cards, others: Others = ALONE, like: Play | None = None) -> Play:
        """Hands of a kind with these cards out beside them."""
        key = id(group), base, others
        if key not in self._plays:
            self._plays[key] = Play(self, group, base, others, like)
        return self._plays[key]

    def values(self, hand: Hand, with_split: bool = True) -> dict[str, float]:
        """The value of every decision on a hand, given what is known; splitting takes long."""
        own, none = self.oracle.counts(Counter(hand.cards)), (0,) * len(self.counts)
        if hand.split:
            assert hand.twin is not None
            group = self.core.split_groups[SPLIT_MAIN, self.oracle.class_of(hand.cards[0])]
            play = self.play(group, self.oracle.counts({hand.twin: 1}))
        else:
            ranged = self.oracle.tables.ranged
            ranges = self.rules.ranges_of(hand.cards[:2]) if ranged else ()
            play = self.play(self.core.groups.get(ranges, self.core.groups[()]), none)
        gone = Counter({hand.twin: 1}) if hand.twin is not None else Counter[Card]()
        joint = self._joint(play, hand, own, gone)
        two = with_split and not hand.split and len(hand.cards) == 2 and not hand.doubled
        if two and self.rules.refusal("split", self.rules.hand(hand.cards)) is None:
            joint["split"] = Split(self, (hand.cards[0], hand.cards[1])).value()
        chance = play.chance(own)
        return {name: value / chance for name, value in joint.items()}

    def _joint(self, play: Play, hand: Hand, own: Cards, gone: Counter[Card]) -> dict[str, float]:
        at = play.find(own)
        if hand.doubled or play.group.hands.over[at]:
            named = dict(play.offers(own, hand.doubled))
            return {name: float(value[0]) for name, value in named.items()}
        if self.rules.hand(hand.cards, hand.split).blackjack:
            return {"stand": float(play.settled(own, int(self.core.blackjack_rows[self.condition]))[0])}
        if len(hand.cards) == 2:
            found = play.two(hand.cards[0], hand.cards[1], self.left - Counter(hand.cards) - gone)
        else:
            found = dict(play.turn(own))
            row = play.row_of(hand.cards, own)
            if row is not None:
                found[STAND] = play.settled(own, row[0])
        return {DECISIONS[name]: float(value[0]) for name, value in found.items()}


class Play:
    """Hands of a kind with some cards out beside their own, valued once for each number of other hands' cards."""

    def __init__(self, beside: Beside, group: HandGroup, base: Cards, others: Others, like: Play | None) -> None:
        self.beside, self.group, self.base, self.others, self.like = beside, group, base, others, like
        self.pair = group.start if group.start is not None else 0
        self.find = cache(self._find)
        self.best = cache(self._best)
        self.chosen: dict[Any, Any] = {}
        self._nothing: Floats = np.zeros(len(others))

    def _find(self, own: Cards) -> int:
        return self.group.find(np.array(own))

    def _all(self, own: Cards) -> Cards:
        return tuple(a + b for a, b in zip(self.base, own, strict=True))

    def chance(self, own: Cards) -> float:
        """The chance of what is known of the dealer's hand."""
        return float(self.beside.dealer(self._all(own), self.pair, ALONE).sum())

    def settled(self, own: Cards, row: int) -> Floats:
        """[others]: a hand that draws no more."""
        worth: Floats = self.beside.dealer(self._all(own), self.pair, self.others) @ self.beside.rows[row]
        return worth

    def _chosen(self, key: Any, values: Mapping[Any, Floats]) -> Floats:
        """The best without the other hands' cards, which is then what is done."""
        if self.like is not None:
            return values[self.like.chosen[key]]
        self.chosen[key] = max(values, key=lambda name: values[name][0])
        return values[self.chosen[key]]

    def _best(self, own: Cards) -> Floats:
        if self.like is not None:
            self.like.best(own)
        return self._chosen(own, dict(self.turn(own)))

    def draws(self, own: Cards) -> Iterator[tuple[int, float]]:
        """Every class that may come next, and its chance."""
        left = self.beside.counts - self._all(own)
        whole = left.sum()
        return ((card, many / whole) for card, many in enumerate(left) if many > 0)

    def turn(self, own: Cards) -> Iterator[tuple[int, Floats]]:
        """The decisions of a turn, splitting left out."""
        at, pays = self.find(own), self.group.pays
        may = int(self.group.may[at])
        yield STAND, self.settled(own, int(pays.played[0, at]))
        if may >> SURRENDER & 1:
            yield SURRENDER, self.settled(own, int(pays.surrender[self.beside.condition]))
        for name, doubled in ((HIT, False), (DOUBLE, True)):
            if may >> name & 1:
                drawn = (chance * self.drawn(own, card, doubled) for card, chance in self.draws(own))
                yield name, sum(drawn, start=self._nothing)

    def drawn(self, own: Cards, card: int, doubled: bool) -> Floats:
        """A hand after one more card."""
        more = (*own[:card], own[card] + 1, *own[card + 1 :])
        at = self.find(more)
        if at < 0:
            return self.settled(more, int(self.group.pays.over[int(doubled)]))
        if not doubled and not self.group.hands.over[at]:
            return self.best(more)
        if self.like is not None:
            self.like.drawn(own, card, doubled)
        return self._chosen((more, doubled), dict(self.offers(more, doubled)))

    def offers(self, own: Cards, doubled: bool) -> Iterator[tuple[str, Floats]]:
        """What a doubled hand, or one that went over, may do."""
        at, pays = self.find(own), self.group.pays
        may = int(self.group.may[at])
        yield "decline", self.settled(own, int(pays.played[int(doubled), at]))
        if may >> (CHANCE + doubled) & 1:
            again = (
                chance
                * self.settled((*own[:card], own[card] + 1, *own[card + 1 :]), int(pays.chance[int(doubled), at, card]))
                for card, chance in self.draws(own)
            )
            yield "second_chance", sum(again, start=self._nothing)
        elif doubled and may >> RESCUE & 1:
            yield "rescue", self.settled(own, pays.rescue)

    # -- suits

    def row_of(self, cards: tuple[Card, ...], own: Cards) -> tuple[int, int] | None:
        """The rows of three cards of one suit that a row names, undoubled and doubled."""
        tables = self.beside.oracle.tables
        if own not in tables.special or len({card.suit for card in cards}) > 1:
            return None
        return tables.suited(self.group.kind, own, cards[0].suit)

    def two(self, first: Card, second: Card, left: Counter[Card]) -> dict[int, Floats]:
        """The decisions on two cards, the third by its suit; `left`: the very cards it may be."""
        own = self.beside.oracle.counts(Counter((first, second)))
        values, whole = dict(self.turn(own)), sum(left.values())
        for card, many in left.items():
            at = self.beside.oracle.class_of(card)
            more = (*own[:at], own[at] + 1, *own[at + 1 :])
            rows = self.row_of((first, second, card), more) if many > 0 else None
            for name, doubled in ((HIT, 0), (DOUBLE, 1)) if rows is not None else ():
                if name in values:
                    assert rows is not None
                    gained = self.settled(more, rows[doubled]) - self.drawn(own, at, bool(doubled))
                    values[name] = values[name] + many / whole * gained
        return values


# -- splits


@cache
def patterns(most: int) -> tuple[tuple[int, int, int, tuple[int, ...], tuple[int, ...]], ...]:
    """Every order of pair cards and others: pair cards, other cards, and which hands are parted and which are free.

    The two hands of the pair are 0 and 1, those of further splits 2; a further hand is played after the one it left.
    """
    found = []

    def go(waiting: tuple[int, ...], drawn: int, done: tuple[int, ...]) -> None:
        if not waiting or len(waiting) + len(done) == most:
            found.append((drawn, len(done), 1, done, waiting))
            return
        go((waiting[0], 2, *waiting[1:]), drawn + 1, done)
        go(waiting[1:], drawn, (*done, waiting[0]))

    go((0, 1), 0, ())
    counted = Counter((drawn, many, done, free) for drawn, many, _, done, free in found)
    return tuple((drawn, many, ways, done, free) for (drawn, many, done, free), ways in counted.items())


class Split:
    """A pair that is split, valued over every pattern of second cards."""

    def __init__(self, beside: Beside, pair: tuple[Card, Card]) -> None:
        self.beside, self.pair, oracle = beside, pair, beside.oracle
        self.start = oracle.class_of(pair[0])
        self.most = oracle.tables.most_hands(self.start)
        self.one = tuple(int(at == self.start) for at in oracle.classes)
        self.left = beside.left - Counter(pair)
        endings = patterns(self.most) if self.most > 2 else ()
        asked = {(0, 0)}
        for drawn, many, _, done, free in endings:
            for place in (*done, *free):
                asked.add((drawn - (place == 2), many - (place in done)))
        self.others: Others = tuple(sorted(asked))
        self.hand = cache(self._hand)

    def value(self) -> float:
        """Pairs split again always or never, whichever is better."""
        never = sum(self.hand(place)[False][0] for place in (0, 1))
        if self.most <= 2:
            return float(never)
        again = 0.0
        for drawn, many, ways, done, free in patterns(self.most):
            for places, parted in ((done, True), (free, False)):
                for place in places:
                    at = self.others.index((drawn - (place == 2), many - parted))
                    again += ways * self.hand(place)[parted][at]
        return float(max(never, again))

    def _hand(self, place: int) -> dict[bool, Floats]:
        """[others]: one hand whose second card is no pair card (true), or any."""
        kind = SPLIT_MAIN if place == 0 else SPLIT_MORE
        group = self.beside.core.split_groups[kind, self.start]
        likely = self.beside.play(group, self.one)
        found = {True: np.zeros(len(self.others)), False: np.zeros(len(self.others))}
        for first, share in self._begun(place):
            base = tuple((1 + (place == 2)) * many for many in self.one)
            play = self.beside.play(group, base, self.others, likely)
            left = self.left - Counter([first] if place == 2 else [])
            whole = sum(left.values())
            for second, chance in self._seconds(first, left, whole):
                worth = share * chance * self._two(play, likely, first, second, left)
                found[False] = found[False] + worth
                if self.beside.oracle.class_of(second) != self.start:
                    found[True] = found[True] + worth
        return found

    def _begun(self, place: int) -> list[tuple[Card, float]]:
        """The card that a hand begins with, and its chance."""
        if place < 2:
            return [(self.pair[place], 1.0)]
        same = {card: many for card, many in self.left.items() if self.beside.oracle.class_of(card) == self.start}
        whole = sum(self.left.values())
        if not self._suits:
            return [(next(iter(same), self.pair[0]), sum(same.values()) / whole)]
        return [(card, many / whole) for card, many in same.items()]

    @cached_property
    def _suits(self) -> bool:
        return any(special[self.start] for special in self.beside.oracle.tables.special)

    def _seconds(self, first: Card, left: Counter[Card], whole: int) -> Iterator[tuple[Card, float]]:
        """Second cards told apart by class and by whether they are of the first one's suit: one of them, its chance."""
        told: dict[Any, list[Card]] = {}
        for card, many in left.items():
            if many > 0:
                suit = card.suit == first.suit if self._suits else False
                told.setdefault((self.beside.oracle.class_of(card), suit), []).append(card)
        for cards in told.values():
            yield cards[0], sum(left[card] for card in cards) / whole

    def _two(self, play: Play, likely: Play, first: Card, second: Card, left: Counter[Card]) -> Floats:
        own = self.beside.oracle.counts(Counter((first, second)))
        if not self._suits or first.suit != second.suit:
            return play.best(own)
        third = left - Counter([second])
        chosen = likely.two(first, second, third)
        return play.two(first, second, third)[max(chosen, key=lambda name: chosen[name][0])]
