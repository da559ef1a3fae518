"""Rounds that the fast path listed: longer ones, suited hands and splits, by the same state table card by card.

What this leaves in its turn (super bonuses, insurance, very long rounds) is for the round function.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim.jit import inlined, jit
from twentyone.sim.rng import WORDS, squares
from twentyone.sim.state_table import HANDS_ROW, LOOKS, NO_CARD, RESULTS, SPLIT_ROW, WAGER_ROW, TableNumber
from twentyone.sim.walk import ARRAY, deal_from, kind_within

__all__ = ["SEEN", "STEPS", "count_listed", "play_listed", "rare_fresh", "rare_round"]

_WORDS = np.uint64(WORDS)
_NONE, _ONE, _TWO, _THREE, _FOUR = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
_SIX, _SIXTEEN, _BITS = np.uint64(6), np.uint64(16), np.uint64(63)
_LOOKS, _RESULTS = np.uint64(LOOKS), np.uint64(RESULTS)
_LOW = np.uint64(0xFFFF)
_WAGER_ROW, _HANDS_ROW, _SPLIT_ROW = np.uint64(WAGER_ROW), np.uint64(HANDS_ROW), np.uint64(SPLIT_ROW)
GAIN, STEPS = 0, 4
"""Columns of `Fast.kinds`."""

DRAWN_WORDS = 5
"""Words whose cards are drawn before the round is played: about nineteen cards."""
CARDS = 4 * DRAWN_WORDS
"""Cards they hold at most; the entry after the last holds none."""
SEEN = CARDS + 1
"""Length of the list of cards."""

_deal = deal_from(ARRAY)


@inlined
def _list_cards(size, threshold, card, counter, key, seen, cards):
    """The first cards of a fresh shoe's round, and after the last none."""
    for index in range(8):
        seen[index] = np.uint64(0)
    count = 0
    for number in range(DRAWN_WORDS):
        word = squares(counter + np.uint64(number), key)
        for _ in range(4):
            scaled = (word & _LOW) * size
            word = word >> _SIXTEEN
            index = scaled >> _SIXTEEN
            part, bit = index >> _SIX, _ONE << (index & _BITS)
            cards[count] = card[index]
            good = ((scaled & _LOW) >= threshold) & (seen[part] & bit == np.uint64(0))
            seen[part] |= bit if good else np.uint64(0)
            count += good
    cards[count] = NO_CARD


@inlined
def _hand(fast, bounds, cards, next_card, row):
    """Lead a hand from a row to its end."""
    closed, suit, leaves = bounds
    while row < closed:
        drew = np.uint64(cards[next_card])
        next_card += _ONE
        row = np.uint64(fast.turn[row + (drew >> _TWO)])
        if suit <= row < leaves:
            row = np.uint64(fast.suited[((row - suit) >> _TWO) + (drew & _THREE)])
    return row, next_card


@inlined
def _dealer(fast, cards, next_card, state):
    draws = np.uint64(fast.number[TableNumber.DRAWS])
    while state < draws:
        state = np.uint64(fast.dealer[state + (np.uint64(cards[next_card]) >> _TWO)])
        next_card += _ONE
    return state, next_card


@inlined
def _hands(fast, cards, first, next_card, row):
    """Lead a round's hand, and those it is split into, to their ends: their rows, sixteen bits each, and the next card.

    A hand that waits is the index of its card in `split`: for two hands, a wager added, and its suit.
    """
    number, split = fast.number, fast.split
    parted, suit = np.uint64(number[TableNumber.FIRST_SPLIT]), np.uint64(number[TableNumber.FIRST_SUITED])
    bounds = np.uint64(number[TableNumber.FIRST_CLOSED]), suit, np.uint64(number[TableNumber.LEAVES])
    held, last, wager, more = np.uint64(cards[first]), np.uint64(cards[first + _TWO]), _NONE, _NONE
    ended, waiting, leaves = _NONE, _NONE, False
    while True:
        if row < bounds[0]:
            row, next_card = _hand(fast, bounds, cards, next_card, row)
            last = np.uint64(cards[next_card - _ONE])
        if parted <= row < suit:
            pair = ((row - parted) >> _FOUR) * _SPLIT_ROW
            row = np.uint64(split[pair + more + wager + (held & _THREE)])
            waiting = (waiting << _SIXTEEN) | (pair + _WAGER_ROW + (last & _THREE))
            more += _HANDS_ROW
            continue
        ended = (ended << _SIXTEEN) | row
        leaves |= row >= parted
        if leaves or waiting == _NONE:
            return _NONE if leaves else ended, next_card
        held, wager = waiting & _LOW, _WAGER_ROW
        waiting >>= _SIXTEEN
        row = np.uint64(split[held + more - _HANDS_ROW])


@inlined
def play_listed(fast, results, cards, first):
    """A round from listed cards: the kinds of result of its hands, sixteen bits each, and the next card.

    There are none where the round leaves. `results`: the row with which those at hand begin.
    """
    idle = np.uint64(fast.number[TableNumber.FIRST_IDLE])
    row, look = _deal(fast, cards, first)
    ended, next_card = _hands(fast, cards, first, first + _FOUR, row)
    hands, draws = ended, False
    while hands != _NONE:
        draws |= (hands & _LOW) < idle
        hands >>= _SIXTEEN
    if draws:
        state, next_card = _dealer(fast, cards, next_card, np.uint64(fast.second[look]))
    else:
        state = np.uint64(fast.second[look + _LOOKS])
    kinds = _NONE
    while ended != _NONE:
        kind = kind_within(fast, results, ended & _LOW, state)
        if kind == _NONE:
            return _NONE, next_card
        kinds, ended = (kinds << _SIXTEEN) | kind, ended >> _SIXTEEN
    return kinds, next_card


@inlined
def count_listed(kinds, known, middle, counts):
    """Count a round by the kinds of result of its hands; returns its gain. `known`: the table's kinds."""
    if kinds < _RESULTS:
        counts[kinds] += 1
        return known[kinds, GAIN]
    gain, steps, count = np.int64(0), middle, np.uint64(len(known))
    while kinds != _NONE:
        kind = kinds & _LOW
        counts[count + kind] += 1
        gain += known[kind, GAIN]
        steps += known[kind, STEPS]
        kinds >>= _SIXTEEN
    counts[count + count + np.uint64(steps)] += 1
    return gain


@inlined
def rare_round(fast, key, round_number, seen, cards):
    """The kinds of result of one round of a fresh shoe, as `play_listed` has them."""
    size, threshold = np.uint64(fast.number[TableNumber.SIZE]), np.uint64(fast.number[TableNumber.THRESHOLD])
    _list_cards(size, threshold, fast.card, np.uint64(round_number) << _WORDS, key, seen, cards)
    return play_listed(fast, _NONE, cards, _NONE)[0]


@jit
def rare_fresh(fast, key, left, count, seen, cards, counts):
    """Play listed rounds; returns how many are left over (at the front of the list)."""
    leaves, middle = 0, fast.number[TableNumber.MIDDLE]
    for index in range(count):
        kinds = rare_round(fast, key, left[index], seen, cards)
        if kinds == _NONE:
            left[leaves] = left[index]
            leaves += 1
        else:
            count_listed(kinds, fast.kinds, middle, counts)
    return leaves
