"""Rounds that the fast path listed: longer ones, suited hands and splits, by the same state table card by card.

What this leaves in its turn (second splits, super bonuses, insurance, very long rounds) is for the round function.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim.jit import inlined, jit
from twentyone.sim.rng import WORDS, squares
from twentyone.sim.table import (
    DRAWS,
    FIRST_CLOSED,
    FIRST_IDLE,
    FIRST_SPLIT,
    FIRST_SUITED,
    FROZEN,
    LEAVES,
    NO_CARD,
    RESULTS,
    SIZE,
    THRESHOLD,
)

__all__ = ["SEEN", "play_listed", "rare_fresh", "rare_round"]

_WORDS = np.uint64(WORDS)
_ONE, _SIX, _SIXTEEN, _BITS = np.uint64(1), np.uint64(6), np.uint64(16), np.uint64(63)
_LOW = np.uint64(0xFFFF)

DRAWN_WORDS = 5
"""Words whose cards are drawn before the round is played: about nineteen cards."""
CARDS = 4 * DRAWN_WORDS
"""Cards they hold at most; the place behind the last holds none."""
SEEN = CARDS + 1
"""Length of the list of cards."""


@inlined
def _list_cards(size, threshold, card, counter, key, seen, cards):
    """The first cards of a fresh shoe's round, and behind the last none."""
    for place in range(8):
        seen[place] = np.uint64(0)
    count = 0
    for number in range(DRAWN_WORDS):
        word = squares(counter + np.uint64(number), key)
        for _ in range(4):
            scaled = (word & _LOW) * size
            word = word >> _SIXTEEN
            place = scaled >> _SIXTEEN
            part, bit = place >> _SIX, _ONE << (place & _BITS)
            cards[count] = card[place]
            good = ((scaled & _LOW) >= threshold) & (seen[part] & bit == np.uint64(0))
            seen[part] |= bit if good else np.uint64(0)
            count += good
    cards[count] = NO_CARD


@inlined
def _look(cards):
    return ((cards[1] >> 2) << 4) | (cards[3] >> 2)


@inlined
def _hand(closed, suit, leaves, turn, suited, cards, next_card, row):
    """Lead a hand from a row to its end."""
    while row < closed:
        drew = cards[next_card]
        next_card += 1
        row = np.int64(turn[(row << 4) | (drew >> 2)])
        if suit <= row < leaves:
            row = np.int64(suited[((row - suit) << 2) | (drew & 3)])
    return row, next_card


@inlined
def _dealer(draws, dealer, cards, next_card, state):
    while state < draws:
        state = np.int64(dealer[(state << 4) | (cards[next_card] >> 2)])
        next_card += 1
    return state, next_card


@inlined
def play_listed(table, number, cards):
    """A round from listed cards: its kind of result, of a split the second hand's too (else -1), and the cards used.

    Both results are -1 where the round leaves.
    """
    _, pair, glance, second, start, turn, split, suited, dealer, result = table
    closed, idle, parted, suit = number[FIRST_CLOSED], number[FIRST_IDLE], number[FIRST_SPLIT], number[FIRST_SUITED]
    look = _look(cards)
    row = np.int64(start[np.int64(glance[look]) + pair[(cards[0] << 6) | cards[2]]])
    other, next_card = np.int64(-1), 4
    if parted <= row < suit:
        pair_row = (row - parted) << 1
        row, next_card = _hand(closed, suit, number[LEAVES], turn, suited, cards, next_card, np.int64(split[pair_row]))
        if row < parted:
            first = np.int64(split[pair_row + 1])
            other, next_card = _hand(closed, suit, number[LEAVES], turn, suited, cards, next_card, first)
    else:
        row, next_card = _hand(closed, suit, number[LEAVES], turn, suited, cards, next_card, row)
    state = np.int64(second[look])
    if row < idle or 0 <= other < idle:
        state, next_card = _dealer(number[DRAWS], dealer, cards, next_card, state)
    if row >= parted or other >= parted or state >= 2 * number[FROZEN]:
        return np.int64(-1), np.int64(-1), next_card
    one = np.int64(result[((row - closed) << 8) + state])
    if other >= 0:
        other = np.int64(result[((other - closed) << 8) + state])
    return one, other, next_card


@inlined
def rare_round(table, number, key, round_number, seen, cards):
    """One round of a fresh shoe, as `play_listed` has it."""
    size, threshold = np.uint64(number[SIZE]), np.uint64(number[THRESHOLD])
    _list_cards(size, threshold, table[0], np.uint64(round_number) << _WORDS, key, seen, cards)
    one, other, _ = play_listed(table, number, cards)
    return one, other


@jit
def rare_fresh(fast, key, left, count, seen, cards, counts, both):
    """Play listed rounds; answers how many are left over (at the front of the list). `both` counts pairs of results."""
    table = (
        fast.card, fast.pair, fast.glance, fast.second, fast.start,
        fast.turn, fast.split, fast.suited, fast.dealer, fast.result,
    )  # fmt: skip
    number, leaves = fast.number, 0
    for place in range(count):
        one, two = rare_round(table, number, key, left[place], seen, cards)
        if one < 0:
            left[leaves] = left[place]
            leaves += 1
        elif two < 0:
            counts[one] += 1
        else:
            both[one * RESULTS + two] += 1
    return leaves
