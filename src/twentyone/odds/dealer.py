"""The dealer's final hand from any remaining cards: by multisets and their orders, and by plain recursion."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from twentyone.cards import SUITS, Card
from twentyone.odds.classes import Classes
from twentyone.odds.compositions import RADIX, keys_of
from twentyone.odds.jit import jit, jit_fast
from twentyone.odds.model import Condition, FloatArray, IntArray
from twentyone.rulebook import HandFacts, Rules

__all__ = ["BLOCK", "Final", "Finals", "Walk", "by_recursion", "distributions", "finals_of"]

BLOCK = 1 if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0") else 288
"""About how many shoes the compiled walk takes side by side, so that the processor's vectors are filled. With a power
of two the rows of its tables would lie in the same lines of the processor's cache."""
STEP = 32
"""Larger blocks are made of so many shoes: a few vectors."""

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
    counts: IntArray
    """[multisets, classes]: the cards of each multiset, in the order of the multisets."""
    kind: IntArray
    """[multisets]: which kind of final hand each is."""
    ways: IntArray
    """[multisets, conditions]: in how many orders its cards come under each condition."""


def finals_of(rules: Rules, classes: Classes, told: Told) -> Finals:
    """The dealer's final hands; `told` says what the players know of his first two cards."""
    size = range(len(classes.names))
    known = {(up, hole): told(up, hole) for up in size for hole in size}
    conditions = tuple(dict.fromkeys(known.values()))
    number = {condition: i for i, condition in enumerate(conditions)}
    table = np.array([[number[known[up, hole]] for hole in size] for up in size])
    search = _Search(rules, classes)
    eye = np.eye(len(size), dtype=np.int64)
    level = (eye[:, None] + eye).reshape(-1, len(size))
    ways = np.eye(len(conditions), dtype=np.int64)[table.ravel()]
    while len(level):
        level, ways = search.draw(*_gathered(level, ways))
    counts, answers, orders = (np.concatenate(part) for part in zip(*search.ended, strict=True))
    kinds = tuple(sorted({search.finals[at] for at in answers.tolist()}))
    row = np.lexsort(counts.T[::-1])
    kind = np.array([kinds.index(final) for final in search.finals])[answers]
    return Finals(conditions, table, kinds, counts[row], kind[row], orders[row])


def _gathered(level: IntArray, ways: IntArray) -> tuple[IntArray, IntArray]:
    """Each multiset once, with the orders of all that led to it."""
    _, first, back = np.unique(keys_of(level), return_index=True, return_inverse=True)
    total = np.zeros((len(first), ways.shape[1]), dtype=np.int64)
    np.add.at(total, back, ways)
    return level[first], total


class _Search:
    """Follows the dealer's drawing over multisets, level by level: those of two cards, of three, and so on."""

    def __init__(self, rules: Rules, classes: Classes) -> None:
        self.rules, self.classes = rules, classes
        self.low = np.array(classes.low)
        self.aces = np.array([rank[0] not in rules.values for rank in classes.ranks], dtype=np.int64)
        self.finals: list[Final] = []
        """The answers of the rules, as they came."""
        self.ended: list[tuple[IntArray, IntArray, IntArray]] = []
        """Of each level: multisets he ends with, the number of the answer, orders."""

    def draw(self, level: IntArray, ways: IntArray) -> tuple[IntArray, IntArray]:
        """The multisets of one more card, where the dealer draws; what he ends with is kept."""
        ends = self._judge(level)
        done = ends >= 0
        self.ended.append((level[done], ends[done], ways[done]))
        kinds = len(self.low)
        grown = level[~done][:, None] + np.eye(kinds, dtype=np.int64)
        return grown.reshape(-1, kinds), np.repeat(ways[~done], kinds, axis=0)

    def _judge(self, level: IntArray) -> IntArray:
        """With which answer the dealer ends, -1: he draws; asked once for each sum and number of aces of a level."""
        _, first, back = np.unique(level @ self.low * RADIX + level @ self.aces, return_index=True, return_inverse=True)
        answers = np.full(len(first), -1)
        for at, row in enumerate(first):
            hand = self.rules.dealer_hand(self.classes.cards(level[row]))
            if not self.rules.dealer_draws(hand):
                answers[at] = len(self.finals)
                self.finals.append(Final(hand.points, len(hand.cards) > 2, hand.blackjack))
        return answers[back]


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
        gathered = np.array(column)[finals.kind]
        wanted = (gathered < columns - 1) & (finals.counts <= np.array(shoe)).all(axis=1)
        counts, gathered, ways = finals.counts[wanted], gathered[wanted], finals.ways[wanted]
        met, condition = np.nonzero(ways)
        ends = np.cumsum((ways > 0).sum(axis=1))
        table = _nodes(counts, ends)
        depth, most, longest = (int(table[:, i].max(initial=0)) for i in (0, 2, 3))
        cells = condition * columns + gathered[met]
        shape = depth + 2, max(most, 2) + 1, max(longest, 2) + 1
        return cls(columns, tuple(column), finals.told, table, cells, ways[met, condition], shape)


def _nodes(counts: IntArray, ends: IntArray) -> IntArray:
    """The nodes of the walk through multisets in their order; `ends`: where the orders of each end."""
    before = np.concatenate([np.full_like(counts[:1], -1), counts[:-1]])
    fresh = np.logical_or.accumulate(counts != before, axis=1) & (counts > 0)
    row, held = np.nonzero(fresh)
    depth, cards = np.cumsum(counts > 0, axis=1) - 1, np.cumsum(counts, axis=1)
    last = np.append(row[1:] != row[:-1], True)[: len(row)]
    end = np.where(last, ends[row], np.append(0, ends)[row])
    return np.stack([depth[row, held], held, counts[row, held], cards[row, held], end], axis=1)


def distributions(walk: Walk, shoes: FloatArray, into: FloatArray | None = None) -> FloatArray:
    """[shoes, conditions, columns]: the chance that the dealer's cards, drawn from each shoe, meet both.

    `shoes` is [shoes, classes] of numbers: floats, or `Fraction` objects where the kernels run uncompiled; `into`:
    where the chances are to be written.
    """
    count, kinds = shoes.shape
    conditions = int(walk.told.max()) + 1
    block = _block(count)
    padded = np.concatenate([shoes, np.repeat(shoes[:1], -count % block, axis=0)]) if count % block else shoes
    zero = shoes[0, 0] * 0
    one = zero + 1
    deep, most, longest = walk.shape
    chances = np.empty((count, conditions, walk.columns), dtype=shoes.dtype) if into is None else into
    out = chances.reshape(count, -1)
    falling, whole = np.full((kinds, most, block), one), np.full((longest, block), one)
    work, side = np.full((deep + 1, block), one), np.full((conditions * walk.columns, block), zero)
    _walk(padded, walk.nodes, walk.cells, walk.ways * one, walk.told, walk.columns, falling, whole, work, side, out)
    return chances


def _block(count: int) -> int:
    """How many shoes are taken side by side, so that few lanes stay empty."""
    blocks = max(1, round(count / BLOCK))
    block = -(-count // blocks)
    return -(-block // STEP) * STEP if block > STEP else block


@jit_fast
def _walk(
    shoes: Any, nodes: Any, cells: Any, ways: Any, told: Any, columns: int, falling: Any, whole: Any, work: Any,
    side: Any, out: Any,
) -> None:  # fmt: skip
    """Go through all final hands once for a block of shoes; `work` holds the product so far at each depth, then that
    of the final hand. The size of a block is no constant: the loops over it would be unrolled and not be vectors."""
    block, final = side.shape[1], work[work.shape[0] - 1]
    for first in range(0, shoes.shape[0], block):
        for b in range(block):
            _prepare(shoes[first + b], falling, whole, b)
        side[:, :] = whole[0, 0] * 0
        start = 0
        for node in range(nodes.shape[0]):
            depth, end = nodes[node, 0], nodes[node, 4]
            _multiply(work[depth], falling[nodes[node, 1], nodes[node, 2]], work[depth + 1])
            if end > start:
                _multiply(work[depth + 1], whole[nodes[node, 3]], final)
                for row in range(start, end):
                    _add(ways[row], final, side[cells[row]])
                start = end
        _rest(told, columns, falling, whole[2], final, side)
        for cell in range(side.shape[0]):
            for b in range(min(block, out.shape[0] - first)):
                out[first + b, cell] = side[cell, b]


@jit_fast
def _rest(told: Any, columns: int, falling: Any, two: Any, work: Any, side: Any) -> None:
    """The last column of each condition: the chance of the condition less all other columns."""
    kinds = told.shape[0]
    for up in range(kinds):
        for hole in range(kinds):
            if up == hole:
                _multiply(falling[up, 2], two, work)
            else:
                _multiply(falling[up, 1], falling[hole, 1], work)
                _multiply(work, two, work)
            _add(1, work, side[told[up, hole] * columns + columns - 1])
    for cell in range(side.shape[0]):
        if cell % columns != columns - 1:
            _add(-1, side[cell], side[cell // columns * columns + columns - 1])


@jit_fast
def _multiply(one: Any, other: Any, into: Any) -> None:
    for b in range(into.shape[0]):
        into[b] = one[b] * other[b]


@jit_fast
def _add(times: Any, what: Any, into: Any) -> None:
    for b in range(into.shape[0]):
        into[b] += times * what[b]


@jit
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
