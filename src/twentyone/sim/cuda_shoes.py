"""Real shoes on a GPU by the state table: each thread deals a shoe of its own, the threads of a warp side by side.

A thread whose round is rare waits until others' are too: one after another, each rare round would hold up the warp.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, attr-defined, call-arg"

from __future__ import annotations

import numpy as np
from numba import cuda, int16, int32, int64, uint8, uint64

from twentyone.sim import layout as at
from twentyone.sim import stats
from twentyone.sim.draw import KEY, SHOE
from twentyone.sim.fast import lead
from twentyone.sim.kernels import MOMENTS, record, record_shoe
from twentyone.sim.plain import begin, play_round
from twentyone.sim.rare import SEEN, play_listed
from twentyone.sim.rng import WORDS, squares
from twentyone.sim.shoes import BEHIND
from twentyone.sim.table import (
    BURN,
    COVER,
    DRAWS,
    FIRST_CLOSED,
    FIRST_IDLE,
    FIRST_SPLIT,
    FROZEN,
    NO_CARD,
    RESULTS,
    SIZE,
)

__all__ = ["shoe_bytes", "shoe_kernel", "shoe_threads"]

AHEAD = 8
"""Places behind the last card that hold none, so that eight cards can be read from any place."""
SHARED = (48 << 10) - 64
"""Bytes of shared memory that every GPU gives to a block, less a few for the kernel itself."""
WARP = 32
EVERYONE = 0xFFFFFFFF
TURNS = 12
"""Rounds by the table between two visits to the rare ones."""
VISITS = 6
"""Visits to the rare ones between two of the round function."""
POSITION, GAINED, ROUNDS, STANDS = range(4)
"""What a thread keeps of its shoe: cards dealt, its gain and its rounds so far, and how it stands."""
GOES_ON, IS_RARE, LEAVES, IS_OVER = range(4)
"""How it stands: its next round is for the state table, for that card by card, for the round function, or for none."""
DECK, WORK = 512, at.WORK

_WORDS = np.uint64(WORDS)
_HALF, _LOW_HALF, _EIGHT = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(8)


device = cuda.jit(device=True, forceinline=True)
"""Compiles a part of the kernel."""


def shoe_bytes(threads: int, size: int, kinds: int) -> int:
    """Bytes of shared memory that a block of so many threads needs."""
    return 4 * (kinds + kinds * kinds) + threads * (size + AHEAD)


def shoe_threads(size: int, kinds: int) -> int:
    """Threads of a block whose shoes fit into its shared memory; none for a game with too many kinds of result."""
    room = SHARED - shoe_bytes(0, size, kinds)
    return max(0, room // (size + AHEAD) // WARP * WARP)


@device
def _swap(decks, one, other):
    held = decks[one]
    decks[one] = decks[other]
    decks[other] = held


@device
def _shuffle(card, size, shoe, last, decks, key):
    """A new shoe, shuffled as far as `last`; the places of a block's shoes lie side by side."""
    thread, width = cuda.threadIdx.x, cuda.blockDim.x
    for place in range(size):
        decks[place * width + thread] = card[place]
    for place in range(size, size + AHEAD):
        decks[place * width + thread] = NO_CARD
    counter = np.uint64(shoe) << _WORDS
    for place in range(0, last, 2):
        word = squares(counter + np.uint64(place >> 1), key)
        other = place + ((int64(word & _LOW_HALF) * (size - place)) >> 32)
        _swap(decks, place * width + thread, other * width + thread)
        if place + 1 < last:
            other = place + 1 + ((int64(word >> _HALF) * (size - place - 1)) >> 32)
            _swap(decks, (place + 1) * width + thread, other * width + thread)


@device
def _gather(decks, position):
    """Eight cards from a place on, a byte each."""
    thread, width = cuda.threadIdx.x, cuda.blockDim.x
    cards = np.uint64(0)
    for number in range(8):
        cards |= np.uint64(decks[(position + number) * width + thread]) << np.uint64(8 * number)
    return cards


@device
def _list_cards(decks, position, filled, cards):
    """The next cards of a shoe, and behind the last that is shuffled none."""
    thread, width = cuda.threadIdx.x, cuda.blockDim.x
    count = min(SEEN - 1, filled - position)
    for place in range(count):
        cards[place] = decks[(position + place) * width + thread]
    cards[count] = NO_CARD


@device
def _closed(lane, gain, used, cover):
    """A thread's shoe after one more round."""
    position, gained, rounds, _ = lane
    position += used
    return position, gained + gain, rounds + 1, GOES_ON if position <= cover else IS_OVER


@device
def _by_table(table, bounds, decks, gains, tallies, cover, lane):
    """Some rounds by the state table, up to one that is rare."""
    pair, glance, second, start, turn = table[1:6]
    dealer, result = table[8:]
    end, draws, split, idle, frozen = bounds
    for _ in range(TURNS):
        if lane[STANDS] == GOES_ON:
            cards = _gather(decks, lane[POSITION])
            row, state, took = lead(pair, glance, second, start, turn, dealer, (end, draws, idle, frozen), cards)
            if (row - end < split - end) and (state - draws < frozen + frozen - draws):
                kind = int64(result[((row - end) << _EIGHT) + state])
                cuda.atomic.add(tallies, kind, 1)
                lane = _closed(lane, gains[kind], int64(took >> np.uint64(3)) + 4, cover)
            else:
                lane = lane[POSITION], lane[GAINED], lane[ROUNDS], IS_RARE
    return lane


@device
def _by_list(table, number, decks, cards, filled, gains, tallies, cover, lane):
    """A rare round by the state table card by card."""
    _list_cards(decks, lane[POSITION], filled, cards)
    one, two, used = play_listed(table, number, cards)
    if one < 0:
        return lane[POSITION], lane[GAINED], lane[ROUNDS], LEAVES
    kinds = gains.shape[0]
    cuda.atomic.add(tallies, one if two < 0 else kinds + one * kinds + two, 1)
    return _closed(lane, gains[one] + (gains[two] if two >= 0 else 0), used, cover)


@device
def _by_round_function(t, m, w, r, decks, deck, shoe, filled, cover, sums, lane):
    """A round by the round function."""
    thread, width = cuda.threadIdx.x, cuda.blockDim.x
    for place in range(t[at.SIZE]):
        deck[place] = decks[place * width + thread]
    w[at.ROUND], w[at.POSITION], w[at.FILLED] = shoe, lane[POSITION], filled
    begin(w, shoe * MOMENTS + lane[ROUNDS])
    play_round(t, m, w, deck, r, SHOE)
    gain, _ = record(t, m, w, sums)
    return _closed(lane, gain, w[at.POSITION] - lane[POSITION], cover)


@device
def _clear(tallies, length):
    for place in range(cuda.threadIdx.x, length, cuda.blockDim.x):
        tallies[place] = 0
    cuda.syncthreads()


@device
def _tell(tallies, kinds, counts, both):
    """Add a block's tallies to those of all."""
    cuda.syncthreads()
    for place in range(cuda.threadIdx.x, kinds, cuda.blockDim.x):
        if tallies[place]:
            cuda.atomic.add(counts, place, int64(tallies[place]))
    for place in range(cuda.threadIdx.x, kinds * kinds, cuda.blockDim.x):
        if tallies[kinds + place]:
            cuda.atomic.add(both, place // kinds * RESULTS + place % kinds, int64(tallies[kinds + place]))


@device
def _bounds(number):
    end, draws = np.uint64(number[FIRST_CLOSED]), np.uint64(number[DRAWS])
    return end, draws, np.uint64(number[FIRST_SPLIT]), np.uint64(number[FIRST_IDLE]), np.uint64(number[FROZEN])


@cuda.jit
def shoe_kernel(
    card, pair, glance, second, start, turn, split, suited, dealer, result, number, gains,
    t, m, keys, first, last, rows, counts, both,
):  # fmt: skip
    """Shoes from `first` to before `last`; sums of rounds into `counts` and `both`, the rest into a thread's row."""
    w, deck, r = cuda.local.array(WORK, int64), cuda.local.array(DECK, int16), cuda.local.array(4, uint64)
    for place in range(4):
        r[place] = keys[place]
    cards, kinds = cuda.local.array(SEEN, uint8), gains.shape[0]
    tallies = cuda.shared.array(0, int32)
    decks = cuda.shared.array(0, uint8)[4 * (kinds + kinds * kinds) :]
    _clear(tallies, kinds + kinds * kinds)
    bounds, cover, sums = _bounds(number), number[COVER], rows[cuda.grid(1)]
    filled = min(number[SIZE] - 1, cover + BEHIND)
    table = card, pair, glance, second, start, turn, split, suited, dealer, result
    for begun in range(first + int64(cuda.blockIdx.x) * cuda.blockDim.x, last, cuda.gridsize(1)):
        shoe, visit = begun + cuda.threadIdx.x, 0
        lane = number[BURN], int64(0), int64(0), GOES_ON if shoe < last else IS_OVER
        if shoe < last:
            _shuffle(card, number[SIZE], shoe, filled, decks, r[KEY])
        while cuda.any_sync(EVERYONE, lane[STANDS] != IS_OVER):
            lane = _by_table(table, bounds, decks, gains, tallies, cover, lane)
            if lane[STANDS] == IS_RARE:
                lane = _by_list(table, number, decks, cards, filled, gains, tallies, cover, lane)
            visit += 1
            due = not cuda.any_sync(EVERYONE, lane[STANDS] == GOES_ON) or visit % VISITS == 0
            if due and lane[STANDS] == LEAVES:
                lane = _by_round_function(t, m, w, r, decks, deck, shoe, filled, cover, sums, lane)
        if shoe < last:
            record_shoe(sums, lane[GAINED], lane[ROUNDS] * m[at.MONEY_HEADER + at.MAIN])
            sums[stats.CARDS] += lane[POSITION]
    _tell(tallies, kinds, counts, both)
