"""A simulation as work to be done: arrays, seed and mode, cut into batches that anyone can play in any order."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from twentyone.sim import layout as at
from twentyone.sim import stats
from twentyone.sim.bounds import Bounds
from twentyone.sim.compile import Compiled
from twentyone.sim.control import Control
from twentyone.sim.draw import FRESH, SHOE
from twentyone.sim.fast import BLOCK, fast_fresh
from twentyone.sim.kernels import play_left, play_rounds, play_shoes
from twentyone.sim.layout import BoxMoney, MoneyHead
from twentyone.sim.packing import packed
from twentyone.sim.rare import SEEN, rare_fresh
from twentyone.sim.reduced import play_parts
from twentyone.sim.rng import key_of
from twentyone.sim.shoes import Lanes, fast_shoes
from twentyone.sim.state_table import Fast, TableNumber
from twentyone.sim.stats import Totals
from twentyone.sim.work import WORK_LENGTH

__all__ = ["MOST_ROUNDS", "Job", "fast_totals", "run_batch"]

CHUNK = 1 << 16
"""Rounds of the fast path between two visits to the list of what it left."""
MOST_ROUNDS = 1 << 50
"""Rounds of a simulation that can be numbered."""

CARDS, OTHER = 0, 1
"""Streams of random numbers: the cards, and everything else."""


@dataclass(frozen=True)
class Job:
    """What a worker needs to play batches; nothing but arrays and numbers."""

    rules: NDArray[np.int32]
    """Rules and charts (`t` of the round function)."""
    money: NDArray[np.int64]
    """Money (`m` of the round function)."""
    table: Fast | None
    """The state table, where the game has one."""
    mode: str
    """`fresh`: batches number rounds; `shoe`: batches number shoes."""
    seed: int
    antithetic: bool = False
    """Whether rounds (or shoes) come in pairs, the second with cards exchanged; batches number pairs then."""

    @classmethod
    def of(
        cls, compiled: Compiled, seed: int, fast: bool = True, antithetic: bool = False, control: Control | None = None
    ) -> Job:
        """The work of a simulation; without `fast`, or where variance is reduced, the round function plays it all."""
        rules, money = packed(compiled.game)
        if control is not None:
            money = control.packed(money)
        table = compiled.table if fast and not antithetic and control is None else None
        return cls(rules, money, table, compiled.setup.mode, seed, antithetic)

    @property
    def reduced(self) -> bool:
        """Whether the variance is reduced: by pairs, or by a control variate."""
        return self.antithetic or bool(self.money[MoneyHead.CONTROL])

    @property
    def source(self) -> int:
        """Where the cards come from."""
        return SHOE if self.mode == "shoe" else FRESH

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """The random keys (`r` of the round function), for a worker to copy."""
        return np.array([key_of(self.seed, CARDS), 0, key_of(self.seed, OTHER), 0], np.uint64)

    @cached_property
    def bounds(self) -> Bounds:
        """What no round and no part exceeds: how many fit into the sums of one batch."""
        return Bounds(self.rules, self.money, self.mode, self.antithetic)

    @property
    def digest(self) -> str:
        """What the result depends on: another digest, another simulation."""
        hashed = hashlib.sha256(self.rules.tobytes() + self.money.tobytes())
        hashed.update(f"{self.mode} {self.seed}{' antithetic' if self.antithetic else ''}".encode())
        return hashed.hexdigest()


class _Scratch(threading.local):
    """Work space of a thread."""

    def __init__(self) -> None:
        self.w = np.zeros(WORK_LENGTH, np.int64)
        self.deck = np.zeros(1 << 10, np.int16)
        self.block = np.zeros((4, BLOCK), np.uint64)
        self.left = np.zeros(CHUNK + 4, np.int64)
        self.seen = np.zeros(8, np.uint64)
        self.cards = np.zeros(SEEN, np.int64)
        self.lanes = Lanes.new()


_scratch = _Scratch()


def run_batch(job: Job, first: int, last: int) -> Totals:
    """Play the rounds (or shoes, or pairs of them) from `first` to before `last`: `bounds.most_parts` at most."""
    sums = np.zeros(stats.LENGTH, np.int64)
    w, deck, keys = _scratch.w, _scratch.deck, job.keys.copy()
    if job.reduced:
        play_parts(job.rules, job.money, w, deck, keys, job.source, job.antithetic, first, last, sums)
        return Totals.of(sums)
    if job.mode == "shoe" and job.table is not None:
        counted = _run_shoes(job, job.table, first, last, sums)
        return Totals.of(sums) + counted
    if job.mode == "shoe":
        play_shoes(job.rules, job.money, w, deck, keys, first, last, sums)
        return Totals.of(sums)
    if job.table is None:
        play_rounds(job.rules, job.money, w, deck, keys, first, last, sums)
        return Totals.of(sums)
    whole = first + (last - first) // BLOCK * BLOCK
    counted = _run_fast(job, job.table, first, whole, sums)
    play_rounds(job.rules, job.money, w, deck, keys, whole, last, sums)
    return Totals.of(sums) + counted


def _run_fast(job: Job, table: Fast, first: int, last: int, sums: NDArray[np.int64]) -> Totals:
    """The fast path; what it leaves goes to the round function and into `sums`."""
    counts = np.zeros(table.counters, np.int64)
    keys, left = job.keys.copy(), _scratch.left
    for begun in range(first, last, CHUNK):
        count = fast_fresh(table, keys[0], begun, min(begun + CHUNK, last), _scratch.block, counts, left)
        count = rare_fresh(table, keys[0], left, count, _scratch.seen, _scratch.cards, counts)
        play_left(job.rules, job.money, _scratch.w, _scratch.deck, keys, left, count, sums)
    return fast_totals(job, table, counts)


def _run_shoes(job: Job, table: Fast, first: int, last: int, sums: NDArray[np.int64]) -> Totals:
    """Real shoes by the fast path; what it leaves, and the sums by shoe, go into `sums`."""
    counts = np.zeros(table.counters, np.int64)
    gains, keys, lanes = table.kinds[:, 0].copy(), job.keys.copy(), _scratch.lanes
    lanes.clear()
    fast_shoes(table, gains, job.rules, job.money, _scratch.w, keys, first, last, lanes, counts, sums)
    return fast_totals(job, table, counts)


def fast_totals(job: Job, table: Fast, counts: NDArray[np.int64]) -> Totals:
    """The sums of rounds that were counted by kind of result, and of split ones, by hand and by gain."""
    initial, number = int(job.money[at.MONEY_HEADER + BoxMoney.MAIN]), table.number
    step, middle, count = int(number[TableNumber.GAIN_STEP]), int(number[TableNumber.MIDDLE]), len(table.kinds)
    sums = [0] * stats.LENGTH
    for index in np.flatnonzero(counts):
        times = int(counts[index])
        if index < 2 * count:
            _add_hands(sums, times, *map(int, table.kinds[index % count]))
        if index < count:
            _add_rounds(sums, times, int(table.kinds[index][0]), initial)
        elif index >= 2 * count:
            _add_rounds(sums, times, (int(index) - 2 * count - middle) * step, initial)
    return Totals(sums)


def _add_hands(sums: list[int], times: int, _: int, tally: int, wagered: int, doubles: int, __: int) -> None:
    for index, each in (
        (stats.WAGERED, wagered),
        (stats.DOUBLES, doubles),
        (stats.SPLITS, 1),
        (stats.HANDS, 1),
        (stats.TALLY + tally, 1),
    ):
        sums[index] += times * each


def _add_rounds(sums: list[int], times: int, gain: int, initial: int) -> None:
    """Rounds of this gain; their hands were added as if each were split from another."""
    for index, each in (
        (stats.ROUNDS, 1),
        (stats.INITIAL, initial),
        (stats.INITIAL_2, initial**2),
        (stats.GAIN_INITIAL, gain * initial),
        (stats.GAIN, gain),
        (stats.GAIN_2, gain**2),
        (stats.SPLITS, -1),
        (stats.HISTOGRAM + min(max(2 * gain // initial + stats.MIDDLE, 0), stats.BINS - 1), 1),
    ):
        sums[index] += times * each
