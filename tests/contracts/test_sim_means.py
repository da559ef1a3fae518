"""The mean of the simulator beside the exact value of the same strategy, and beside what a biased draw would give."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.analyses import by_chart
from tests.contracts.sim_driver import Simulator, default_game

from twentyone.rulebook import rulebook_ids
from twentyone.sim import stats
from twentyone.sim.engines import CpuEngine
from twentyone.sim.job import Job, run_batch
from twentyone.sim.rng import key_of, key_squares, squares, squares_in_row, words_of
from twentyone.sim.run import simulate

ROUNDS = 10_000_000
SIGMAS = 4


@pytest.mark.parametrize("book", rulebook_ids())
def test_the_mean_is_within_four_standard_errors_of_the_exact_value(book: str) -> None:
    exact = -float(by_chart(book).figures.house_edge)
    totals = simulate(default_game(book), CpuEngine(), rounds=ROUNDS, seed=20261115).totals
    assert totals.rounds == ROUNDS
    assert abs(totals.mean_without_prizes - exact) < SIGMAS * totals.standard_error


def test_a_biased_draw_is_found() -> None:
    """Four fives of the shoe replaced by aces move the mean by more than four standard errors."""
    exact = -float(by_chart("classic-blackjack").figures.house_edge)
    compiled = default_game("classic-blackjack")
    cards = compiled.game.cards.copy()
    cards[16:20] = 0
    biased = compiled.game._replace(cards=cards)
    totals = run_batch(Job.of(type(compiled)(compiled.setup, biased, compiled.tallies, compiled.grain), 1), 0, ROUNDS)
    assert abs(totals.mean_without_prizes - exact) > SIGMAS * totals.standard_error


# -- random numbers


def test_the_generator_is_its_definition() -> None:
    key = key_of(5, 2)
    for number in (0, 1, 77, 123_456_789_012):
        counters = [(number << 8) + word for word in range(4)]
        assert [int(squares(np.uint64(counter), key)) for counter in counters] == words_of(5, 2, number, 4)


def test_words_in_a_row_are_those_of_their_counters() -> None:
    """All words of a shoe by additions for the first squaring; with another key's steps all but the first differ."""
    key, wanted = key_of(5, 2), {number: words_of(5, 2, number, 256) for number in (0, 1, (1 << 50) + 77)}
    steps, words = np.zeros(256, np.uint64), np.zeros(256, np.uint64)
    for used, equal in ((key, 256), (key_of(5, 3), 1)):
        key_squares(used, steps)
        for number, row in wanted.items():
            squares_in_row(np.uint64(number << 8), key, steps, words)
            assert sum(int(word) == each for word, each in zip(words, row, strict=True)) == equal


def test_keys_differ_and_are_odd() -> None:
    keys = {int(key_of(seed, stream)) for seed in range(200) for stream in range(4)}
    assert len(keys) == 800
    assert all(key % 2 for key in keys)


def test_every_place_of_the_shoe_is_drawn_equally_often() -> None:
    """The first and the fifth card of a fresh shoe: chi-square over all places, at p < 1e-6 either side."""
    compiled = default_game("pa-spanish-21")
    simulator, rounds = Simulator(compiled), 20_000
    seen: dict[int, Counter[int]] = {0: Counter(), 4: Counter()}
    for number in range(rounds):
        simulator.deal(number)
        for place, counter in seen.items():
            counter[int(simulator.deck[place]) if place < simulator.w[0] else -1] += 1
    for counter in seen.values():
        dealt = sum(count for place, count in counter.items() if place >= 0)
        wanted = dealt / 288
        chi_square = sum((counter[place] - wanted) ** 2 / wanted for place in range(288))
        assert 180 < chi_square < 425


def test_sums_of_a_batch_are_what_its_rounds_say() -> None:
    """The sums again, from rounds played one by one."""
    compiled = default_game("s13-spanish-21")
    simulator = Simulator(compiled, seed=3)
    gains = [simulator.deal(number).gain // int(compiled.grain) for number in range(3_000)]
    totals = run_batch(Job.of(compiled, 3), 0, 3_000)
    assert totals[stats.GAIN] == sum(gains)
    assert totals[stats.GAIN_2] == sum(gain * gain for gain in gains)
