"""What runs on a GPU: fresh shoes by the state table, its rare rounds, the round function, sums."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, attr-defined, call-arg"

from __future__ import annotations

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda still looks it up

from numba import config, cuda, int16, int32, int64, uint8, uint64

from twentyone.sim.fast import eight_cards
from twentyone.sim.jit import stamped, without_scipy
from twentyone.sim.kernels import fresh_round, play_shoes, record
from twentyone.sim.rare import SEEN, rare_round
from twentyone.sim.reduced import play_parts
from twentyone.sim.rng import WORDS
from twentyone.sim.state_table import RESULTS, TableNumber
from twentyone.sim.walk import WORD, one, walk_through
from twentyone.sim.work import SHOE_ROOM, WORK_LENGTH

__all__ = [
    "REGISTERS",
    "add_tallies",
    "clear_kernel",
    "clear_tallies",
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

_WORDS, _HALF = np.uint64(WORDS), np.uint64(32)
_NONE = np.uint64(0)

device = cuda.jit(device=True) if config.ENABLE_CUDASIM else cuda.jit(device=True, forceinline=True)
"""Compiles a part of the kernel; Numba's simulator of a GPU has nothing to make it one with."""


_walk_word = walk_through(WORD, one)


def kernel(function):
    """Compile what the host launches; it is kept on disk as the functions of a core are."""
    most = {} if config.ENABLE_CUDASIM else {"max_registers": REGISTERS}
    return stamped(cuda.jit(cache=True, **most)(function))


# -- tallies of a block


@device
def clear_tallies(tallies, kinds):
    """Clear a block's tallies: of results, then of pairs of them."""
    for index in range(cuda.threadIdx.x, kinds + kinds * kinds, cuda.blockDim.x):
        tallies[index] = 0
    cuda.syncthreads()


@device
def add_tallies(tallies, kinds, counts, both):
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
        kind = int64(_walk_word(fast, _NONE, idle, _NONE, cards)[0])
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
    clear_tallies(tallies, kinds)
    for index in range(thread, filled[block], width):
        first, second_hand = rare_round(fast, key, lists[block, index], seen, cards)
        one, two = int64(first), int64(second_hand)
        if one == 0:
            left[block, cuda.atomic.add(count, 0, 1)] = lists[block, index]
        else:
            cuda.atomic.add(tallies, one if two == 0 else kinds + one * kinds + two, 1)
    add_tallies(tallies, kinds, counts, both)
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
