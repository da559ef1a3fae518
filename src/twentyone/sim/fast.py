"""The fast path: rounds of one box from fresh shoes, four at a time by the state table.

The indices of eight cards come out of two random words at once. Rounds that are longer or rarer are listed.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim.jit import inlined, jit
from twentyone.sim.rng import WORDS, squares
from twentyone.sim.state_table import TableNumber
from twentyone.sim.walk import WORD, four, walk_through

__all__ = ["BLOCK", "careful_indices", "easy_indices", "eight_cards", "fast_fresh"]

_WORDS = np.uint64(WORDS)
_LOW = np.uint64(0xFFFF)
_S16, _S32, _S48 = np.uint64(16), np.uint64(32), np.uint64(48)
_ONES = np.uint64(0x0001000100010001)
_TOPS = np.uint64(0x8000800080008000)
_ONE, _EIGHT = np.uint64(1), np.uint64(8)
_ZERO = np.uint64(0)
_NONE = np.uint64(0xFFFFFFFFFFFFFFFF)
_INDEX = np.uint64(511)

BLOCK = 256
"""Rounds whose cards are drawn before they are played; a multiple of four."""

# -- cards


@inlined
def _zeros(x):
    """Marks of the parts of sixteen bits that are zero."""
    return (x - _ONES) & ~x & _TOPS


@inlined
def _turned(x, by):
    return (x << by) | (x >> (np.uint64(64) - by))


@inlined
def _alike(a, b):
    """Marks if two of the eight indices packed in two words are the same."""
    marks = _zeros(a ^ _turned(a, _S16)) | _zeros(a ^ _turned(a, _S32))
    marks |= _zeros(b ^ _turned(b, _S16)) | _zeros(b ^ _turned(b, _S32))
    marks |= _zeros(a ^ b) | _zeros(a ^ _turned(b, _S16))
    return marks | _zeros(a ^ _turned(b, _S32)) | _zeros(a ^ _turned(b, _S48))


@inlined
def _scaled(word, size):
    return (word & _LOW) * size


@inlined
def _indices(word, size):
    """Four indices out of a word, packed, and the least remainder of the scaling."""
    m0, m1 = _scaled(word, size), _scaled(word >> _S16, size)
    m2, m3 = _scaled(word >> _S32, size), _scaled(word >> _S48, size)
    low = min(min(m0 & _LOW, m1 & _LOW), min(m2 & _LOW, m3 & _LOW))
    packed = (m0 >> _S16) | (m1 & ~_LOW) | ((m2 >> _S16) << _S32) | ((m3 >> _S16) << _S48)
    return packed, low


@inlined
def _holds(packed, index):
    return _zeros(packed ^ (index * _ONES)) != _ZERO


@jit
def _careful(first, second, size, threshold):
    """The indices of two words without the refused draws, packed; those missing at the end are all ones."""
    a, b, word, count = _NONE, _NONE, first, np.uint64(0)
    for half in range(8):
        if half == 4:
            word = second
        scaled = _scaled(word, size)
        word = word >> _S16
        index = scaled >> _S16
        if (scaled & _LOW) < threshold or _holds(a, index) or _holds(b, index):
            continue
        shift = _S16 * (count & np.uint64(3))
        if count < np.uint64(4):
            a ^= (index ^ _LOW) << shift
        else:
            b ^= (index ^ _LOW) << shift
        count += _ONE
    return a, b


@inlined
def _cards_at(card, packed):
    """The four cards at four packed indices, one byte each."""
    c0, c1 = np.uint64(card[packed & _INDEX]), np.uint64(card[(packed >> _S16) & _INDEX])
    c2, c3 = np.uint64(card[(packed >> _S32) & _INDEX]), np.uint64(card[(packed >> _S48) & _INDEX])
    return c0 | (c1 << _EIGHT) | (c2 << _S16) | (c3 << np.uint64(24))


@jit
def _eight_cards(card, size, threshold, key, first, block):
    """The first eight cards of each round of a block, one byte each into `block[0]`; one kind of work per loop."""
    cards, one, two, refused = block[0], block[1], block[2], block[3]
    for index in range(BLOCK):
        counter = np.uint64(first + index) << _WORDS
        one[index], two[index] = squares(counter, key), squares(counter + _ONE, key)
    for index in range(BLOCK):
        a, low = _indices(one[index], size)
        b, other = _indices(two[index], size)
        cards[index] = a
        refused[index] = np.uint64(min(low, other) < threshold) | _alike(a, b)
    for index in range(BLOCK):
        if refused[index]:
            cards[index], two[index] = _careful(one[index], two[index], size, threshold)
        else:
            two[index], _ = _indices(two[index], size)
    for index in range(BLOCK):
        cards[index] = _cards_at(card, cards[index]) | (_cards_at(card, two[index]) << _S32)


@inlined
def easy_indices(size, threshold, key, number):
    """The indices of the first eight cards of one round, packed, and whether no draw is refused."""
    counter = np.uint64(number) << _WORDS
    a, low = _indices(squares(counter, key), size)
    b, other = _indices(squares(counter + _ONE, key), size)
    return a, b, (min(low, other) >= threshold) & (_alike(a, b) == _ZERO)


@inlined
def careful_indices(size, threshold, key, number):
    """The same for a round with refused draws."""
    counter = np.uint64(number) << _WORDS
    return _careful(squares(counter, key), squares(counter + _ONE, key), size, threshold)


@inlined
def eight_cards(card, a, b):
    """The cards at eight packed indices, one byte each."""
    return _cards_at(card, a) | (_cards_at(card, b) << _S32)


# -- rounds


_walk = walk_through(WORD, four)


@inlined
def _count(kind, counts, left, leaves, number):
    """Count a finished round, list any other."""
    counts[kind] += 1
    left[leaves] = number
    return leaves + (kind == _ZERO)


@jit
def fast_fresh(fast, key, first, last, block, counts, left):
    """Play rounds of fresh shoes, `BLOCK` at a time; returns how many are left over (their numbers in `left`)."""
    size, threshold = np.uint64(fast.number[TableNumber.SIZE]), np.uint64(fast.number[TableNumber.THRESHOLD])
    idle, leaves, cards = np.uint64(fast.number[TableNumber.FIRST_IDLE]), 0, block[0]
    for begun in range(first, last, BLOCK):
        _eight_cards(fast.card, size, threshold, key, begun, block)
        for index in range(0, BLOCK, 4):
            a, b, c, d = cards[index], cards[index + 1], cards[index + 2], cards[index + 3]
            rounds = _walk(fast, _ZERO, idle, _ZERO, (a, b, c, d))
            for each in range(4):
                leaves = _count(rounds[each][0], counts, left, leaves, begun + index + each)
    counts[0] = 0
    return leaves
