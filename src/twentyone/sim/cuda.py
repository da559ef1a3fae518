"""The simulator on a GPU: the functions of a core compiled by numba-cuda; only who plays which round differs."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, attr-defined"

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda still looks it up

from numba import cuda, int16, int32, int64, uint8, uint64
from numba.core.errors import NumbaPerformanceWarning

from twentyone.errors import TwentyoneError
from twentyone.sim import layout as at
from twentyone.sim import stats
from twentyone.sim.cuda_shoes import clear_tallies, pitch_of, shoe_bytes, shoe_kernel, shoe_threads, tell_tallies
from twentyone.sim.fast import eight_cards, kind_of, lead
from twentyone.sim.job import Job, fast_totals
from twentyone.sim.kernels import fresh_round, play_shoes, record
from twentyone.sim.rare import SEEN, rare_round
from twentyone.sim.reduced import play_parts
from twentyone.sim.stats import Totals
from twentyone.sim.table import FIRST_IDLE, RESULTS, SIZE, THRESHOLD, Fast

__all__ = ["Cuda", "NoGpu"]

warnings.simplefilter("ignore", NumbaPerformanceWarning)

ROOM = 8
"""One round of so many may be left by the fast path; the list of a block has room for that."""
DECK = 512
WORK = at.WORK
LINES = 2
"""Launches that are under way at once."""
"""Sizes of a thread's own arrays: numba-cuda wants them as constants of this module."""


class NoGpu(TwentyoneError):
    """There is no GPU to compute on, or it gave up."""


# -- kernels


@cuda.jit
def _fast_kernel(
    card, pair, glance, second, start, turn, dealer, result, number, key, first, each, counts, lists, filled, most
):  # fmt: skip
    """Each thread plays `each` rounds by the state table; a block lists what it leaves in its own row."""
    tallies = cuda.shared.array(RESULTS, int32)
    count = cuda.shared.array(1, int32)
    thread, width, block = cuda.threadIdx.x, cuda.blockDim.x, cuda.blockIdx.x
    for place in range(thread, RESULTS, width):
        tallies[place] = 0
    if thread == 0:
        count[0] = 0
    cuda.syncthreads()
    size, threshold = np.uint64(number[SIZE]), np.uint64(number[THRESHOLD])
    table, idle = (pair, glance, second, start, turn, dealer), np.uint64(number[FIRST_IDLE])
    begun = first + int64(block) * width * each + thread
    for turn_number in range(each):
        played = begun + int64(turn_number) * width
        cards = eight_cards(card, size, threshold, key, played)
        row, state = lead(table, idle, cards)
        kind = int64(kind_of(result, row, state))
        if kind > 0:
            cuda.atomic.add(tallies, kind, 1)
        else:
            slot = cuda.atomic.add(count, 0, 1)
            if slot < lists.shape[1]:
                lists[block, slot] = played
    cuda.syncthreads()
    for place in range(thread, RESULTS, width):
        if tallies[place]:
            cuda.atomic.add(counts, place, int64(tallies[place]))
    if thread == 0:
        filled[block] = min(count[0], lists.shape[1])
        cuda.atomic.max(most, 0, count[0])


@cuda.jit
def _rare_kernel(
    card, pair, glance, second, start, turn, split, suited, dealer, result, number, key,
    lists, filled, kinds, counts, both, left, remaining,
):  # fmt: skip
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
    table = card, pair, glance, second, start, turn, split, suited, dealer, result
    for place in range(thread, filled[block], width):
        first, second_hand = rare_round(table, number, key, lists[block, place], seen, cards)
        one, two = int64(first), int64(second_hand)
        if one == 0:
            left[block, cuda.atomic.add(count, 0, 1)] = lists[block, place]
        else:
            cuda.atomic.add(tallies, one if two == 0 else kinds + one * kinds + two, 1)
    tell_tallies(tallies, kinds, counts, both)
    if thread == 0:
        remaining[block] = count[0]


@cuda.jit
def _left_kernel(t, m, keys, left, remaining, rows):
    """The round function for what is left of the lists; each thread adds to its own row of sums."""
    w, deck, r = cuda.local.array(WORK, int64), cuda.local.array(DECK, int16), cuda.local.array(4, uint64)
    for place in range(4):
        r[place] = keys[place]
    sums = rows[cuda.grid(1)]
    for block in range(cuda.blockIdx.x, remaining.shape[0], cuda.gridDim.x):
        for place in range(cuda.threadIdx.x, remaining[block], cuda.blockDim.x):
            fresh_round(t, m, w, deck, r, left[block, place])
            record(t, m, w, sums)


@cuda.jit
def _round_kernel(t, m, keys, first, last, rows):
    """The round function alone, round after round of fresh shoes."""
    w, deck, r = cuda.local.array(WORK, int64), cuda.local.array(DECK, int16), cuda.local.array(4, uint64)
    for place in range(4):
        r[place] = keys[place]
    sums = rows[cuda.grid(1)]
    for number in range(first + cuda.grid(1), last, cuda.gridsize(1)):
        fresh_round(t, m, w, deck, r, number)
        record(t, m, w, sums)


@cuda.jit
def _shoe_kernel(t, m, keys, first, last, rows):
    """Real shoes, one after another."""
    w, deck, r = cuda.local.array(WORK, int64), cuda.local.array(DECK, int16), cuda.local.array(4, uint64)
    for place in range(4):
        r[place] = keys[place]
    sums = rows[cuda.grid(1)]
    for shoe in range(first + cuda.grid(1), last, cuda.gridsize(1)):
        play_shoes(t, m, w, deck, r, shoe, shoe + 1, sums)


@cuda.jit
def _part_kernel(t, m, keys, source, antithetic, first, last, rows):
    """Rounds or shoes whose variance is reduced, part after part."""
    w, deck, r = cuda.local.array(WORK, int64), cuda.local.array(DECK, int16), cuda.local.array(4, uint64)
    for place in range(4):
        r[place] = keys[place]
    sums = rows[cuda.grid(1)]
    for part in range(first + cuda.grid(1), last, cuda.gridsize(1)):
        play_parts(t, m, w, deck, r, source, antithetic, part, part + 1, sums)


@cuda.jit
def _sum_kernel(rows, sums):
    """Add the rows of all threads, each block some of them."""
    for column in range(cuda.threadIdx.x, rows.shape[1], cuda.blockDim.x):
        total = int64(0)
        for row in range(cuda.blockIdx.x, rows.shape[0], cuda.gridDim.x):
            total += rows[row, column]
        cuda.atomic.add(sums, column, total)


# -- the engine


@contextmanager
def _told() -> Iterator[None]:
    """Errors of the driver (no memory, a lost device) as one sentence."""
    try:
        yield
    except Exception as wrong:
        if not type(wrong).__name__.startswith(("Cuda", "CUDA", "Nvvm")):
            raise
        raise NoGpu(f"the GPU gave up: {' '.join(str(wrong).split())}") from None


class _Line:
    """Launches one after another; two lines overlap, so that one computes where the other waits for memory."""

    def __init__(self, blocks: int, room: int, slow: int) -> None:
        self.stream = cuda.stream()
        self.lists, self.left = (cuda.device_array((blocks, room), np.int64) for _ in range(2))
        self.filled, self.remaining = (cuda.device_array(blocks, np.int32) for _ in range(2))
        self.rows = cuda.to_device(np.zeros((slow, stats.LENGTH), np.int64))
        """The sums of each thread of the round function."""


class Cuda:
    """Plays batches of a job on a GPU."""

    def __init__(self, job: Job, blocks: int = 1056, threads: int = 512, each: int = 512, slow: int = 67584) -> None:
        if not cuda.is_available():
            raise NoGpu("there is no GPU here, or no driver for it: use --engine cpu")
        self.job = job
        self.blocks, self.threads, self.each = blocks, threads, each
        self.slow = slow
        """Threads of the round function."""
        with _told():
            self._prepare()

    def _prepare(self) -> None:
        job = self.job
        self._rules, self._money = cuda.to_device(job.rules), cuda.to_device(job.money)
        self._keys = cuda.to_device(job.keys)
        self._table = [cuda.to_device(part) for part in job.table] if job.table is not None else []
        self._width = shoe_threads(int(job.table.number[SIZE]), len(job.table.kinds)) if job.table is not None else 0
        """Threads of a block of real shoes."""
        self._lines = [_Line(self.blocks, self.threads * self.each // ROOM, self.slow) for _ in range(LINES)]

    @property
    def launch(self) -> int:
        """Rounds of one launch of the fast path."""
        return self.blocks * self.threads * self.each

    def run(self, first: int, last: int) -> Totals:
        """Play the rounds (or shoes, or pairs of them) from `first` to before `last`."""
        with _told():
            return self._run(first, last)

    def _run(self, first: int, last: int) -> Totals:
        for line in self._lines:
            line.rows[:] = 0
        job, totals, whole = self.job, Totals.nothing(), first
        if job.table is not None and job.mode == "fresh":
            whole = first + (last - first) // self.launch * self.launch
            totals = self._run_fast(job.table, first, whole)
        if job.table is not None and job.mode == "shoe" and self._width:
            return self._run_shoes(job.table, first, last) + self._sums()
        what, rows = (self._rules, self._money, self._keys), self._lines[0].rows
        kernel = _shoe_kernel if job.mode == "shoe" else _round_kernel
        if job.reduced:
            _part_kernel[self.slow // 64, 64](*what, job.source, job.antithetic, first, last, rows)
        elif whole < last:
            kernel[self.slow // 64, 64](*what, whole, last, rows)
        return totals + self._sums()

    def _sums(self) -> Totals:
        sums = cuda.to_device(np.zeros(stats.LENGTH, np.int64))
        for line in self._lines:
            _sum_kernel[256, 128](line.rows, sums)
        return Totals.of(sums.copy_to_host())

    def _run_shoes(self, table: Fast, first: int, last: int) -> Totals:
        counts = cuda.to_device(np.zeros(RESULTS, np.int64))
        both = cuda.to_device(np.zeros(RESULTS * RESULTS, np.int64))
        size, gains = int(table.number[SIZE]), cuda.to_device(table.kinds[:, 0].copy())
        shared = shoe_bytes(self._width, size, len(table.kinds))
        shoe_kernel[self.slow // self._width, self._width, 0, shared](
            *self._table[:11], gains, pitch_of(size), self._rules, self._money, self._keys,
            first, last, self._lines[0].rows, counts, both,
        )  # fmt: skip
        return fast_totals(self.job, table, counts.copy_to_host(), both.copy_to_host())

    def _run_fast(self, table: Fast, first: int, last: int) -> Totals:
        counts = cuda.to_device(np.zeros(RESULTS, np.int64))
        both = cuda.to_device(np.zeros(RESULTS * RESULTS, np.int64))
        most = cuda.to_device(np.zeros(1, np.int32))
        for number, begun in enumerate(range(first, last, self.launch)):
            self._launch(self._lines[number % LINES], begun, len(table.kinds), counts, both, most)
        cuda.synchronize()
        if most.copy_to_host()[0] > self._lines[0].lists.shape[1]:
            raise NoGpu("the fast path left more rounds than its lists hold: use another strategy or --plain")
        return fast_totals(self.job, table, counts.copy_to_host(), both.copy_to_host())

    def _launch(self, line, first, kinds, counts, both, most) -> None:
        card, pair, glance, second, start, turn, split, suited, dealer, result, number, _ = self._table
        key, tallies = self.job.keys[0], 4 * (kinds + kinds * kinds)
        _fast_kernel[self.blocks, self.threads, line.stream](
            card, pair, glance, second, start, turn, dealer, result, number, key, first, self.each, counts, line.lists,
            line.filled, most,
        )  # fmt: skip
        _rare_kernel[self.blocks, 256, line.stream, tallies](
            card, pair, glance, second, start, turn, split, suited, dealer, result, number, key,
            line.lists, line.filled, kinds, counts, both, line.left, line.remaining,
        )  # fmt: skip
        _left_kernel[self.slow // 64, 64, line.stream](
            self._rules, self._money, self._keys, line.left, line.remaining, line.rows
        )


def device_name() -> str:
    """What the GPU calls itself."""
    name: NDArray[np.bytes_] | bytes | str = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)
