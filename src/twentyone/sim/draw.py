"""Where cards come from: a fresh shoe each round, a real shoe that is shuffled as far as it is dealt, or a given list.

`t` is the packed table, `w` the work space, `deck` the shoe, `r` the random keys and words.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim.jit import inlined, jit
from twentyone.sim.layout import Parameter, Part
from twentyone.sim.rng import WORDS, squares
from twentyone.sim.work import OUT_OF_CARDS, SHOE_ROOM, Work

__all__ = ["FRESH", "GIVEN", "SHOE", "bucket", "chance", "draw", "fill_fresh", "fill_shoe", "see"]

FRESH, SHOE, GIVEN = range(3)
"""Sources of cards: in a fresh shoe `deck` holds indices into the unshuffled shoe, else cards."""

KEY, WORD, OTHER_KEY = range(3)
"""Indices of `r`: the key of the cards, its last word, the key of everything else."""

_WORDS = np.uint64(WORDS)
_SIXTEEN = np.uint64(16)
_LOW = np.uint64(0xFFFF)
_HALF = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)


@jit
def _is_drawn(deck, index, count):
    drawn = False
    for i in range(count):
        drawn |= deck[i] == index
    return drawn


@jit
def fill_fresh(t, w, deck, r):
    """The next card of a fresh shoe: sixteen bits scaled to the shoe without bias, cards already drawn left out."""
    size, threshold = np.int64(t[Parameter.SIZE]), np.int64(t[Parameter.THRESHOLD])
    count = w[Work.FILLED]
    while True:
        half = w[Work.HALF]
        w[Work.HALF] = half + 1
        if half & 3 == 0:
            r[WORD] = squares((np.uint64(w[Work.ROUND]) << _WORDS) + np.uint64(half >> 2), r[KEY])
        scaled = np.int64((r[WORD] >> (_SIXTEEN * np.uint64(half & 3))) & _LOW) * size
        index = scaled >> 16
        if (scaled & 0xFFFF) >= threshold and (t[Parameter.INFINITE] or not _is_drawn(deck, index, count)):
            deck[count] = index
            w[Work.FILLED] = count + 1
            return


@jit
def fill_shoe(size, shoe, filled, last, deck, key):
    """Shuffle a real shoe up to `last`: each card is swapped with a later one, or itself."""
    counter = np.uint64(shoe) << _WORDS
    for i in range(filled, last):
        word = squares(counter + np.uint64(i >> 1), key)
        part = np.int64((word >> (_HALF * np.uint64(i & 1))) & _LOW_HALF)
        j = i + ((part * (size - i)) >> 32)
        deck[i], deck[j] = deck[j], deck[i]


@jit
def _fill_from_rack(t, w, deck, r):
    """Put a card of the rack, any of those left there, behind the shoe; false where there is none."""
    position, left = w[Work.POSITION], w[Work.BEGUN] - (w[Work.POSITION] - t[Parameter.SIZE])
    if t[Parameter.RELOADS] == 0 or left < 1 or position >= SHOE_ROOM - 1:
        w[Work.FAULT] = OUT_OF_CARDS
        return False
    word = squares((np.uint64(w[Work.ROUND]) << _WORDS) + np.uint64(position >> 1), r[KEY])
    part = np.int64((word >> (_HALF * np.uint64(position & 1))) & _LOW_HALF)
    chosen = (part * left) >> 32
    deck[position], deck[chosen] = deck[chosen], deck[left - 1]
    w[Work.FILLED] = position + 1
    return True


@jit
def _reload(t, w, deck, r):
    """The shoe ran out: the round goes on from the discard rack, and players count the cards on the layout again."""
    w[Work.RELOADED] = 1
    w[Work.RUNNING] += t[Parameter.START_COUNT] - w[Work.BEGUN_COUNT]
    if t[Parameter.RELOAD_BURN] and _fill_from_rack(t, w, deck, r):
        w[Work.POSITION] += 1
    return _fill_from_rack(t, w, deck, r)


@jit
def _fill(t, w, deck, r, source):
    """Draw the next card into `deck`; false where there is none."""
    position = w[Work.POSITION]
    if source == SHOE and position >= t[Parameter.SIZE]:
        return _fill_from_rack(t, w, deck, r) if w[Work.RELOADED] else _reload(t, w, deck, r)
    if source == GIVEN or position >= t[Parameter.SIZE]:
        w[Work.FAULT] = OUT_OF_CARDS
        return False
    if source == FRESH:
        fill_fresh(t, w, deck, r)
    else:
        fill_shoe(np.int64(t[Parameter.SIZE]), w[Work.ROUND], w[Work.FILLED], position + 1, deck, r[KEY])
        w[Work.FILLED] = position + 1
    return True


@inlined
def draw(t, w, deck, r, source):
    """The next card."""
    if w[Work.POSITION] >= w[Work.FILLED] and not _fill(t, w, deck, r, source):
        return np.int64(t[t[Part.CARDS]])
    position = w[Work.POSITION]
    w[Work.POSITION] = position + 1
    if source == FRESH:
        return np.int64(t[t[Part.CARDS] + deck[position]])
    return np.int64(deck[position])


@inlined
def see(t, w, card):
    """A counting player sees a card."""
    w[Work.RUNNING] += t[t[Part.TAGS] + (card >> 2)]


@inlined
def bucket(t, w):
    """The true count, from the lowest that is told apart."""
    if t[Parameter.COUNTS] == 0:
        return np.int64(0)
    cards = t[Parameter.SIZE] + w[Work.BEGUN] if w[Work.RELOADED] else np.int64(t[Parameter.SIZE])
    left = max(cards - w[Work.POSITION], 1)
    true = (w[Work.RUNNING] * np.int64(t[Parameter.DECK_CARDS])) // left - np.int64(t[Parameter.LOW_BUCKET])
    return min(max(true, 0), np.int64(t[Parameter.BUCKETS]) - 1)


@jit
def chance(w, r):
    """Thirty-two random bits for anything but cards."""
    extra = w[Work.EXTRA]
    w[Work.EXTRA] = extra + 1
    word = squares((np.uint64(w[Work.MOMENT]) << _WORDS) + np.uint64(extra & 255), r[OTHER_KEY])
    return np.int64(word >> _HALF)
