"""The simulator on a GPU: the functions of a core compiled by numba-cuda; only who plays which round differs."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, attr-defined"

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from twentyone.sim import cuda_kernels as kernels
from twentyone.sim import stats
from twentyone.sim.cuda_kernels import cuda
from twentyone.sim.engines import EngineFault
from twentyone.sim.job import Job, fast_totals
from twentyone.sim.state_table import RESULTS, Fast, TableNumber
from twentyone.sim.stats import Totals

__all__ = ["Cuda", "NoGpu", "device_name"]

warnings.filterwarnings("ignore", message=".*under-utilization")  # a short last launch

ROOM = 8
"""One round in this many may be left by the fast path; the list of a block has room for that."""
LINES = 2
"""Launches that are under way at once."""


class NoGpu(EngineFault):
    """There is no GPU to compute on, or it gave up."""


def _require_gpu() -> None:
    if not cuda.is_available():
        raise NoGpu("there is no GPU here, or no driver for it: use engine=cpu")


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
        _require_gpu()
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
        self._fast = Fast(*map(cuda.to_device, job.table)) if job.table is not None else None
        self._width = 0
        """Threads of a block of real shoes."""
        if job.table is not None:
            size, kinds = int(job.table.number[TableNumber.SIZE]), len(job.table.kinds)
            self._width = min(kernels.shoe_threads(size, kinds), self.slow)
        self._lines = [_Line(self.blocks, self.threads * self.each // ROOM, self.slow) for _ in range(LINES)]

    @property
    def _spread(self) -> int:
        """Blocks that share the rows of all threads."""
        return min(256, self.slow // 64)

    @property
    def block(self) -> int:
        """Rounds of a block of the fast path; what is left of a batch is for the round function."""
        return self.threads * self.each

    @property
    def launch(self) -> int:
        """Rounds of one launch of the fast path at most."""
        return self.blocks * self.block

    def run(self, first: int, last: int) -> Totals:
        """Play the rounds (or shoes, or pairs of them) from `first` to before `last`."""
        with _told():
            return self._run(first, last)

    def _run(self, first: int, last: int) -> Totals:
        for line in self._lines:
            kernels.clear_kernel[self._spread, 128](line.rows)
        job, totals, whole = self.job, Totals.zero(), first
        if job.table is not None and job.mode == "fresh":
            whole = first + (last - first) // self.block * self.block
            totals = self._run_fast(job.table, first, whole)
        if job.table is not None and job.mode == "shoe" and self._width:
            return self._run_shoes(job.table, first, last) + self._sums()
        what, rows = (self._rules, self._money, self._keys), self._lines[0].rows
        kernel = kernels.plain_shoe_kernel if job.mode == "shoe" else kernels.round_kernel
        if job.reduced:
            kernels.part_kernel[self.slow // 64, 64](*what, job.source, job.antithetic, first, last, rows)
        elif whole < last:
            kernel[self.slow // 64, 64](*what, whole, last, rows)
        return totals + self._sums()

    def _sums(self) -> Totals:
        sums = cuda.to_device(np.zeros(stats.LENGTH, np.int64))
        for line in self._lines:
            kernels.sum_kernel[self._spread, 128](line.rows, sums)
        return Totals.of(sums.copy_to_host())

    def _run_shoes(self, table: Fast, first: int, last: int) -> Totals:
        counts = cuda.to_device(np.zeros(RESULTS, np.int64))
        both = cuda.to_device(np.zeros(RESULTS * RESULTS, np.int64))
        size, gains = int(table.number[TableNumber.SIZE]), cuda.to_device(table.kinds[:, 0].copy())
        shared = kernels.shoe_bytes(self._width, size, len(table.kinds))
        kernels.shoe_kernel[self.slow // self._width, self._width, 0, shared](
            self._fast, gains, kernels.pitch_of(size), self._rules, self._money, self._keys,
            first, last, self._lines[0].rows, counts, both,
        )  # fmt: skip
        return fast_totals(self.job, table, counts.copy_to_host(), both.copy_to_host())

    def _run_fast(self, table: Fast, first: int, last: int) -> Totals:
        counts = cuda.to_device(np.zeros(RESULTS, np.int64))
        both = cuda.to_device(np.zeros(RESULTS * RESULTS, np.int64))
        most = cuda.to_device(np.zeros(1, np.int32))
        for number, begun in enumerate(range(first, last, self.launch)):
            blocks = min(self.launch, last - begun) // self.block
            self._launch(self._lines[number % LINES], begun, blocks, len(table.kinds), counts, both, most)
        cuda.synchronize()
        if most.copy_to_host()[0] > self._lines[0].lists.shape[1]:
            raise NoGpu("the fast path left more rounds than its lists hold: use another strategy or fast=False")
        return fast_totals(self.job, table, counts.copy_to_host(), both.copy_to_host())

    def _launch(self, line, first, blocks, kinds, counts, both, most) -> None:
        key, tallies = self.job.keys[0], 4 * (kinds + kinds * kinds)
        kernels.fast_kernel[blocks, self.threads, line.stream](
            self._fast, key, first, self.each, counts, line.lists, line.filled, most
        )
        kernels.rare_kernel[blocks, 256, line.stream, tallies](
            self._fast, key, line.lists, line.filled, kinds, counts, both, line.left, line.remaining
        )
        kernels.left_kernel[self.slow // 64, 64, line.stream](
            self._rules, self._money, self._keys, blocks, line.left, line.remaining, line.rows
        )


def device_name() -> str:
    """What the GPU calls itself."""
    _require_gpu()
    name: NDArray[np.bytes_] | bytes | str = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)
