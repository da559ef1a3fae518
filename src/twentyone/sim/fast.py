"""The fast path: a round of one box by the state table, one lookup a card and no branch that depends on a card.

The places of eight cards come out of two random words at once; four rounds are led through the table side by side for
a fixed number of steps, of which those after the last card change nothing. What is longer or rarer is listed.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim.jit import inlined, jit
from twentyone.sim.rng import WORDS, squares
from twentyone.sim.table import FIRST_IDLE, SIZE, THRESHOLD
from twentyone.sim.walk import WORD, four, walk_through

__all__ = ["BLOCK", "eight_cards", "fast_fresh"]

_WORDS = np.uint64(WORDS)
_LOW = np.uint64(0xFFFF)
_S16, _S32, _S48 = np.uint64(16), np.uint64(32), np.uint64(48)
_ONES = np.uint64(0x0001000100010001)
_TOPS = np.uint64(0x8000800080008000)
_ONE, _EIGHT = np.uint64(1), np.uint64(8)
_NOTHING = np.uint64(0)
_NONE = np.uint64(0xFFFFFFFFFFFFFFFF)
_PLACE = np.uint64(511)

BLOCK = 256
"""Rounds whose cards are drawn before they are played; a multiple of four."""

# -- cards


@inlined
def _zeros(x):
    """Marks of the parts of sixteen bits that are nothing."""
    return (x - _ONES) & ~x & _TOPS


@inlined
def _turned(x, by):
    return (x << by) | (x >> (np.uint64(64) - by))


@inlined
def _alike(a, b):
    """Marks if two of the eight places packed in two words are the same."""
    found = _zeros(a ^ _turned(a, _S16)) | _zeros(a ^ _turned(a, _S32))
    found |= _zeros(b ^ _turned(b, _S16)) | _zeros(b ^ _turned(b, _S32))
    found |= _zeros(a ^ b) | _zeros(a ^ _turned(b, _S16))
    return found | _zeros(a ^ _turned(b, _S32)) | _zeros(a ^ _turned(b, _S48))


@inlined
def _scaled(word, size):
    return (word & _LOW) * size


@inlined
def _places(word, size):
    """Four places out of a word, packed, and the least of what scaling left over."""
    m0, m1 = _scaled(word, size), _scaled(word >> _S16, size)
    m2, m3 = _scaled(word >> _S32, size), _scaled(word >> _S48, size)
    low = min(min(m0 & _LOW, m1 & _LOW), min(m2 & _LOW, m3 & _LOW))
    packed = (m0 >> _S16) | (m1 & ~_LOW) | ((m2 >> _S16) << _S32) | ((m3 >> _S16) << _S48)
    return packed, low


@inlined
def _holds(packed, place):
    return _zeros(packed ^ (place * _ONES)) != _NOTHING


@jit
def _careful(first, second, size, threshold):
    """The places of two words with refused draws left out, packed; what is missing at the end is no place."""
    a, b, word, count = _NONE, _NONE, first, np.uint64(0)
    for half in range(8):
        if half == 4:
            word = second
        scaled = _scaled(word, size)
        word = word >> _S16
        place = scaled >> _S16
        if (scaled & _LOW) < threshold or _holds(a, place) or _holds(b, place):
            continue
        shift = _S16 * (count & np.uint64(3))
        if count < np.uint64(4):
            a ^= (place ^ _LOW) << shift
        else:
            b ^= (place ^ _LOW) << shift
        count += _ONE
    return a, b


@inlined
def _cards_at(card, packed):
    """The four cards at four packed places, a byte each."""
    c0, c1 = np.uint64(card[packed & _PLACE]), np.uint64(card[(packed >> _S16) & _PLACE])
    c2, c3 = np.uint64(card[(packed >> _S32) & _PLACE]), np.uint64(card[(packed >> _S48) & _PLACE])
    return c0 | (c1 << _EIGHT) | (c2 << _S16) | (c3 << np.uint64(24))


@jit
def _eight_cards(card, size, threshold, key, first, block):
    """The first eight cards of each round of a block, a byte each, into `block[0]`; each loop is one kind of work."""
    cards, one, two, refused = block[0], block[1], block[2], block[3]
    for place in range(BLOCK):
        counter = np.uint64(first + place) << _WORDS
        one[place], two[place] = squares(counter, key), squares(counter + _ONE, key)
    for place in range(BLOCK):
        a, low = _places(one[place], size)
        b, other = _places(two[place], size)
        cards[place] = a
        refused[place] = np.uint64(min(low, other) < threshold) | _alike(a, b)
    for place in range(BLOCK):
        if refused[place]:
            cards[place], two[place] = _careful(one[place], two[place], size, threshold)
        else:
            two[place], _ = _places(two[place], size)
    for place in range(BLOCK):
        cards[place] = _cards_at(card, cards[place]) | (_cards_at(card, two[place]) << _S32)


@inlined
def eight_cards(card, size, threshold, key, number):
    """The first eight cards of one round, a byte each."""
    counter = np.uint64(number) << _WORDS
    one, two = squares(counter, key), squares(counter + _ONE, key)
    a, low = _places(one, size)
    b, other = _places(two, size)
    if (min(low, other) < threshold) | (_alike(a, b) != _NOTHING):
        a, b = _careful(one, two, size, threshold)
    return _cards_at(card, a) | (_cards_at(card, b) << _S32)


# -- rounds


_walk = walk_through(WORD, four)


@inlined
def _count(kind, counts, left, leaves, number):
    """Count a finished round, list any other."""
    counts[kind] += 1
    left[leaves] = number
    return leaves + (kind == _NOTHING)


@jit
def fast_fresh(fast, key, first, last, block, counts, left):
    """Play rounds of fresh shoes, `BLOCK` at a time; answers how many are left over (their numbers in `left`)."""
    size, threshold = np.uint64(fast.number[SIZE]), np.uint64(fast.number[THRESHOLD])
    idle, leaves, cards = np.uint64(fast.number[FIRST_IDLE]), 0, block[0]
    for begun in range(first, last, BLOCK):
        _eight_cards(fast.card, size, threshold, key, begun, block)
        for place in range(0, BLOCK, 4):
            a, b, c, d = cards[place], cards[place + 1], cards[place + 2], cards[place + 3]
            rounds = _walk(fast, _NOTHING, idle, (a, b, c, d))
            for each in range(4):
                leaves = _count(rounds[each][0], counts, left, leaves, begun + place + each)
    counts[0] = 0
    return leaves
