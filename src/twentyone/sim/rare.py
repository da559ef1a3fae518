"""Rounds that the fast path listed: longer ones, suited hands and splits, by the same state table card by card.

What this leaves in its turn (second splits, super bonuses, insurance, very long rounds) is for the round function.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim.jit import inlined, jit
from twentyone.sim.rng import WORDS, squares
from twentyone.sim.state_table import LOOKS, NO_CARD, RESULTS, TableNumber
from twentyone.sim.walk import ARRAY, deal_from, kind_of

__all__ = ["SEEN", "play_listed", "rare_fresh", "rare_round"]

_WORDS = np.uint64(WORDS)
_NONE, _ONE, _TWO, _THREE, _FOUR = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
_SIX, _SIXTEEN, _BITS = np.uint64(6), np.uint64(16), np.uint64(63)
_LOOKS, _RESULTS = np.uint64(LOOKS), np.uint64(RESULTS)
_LOW = np.uint64(0xFFFF)

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
def play_listed(fast, results, cards, first):
    """A round from listed cards: its kind of result, of a split the second hand's too (else 0), and the next card.

    Both results are 0 where the round leaves. `results`: the row with which those at hand begin.
    """
    number, split = fast.number, fast.split
    idle, parted = np.uint64(number[TableNumber.FIRST_IDLE]), np.uint64(number[TableNumber.FIRST_SPLIT])
    suit, leaves = np.uint64(number[TableNumber.FIRST_SUITED]), np.uint64(number[TableNumber.LEAVES])
    bounds = np.uint64(number[TableNumber.FIRST_CLOSED]), suit, leaves
    row, look = _deal(fast, cards, first)
    other, next_card = _NONE, first + _FOUR
    if parted <= row < suit:
        pair_row, one, two = (row - parted) >> _ONE, np.uint64(cards[first]), np.uint64(cards[first + _TWO])
        row, next_card = _hand(fast, bounds, cards, next_card, np.uint64(split[pair_row + (one & _THREE)]))
        if row < parted:
            second_hand = np.uint64(split[pair_row + _FOUR + (two & _THREE)])
            other, next_card = _hand(fast, bounds, cards, next_card, second_hand)
    else:
        row, next_card = _hand(fast, bounds, cards, next_card, row)
    if row < idle or (other != _NONE and other < idle):
        state, next_card = _dealer(fast, cards, next_card, np.uint64(fast.second[look]))
    else:
        state = np.uint64(fast.second[look + _LOOKS])
    one = kind_of(fast, results, row, state)
    if other == _NONE:
        return one, _NONE, next_card
    two = kind_of(fast, results, other, state)
    return (one, two, next_card) if one * two else (_NONE, _NONE, next_card)


@inlined
def rare_round(fast, key, round_number, seen, cards):
    """One round of a fresh shoe, as `play_listed` has it."""
    size, threshold = np.uint64(fast.number[TableNumber.SIZE]), np.uint64(fast.number[TableNumber.THRESHOLD])
    _list_cards(size, threshold, fast.card, np.uint64(round_number) << _WORDS, key, seen, cards)
    one, two, _ = play_listed(fast, _NONE, cards, _NONE)
    return one, two


@jit
def rare_fresh(fast, key, left, count, seen, cards, counts, both):
    """Play listed rounds; returns how many are left over (at the front of the list). `both` counts pairs of results."""
    leaves = 0
    for index in range(count):
        one, two = rare_round(fast, key, left[index], seen, cards)
        if one == _NONE:
            left[leaves] = left[index]
            leaves += 1
        elif two == _NONE:
            counts[one] += 1
        else:
            both[one * _RESULTS + two] += 1
    return leaves
