"""The fast path of real shoes: sixteen shoes side by side, each dealt to its cover card by the state table.

A pass plays one round of every lane, four lanes at a time, and lists the rounds that are not over. These are then
played card by card or by the round function, and lanes past their cover cards get new shoes.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.sim import layout as at
from twentyone.sim import stats as sums
from twentyone.sim.draw import KEY, SHOE
from twentyone.sim.jit import inlined, jit
from twentyone.sim.kernels import MOMENTS, record, record_shoe
from twentyone.sim.layout import BoxMoney, Parameter
from twentyone.sim.plain import play_round
from twentyone.sim.rare import count_listed, play_listed
from twentyone.sim.rng import WORDS, key_squares, squares_in_row
from twentyone.sim.state_table import NO_CARD, TableNumber
from twentyone.sim.steps import begin
from twentyone.sim.walk import ARRAY, four, walk_through
from twentyone.sim.work import SHOE_ROOM, Work

__all__ = ["Lanes", "fast_shoes"]

LANES = 16
"""Shoes that are played side by side; a multiple of four."""
BEHIND = 12
"""Cards after the cover card that are shuffled with those before it: more than four and a card for every step."""

_WORDS = np.uint64(WORDS)
_HALF, _LOW_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)
_SIXTEEN, _OTHER = np.uint64(16), np.uint64(0xFFFF0000)
_NONE, _ONE, _TWO, _THREE, _FOUR = (np.uint64(number) for number in range(5))
_FIFTEEN, _LANES, _SHOE_ROOM = np.uint64(15), np.uint64(LANES), np.uint64(SHOE_ROOM)


class Lanes(NamedTuple):
    """Work space of a thread: lanes, each with a shoe."""

    decks: NDArray[np.uint8]
    """The cards of each lane's shoe (rows of `SHOE_ROOM`), then as many rows without a card, where idle lanes wait."""
    next_card: NDArray[np.uint64]
    """The index in `decks` of the next card of a lane."""
    gain: NDArray[np.int64]
    """What a lane's shoe has gained."""
    number: NDArray[np.int64]
    """The number of a lane's shoe."""
    begun: NDArray[np.int64]
    """The pass with which a lane's shoe began."""
    steps: NDArray[np.uint64]
    """The squares of the multiples of the key."""
    words: NDArray[np.uint64]
    """Random words of a shoe: a half of a word for each card."""
    left: NDArray[np.uint32]
    """How many cards are left to choose from for the first half of a word."""
    places: NDArray[np.uint32]
    """The indices of the two cards of a word, sixteen bits each."""
    swaps: NDArray[np.uint16]
    """The index with which each card of a shoe is swapped."""
    two_swaps: NDArray[np.uint32]
    """The same memory, the two cards of a word together."""
    listed: NDArray[np.uint64]
    """Where the rounds begin that are not over after a pass."""
    deck: NDArray[np.int16]
    """A shoe for the round function."""

    @classmethod
    def new(cls) -> Lanes:
        """Work space for one thread."""
        swaps, even = np.zeros(SHOE_ROOM, np.uint16), np.arange(0, SHOE_ROOM, 2, dtype=np.uint32)
        return cls(
            decks=np.full(2 * LANES * SHOE_ROOM, NO_CARD, np.uint8),
            next_card=np.zeros(LANES, np.uint64),
            gain=np.zeros(LANES, np.int64),
            number=np.zeros(LANES, np.int64),
            begun=np.zeros(LANES, np.int64),
            steps=np.zeros(SHOE_ROOM // 2, np.uint64),
            words=np.zeros(SHOE_ROOM // 2, np.uint64),
            left=np.zeros(SHOE_ROOM // 2, np.uint32),
            places=even | (even + np.uint32(1)) << np.uint32(16),
            swaps=swaps,
            two_swaps=swaps.view(np.uint32),
            listed=np.zeros(LANES + 1, np.uint64),
            deck=np.zeros(SHOE_ROOM, np.int16),
        )

    def clear(self) -> None:
        """Refill with `NO_CARD`, so that nothing of the last game is read past a shoe's end."""
        self.decks.fill(NO_CARD)


# -- shoes


@inlined
def _choose(last, shoe, key, lanes):
    """The index with which each card is swapped, as far as `last`: two cards of a word at a time."""
    two_swaps, places, lefts, count = lanes.two_swaps, lanes.places, lanes.left, (last + 1) >> 1
    words = lanes.words[:count]
    squares_in_row(np.uint64(shoe) << _WORDS, key, lanes.steps, words)
    for index in range(count):
        word, left = words[index], np.uint64(lefts[index])
        one = ((word & _LOW_HALF) * left) >> _HALF
        other = ((word >> _HALF) * ((left - _ONE) & _LOW_HALF)) >> _SIXTEEN
        two_swaps[index] = np.uint32(one | (other & _OTHER)) + places[index]


@inlined
def _shuffle(card, size, last, shoe, key, lanes, base):
    """A new shoe from `base` on, shuffled as far as `last`: each card is swapped with a later one, or itself."""
    decks, swaps = lanes.decks, lanes.swaps
    _choose(last, shoe, key, lanes)
    for index in range(size):
        decks[base + np.uint64(index)] = card[index]
    for index in range(last):
        one, other = base + np.uint64(index), base + np.uint64(swaps[index])
        decks[one], decks[other] = decks[other], decks[one]


@inlined
def _make_ready(size, key, lanes):
    """What the shoes of a game and a key have in common."""
    key_squares(key, lanes.steps)
    for index in range(len(lanes.left)):
        lanes.left[index] = size - 2 * index


@inlined
def _new_shoe(fast, last, lanes, lane, shoe, key, passes):
    """Put a new shoe into a lane and burn a card."""
    base = np.uint64(lane) * _SHOE_ROOM
    _shuffle(fast.card, fast.number[TableNumber.SIZE], last, shoe, key, lanes, base)
    lanes.next_card[lane] = base + np.uint64(fast.number[TableNumber.BURN])
    lanes.gain[lane], lanes.number[lane], lanes.begun[lane] = 0, shoe, passes


@inlined
def _park(lanes, lane):
    """Let a lane wait where there are no cards, so that its rounds are never over."""
    lanes.next_card[lane] = (np.uint64(lane) + _LANES) * _SHOE_ROOM


# -- a pass


_walk = walk_through(ARRAY, four)


@inlined
def _pass(fast, gains, idle, lanes, counts):
    """A round of every lane; returns how many are not over."""
    decks, next_card, gain, listed, count = lanes.decks, lanes.next_card, lanes.gain, lanes.listed, _NONE
    for first in range(0, LANES, 4):
        begun = next_card[first], next_card[first + 1], next_card[first + 2], next_card[first + 3]
        rounds = _walk(fast, decks, idle, _NONE, begun)
        for each in range(4):
            kind, after = rounds[each]
            counts[kind] += 1
            gain[first + each] += gains[kind]
            listed[count] = begun[each]
            next_card[first + each] = after
            count += np.uint64(kind == _NONE)
    return count


@inlined
def _any_at_end(next_card, cover):
    """Whether a lane is past its cover card."""
    ended = False
    for lane in range(LANES):
        ended |= next_card[lane] % _SHOE_ROOM > cover
    return ended


# -- rounds that are not over after a pass


@jit
def _by_round_function(t, m, w, r, lanes, lane, passes, position, filled, s):
    """A round by the round function: its gain and the next card."""
    decks, deck, shoe, played = lanes.decks, lanes.deck, lanes.number[lane], passes - lanes.begun[lane]
    for index in range(t[Parameter.SIZE]):
        deck[index] = decks[lane * SHOE_ROOM + index]
    w[Work.ROUND], w[Work.POSITION], w[Work.FILLED] = shoe, position, filled
    begin(w, shoe * MOMENTS + played)
    play_round(t, m, w, deck, r, SHOE)
    gain, _ = record(t, m, w, s)
    return gain, w[Work.POSITION]


@inlined
def _finish(fast, t, m, w, r, lanes, first, passes, filled, counts, s):
    """Play a listed round from its first card."""
    lane = first // _SHOE_ROOM
    kinds, behind = play_listed(fast, _NONE, lanes.decks, first)
    if kinds == _NONE or behind > lane * _SHOE_ROOM + np.uint64(filled):
        position = np.int64(first - lane * _SHOE_ROOM)
        gain, position = _by_round_function(t, m, w, r, lanes, np.int64(lane), passes, position, filled, s)
        behind = lane * _SHOE_ROOM + np.uint64(position)
    else:
        gain = count_listed(kinds, fast.kinds, fast.number[TableNumber.MIDDLE], counts)
    lanes.gain[lane] += gain
    lanes.next_card[lane] = behind


@jit
def fast_shoes(fast, gains, t, m, w, r, first, last, lanes, counts, s):
    """Play real shoes from `first` to before `last`; sums of rounds into `counts`, the rest into `s`."""
    idle, cover, key, main = (
        np.uint64(fast.number[TableNumber.FIRST_IDLE]),
        fast.number[TableNumber.COVER],
        r[KEY],
        m[at.MONEY_HEADER + BoxMoney.MAIN],
    )
    filled = min(fast.number[TableNumber.SIZE] - 1, cover + BEHIND)
    following, active, passes = first, 0, 0
    _make_ready(fast.number[TableNumber.SIZE], key, lanes)
    for lane in range(LANES):
        _park(lanes, lane)
        if following < last:
            _new_shoe(fast, filled, lanes, lane, following, key, passes)
            following += 1
            active += 1
    while active:
        count = _pass(fast, gains, idle, lanes, counts)
        for number in range(count):
            begun = lanes.listed[np.uint64(number)]
            if begun < _LANES * _SHOE_ROOM:
                _finish(fast, t, m, w, r, lanes, begun, passes, filled, counts, s)
            else:
                _park(lanes, begun // _SHOE_ROOM - _LANES)
        passes += 1
        if not _any_at_end(lanes.next_card, np.uint64(cover)):
            continue
        for lane in range(LANES):
            position = np.int64(lanes.next_card[lane]) - lane * SHOE_ROOM
            if position <= cover or position >= LANES * SHOE_ROOM:
                continue
            record_shoe(s, lanes.gain[lane], (passes - lanes.begun[lane]) * main)
            s[sums.CARDS] += position
            if following < last:
                _new_shoe(fast, filled, lanes, lane, following, key, passes)
                following += 1
            else:
                _park(lanes, lane)
                active -= 1
    counts[0] = 0
