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
from twentyone.sim.cuda_kernels import WARP, cuda
from twentyone.sim.cuda_shoes import shoe_kernel
from twentyone.sim.engines import EngineFault
from twentyone.sim.job import Job, fast_totals
from twentyone.sim.rare import STEPS
from twentyone.sim.state_table import NO_CARD, Fast, TableNumber
from twentyone.sim.stats import Totals

__all__ = ["Cuda", "NoGpu", "device_name", "shoe_bytes", "shoe_threads"]

warnings.filterwarnings("ignore", message=".*under-utilization")  # a short last launch

ROOM = 8
"""One round in this many may be left by the fast path; the list of a block has room for that."""
OPTIN = "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN"
AHEAD = 12
"""Entries past the last card that hold none, at least: as many as a round by the table may look ahead."""
SHARED = 48 << 10
"""Bytes of shared memory that every GPU gives to a block."""
LANES = 32
"""A block has a multiple of so many threads."""
WIDEST = 512
"""Threads of a block of real shoes at most: their registers are all that a processor has."""
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


def pitch_of(size: int) -> int:
    """Bytes from one thread's shoe to the next: an odd number of words, so that equal indices spread over all banks."""
    return (size + AHEAD + 3) // 4 * 4 | 4


def shoe_bytes(threads: int, size: int, counted: int, tables: int) -> int:
    """Bytes of shared memory that a block of this many threads needs; `counted`: its counters and kinds of result."""
    return 4 * counted + tables + threads * pitch_of(size)


def shoe_threads(size: int, counted: int, tables: int, shared: int) -> int:
    """Threads of a block whose shoes fit into its shared memory; none for a game with too many kinds of result."""
    room = shared - shoe_bytes(0, size, counted, tables)
    return min(WIDEST, max(0, room // pitch_of(size) // LANES * LANES))


def allow_shared(kernel, size: int) -> None:
    """Let a compiled kernel have more of a block's own memory than every GPU gives unasked."""
    if size <= SHARED or not hasattr(cuda, "get_current_device"):
        return
    from numba.cuda.cudadrv.driver import binding, driver

    most = binding.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    for compiled in kernel.overloads.values():
        function = compiled._codelibrary.get_cufunc()
        driver.cuKernelSetAttribute(most, size, function.handle, function.device.id)


class _Shoes:
    """What real shoes need on a GPU: a state table for each block's own memory, and room for shoes put aside."""

    def __init__(self, table: Fast, slow: int) -> None:
        size, room = int(table.number[TableNumber.SIZE]), _fact(OPTIN, SHARED) - 64
        counted = table.counters + len(table.kinds)
        packed, parts = _packed(table)
        self.width = min(shoe_threads(size, counted, packed.nbytes, room), slow)
        """Threads of a block; none where not even a warp fits."""
        if not self.width:
            return
        self.shared = shoe_bytes(self.width, size, counted, packed.nbytes)
        self.blocks = min(slow // self.width, _fact("MULTIPROCESSOR_COUNT", 1) * max(1, room // self.shared))
        words = _unshuffled(table)
        self._constants = tuple(map(cuda.to_device, (_steps(table), packed, parts, words)))
        warps = self.blocks * self.width // WARP
        self._paused = cuda.device_array((warps, len(words), 2 * WARP), np.uint32)
        self._notes = cuda.device_array((warps, 4, 2 * WARP), np.int64)
        self._allowed = False

    def play(self, fast, rules, money, keys, first, last, rows, counts) -> None:
        """Play shoes."""
        what = (*self._constants, rules, money, keys)
        if not self._allowed:
            shoe_kernel[1, LANES](fast, *what, 0, 0, rows, counts, self._paused, self._notes)
            allow_shared(shoe_kernel, self.shared)
            self._allowed = True
        shoe_kernel[self.blocks, self.width, 0, self.shared](
            fast, *what, first, last, rows, counts, self._paused, self._notes
        )


class Cuda:
    """Plays batches of a job on a GPU."""

    def __init__(self, job: Job, blocks: int = 1056, threads: int = 512, each: int = 512, slow: int = 84480) -> None:
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
        self._steps = cuda.to_device(_steps(job.table)) if job.table is not None else None
        self._shoes = _Shoes(job.table, self.slow) if job.table is not None and job.mode == "shoe" else None
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
        if job.table is not None and self._shoes is not None and self._shoes.width:
            return self._run_shoes(job.table, self._shoes, first, last) + self._sums()
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

    def _run_shoes(self, table: Fast, shoes: _Shoes, first: int, last: int) -> Totals:
        counts = cuda.to_device(np.zeros(table.counters, np.int64))
        shoes.play(self._fast, self._rules, self._money, self._keys, first, last, self._lines[0].rows, counts)
        return fast_totals(self.job, table, counts.copy_to_host())

    def _run_fast(self, table: Fast, first: int, last: int) -> Totals:
        counts = cuda.to_device(np.zeros(table.counters, np.int64))
        most = cuda.to_device(np.zeros(1, np.int32))
        for number, begun in enumerate(range(first, last, self.launch)):
            blocks = min(self.launch, last - begun) // self.block
            self._launch(self._lines[number % LINES], begun, blocks, counts, most)
        cuda.synchronize()
        if most.copy_to_host()[0] > self._lines[0].lists.shape[1]:
            raise NoGpu("the fast path left more rounds than its lists hold: use another strategy or fast=False")
        return fast_totals(self.job, table, counts.copy_to_host())

    def _launch(self, line, first, blocks, counts, most) -> None:
        key = self.job.keys[0]
        kernels.fast_kernel[blocks, self.threads, line.stream](
            self._fast, key, first, self.each, counts, line.lists, line.filled, most
        )
        kernels.rare_kernel[blocks, kernels.RARE_THREADS, line.stream, 4 * len(counts)](
            self._fast, key, line.lists, line.filled, self._steps, counts, line.left, line.remaining
        )
        kernels.left_kernel[self.slow // 64, 64, line.stream](
            self._rules, self._money, self._keys, blocks, line.left, line.remaining, line.rows
        )


def _steps(table: Fast) -> NDArray[np.int32]:
    """The gain of each kind of result in steps."""
    return table.kinds[:, STEPS].astype(np.int32)


def _unshuffled(table: Fast) -> NDArray[np.uint32]:
    """The shoe before it is shuffled, and behind it no card, four bytes a word."""
    size = int(table.number[TableNumber.SIZE])
    cards = np.full(pitch_of(size), NO_CARD, np.uint8)
    cards[:size] = table.card[:size]
    return cards.view(np.uint32)


def _packed(table: Fast) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The state table as words, and where its parts begin: bytes of two of them, halves of words of the others."""
    closed, split = (int(table.number[name]) << 3 for name in (TableNumber.FIRST_CLOSED, TableNumber.FIRST_SPLIT))
    octets = np.concatenate([table.pair, table.result[closed:split]])
    halves = (table.glance, table.second, table.start, table.turn, table.split, table.suited, table.dealer)
    parts = [0, len(table.pair), *np.cumsum([len(octets) // 2, *map(len, halves)])]
    whole = np.concatenate([octets, *(part.view(np.uint8) for part in halves)])
    return np.concatenate([whole, np.zeros(-len(whole) % 8, np.uint8)]).view(np.uint32), np.array(parts, np.int64)


def _fact(name: str, otherwise: int) -> int:
    """A number of the GPU; Numba's simulator of one has none."""
    device = getattr(cuda, "get_current_device", lambda: None)()
    return int(getattr(device, name, otherwise))


def device_name() -> str:
    """What the GPU calls itself."""
    _require_gpu()
    name: NDArray[np.bytes_] | bytes | str = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)
