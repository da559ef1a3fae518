"""What runs on a GPU: fresh shoes by the state table, its rare rounds, real shoes, the round function, sums.

All of it is in one module, because Numba's simulator of a GPU (the tests run it) replaces `cuda` module by module.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, attr-defined, call-arg"

from __future__ import annotations

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda still looks it up

from numba import config, cuda, int16, int32, int64, uint8, uint64

from twentyone.sim import layout as at
from twentyone.sim import stats
from twentyone.sim.draw import KEY, SHOE
from twentyone.sim.fast import eight_cards
from twentyone.sim.jit import stamped, without_scipy
from twentyone.sim.kernels import MOMENTS, fresh_round, play_shoes, record, record_shoe
from twentyone.sim.layout import BoxMoney, Parameter
from twentyone.sim.plain import begin, play_round
from twentyone.sim.rare import SEEN, play_listed, rare_round
from twentyone.sim.reduced import play_parts
from twentyone.sim.rng import WORDS, squares
from twentyone.sim.shoes import BEHIND
from twentyone.sim.state_table import NO_CARD, RESULTS, TableNumber
from twentyone.sim.walk import ARRAY, WORD, one, walk_through
from twentyone.sim.work import SHOE_ROOM, WORK_LENGTH, Work

__all__ = [
    "clear_kernel",
    "fast_kernel",
    "left_kernel",
    "part_kernel",
    "pitch_of",
    "plain_shoe_kernel",
    "rare_kernel",
    "round_kernel",
    "shoe_bytes",
    "shoe_kernel",
    "shoe_threads",
    "sum_kernel",
]

without_scipy("numba.cuda.np.arraymath")

AHEAD = 12
"""Entries past the last card that hold none, at least: as many as a round by the table may look ahead."""
SHARED = (48 << 10) - 64
"""Bytes of shared memory that every GPU gives to a block, less a few for the kernel itself."""
WARP = 32
WIDEST = 4 * WARP
"""Threads of a block of real shoes at most: small shoes leave room for more than there are registers."""
EVERYONE = 0xFFFFFFFF
TURNS = 12
"""Rounds by the table between two visits to the rare ones."""
VISITS = 6
"""Visits to the rare ones between two of the round function."""
NEXT_CARD, GAINED, ROUNDS, STATUS = range(4)
"""What a thread keeps of its shoe: the index of its next card, its gain and its rounds so far, and its status."""
GOES_ON, IS_RARE, LEAVES, IS_OVER = range(4)
"""The status: the next round is for the state table, for that card by card, for the round function, or none is left."""
DECK, WORK = SHOE_ROOM, WORK_LENGTH
"""Sizes of a thread's own arrays: numba-cuda wants them as constants of this module."""

_WORDS, _HALF, _LOW_HALF = np.uint64(WORDS), np.uint64(32), np.uint64(0xFFFFFFFF)
_NONE = np.uint64(0)

device = cuda.jit(device=True) if config.ENABLE_CUDASIM else cuda.jit(device=True, forceinline=True)
"""Compiles a part of the kernel; Numba's simulator of a GPU has nothing to make it one with."""


_walk_word, _walk_array = walk_through(WORD, one), walk_through(ARRAY, one)


def kernel(function):
    """Compile what the host launches; it is kept on disk as the functions of a core are."""
    return stamped(cuda.jit(cache=True)(function))


# -- tallies of a block


@device
def _clear_tallies(tallies, kinds):
    """Clear a block's tallies: of results, then of pairs of them."""
    for index in range(cuda.threadIdx.x, kinds + kinds * kinds, cuda.blockDim.x):
        tallies[index] = 0
    cuda.syncthreads()


@device
def _add_tallies(tallies, kinds, counts, both):
    """Add a block's tallies to those of all."""
    cuda.syncthreads()
    for index in range(cuda.threadIdx.x, kinds, cuda.blockDim.x):
        if tallies[index]:
            cuda.atomic.add(counts, index, int64(tallies[index]))
    for index in range(cuda.threadIdx.x, kinds * kinds, cuda.blockDim.x):
        if tallies[kinds + index]:
            cuda.atomic.add(both, index // kinds * RESULTS + index % kinds, int64(tallies[kinds + index]))


# -- fresh shoes, and the round function


@kernel
def fast_kernel(fast, key, first, each, counts, lists, filled, most):
    """Each thread plays `each` rounds by the state table; a block lists what it leaves in its own row."""
    tallies = cuda.shared.array(RESULTS, int32)
    count = cuda.shared.array(1, int32)
    thread, width, block = cuda.threadIdx.x, cuda.blockDim.x, cuda.blockIdx.x
    for index in range(thread, RESULTS, width):
        tallies[index] = 0
    if thread == 0:
        count[0] = 0
    cuda.syncthreads()
    size, threshold = np.uint64(fast.number[TableNumber.SIZE]), np.uint64(fast.number[TableNumber.THRESHOLD])
    idle = np.uint64(fast.number[TableNumber.FIRST_IDLE])
    begun = first + int64(block) * width * each + thread
    for turn_number in range(each):
        played = begun + int64(turn_number) * width
        cards = eight_cards(fast.card, size, threshold, key, played)
        kind = int64(_walk_word(fast, _NONE, idle, cards)[0])
        if kind > 0:
            cuda.atomic.add(tallies, kind, 1)
        else:
            slot = cuda.atomic.add(count, 0, 1)
            if slot < lists.shape[1]:
                lists[block, slot] = played
    cuda.syncthreads()
    for index in range(thread, RESULTS, width):
        if tallies[index]:
            cuda.atomic.add(counts, index, int64(tallies[index]))
    if thread == 0:
        filled[block] = min(count[0], lists.shape[1])
        cuda.atomic.max(most, 0, count[0])


@kernel
def rare_kernel(fast, key, lists, filled, kinds, counts, both, left, remaining):
    """Each block plays its own list; what it leaves goes into its row of `left`.

    Its tallies, of results and then of pairs of them, are in the block's own memory: few kinds are common, and all
    blocks would wait for each other there.
    """
    seen, cards = cuda.local.array(8, uint64), cuda.local.array(SEEN, uint8)
    count, tallies = cuda.shared.array(1, int32), cuda.shared.array(0, int32)
    thread, width, block = cuda.threadIdx.x, cuda.blockDim.x, cuda.blockIdx.x
    if thread == 0:
        count[0] = 0
    _clear_tallies(tallies, kinds)
    for index in range(thread, filled[block], width):
        first, second_hand = rare_round(fast, key, lists[block, index], seen, cards)
        one, two = int64(first), int64(second_hand)
        if one == 0:
            left[block, cuda.atomic.add(count, 0, 1)] = lists[block, index]
        else:
            cuda.atomic.add(tallies, one if two == 0 else kinds + one * kinds + two, 1)
    _add_tallies(tallies, kinds, counts, both)
    if thread == 0:
        remaining[block] = count[0]


@kernel
def left_kernel(t, m, keys, blocks, left, remaining, rows):
    """The round function for what is left of the lists; each thread adds to its own row of sums."""
    w, deck, r = cuda.local.array(WORK, int64), cuda.local.array(DECK, int16), cuda.local.array(4, uint64)
    for index in range(4):
        r[index] = keys[index]
    sums = rows[cuda.grid(1)]
    for block in range(cuda.blockIdx.x, blocks, cuda.gridDim.x):
        for index in range(cuda.threadIdx.x, remaining[block], cuda.blockDim.x):
            fresh_round(t, m, w, deck, r, left[block, index])
            record(t, m, w, sums)


@kernel
def round_kernel(t, m, keys, first, last, rows):
    """The round function alone, round after round of fresh shoes."""
    w, deck, r = cuda.local.array(WORK, int64), cuda.local.array(DECK, int16), cuda.local.array(4, uint64)
    for index in range(4):
        r[index] = keys[index]
    sums = rows[cuda.grid(1)]
    for number in range(first + cuda.grid(1), last, cuda.gridsize(1)):
        fresh_round(t, m, w, deck, r, number)
        record(t, m, w, sums)


@kernel
def plain_shoe_kernel(t, m, keys, first, last, rows):
    """Real shoes, one after another."""
    w, deck, r = cuda.local.array(WORK, int64), cuda.local.array(DECK, int16), cuda.local.array(4, uint64)
    for index in range(4):
        r[index] = keys[index]
    sums = rows[cuda.grid(1)]
    for shoe in range(first + cuda.grid(1), last, cuda.gridsize(1)):
        play_shoes(t, m, w, deck, r, shoe, shoe + 1, sums)


@kernel
def part_kernel(t, m, keys, source, antithetic, first, last, rows):
    """Rounds or shoes whose variance is reduced, part after part."""
    w, deck, r = cuda.local.array(WORK, int64), cuda.local.array(DECK, int16), cuda.local.array(4, uint64)
    for index in range(4):
        r[index] = keys[index]
    sums = rows[cuda.grid(1)]
    for part in range(first + cuda.grid(1), last, cuda.gridsize(1)):
        play_parts(t, m, w, deck, r, source, antithetic, part, part + 1, sums)


@kernel
def clear_kernel(rows):
    """Clear the rows of all threads."""
    for row in range(cuda.blockIdx.x, rows.shape[0], cuda.gridDim.x):
        for column in range(cuda.threadIdx.x, rows.shape[1], cuda.blockDim.x):
            rows[row, column] = 0


@kernel
def sum_kernel(rows, sums):
    """Add the rows of all threads, each block some of them."""
    for column in range(cuda.threadIdx.x, rows.shape[1], cuda.blockDim.x):
        total = int64(0)
        for row in range(cuda.blockIdx.x, rows.shape[0], cuda.gridDim.x):
            total += rows[row, column]
        cuda.atomic.add(sums, column, total)


# -- real shoes: each thread deals a shoe of its own; a rare round waits until others of its warp are rare too


def pitch_of(size: int) -> int:
    """Bytes from one thread's shoe to the next: an odd number of words, so that equal indices spread over all banks."""
    return (size + AHEAD + 3) // 4 * 4 | 4


def shoe_bytes(threads: int, size: int, kinds: int) -> int:
    """Bytes of shared memory that a block of this many threads needs."""
    return 4 * (kinds + kinds * kinds) + threads * pitch_of(size)


def shoe_threads(size: int, kinds: int) -> int:
    """Threads of a block whose shoes fit into its shared memory; none for a game with too many kinds of result."""
    room = SHARED - shoe_bytes(0, size, kinds)
    return min(WIDEST, max(0, room // pitch_of(size) // WARP * WARP))


@device
def _swap(decks, one, other):
    held = decks[one]
    decks[one] = decks[other]
    decks[other] = held


@device
def _shuffle(card, size, shoe, last, decks, base, pitch, key):
    """A new shoe from `base` on, shuffled as far as `last`: each card is swapped with a later one, or itself."""
    for index in range(pitch):
        decks[base + index] = card[index] if index < size else NO_CARD
    counter = np.uint64(shoe) << _WORDS
    for index in range(0, last, 2):
        word = squares(counter + np.uint64(index >> 1), key)
        _swap(decks, base + index, base + index + ((int64(word & _LOW_HALF) * (size - index)) >> 32))
        if index + 1 < last:
            other = index + 1 + ((int64(word >> _HALF) * (size - index - 1)) >> 32)
            _swap(decks, base + index + 1, base + other)


@device
def _closed(lane, gain, next_card, end):
    """A thread's shoe after one more round."""
    return next_card, lane[GAINED] + gain, lane[ROUNDS] + 1, GOES_ON if next_card <= end else IS_OVER


@device
def _by_table(fast, idle, decks, gains, tallies, end, lane):
    """Some rounds by the state table, up to one that is rare."""
    for _ in range(TURNS):
        if lane[STATUS] == GOES_ON:
            kind, next_card = _walk_array(fast, decks, idle, lane[NEXT_CARD])
            if kind > _NONE:
                cuda.atomic.add(tallies, int64(kind), 1)
                lane = _closed(lane, gains[kind], next_card, end)
            else:
                lane = lane[NEXT_CARD], lane[GAINED], lane[ROUNDS], IS_RARE
    return lane


@device
def _by_list(fast, decks, filled, gains, tallies, end, lane):
    """A rare round by the state table card by card, where the cards shuffled suffice."""
    one, two, next_card = play_listed(fast, decks, lane[NEXT_CARD])
    if one == _NONE or next_card > filled:
        return lane[NEXT_CARD], lane[GAINED], lane[ROUNDS], LEAVES
    kinds = gains.shape[0]
    cuda.atomic.add(tallies, int64(one) if two == _NONE else kinds + int64(one) * kinds + int64(two), 1)
    return _closed(lane, gains[one] + (gains[two] if two > _NONE else 0), next_card, end)


@device
def _by_round_function(t, m, w, r, decks, deck, shoe, base, filled, end, sums, lane):
    """A round by the round function."""
    for index in range(t[Parameter.SIZE]):
        deck[index] = decks[base + index]
    w[Work.ROUND], w[Work.POSITION], w[Work.FILLED] = shoe, int64(lane[NEXT_CARD]) - base, filled
    begin(w, shoe * MOMENTS + lane[ROUNDS])
    play_round(t, m, w, deck, r, SHOE)
    gain, _ = record(t, m, w, sums)
    return _closed(lane, gain, np.uint64(base + w[Work.POSITION]), end)


@kernel
def shoe_kernel(fast, gains, pitch, t, m, keys, first, last, rows, counts, both):
    """Shoes from `first` to before `last`; sums of rounds into `counts` and `both`, the rest into a thread's row."""
    w, deck, r = cuda.local.array(WORK, int64), cuda.local.array(DECK, int16), cuda.local.array(4, uint64)
    for index in range(4):
        r[index] = keys[index]
    tallies, kinds = cuda.shared.array(0, int32), gains.shape[0]
    decks = cuda.shared.array(0, uint8)[4 * (kinds + kinds * kinds) :]
    _clear_tallies(tallies, kinds)
    number, idle = fast.number, np.uint64(fast.number[TableNumber.FIRST_IDLE])
    base, sums = int64(cuda.threadIdx.x) * pitch, rows[cuda.grid(1)]
    filled = min(number[TableNumber.SIZE] - 1, number[TableNumber.COVER] + BEHIND)
    end, shuffled = np.uint64(base + number[TableNumber.COVER]), np.uint64(base + filled)
    for begun in range(first + int64(cuda.blockIdx.x) * cuda.blockDim.x, last, cuda.gridsize(1)):
        shoe, visit = begun + cuda.threadIdx.x, 0
        lane = np.uint64(base + number[TableNumber.BURN]), int64(0), int64(0), GOES_ON if shoe < last else IS_OVER
        if shoe < last:
            _shuffle(fast.card, number[TableNumber.SIZE], shoe, filled, decks, base, pitch, r[KEY])
        while cuda.any_sync(EVERYONE, lane[STATUS] != IS_OVER):
            lane = _by_table(fast, idle, decks, gains, tallies, end, lane)
            if lane[STATUS] == IS_RARE:
                lane = _by_list(fast, decks, shuffled, gains, tallies, end, lane)
            visit += 1
            due = not cuda.any_sync(EVERYONE, lane[STATUS] == GOES_ON) or visit % VISITS == 0
            if due and lane[STATUS] == LEAVES:
                lane = _by_round_function(t, m, w, r, decks, deck, shoe, base, filled, end, sums, lane)
        if shoe < last:
            record_shoe(sums, lane[GAINED], lane[ROUNDS] * m[at.MONEY_HEADER + BoxMoney.MAIN])
            sums[stats.CARDS] += int64(lane[NEXT_CARD]) - base
    _add_tallies(tallies, kinds, counts, both)
