"""The fast path: a round of one box by the state table, one lookup a card and no branch that depends on a card.

The places of eight cards come out of two random words at once; four rounds are led through the table side by side for
a fixed number of steps, of which those after the last card change nothing. What is longer or rarer is listed.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim.jit import inlined, jit
from twentyone.sim.rng import WORDS, squares
from twentyone.sim.table import DRAWS, FIRST_CLOSED, FIRST_IDLE, FIRST_SPLIT, FROZEN, NO_CARD, SIZE, THRESHOLD

__all__ = ["BLOCK", "eight_cards", "fast_fresh", "lead", "lead_four"]

_WORDS = np.uint64(WORDS)
_LOW = np.uint64(0xFFFF)
_S16, _S32, _S48 = np.uint64(16), np.uint64(32), np.uint64(48)
_ONES = np.uint64(0x0001000100010001)
_TOPS = np.uint64(0x8000800080008000)
_ONE, _EIGHT = np.uint64(1), np.uint64(8)
_NOTHING = np.uint64(0)
_NONE = np.uint64(0xFFFFFFFFFFFFFFFF)
_BYTE = np.uint64(0xFF)
_PLACE = np.uint64(511)
_END = np.uint64(NO_CARD * 0x01010101 << 32)

BLOCK = 256
"""Rounds whose cards are drawn before they are played; a multiple of four."""
PLAYER_STEPS, DEALER_STEPS = 3, 4
"""Cards that a hand and the dealer may draw here; a round that needs more is listed."""


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


# -- the table


@inlined
def _rank(cards):
    return np.uint64((cards >> np.uint64(2)) & np.uint64(15))


@inlined
def _look(cards):
    up, hole = (cards >> np.uint64(10)) & np.uint64(15), (cards >> np.uint64(26)) & np.uint64(15)
    return (up << np.uint64(4)) | hole


@inlined
def begin_hand(pair, glance, start, cards):
    """The row of a hand after the deal, and the cards behind the deal."""
    hand = pair[((cards & _BYTE) << np.uint64(6)) | ((cards >> _S16) & _BYTE)]
    return np.uint64(start[np.uint64(glance[_look(cards)]) + hand]), (cards >> _S32) | _END


@inlined
def _below(row, end):
    """Eight, if the row is before the end, else nothing."""
    return np.uint64(((row - end) >> np.uint64(28)) & np.uint64(8))


@inlined
def step(table, row, end, cards):
    """One more card for a row before the end, and the bits it took; any other leads to itself and takes none."""
    shift = _below(row, end)
    return np.uint64(table[(row << np.uint64(4)) | _rank(cards)]), cards >> shift, shift


@inlined
def dealers_state(second, first_idle, frozen, row, cards):
    """The dealer's state after the deal, frozen where nothing depends on his draw."""
    idle = (first_idle - _ONE - row) >> np.uint64(63)
    return np.uint64(second[_look(cards)]) + idle * frozen


@inlined
def lead(pair, glance, second, start, turn, dealer, bounds, cards):
    """Lead one round through the table: its row, the dealer's state, the bits of cards drawn."""
    end, draws, idle, frozen = bounds
    row, more = begin_hand(pair, glance, start, cards)
    took = _NOTHING
    for _ in range(PLAYER_STEPS):
        row, more, bits = step(turn, row, end, more)
        took += bits
    state = dealers_state(second, idle, frozen, row, cards)
    for _ in range(DEALER_STEPS):
        state, more, bits = step(dealer, state, draws, more)
        took += bits
    return row, state, took


@inlined
def lead_four(pair, glance, second, start, turn, dealer, bounds, a, b, c, d):
    """Lead four rounds through the table side by side: of each its row, the dealer's state, the bits of cards drawn."""
    end, draws, idle, frozen = bounds
    row_a, more_a = begin_hand(pair, glance, start, a)
    row_b, more_b = begin_hand(pair, glance, start, b)
    row_c, more_c = begin_hand(pair, glance, start, c)
    row_d, more_d = begin_hand(pair, glance, start, d)
    took_a, took_b, took_c, took_d = _NOTHING, _NOTHING, _NOTHING, _NOTHING
    for _ in range(PLAYER_STEPS):
        row_a, more_a, bits_a = step(turn, row_a, end, more_a)
        row_b, more_b, bits_b = step(turn, row_b, end, more_b)
        row_c, more_c, bits_c = step(turn, row_c, end, more_c)
        row_d, more_d, bits_d = step(turn, row_d, end, more_d)
        took_a, took_b, took_c, took_d = took_a + bits_a, took_b + bits_b, took_c + bits_c, took_d + bits_d
    state_a = dealers_state(second, idle, frozen, row_a, a)
    state_b = dealers_state(second, idle, frozen, row_b, b)
    state_c = dealers_state(second, idle, frozen, row_c, c)
    state_d = dealers_state(second, idle, frozen, row_d, d)
    for _ in range(DEALER_STEPS):
        state_a, more_a, bits_a = step(dealer, state_a, draws, more_a)
        state_b, more_b, bits_b = step(dealer, state_b, draws, more_b)
        state_c, more_c, bits_c = step(dealer, state_c, draws, more_c)
        state_d, more_d, bits_d = step(dealer, state_d, draws, more_d)
        took_a, took_b, took_c, took_d = took_a + bits_a, took_b + bits_b, took_c + bits_c, took_d + bits_d
    return (row_a, state_a, took_a), (row_b, state_b, took_b), (row_c, state_c, took_c), (row_d, state_d, took_d)


@inlined
def _count(result, counts, left, leaves, number, led, ends):
    """Count a finished round, list any other."""
    row, state, _ = led
    closed, draws, split, out = ends
    good = (row - closed < split - closed) & (state - draws < out - draws)
    place = (((row - closed) << _EIGHT) + state) if good else _NOTHING
    counts[result[place]] += good
    left[leaves] = number
    return leaves + (not good)


@jit
def fast_fresh(fast, key, first, last, block, counts, left):
    """Play rounds of fresh shoes, `BLOCK` at a time; answers how many are left over (their numbers in `left`)."""
    card, pair, glance, second, start = fast.card, fast.pair, fast.glance, fast.second, fast.start
    turn, dealer, result = fast.turn, fast.dealer, fast.result
    size, threshold = np.uint64(fast.number[SIZE]), np.uint64(fast.number[THRESHOLD])
    end, draws = np.uint64(fast.number[FIRST_CLOSED]), np.uint64(fast.number[DRAWS])
    idle, frozen = np.uint64(fast.number[FIRST_IDLE]), np.uint64(fast.number[FROZEN])
    bounds = end, draws, idle, frozen
    ends = end, draws, np.uint64(fast.number[FIRST_SPLIT]), frozen + frozen
    leaves, cards = 0, block[0]
    for begun in range(first, last, BLOCK):
        _eight_cards(card, size, threshold, key, begun, block)
        for place in range(0, BLOCK, 4):
            a, b, c, d = cards[place], cards[place + 1], cards[place + 2], cards[place + 3]
            led_a, led_b, led_c, led_d = lead_four(pair, glance, second, start, turn, dealer, bounds, a, b, c, d)
            number = begun + place
            leaves = _count(result, counts, left, leaves, number, led_a, ends)
            leaves = _count(result, counts, left, leaves, number + 1, led_b, ends)
            leaves = _count(result, counts, left, leaves, number + 2, led_c, ends)
            leaves = _count(result, counts, left, leaves, number + 3, led_d, ends)
    return leaves
