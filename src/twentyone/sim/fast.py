"""The fast path: a round of one box by the state table, one lookup a card; what the table leaves is listed."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import njit

from twentyone.sim.draw import inlined
from twentyone.sim.rng import WORDS, squares
from twentyone.sim.table import CLOSED, DEALT, LEAVE

__all__ = ["fast_fresh"]

_WORDS = np.uint64(WORDS)
_LOW = np.uint64(0xFFFF)
_S16, _S32, _S48 = np.uint64(16), np.uint64(32), np.uint64(48)
_ONES = np.uint64(0x0001000100010001)
_TOPS = np.uint64(0x8000800080008000)
_ONE = np.uint64(1)
_NOTHING = np.uint64(0)
_NONE = np.uint64(0xFFFFFFFFFFFFFFFF)
_MOST = 8
"""Draws of sixteen bits that two words hold; a round that needs more leaves."""


@inlined
def _holds(packed, place):
    """Whether one of four packed places is this one."""
    x = packed ^ (place * _ONES)
    return ((x - _ONES) & ~x & _TOPS) != _NOTHING


@inlined
def _scaled(word, size):
    return (word & _LOW) * size


@njit(cache=True, nogil=True)
def _again(word, half, size, threshold, packed, more):
    """Draw once more after a refused draw: the place, the word behind it, the draws made; `_MOST` + 1 if none is left."""
    while half < _MOST:
        scaled = _scaled(word, size)
        word = word >> _S16
        half += 1
        place = scaled >> _S16
        if (scaled & _LOW) >= threshold and not (_holds(packed, place) or _holds(more, place)):
            return place, word, half
    return _NOTHING, word, _MOST + 1


@inlined
def _draw(word, half, size, threshold, packed, more):
    scaled = _scaled(word, size)
    place = scaled >> _S16
    if half < _MOST and (scaled & _LOW) >= threshold and not (_holds(packed, place) or _holds(more, place)):
        return place, word >> _S16, half + 1
    return _again(word >> _S16, half + 1, size, threshold, packed, more)


@njit(cache=True, nogil=True)
def _first_four(word, size, threshold):
    """Four places with refused draws left out: packed, and the draws made; `_MOST` where they took more than four."""
    packed, half = _NONE, 0
    for _ in range(4):
        place, word, half = _again(word, half, size, threshold, packed, _NONE)
        packed = (packed << _S16) | place
    return packed, half


@njit(cache=True, nogil=True)
def fast_fresh(fast, key, first, last, counts, left):
    """Play rounds of fresh shoes; answers how many of them are left to the round function (their numbers in `left`)."""
    card, pair, glance, second = fast.card, fast.pair, fast.glance, fast.second
    start, turn, dealer, result = fast.start, fast.turn, fast.dealer, fast.result
    size, threshold = np.uint64(fast.number[0]), np.uint64(fast.number[1])
    stands = fast.number[2]
    leaves = 0
    for number in range(first, last):
        counter = np.uint64(number) << _WORDS
        word = squares(counter, key)
        m0, m1 = _scaled(word, size), _scaled(word >> _S16, size)
        m2, m3 = _scaled(word >> _S32, size), _scaled(word >> _S48, size)
        i0, i1, i2, i3 = m0 >> _S16, m1 >> _S16, m2 >> _S16, m3 >> _S16
        low = min(min(m0 & _LOW, m1 & _LOW), min(m2 & _LOW, m3 & _LOW))
        good = (low >= threshold) & (i0 != i1) & (i0 != i2) & (i0 != i3) & (i1 != i2) & (i1 != i3) & (i2 != i3)
        if not good:
            left[leaves] = number
            leaves += 1
            continue
        up = card[i1] >> 2
        look = (up << 4) + (card[i3] >> 2)
        code = np.uint32(start[glance[look] + pair[(np.uint32(card[i0]) << 6) + card[i2]]])
        packed = i0 | (i1 << _S16) | (i2 << _S32) | (i3 << _S48)
        more = _NONE
        half = 4
        word = squares(counter + _ONE, key)
        while code < CLOSED:
            place, word, half = _draw(word, half, size, threshold, packed, more)
            more = (more << _S16) | place
            code = np.uint32(turn[(code << 4) + (card[place] >> 2)])
        state = np.uint32(second[look])
        if code >= DEALT:
            while state < stands:
                place, word, half = _draw(word, half, size, threshold, packed, more)
                more = (more << _S16) | place
                state = np.uint32(dealer[(state << 4) + (card[place] >> 2)])
        if code == LEAVE or half > _MOST:
            left[leaves] = number
            leaves += 1
            continue
        counts[result[((code & 0x3FFF) << 8) + state]] += 1
    return leaves
