"""What runs on a GPU: fresh shoes by the state table, its rare rounds, the round function, sums."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, attr-defined, call-arg"
# mypy: disable-error-code="call-overload, operator"

from __future__ import annotations

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda still looks it up

from numba import config, cuda, int16, int32, int64, uint8, uint64

from twentyone.sim.fast import careful_indices, easy_indices, eight_cards
from twentyone.sim.jit import stamped, without_scipy
from twentyone.sim.kernels import fresh_round, play_shoes, record
from twentyone.sim.rare import SEEN, rare_round
from twentyone.sim.reduced import play_parts
from twentyone.sim.rng import WORDS
from twentyone.sim.state_table import RESULTS, TableNumber
from twentyone.sim.walk import WORD, one, walk_through
from twentyone.sim.work import SHOE_ROOM, WORK_LENGTH

__all__ = [
    "EVERYONE",
    "RARE_THREADS",
    "REGISTERS",
    "WARP",
    "add_tallies",
    "clear_kernel",
    "clear_tallies",
    "count_round",
    "device",
    "fast_kernel",
    "kernel",
    "left_kernel",
    "part_kernel",
    "plain_shoe_kernel",
    "rare_kernel",
    "round_kernel",
    "sum_kernel",
]

without_scipy("numba.cuda.np.arraymath")

REGISTERS = 128
"""Of a thread at most."""
DECK, WORK = SHOE_ROOM, WORK_LENGTH
"""Sizes of a thread's own arrays: numba-cuda wants them as constants of this module."""

WARP = 1 if config.ENABLE_CUDASIM else 32
"""Threads that vote together: in Numba's simulator of a GPU each thread is alone."""
EVERYONE = 0xFFFFFFFF
WAITING = 2 * 512
"""Rounds of a block that wait at most: two of each thread."""
RARE_THREADS = 256
"""Threads of a block for rare rounds. Each has its own part of shared memory, an odd number of banks apart."""
SEEN_ROW, CARDS_ROW = 9, 28
SEEN_ROOM, CARDS_ROOM = SEEN_ROW * RARE_THREADS, CARDS_ROW * RARE_THREADS

_WORDS, _HALF = np.uint64(WORDS), np.uint64(32)
_NONE, _LOW, _SIXTEEN, _RESULTS = np.uint64(0), np.uint64(0xFFFF), np.uint64(16), np.uint64(RESULTS)

device = cuda.jit(device=True) if config.ENABLE_CUDASIM else cuda.jit(device=True, forceinline=True)
"""Compiles a part of the kernel; Numba's simulator of a GPU has nothing to make it one with."""


_walk_word = walk_through(WORD, one)


def kernel(function):
    """Compile what the host launches; it is kept on disk as the functions of a core are."""
    most = {} if config.ENABLE_CUDASIM else {"max_registers": REGISTERS}
    return stamped(cuda.jit(cache=True, **most)(function))


# -- tallies of a block


@device
def clear_tallies(tallies):
    """Clear a block's tallies (see `Fast.counters`)."""
    for index in range(cuda.threadIdx.x, tallies.shape[0], cuda.blockDim.x):
        tallies[index] = 0
    cuda.syncthreads()


@device
def add_tallies(tallies, counts):
    """Add a block's tallies to those of all."""
    cuda.syncthreads()
    for index in range(cuda.threadIdx.x, tallies.shape[0], cuda.blockDim.x):
        if tallies[index]:
            cuda.atomic.add(counts, index, int64(tallies[index]))


@device
def count_round(kinds, steps, middle, tallies):
    """Count a round by the kinds of result of its hands; returns its gain in steps."""
    if kinds < _RESULTS:
        cuda.atomic.add(tallies, int64(kinds), 1)
        return int64(steps[kinds])
    gain, count = int64(0), steps.shape[0]
    while kinds > _NONE:
        kind = kinds & _LOW
        cuda.atomic.add(tallies, count + int64(kind), 1)
        gain += steps[kind]
        kinds >>= _SIXTEEN
    cuda.atomic.add(tallies, 2 * count + middle + gain, 1)
    return gain


# -- fresh shoes, and the round function


@device
def _played(fast, idle, a, b, played, counts, lists, count):
    """Play a round by the state table and count it, or list it."""
    kind = int64(_walk_word(fast, _NONE, idle, _NONE, eight_cards(fast.card, a, b))[0])
    if kind > 0:
        cuda.atomic.add(counts, kind, 1)
    else:
        slot = cuda.atomic.add(count, 0, 1)
        if slot < lists.shape[0]:
            lists[slot] = played


@kernel
def fast_kernel(fast, key, first, each, counts, lists, filled, most):
    """Each thread plays `each` rounds by the state table; a block lists what it leaves in its own row.

    Rounds with refused draws wait until there is one for each thread of a warp.
    """
    tallies = cuda.shared.array(RESULTS, int32)
    waiting = cuda.shared.array(WAITING, int32)
    count = cuda.shared.array(1, int32)
    thread, width, block = int32(cuda.threadIdx.x), int32(cuda.blockDim.x), cuda.blockIdx.x
    for index in range(thread, RESULTS, width):
        tallies[index] = 0
    if thread == 0:
        count[0] = 0
    cuda.syncthreads()
    size, threshold = np.uint64(fast.number[TableNumber.SIZE]), np.uint64(fast.number[TableNumber.THRESHOLD])
    idle, begun = np.uint64(fast.number[TableNumber.FIRST_IDLE]), first + int64(block) * width * each
    rank, row = thread % WARP, thread // WARP * 2 * WARP
    number, last, waits = thread, thread + each * width, 0
    while number < last or waits > 0:
        if waits >= WARP or number >= last:
            taken = min(waits, WARP)
            waits -= taken
            plays, played = rank < taken, begun + waiting[row + waits + rank]
            a, b = careful_indices(size, threshold, key, played)
        else:
            played = begun + number
            a, b, plays = easy_indices(size, threshold, key, played)
            refused = cuda.ballot_sync(EVERYONE, not plays)
            if not plays:
                waiting[row + waits + cuda.popc(refused & ((1 << rank) - 1))] = number
            waits += cuda.popc(refused)
            number += width
        if plays:
            _played(fast, idle, a, b, played, tallies, lists[block], count)
        cuda.syncwarp(EVERYONE)
    cuda.syncthreads()
    for index in range(thread, counts.shape[0], width):
        if index < RESULTS and tallies[index]:
            cuda.atomic.add(counts, index, int64(tallies[index]))
    if thread == 0:
        filled[block] = min(count[0], lists.shape[1])
        cuda.atomic.max(most, 0, count[0])


@kernel
def rare_kernel(fast, key, lists, filled, steps, counts, left, remaining):
    """Each block plays its own list; what it leaves goes into its row of `left`.

    Its tallies are in the block's own memory: few kinds are common, and all blocks would wait for each other there.
    """
    thread, width, block = int64(cuda.threadIdx.x), cuda.blockDim.x, cuda.blockIdx.x
    seen = cuda.shared.array(SEEN_ROOM, uint64)[thread * SEEN_ROW : thread * SEEN_ROW + 8]
    cards = cuda.shared.array(CARDS_ROOM, uint8)[thread * CARDS_ROW : thread * CARDS_ROW + SEEN]
    count, tallies = cuda.shared.array(1, int32), cuda.shared.array(0, int32)[0 : counts.shape[0]]
    if thread == 0:
        count[0] = 0
    clear_tallies(tallies)
    for index in range(thread, filled[block], width):
        kinds = rare_round(fast, key, lists[block, index], seen, cards)
        if kinds == _NONE:
            left[block, cuda.atomic.add(count, 0, 1)] = lists[block, index]
        else:
            count_round(kinds, steps, fast.number[TableNumber.MIDDLE], tallies)
    add_tallies(tallies, counts)
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
