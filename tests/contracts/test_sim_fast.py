"""The fast path is the round function: the same seeds give the same sums, whoever plays and however it is cut."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tests.contracts.sim_driver import default_game
from tests.daily import daily_books

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.sim import stats
from twentyone.sim.compile import compile_setup
from twentyone.sim.engines import CpuEngine
from twentyone.sim.fast import BLOCK, fast_fresh
from twentyone.sim.job import Job, run_batch
from twentyone.sim.kernels import play_left
from twentyone.sim.rare import SEEN, rare_fresh
from twentyone.sim.run import simulate
from twentyone.sim.setup import Setup
from twentyone.sim.shoes import LANES
from twentyone.sim.state_table import SPLIT_HANDS
from twentyone.sim.stats import Totals

ROUNDS = (1 << 18) + 77
SHOES = 2_000


BOOKS = daily_books("classic-blackjack", "md-spanish-21", "pa-double-back-jack")


@pytest.mark.parametrize("book", BOOKS)
def test_fresh_shoes_by_the_table_and_by_the_round_function(book: str) -> None:
    compiled = default_game(book)
    fast, plain = Job.of(compiled, 7), Job.of(compiled, 7, fast=False)
    assert fast.table is not None
    assert run_batch(fast, 0, ROUNDS) == run_batch(plain, 0, ROUNDS)


@pytest.mark.parametrize("book", BOOKS)
def test_real_shoes_by_the_table_and_by_the_round_function(book: str) -> None:
    compiled = default_game(book, "shoe")
    assert run_batch(Job.of(compiled, 7), 3, SHOES) == run_batch(Job.of(compiled, 7, fast=False), 3, SHOES)


def test_any_number_of_shoes_of_any_size_one_game_after_another() -> None:
    """Fewer shoes than lanes, one more, and shoes of one deck where those of eight lay before."""
    for decks in (8, 1):
        rules = Rulebook.load("classic-blackjack").under({"decks": decks})
        compiled = compile_setup(Setup.of(rules, mode="shoe"))
        job, plain = Job.of(compiled, 5), Job.of(compiled, 5, fast=False)
        for shoes in (1, LANES - 1, LANES, LANES + 1, 300):
            assert run_batch(job, 40, 40 + shoes) == run_batch(plain, 40, 40 + shoes), (decks, shoes)


def test_second_splits_whatever_the_number_of_hands() -> None:
    """Fewer than the table holds, as many, and more: those leave it. Each number of hands is a game of its own."""
    splits = set()
    for hands in (2, 3, SPLIT_HANDS, 2 * SPLIT_HANDS):
        rules = Rulebook.load("classic-blackjack").under({"max_split_hands": hands})
        compiled = compile_setup(Setup.of(rules))
        totals = run_batch(Job.of(compiled, 7), 0, ROUNDS)
        assert totals == run_batch(Job.of(compiled, 7, fast=False), 0, ROUNDS)
        splits.add(totals.sums[stats.SPLITS])
    assert len(splits) == 4


def test_round_by_round() -> None:
    """Not only the sums: each of some thousand rounds by itself."""
    compiled = default_game("pa-spanish-21")
    job, plain = Job.of(compiled, 3), Job.of(compiled, 3, fast=False)
    for first in range(0, 12 * BLOCK, BLOCK):
        assert run_batch(job, first, first + BLOCK) == run_batch(plain, first, first + BLOCK)
    for number in range(2_000):
        assert _alone(job, number) == run_batch(plain, number, number + 1), number


def _alone(job: Job, number: int) -> Totals:
    """One round by the card-by-card way of the table, or what that leaves by the round function."""
    from twentyone.sim.job import fast_totals

    assert job.table is not None
    counts, sums = np.zeros(job.table.counters, np.int64), np.zeros(stats.LENGTH, np.int64)
    left = np.array([number])
    count = rare_fresh(job.table, job.keys[0], left, 1, np.zeros(8, np.uint64), np.zeros(SEEN, np.int64), counts)
    w, deck = np.zeros(1024, np.int64), np.zeros(1024, np.int16)
    play_left(job.rules, job.money, w, deck, job.keys.copy(), left, count, sums)
    return Totals.of(sums) + fast_totals(job, job.table, counts)


def test_most_rounds_stay_on_the_fast_path() -> None:
    for book in rulebook_ids():
        job = Job.of(default_game(book), 5)
        assert job.table is not None
        counts, left = np.zeros(job.table.counters, np.int64), np.zeros(1 << 16, np.int64)
        count = fast_fresh(job.table, job.keys[0], 0, 1 << 16, np.zeros((4, BLOCK), np.uint64), counts, left)
        assert counts.sum() + count == 1 << 16
        assert count < 0.08 * (1 << 16), book
        seen, cards = np.zeros(8, np.uint64), np.zeros(SEEN, np.int64)
        assert rare_fresh(job.table, job.keys[0], left, count, seen, cards, counts) < 1e-3 * (1 << 16), book


# -- the same sums however the work is cut


def test_threads_cuts_and_a_restart_change_nothing(tmp_path: Path) -> None:
    compiled = default_game("pa-double-back-jack")
    whole = simulate(compiled, CpuEngine(1), rounds=3_000_000, seed=11).totals
    assert simulate(compiled, CpuEngine(2), rounds=3_000_000, seed=11).totals == whole
    kept = tmp_path / "work.json"
    simulate(compiled, CpuEngine(2), rounds=1_234_567, seed=11, checkpoint=kept)
    assert simulate(compiled, CpuEngine(2), rounds=3_000_000, seed=11, checkpoint=kept).totals == whole
    job = Job.of(compiled, 11)
    cuts = [0, 1, 300, 70_000, 1_000_003, 3_000_000]
    parts = [run_batch(job, first, last) for first, last in pairwise(cuts)]
    assert Totals.merged(reversed(parts)) == whole


def test_another_seed_is_another_run() -> None:
    compiled = default_game("classic-blackjack")
    assert run_batch(Job.of(compiled, 1), 0, 4_096) != run_batch(Job.of(compiled, 2), 0, 4_096)


# -- a negative control


def test_a_wrong_entry_of_the_table_is_found() -> None:
    compiled = default_game("classic-blackjack")
    job = Job.of(compiled, 7)
    assert job.table is not None
    dealer = job.table.dealer.copy()
    dealer[3 * 16 + 4] = dealer[3 * 16 + 5]
    wrong = Job(job.rules, job.money, job.table._replace(dealer=dealer), job.mode, job.seed)
    assert run_batch(wrong, 0, ROUNDS) != run_batch(Job.of(compiled, 7, fast=False), 0, ROUNDS)
