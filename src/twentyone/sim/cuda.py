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

from numba import cuda, int16, int32, int64, uint64
from numba.core.errors import NumbaPerformanceWarning

from twentyone.errors import TwentyoneError
from twentyone.sim import layout as at
from twentyone.sim import stats
from twentyone.sim.fast import eight_cards, kind_of, lead
from twentyone.sim.job import Job, fast_totals
from twentyone.sim.kernels import fresh_round, play_shoes, record
from twentyone.sim.rare import SEEN, rare_round
from twentyone.sim.stats import Totals
from twentyone.sim.table import FIRST_IDLE, RESULTS, SIZE, THRESHOLD, Fast

__all__ = ["Cuda", "NoGpu"]

warnings.simplefilter("ignore", NumbaPerformanceWarning)

ROOM = 8
"""One round of so many may be left by the fast path; the list of a block has room for that."""
DECK = 512
WORK = at.WORK
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
    lists, filled, counts, both, left, remaining,
):  # fmt: skip
    """Each block plays its own list; what it leaves goes into its row of `left`."""
    seen, cards = cuda.local.array(8, uint64), cuda.local.array(SEEN, int64)
    count = cuda.shared.array(1, int32)
    thread, width, block = cuda.threadIdx.x, cuda.blockDim.x, cuda.blockIdx.x
    if thread == 0:
        count[0] = 0
    cuda.syncthreads()
    table = card, pair, glance, second, start, turn, split, suited, dealer, result
    for place in range(thread, filled[block], width):
        first, second_hand = rare_round(table, number, key, lists[block, place], seen, cards)
        one, two = int64(first), int64(second_hand)
        if one == 0:
            left[block, cuda.atomic.add(count, 0, 1)] = lists[block, place]
        elif two == 0:
            cuda.atomic.add(counts, one, 1)
        else:
            cuda.atomic.add(both, one * RESULTS + two, 1)
    cuda.syncthreads()
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
def _sum_kernel(rows, sums):
    """Add the rows of all threads."""
    column = cuda.grid(1)
    if column < rows.shape[1]:
        total = int64(0)
        for row in range(rows.shape[0]):
            total += rows[row, column]
        sums[column] = total


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


class Cuda:
    """Plays batches of a job on a GPU."""

    def __init__(self, job: Job, blocks: int = 4224, threads: int = 256, each: int = 256, slow: int = 16896) -> None:
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
        self._rows = cuda.to_device(np.zeros((self.slow, stats.LENGTH), np.int64))
        self._table = [cuda.to_device(part) for part in job.table] if job.table is not None else []

    @property
    def launch(self) -> int:
        """Rounds of one launch of the fast path."""
        return self.blocks * self.threads * self.each

    def run(self, first: int, last: int) -> Totals:
        """Play the rounds (or shoes) from `first` to before `last`."""
        with _told():
            return self._run(first, last)

    def _run(self, first: int, last: int) -> Totals:
        self._rows[:] = 0
        job, totals, whole = self.job, Totals.nothing(), first
        if job.table is not None and job.mode == "fresh":
            whole = first + (last - first) // self.launch * self.launch
            totals = self._run_fast(job.table, first, whole)
        kernel = _shoe_kernel if job.mode == "shoe" else _round_kernel
        if whole < last:
            kernel[self.slow // 64, 64](self._rules, self._money, self._keys, whole, last, self._rows)
        return totals + self._sums()

    def _sums(self) -> Totals:
        sums = cuda.to_device(np.zeros(stats.LENGTH, np.int64))
        _sum_kernel[(stats.LENGTH + 63) // 64, 64](self._rows, sums)
        return Totals.of(sums.copy_to_host())

    def _run_fast(self, table: Fast, first: int, last: int) -> Totals:
        counts = cuda.to_device(np.zeros(RESULTS, np.int64))
        both = cuda.to_device(np.zeros(RESULTS * RESULTS, np.int64))
        room = self.threads * self.each // ROOM
        lists, left = (cuda.device_array((self.blocks, room), np.int64) for _ in range(2))
        filled, remaining = (cuda.device_array(self.blocks, np.int32) for _ in range(2))
        most = cuda.to_device(np.zeros(1, np.int32))
        for begun in range(first, last, self.launch):
            self._launch(begun, counts, both, lists, filled, left, remaining, most)
        if most.copy_to_host()[0] > room:
            raise NoGpu("the fast path left more rounds than its lists hold: use another strategy or --plain")
        return fast_totals(self.job, table, counts.copy_to_host(), both.copy_to_host())

    def _launch(self, first, counts, both, lists, filled, left, remaining, most) -> None:
        card, pair, glance, second, start, turn, split, suited, dealer, result, number, _ = self._table
        key = self.job.keys[0]
        _fast_kernel[self.blocks, self.threads](
            card, pair, glance, second, start, turn, dealer, result, number, key, first, self.each, counts, lists,
            filled, most,
        )  # fmt: skip
        _rare_kernel[self.blocks, 128](
            card, pair, glance, second, start, turn, split, suited, dealer, result, number, key,
            lists, filled, counts, both, left, remaining,
        )  # fmt: skip
        _left_kernel[self.slow // 64, 64](self._rules, self._money, self._keys, left, remaining, self._rows)


def device_name() -> str:
    """What the GPU calls itself."""
    name: NDArray[np.bytes_] | bytes | str = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)
