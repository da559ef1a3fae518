"""The fast path of real shoes: sixteen shoes side by side, each dealt to its cover card by the state table."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim import layout as at
from twentyone.sim import stats as sums
from twentyone.sim.draw import KEY, SHOE
from twentyone.sim.fast import lead_four
from twentyone.sim.jit import inlined, jit
from twentyone.sim.kernels import MOMENTS, record, record_shoe
from twentyone.sim.plain import begin, play_round
from twentyone.sim.rare import play_listed
from twentyone.sim.rng import WORDS, squares
from twentyone.sim.table import (
    BURN,
    COVER,
    DRAWS,
    FIRST_CLOSED,
    FIRST_IDLE,
    FIRST_SPLIT,
    FROZEN,
    NO_CARD,
    PLACES,
    RESULTS,
    SIZE,
)

__all__ = ["LANES", "fast_shoes"]

LANES = 16
"""Shoes that are played side by side."""
BEHIND = 24
"""Cards behind the cover card that are shuffled with those before it; more only where a round needs them."""

POSITION, NUMBER, GAIN, ROUNDS = range(4)
"""What is kept of a lane: cards dealt, the shoe's number, its gain and its rounds so far."""

ROW, STATE, TOOK = range(3)
"""What a round of a lane was led to: the row, the dealer's state, the bits of the cards drawn."""

_WORDS = np.uint64(WORDS)
_HALF, _LOW_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)
_EIGHT = np.uint64(8)


@jit
def _shuffle(card, size, shoe, last, deck, swaps, key):
    """A new shoe, shuffled as far as `last`: each card is swapped with a later one, or itself."""
    counter = np.uint64(shoe) << _WORDS
    for place in range(0, last, 2):
        word = squares(counter + np.uint64(place >> 1), key)
        swaps[place] = place + ((np.int64(word & _LOW_HALF) * (size - place)) >> 32)
        swaps[place + 1] = place + 1 + ((np.int64(word >> _HALF) * (size - place - 1)) >> 32)
    for place in range(size):
        deck[place] = card[place]
    for place in range(last):
        other = swaps[place]
        deck[place], deck[other] = deck[other], deck[place]


@inlined
def _new_shoe(fast_card, number, decks, lane, lanes, swaps, key, shoe):
    last = min(number[SIZE] - 1, number[COVER] + BEHIND)
    _shuffle(fast_card, number[SIZE], shoe, last, decks[lane * PLACES : (lane + 1) * PLACES], swaps, key)
    lanes[lane, POSITION], lanes[lane, NUMBER] = number[BURN], shoe
    lanes[lane, GAIN], lanes[lane, ROUNDS] = 0, 0


@inlined
def _gather(decks, place):
    """Eight cards from a place on, a byte each."""
    cards = np.uint64(decks[place])
    cards |= np.uint64(decks[place + np.uint64(1)]) << np.uint64(8)
    cards |= np.uint64(decks[place + np.uint64(2)]) << np.uint64(16)
    cards |= np.uint64(decks[place + np.uint64(3)]) << np.uint64(24)
    cards |= np.uint64(decks[place + np.uint64(4)]) << np.uint64(32)
    cards |= np.uint64(decks[place + np.uint64(5)]) << np.uint64(40)
    cards |= np.uint64(decks[place + np.uint64(6)]) << np.uint64(48)
    return cards | (np.uint64(decks[place + np.uint64(7)]) << np.uint64(56))


@jit
def _by_round_function(t, m, w, r, decks, deck, lane, lanes, filled, s):
    """A round by the round function: its gain and the cards used."""
    position = lanes[lane, POSITION]
    for place in range(t[at.SIZE]):
        deck[place] = decks[lane * PLACES + place]
    w[at.ROUND], w[at.POSITION], w[at.FILLED] = lanes[lane, NUMBER], position, filled
    begin(w, lanes[lane, NUMBER] * MOMENTS + lanes[lane, ROUNDS])
    play_round(t, m, w, deck, r, SHOE)
    gain, _ = record(t, m, w, s)
    return gain, w[at.POSITION] - position


@inlined
def _list_cards(decks, lane, position, filled, cards):
    """The next cards of a shoe, and behind the last that is shuffled none."""
    count = min(len(cards) - 1, filled - position)
    for place in range(count):
        cards[place] = decks[lane * PLACES + position + place]
    cards[count] = NO_CARD


@inlined
def _close(lanes, lane, gain, used):
    lanes[lane, GAIN] += gain
    lanes[lane, ROUNDS] += 1
    lanes[lane, POSITION] += used


@inlined
def _keep(block, lane, led):
    block[ROW, lane], block[STATE, lane], block[TOOK, lane] = led


@inlined
def _lead(pair, glance, second, start, turn, dealer, bounds, active, decks, lanes, block):
    """Lead a round of every lane through the table, four lanes at a time."""
    for lane in range(0, active, 4):
        a = _gather(decks, np.uint64(lane * PLACES + lanes[lane, POSITION]))
        b = _gather(decks, np.uint64((lane + 1) * PLACES + lanes[lane + 1, POSITION]))
        c = _gather(decks, np.uint64((lane + 2) * PLACES + lanes[lane + 2, POSITION]))
        d = _gather(decks, np.uint64((lane + 3) * PLACES + lanes[lane + 3, POSITION]))
        led_a, led_b, led_c, led_d = lead_four(pair, glance, second, start, turn, dealer, bounds, a, b, c, d)
        _keep(block, lane, led_a)
        _keep(block, lane + 1, led_b)
        _keep(block, lane + 2, led_c)
        _keep(block, lane + 3, led_d)


@inlined
def _move(decks, lanes, source, target):
    """Put a lane into another's place."""
    for what in range(4):
        lanes[target, what] = lanes[source, what]
    for place in range(PLACES):
        decks[target * PLACES + place] = decks[source * PLACES + place]


@jit
def fast_shoes(fast, t, m, w, r, first, last, decks, deck, lanes, block, swaps, cards, counts, both, s):
    """Play real shoes from `first` to before `last`; sums of rounds into `counts` and `both`, the rest into `s`."""
    card, pair, glance, second, start = fast.card, fast.pair, fast.glance, fast.second, fast.start
    turn, dealer, result, number, gains = fast.turn, fast.dealer, fast.result, fast.number, fast.kinds[:, 0]
    end, draws = np.uint64(number[FIRST_CLOSED]), np.uint64(number[DRAWS])
    split, frozen = np.uint64(number[FIRST_SPLIT]), np.uint64(number[FROZEN])
    bounds = end, draws, np.uint64(number[FIRST_IDLE]), frozen
    cover, key, main = number[COVER], r[KEY], m[at.MONEY_HEADER + at.MAIN]
    filled = min(number[SIZE] - 1, cover + BEHIND)
    table = card, pair, glance, second, start, turn, fast.split, fast.suited, dealer, result
    following, active = first, 0
    for lane in range(min(LANES, last - first)):
        _new_shoe(card, number, decks, lane, lanes, swaps, key, following)
        following += 1
        active += 1
    while active:
        _lead(pair, glance, second, start, turn, dealer, bounds, active, decks, lanes, block)
        for lane in range(active):
            row, state = block[ROW, lane], block[STATE, lane]
            if (row - end < split - end) & (state - draws < frozen + frozen - draws):
                kind = result[((row - end) << _EIGHT) + state]
                counts[kind] += 1
                _close(lanes, lane, gains[kind], np.int64(block[TOOK, lane] >> np.uint64(3)) + 4)
                continue
            _list_cards(decks, lane, lanes[lane, POSITION], filled, cards)
            one, two, used = play_listed(table, number, cards)
            if one < 0:
                gain, used = _by_round_function(t, m, w, r, decks, deck, lane, lanes, filled, s)
            elif two < 0:
                counts[one] += 1
                gain = gains[one]
            else:
                both[one * RESULTS + two] += 1
                gain = gains[one] + gains[two]
            _close(lanes, lane, gain, used)
        for lane in range(active - 1, -1, -1):
            if lanes[lane, POSITION] <= cover:
                continue
            record_shoe(s, lanes[lane, GAIN], lanes[lane, ROUNDS] * main)
            s[sums.CARDS] += lanes[lane, POSITION]
            if following < last:
                _new_shoe(card, number, decks, lane, lanes, swaps, key, following)
                following += 1
            else:
                active -= 1
                _move(decks, lanes, active, lane)
