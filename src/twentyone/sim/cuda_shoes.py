"""Real shoes on a GPU: each thread deals one; those that need the round function wait until they are a whole warp."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, attr-defined, call-arg, operator"

from __future__ import annotations

import numpy as np

from twentyone.sim.cuda_kernels import EVERYONE, WARP, add_tallies, clear_tallies, count_round, device, kernel  # isort: skip

from numba import cuda, int16, int32, int64, uint8, uint16, uint32, uint64

from twentyone.sim import layout as at
from twentyone.sim import stats
from twentyone.sim.draw import KEY, SHOE
from twentyone.sim.kernels import MOMENTS, record, record_shoe
from twentyone.sim.layout import BoxMoney, Parameter
from twentyone.sim.plain import play_round
from twentyone.sim.rare import play_listed
from twentyone.sim.rng import WORDS, squares_after
from twentyone.sim.shoes import BEHIND
from twentyone.sim.state_table import Fast, TableNumber
from twentyone.sim.steps import begin
from twentyone.sim.walk import ARRAY, kind_within, one, walk_through
from twentyone.sim.work import SHOE_ROOM, WORK_LENGTH, Work

__all__ = ["shoe_kernel"]

TURNS = 6
"""Rounds by the table between two visits to the rare ones."""
SHOE_NUMBER, NEXT_CARD, GAINED, PLAYED, STATUS = range(5)
"""What a thread keeps of its shoe: its number, the index of its next card, its gain and its rounds, and its status."""
GOES_ON, IS_RARE, LEAVES, IS_OVER = (np.int32(number) for number in range(4))
"""The status: the next round is for the state table, for that card by card, for the round function, or none is left."""
DECK, WORK = SHOE_ROOM, WORK_LENGTH
"""Sizes of a thread's own arrays: numba-cuda wants them as constants of this module."""

_WORDS, _HALF = np.uint64(WORDS), np.uint64(32)
_NONE, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)

_walk_array = walk_through(ARRAY, one, kind_within)


@device
def _swap(decks, one, word, count):
    """Swap a card with one of the next `count`, itself among them, by the low half of a word."""
    other = uint32(one + uint32((np.uint64(uint32(word)) * np.uint64(count)) >> _HALF))
    held = decks[one]
    decks[one] = decks[other]
    decks[other] = held


@device
def _shuffle(size, shoe, last, decks, base, key):
    """Shuffle a shoe as far as `last`, two cards of a word at a time: each is swapped with a later one, or itself.

    The first squaring of counters in a row comes by additions (`squares_in_row`). The next word is made beside the
    swaps, which wait for memory.
    """
    y = (np.uint64(shoe) << _WORDS) * key
    first, change, more = y * y + y, (y + y + _ONE + key) * key, _TWO * key * key
    word = squares_after(first, y, y + key)
    left, place, end = uint32(size), uint32(base), uint32(base + last)
    while place < end:
        y += key
        first += change
        change += more
        following = squares_after(first, y, y + key)
        _swap(decks, place, word, left)
        _swap(decks, uint32(place + uint32(1)), word >> _HALF, uint32(left - uint32(1)))
        word, place, left = following, uint32(place + uint32(2)), uint32(left - uint32(2))


@device
def _by_round_function(t, m, w, r, decks, deck, base, lane, filled, end, sums):
    """A thread's shoe after a round by the round function."""
    shoe = lane[SHOE_NUMBER]
    for index in range(t[Parameter.SIZE]):
        deck[index] = decks[base + index]
    w[Work.ROUND], w[Work.POSITION], w[Work.FILLED] = shoe, int64(lane[NEXT_CARD]) - base, filled
    begin(w, shoe * MOMENTS + lane[PLAYED])
    play_round(t, m, w, deck, r, SHOE)
    gain, _ = record(t, m, w, sums)
    return _closed(lane, gain, np.uint64(base + w[Work.POSITION]), end)


@device
def _closed(lane, gain, next_card, end):
    """A thread's shoe after one more round."""
    shoe, _, gained, played, _ = lane
    return shoe, next_card, gained + gain, played + 1, GOES_ON if uint32(next_card) <= uint32(end) else IS_OVER


@device
def _stopped(lane, status):
    """A thread's shoe with a round that waits."""
    return lane[SHOE_NUMBER], lane[NEXT_CARD], lane[GAINED], lane[PLAYED], status


@device
def _by_table(table, bounds, decks, steps, tallies, end, lane):
    """Some rounds by the state table, up to one that is rare."""
    idle, closed, step = bounds
    for _ in range(TURNS):
        if lane[STATUS] == GOES_ON:
            kind, next_card = _walk_array(table, decks, idle, closed, lane[NEXT_CARD])
            if uint32(kind) > uint32(0):
                cuda.atomic.add(tallies, int64(kind), 1)
                lane = _closed(lane, steps[kind] * step, next_card, end)
            else:
                lane = _stopped(lane, IS_RARE)
    return lane


@device
def _by_list(table, bounds, decks, shuffled, steps, tallies, end, lane):
    """A rare round by the state table card by card, where the cards shuffled suffice."""
    _, closed, step = bounds
    kinds, next_card = play_listed(table, closed, decks, lane[NEXT_CARD])
    if kinds == _NONE or next_card > shuffled:
        return _stopped(lane, LEAVES)
    return _closed(lane, count_round(kinds, steps, table.number[TableNumber.MIDDLE], tallies) * step, next_card, end)


@device
def _played_on(table, decks, shuffled, steps, tallies, end, lane):
    """The shoes of a warp, each played to its end or to a round that waits for the round function."""
    number = table.number
    idle, closed = np.uint64(number[TableNumber.FIRST_IDLE]), np.uint64(number[TableNumber.FIRST_CLOSED])
    bounds = idle, closed, number[TableNumber.GAIN_STEP]
    while cuda.any_sync(EVERYONE, lane[STATUS] == GOES_ON):
        lane = _by_table(table, bounds, decks, steps, tallies, end, lane)
        if lane[STATUS] == IS_RARE:
            lane = _by_list(table, bounds, decks, shuffled, steps, tallies, end, lane)
    return lane


@device
def _share(given, shared):
    """Copy a list into the block's own memory."""
    for index in range(cuda.threadIdx.x, given.shape[0], cuda.blockDim.x):
        shared[index] = given[index]


@device
def _shared_table(fast, packed, parts, room):
    """The state table in the block's own memory, from byte `room` on, with the results of closed rows only."""
    words, halves, octets = cuda.shared.array(0, uint32), cuda.shared.array(0, uint16), cuda.shared.array(0, uint8)
    for index in range(cuda.threadIdx.x, packed.shape[0], cuda.blockDim.x):
        words[room // 4 + index] = packed[index]
    two, one = room // 2, room
    return Fast(
        fast.card,
        octets[one + parts[0] : one + parts[1]],
        halves[two + parts[2] : two + parts[3]],
        halves[two + parts[3] : two + parts[4]],
        halves[two + parts[4] : two + parts[5]],
        halves[two + parts[5] : two + parts[6]],
        halves[two + parts[6] : two + parts[7]],
        halves[two + parts[7] : two + parts[8]],
        halves[two + parts[8] : two + parts[9]],
        octets[one + parts[1] : one + 2 * parts[2]],
        fast.number,
        fast.kinds,
    )


@device
def _new_shoe(words, shoes, begins, size, shoe, filled, burn, decks, base, key):
    """A thread's next shoe, shuffled."""
    index, count = uint32(0), uint32(words.shape[0])
    while index < count:
        shoes[uint32(begins + index)] = words[index]
        index = uint32(index + uint32(1))
    _shuffle(size, shoe, filled, decks, base, key)
    return shoe, np.uint64(base + burn), int64(0), int64(0), GOES_ON


@device
def _brought_back(kept, note, slot, shoes, begins, base):
    """A thread's shoe that was put aside."""
    for index in range(kept.shape[0]):
        shoes[begins + index] = kept[index, slot]
    return note[0, slot], np.uint64(base + note[1, slot]), note[2, slot], note[3, slot], LEAVES


@device
def _put_aside(kept, note, slot, shoes, begins, base, lane):
    """A thread's shoe waits for the round function."""
    for index in range(kept.shape[0]):
        kept[index, slot] = shoes[begins + index]
    note[0, slot], note[1, slot] = lane[SHOE_NUMBER], int64(lane[NEXT_CARD]) - base
    note[2, slot], note[3, slot] = lane[GAINED], lane[PLAYED]


@kernel
def shoe_kernel(fast, gain, packed, parts, words, t, m, keys, first, last, rows, counts, paused, notes):
    """Shoes from `first` to before `last`; sums of rounds into `counts`, the rest into a thread's row.

    `words` is the unshuffled shoe, four cards a word. A warp plays a shoe of each thread side by side; one that needs
    the round function is put aside, until there is one for each thread.
    """
    if first >= last:
        return
    w, deck, r = cuda.local.array(WORK, int64), cuda.local.array(DECK, int16), cuda.local.array(4, uint64)
    for index in range(4):
        r[index] = keys[index]
    counted, length, me = counts.shape[0] + gain.shape[0], words.shape[0], int64(cuda.threadIdx.x)
    steps = cuda.shared.array(0, int32)[0 : gain.shape[0]]
    tallies = cuda.shared.array(0, int32)[gain.shape[0] : counted]
    _share(gain, steps)
    table = _shared_table(fast, packed, parts, 4 * counted)
    clear_tallies(tallies)
    room = 4 * (counted + packed.shape[0])
    decks, shoes = cuda.shared.array(0, uint8), cuda.shared.array(0, uint32)
    base, begins = room + me * length * 4, room // 4 + me * length
    number, sums, warp, rank = fast.number, rows[cuda.grid(1)], cuda.grid(1) // WARP, me % WARP
    size, burn = number[TableNumber.SIZE], number[TableNumber.BURN]
    filled = min(size, number[TableNumber.COVER] + BEHIND + 1) // 2 * 2
    end, shuffled = np.uint64(base + number[TableNumber.COVER]), np.uint64(base + filled)
    begun, waiting = first + int64(warp) * WARP, 0
    while begun < last or waiting > 0:
        lane = int64(-1), np.uint64(base), int64(0), int64(0), IS_OVER
        if waiting >= WARP or begun >= last:
            taken = min(waiting, WARP)
            waiting -= taken
            if rank < taken:
                lane = _brought_back(paused[warp], notes[warp], waiting + rank, shoes, begins, base)
                lane = _by_round_function(t, m, w, r, decks, deck, base, lane, filled, end, sums)
        else:
            if begun + rank < last:
                lane = _new_shoe(words, shoes, begins, size, begun + rank, filled, burn, decks, base, r[KEY])
            begun += cuda.gridsize(1)
        lane = _played_on(table, decks, shuffled, steps, tallies, end, lane)
        leaving = cuda.ballot_sync(EVERYONE, lane[STATUS] == LEAVES)
        if lane[STATUS] == LEAVES:
            slot = waiting + cuda.popc(leaving & ((1 << rank) - 1))
            _put_aside(paused[warp], notes[warp], slot, shoes, begins, base, lane)
        elif lane[SHOE_NUMBER] >= 0:
            record_shoe(sums, lane[GAINED], lane[PLAYED] * m[at.MONEY_HEADER + BoxMoney.MAIN])
            sums[stats.CARDS] += int64(lane[NEXT_CARD]) - base
        waiting += cuda.popc(leaving)
        cuda.syncwarp(EVERYONE)
    add_tallies(tallies, counts)
