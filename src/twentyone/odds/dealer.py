"""The dealer's final hand from any remaining cards: by multisets and their orders, and by plain recursion."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from operator import gt
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from twentyone.cards import SUITS, Card
from twentyone.odds.classes import Classes
from twentyone.odds.compositions import RADIX
from twentyone.odds.model import Condition, FloatArray, IntArray
from twentyone.rulebook import HandFacts, Rules

__all__ = ["BLOCK", "Final", "Finals", "Walk", "by_recursion", "distributions", "finals_of"]

BLOCK = 1 if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0") else 8
"""Shoes that the compiled walk takes side by side, so that the processor's vectors are filled."""

Counts = tuple[int, ...]
Told = Callable[[int, int], Condition]
"""What the players know when these classes are the dealer's first and second card."""


class Final(NamedTuple):
    """A kind of final hand of the dealer's."""

    points: int
    """His total."""
    several: bool
    """Whether it has more than two cards."""
    blackjack: bool
    """Whether it is a Blackjack."""

    @property
    def hand(self) -> HandFacts:
        """A hand of this kind, as the rules see it."""
        card = Card("2" + SUITS[0])
        return HandFacts((card,) * (3 if self.several else 2), self.points, blackjack=self.blackjack)


@dataclass(frozen=True)
class Finals:
    """Every multiset of cards the dealer can end with, and how many orders lead to it."""

    conditions: tuple[Condition, ...]
    """What can be known of his first two cards."""
    told: IntArray
    """[classes, classes]: which condition first and second card make."""
    kinds: tuple[Final, ...]
    """The kinds of final hands."""
    ended: tuple[tuple[Counts, int, tuple[tuple[int, int], ...]], ...]
    """Multiset, kind, and condition with number of orders; in the order of the multisets."""


def finals_of(rules: Rules, classes: Classes, told: Told) -> Finals:
    """The dealer's final hands; `told` says what the players know of his first two cards."""
    size = range(len(classes.names))
    known = {(up, hole): told(up, hole) for up in size for hole in size}
    conditions = tuple(dict.fromkeys(known.values()))
    number = {condition: i for i, condition in enumerate(conditions)}
    search = _Search(rules, classes)
    level: dict[int, _Ways] = {}
    for (up, hole), condition in known.items():
        _add(level.setdefault(search.card[up] + search.card[hole], {}), number[condition], 1)
    while level:
        level = search.draw(level)
    kinds = tuple(sorted(set(search.final.values())))
    ended = sorted((search.counts(key), kinds.index(final), key) for key, final in search.final.items())
    rows = tuple((counts, kind, tuple(search.ended[key].items())) for counts, kind, key in ended)
    table = np.array([[number[known[up, hole]] for hole in size] for up in size])
    return Finals(conditions, table, kinds, rows)


_Ways = dict[int, int]
"""Condition to number of orders."""


class _Search:
    """Follows the dealer's drawing over multisets; one is a number: a digit for each class, its sum and its aces."""

    def __init__(self, rules: Rules, classes: Classes) -> None:
        self.rules, self.classes = rules, classes
        kinds = len(classes.low)
        self.digits = [RADIX**i for i in range(kinds)]
        aces = [rank[0] not in rules.values for rank in classes.ranks]
        high = RADIX**kinds
        traits = zip(classes.low, aces, strict=True)
        self.card = [
            digit + high * (low + RADIX * (ace + RADIX)) for digit, (low, ace) in zip(self.digits, traits, strict=True)
        ]
        """What a card of each class adds: its digit, then sum, aces and number of cards above all digits."""
        self.high = high
        self.answers: dict[int, Final | None] = {}
        self.ended: dict[int, _Ways] = {}
        self.final: dict[int, Final] = {}

    def counts(self, key: int) -> Counts:
        """How many cards of each class."""
        return tuple(key // digit % RADIX for digit in self.digits)

    def draw(self, level: dict[int, _Ways]) -> dict[int, _Ways]:
        """The multisets of one more card, where the dealer draws; what he ends with is kept."""
        following: dict[int, _Ways] = {}
        for key, ways in level.items():
            final = self._judge(key)
            if final is not None:
                self.ended[key], self.final[key] = ways, final
                continue
            for card in self.card:
                target = following.setdefault(key + card, {})
                for condition, orders in ways.items():
                    target[condition] = target.get(condition, 0) + orders
        return following

    def _judge(self, key: int) -> Final | None:
        """Whether the dealer ends here, and with what: asked once for each sum, number of aces and number of cards."""
        trait = key // self.high
        if trait not in self.answers:
            hand = self.rules.dealer_hand(self.classes.cards(self.counts(key)))
            final = Final(hand.points, len(hand.cards) > 2, hand.blackjack)
            self.answers[trait] = None if self.rules.dealer_draws(hand) else final
        return self.answers[trait]


def _add(ways: _Ways, condition: int, orders: int) -> None:
    ways[condition] = ways.get(condition, 0) + orders


# -- by multisets


@dataclass(frozen=True)
class Walk:
    """The multisets as a walk over a tree of classes, for the compiled kernel."""

    columns: int
    """Into how many columns the kinds of final hands are gathered; the last is what all others leave of a condition."""
    column: tuple[int, ...]
    """[kinds]: the column of each kind."""
    told: IntArray
    """[classes, classes]: which condition first and second card make."""
    nodes: IntArray
    """[nodes, 5]: depth, class, how many of it, cards so far, where its orders end (they start at the last end)."""
    cells: IntArray
    """[orders]: condition and column as one index."""
    ways: IntArray
    """[orders]: the number of orders."""
    shape: tuple[int, int, int]
    """The deepest node, the most cards of one class, the most cards."""

    @classmethod
    def of(cls, finals: Finals, column: Sequence[int], shoe: Sequence[int]) -> Walk:
        """The walk in which the final hands of kind `i` that a shoe can give are gathered in `column[i]`."""
        columns = max(column) + 1
        nodes: list[tuple[int, int, int, int, int]] = []
        orders: list[tuple[int, int]] = []
        last: tuple[tuple[int, int], ...] = ()
        for counts, kind, ways in finals.ended:
            if column[kind] == columns - 1 or any(map(gt, counts, shoe)):
                continue
            groups = tuple((i, count) for i, count in enumerate(counts) if count)
            for depth in range(_shared(last, groups), len(groups)):
                cards = sum(count for _, count in groups[: depth + 1])
                nodes.append((depth, *groups[depth], cards, len(orders)))
            orders += [(k * columns + column[kind], many) for k, many in ways]
            nodes[-1] = (*nodes[-1][:4], len(orders))
            last = groups
        table = np.array(nodes, dtype=np.int64).reshape(-1, 5)
        listed = np.array(orders, dtype=np.int64).reshape(-1, 2)
        depth, most, longest = (int(table[:, i].max(initial=0)) for i in (0, 2, 3))
        cells, many = np.ascontiguousarray(listed[:, 0]), np.ascontiguousarray(listed[:, 1])
        return cls(columns, tuple(column), finals.told, table, cells, many, (depth + 2, most + 1, longest + 1))


def _shared(one: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...]) -> int:
    depth = 0
    while depth < min(len(one), len(other)) and one[depth] == other[depth]:
        depth += 1
    return depth


def distributions(walk: Walk, shoes: FloatArray) -> FloatArray:
    """[shoes, conditions, columns]: the chance that the dealer's cards, drawn from each shoe, meet both.

    `shoes` is [shoes, classes] of numbers: floats, or `Fraction` objects where the kernels run uncompiled.
    """
    count, kinds = shoes.shape
    conditions = int(walk.told.max()) + 1
    padded = np.concatenate([shoes, np.repeat(shoes[:1], -count % BLOCK, axis=0)])
    zero = shoes[0, 0] * 0
    one = zero + 1
    deep, most, longest = walk.shape
    out = np.full((len(padded), conditions * walk.columns), zero)
    falling, whole = np.full((kinds, most, BLOCK), one), np.full((longest, BLOCK), one)
    work, side = np.full((deep, BLOCK), one), np.full((conditions * walk.columns, BLOCK), zero)
    _walk(padded, walk.nodes, walk.cells, walk.ways * one, falling, whole, work, side, out)
    chances = out[:count].reshape(count, conditions, walk.columns)
    chances[:, :, -1] = _first_two(walk, shoes) - chances[:, :, :-1].sum(axis=2)
    return chances


def _first_two(walk: Walk, shoes: FloatArray) -> FloatArray:
    """[shoes, conditions]: the chance of each condition."""
    cards = shoes.sum(axis=1)
    conditions = range(int(walk.told.max()) + 1)
    masks = [(walk.told == k).astype(shoes.dtype) for k in conditions]
    pairs = [((shoes @ mask) * shoes).sum(axis=1) - shoes @ np.diagonal(mask) for mask in masks]
    whole = cards * (cards - 1)
    return np.stack([pair / whole for pair in pairs], axis=1)


@njit(cache=True, error_model="numpy", fastmath=True)
def _walk(
    shoes: Any, nodes: Any, cells: Any, ways: Any, falling: Any, whole: Any, work: Any, side: Any, out: Any
) -> None:
    """Go through all final hands once for `BLOCK` shoes; `work` holds the product so far at each depth."""
    for first in range(0, shoes.shape[0], BLOCK):
        for b in range(BLOCK):
            _prepare(shoes[first + b], falling, whole, b)
        side[:, :] = whole[0, 0] * 0
        start = 0
        for node in range(nodes.shape[0]):
            depth, held, many, end = nodes[node, 0], nodes[node, 1], nodes[node, 2], nodes[node, 4]
            for b in range(BLOCK):
                work[depth + 1, b] = work[depth, b] * falling[held, many, b]
            if end > start:
                lanes = _lanes(work[depth + 1], whole[nodes[node, 3]])
                for row in range(start, end):
                    cell, times = cells[row], ways[row]
                    for b in range(BLOCK):
                        side[cell, b] += times * lanes[b]
                start = end
        for b in range(BLOCK):
            for cell in range(side.shape[0]):
                out[first + b, cell] = side[cell, b]


if BLOCK == 1:

    def _lanes(a: Any, b: Any) -> tuple[Any, ...]:
        """The products of a block's shoes."""
        return (a[0] * b[0],)

else:

    @njit(cache=True, inline="always")
    def _lanes(a: Any, b: Any) -> tuple[Any, ...]:
        """The products of a block's shoes, as values that the compiler keeps in registers."""
        return (
            a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3], a[4] * b[4], a[5] * b[5], a[6] * b[6], a[7] * b[7],
        )  # fmt: skip


@njit(cache=True, error_model="numpy")
def _prepare(shoe: Any, falling: Any, whole: Any, b: int) -> None:
    """How many ways each class can give this many cards, and one over the ways of the whole shoe."""
    cards = shoe[0] * 0
    for held in range(shoe.shape[0]):
        cards += shoe[held]
        for many in range(1, falling.shape[1]):
            falling[held, many, b] = falling[held, many - 1, b] * (shoe[held] - (many - 1))
    for many in range(1, whole.shape[0]):
        left = cards - (many - 1)
        whole[many, b] = whole[many - 1, b] / left if left > 0 else left * 0


# -- by recursion


def by_recursion(
    rules: Rules, classes: Classes, told: Told, shoe: tuple[Any, ...]
) -> dict[tuple[Condition, Final], Any]:
    """The same distribution for one shoe, card by card in the order dealt: slow, and sharing nothing with the walk."""
    chances: dict[tuple[Condition, Final], Any] = {}
    for drawn, chance in _dealt(rules, classes, shoe):
        hand = rules.dealer_hand(_cards(classes, drawn))
        key = told(*drawn[:2]), Final(hand.points, len(drawn) > 2, hand.blackjack)
        chances[key] = chances.get(key, 0) + chance
    return chances


def _cards(classes: Classes, drawn: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(Card(classes.ranks[i][-1] + SUITS[0]) for i in drawn)


def _dealt(rules: Rules, classes: Classes, shoe: tuple[Any, ...]) -> Iterator[tuple[tuple[int, ...], Any]]:
    @cache
    def draws(drawn: tuple[int, ...]) -> bool:
        return rules.dealer_draws(rules.dealer_hand(_cards(classes, drawn)))

    def deal(drawn: tuple[int, ...], left: list[Any], chance: Any) -> Iterator[tuple[tuple[int, ...], Any]]:
        if len(drawn) > 1 and not draws(tuple(sorted(drawn))):
            yield drawn, chance
            return
        whole = sum(left)
        for i, many in enumerate(left):
            if many:
                yield from deal((*drawn, i), [*left[:i], many - 1, *left[i + 1 :]], chance * many / whole)

    return deal((), list(shoe), 1)
