"""The fast path: a round of one box by the state table, one lookup a card and no branch that depends on a card.

The places of eight cards come out of two random words at once; four rounds are led through the table side by side for
a fixed number of steps, of which those after the last card change nothing. What is longer or rarer is listed.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim.jit import inlined, jit
from twentyone.sim.rng import WORDS, squares
from twentyone.sim.table import FIRST_IDLE, LOOKS, NO_CARD, SIZE, THRESHOLD

__all__ = ["BLOCK", "dealt_hand", "eight_cards", "fast_fresh", "kind_of", "lead", "look_after"]

_WORDS = np.uint64(WORDS)
_LOW = np.uint64(0xFFFF)
_S16, _S32, _S48 = np.uint64(16), np.uint64(32), np.uint64(48)
_ONES = np.uint64(0x0001000100010001)
_TOPS = np.uint64(0x8000800080008000)
_ONE, _TWO, _THREE, _FOUR, _SIX, _EIGHT = (np.uint64(number) for number in (1, 2, 3, 4, 6, 8))
_NOTHING = np.uint64(0)
_NONE = np.uint64(0xFFFFFFFFFFFFFFFF)
_FIFTEEN, _BYTE, _LOOKS = np.uint64(15), np.uint64(0xFF), np.uint64(LOOKS)
_PLACE = np.uint64(511)
_END = np.uint64(NO_CARD * 0x01010101 << 32)

BLOCK = 256
"""Rounds whose cards are drawn before they are played; a multiple of four."""
PLAYER_STEPS, DEALER_STEPS = 3, 3
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
def _rank(cards, place):
    """The rank of the card at a place of a word."""
    return (cards >> (_TWO + (place << _THREE))) & _FIFTEEN


@inlined
def kind_of(result, row, state):
    """The kind of result of a row against a state of the dealer's; nothing where the round is not over."""
    return np.uint64(result[(row << _THREE) + (state >> _FOUR)])


@inlined
def _deal(table, cards):
    """The row of a hand after the deal, and the place of up and hole card."""
    pair, glance, _, start, _, _ = table
    hand = np.uint64(pair[((cards & _BYTE) << _SIX) + ((cards >> _S16) & _BYTE)])
    look = (_rank(cards, _ONE) << _FOUR) + _rank(cards, _THREE)
    return np.uint64(start[np.uint64(glance[look]) + hand]), look


@inlined
def dealt_hand(pair, glance, start, cards, first):
    """The row of a hand after the deal, and the place of up and hole card, from a list of cards."""
    hand = np.uint64(pair[(np.uint64(cards[first]) << _SIX) + np.uint64(cards[first + _TWO])])
    up, hole = np.uint64(cards[first + _ONE]) >> _TWO, np.uint64(cards[first + _THREE]) >> _TWO
    look = (up << _FOUR) + hole
    return np.uint64(start[np.uint64(glance[look]) + hand]), look


@inlined
def look_after(look, idle, row):
    """The place of up and hole card for the dealer's turn; another where nothing depends on his draw."""
    return look + _LOOKS if row >= idle else look


@inlined
def lead(table, idle, cards):
    """Lead one round through the table: its row and the dealer's state."""
    _, _, second, _, turn, dealer = table
    row, look = _deal(table, cards)
    more, rows = (cards >> _S32) | _END, _NOTHING
    for place in range(PLAYER_STEPS):
        rows += row
        row = np.uint64(turn[row + _rank(more, np.uint64(place))])
    more = more >> ((rows & _FIFTEEN) << _THREE)
    state = np.uint64(second[look_after(look, idle, row)])
    for place in range(DEALER_STEPS):
        state = np.uint64(dealer[state + _rank(more, np.uint64(place))])
    return row, state


@inlined
def _four_steps(table, rows, cards, place):
    """One more card for four rows."""
    a, b, c, d = rows
    e, f, g, h = cards
    return (
        np.uint64(table[a + _rank(e, place)]), np.uint64(table[b + _rank(f, place)]),
        np.uint64(table[c + _rank(g, place)]), np.uint64(table[d + _rank(h, place)]),
    )  # fmt: skip


@inlined
def _behind(rows, cards):
    """The cards behind those that a hand drew which went through these rows."""
    return cards >> ((rows & _FIFTEEN) << _THREE)


@inlined
def lead_four(table, idle, a, b, c, d):
    """Lead four rounds through the table side by side: their rows and the dealer's states."""
    _, _, second, _, turn, dealer = table
    (r, look_a), (s, look_b), (t, look_c), (u, look_d) = (
        _deal(table, a),
        _deal(table, b),
        _deal(table, c),
        _deal(table, d),
    )
    rows, e, f, g, h = (r, s, t, u), (a >> _S32) | _END, (b >> _S32) | _END, (c >> _S32) | _END, (d >> _S32) | _END
    w, x, y, z = _NOTHING, _NOTHING, _NOTHING, _NOTHING
    for place in range(PLAYER_STEPS):
        w, x, y, z = w + rows[0], x + rows[1], y + rows[2], z + rows[3]
        rows = _four_steps(turn, rows, (e, f, g, h), np.uint64(place))
    more = _behind(w, e), _behind(x, f), _behind(y, g), _behind(z, h)
    states = (
        np.uint64(second[look_after(look_a, idle, rows[0])]), np.uint64(second[look_after(look_b, idle, rows[1])]),
        np.uint64(second[look_after(look_c, idle, rows[2])]), np.uint64(second[look_after(look_d, idle, rows[3])]),
    )  # fmt: skip
    for place in range(DEALER_STEPS):
        states = _four_steps(dealer, states, more, np.uint64(place))
    return rows, states


@inlined
def _count(kind, counts, left, leaves, number):
    """Count a finished round, list any other."""
    counts[kind] += 1
    left[leaves] = number
    return leaves + (kind == _NOTHING)


@jit
def fast_fresh(fast, key, first, last, block, counts, left):
    """Play rounds of fresh shoes, `BLOCK` at a time; answers how many are left over (their numbers in `left`)."""
    table, result = (fast.pair, fast.glance, fast.second, fast.start, fast.turn, fast.dealer), fast.result
    size, threshold = np.uint64(fast.number[SIZE]), np.uint64(fast.number[THRESHOLD])
    idle, leaves, cards = np.uint64(fast.number[FIRST_IDLE]), 0, block[0]
    for begun in range(first, last, BLOCK):
        _eight_cards(fast.card, size, threshold, key, begun, block)
        for place in range(0, BLOCK, 4):
            rows, states = lead_four(table, idle, cards[place], cards[place + 1], cards[place + 2], cards[place + 3])
            for each in range(4):
                kind = kind_of(result, rows[each], states[each])
                leaves = _count(kind, counts, left, leaves, begun + place + each)
    counts[0] = 0
    return leaves
