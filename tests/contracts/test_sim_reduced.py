"""Variance reduction: pairs are what they say, the control has no bias, the plain figures stay, faults are found."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.analyses import by_chart, deviation
from tests.contracts.sim_driver import Simulator, default_game

from twentyone.cli.simulate_reduce import control_of, found_wrong, reduced_body
from twentyone.odds.deals import deal_values
from twentyone.rulebook import Rulebook
from twentyone.sim import stats
from twentyone.sim.cache import compiled_once
from twentyone.sim.compile import Compiled
from twentyone.sim.control import Adjusted, Control, exact_mean
from twentyone.sim.draw import fill_fresh
from twentyone.sim.engines import CpuEngine
from twentyone.sim.job import Job, run_batch
from twentyone.sim.run import simulate
from twentyone.sim.setup import Setup
from twentyone.sim.stats import Totals
from twentyone.sim.steps import begin
from twentyone.sim.work import Work
from twentyone.strategy import default_strategy

BOOKS = ("classic-blackjack", "pa-spanish-21", "pa-double-back-jack")
ROUNDS = 1_000_000
SIGMAS = 4


@cache
def exact(book: str) -> tuple[float, float, float]:
    """Of a rulebook's own chart: exact mean, variance of a round, variance of what its first deal is worth."""
    analysis = by_chart(book)
    mean, held = -analysis.figures.house_edge, analysis._core.tables.shoe.astype(float)
    values, chances = deal_values(analysis), _chances(held)
    share = float((chances * values**2).sum() - (chances * values).sum() ** 2)
    return mean, deviation(analysis) ** 2, share


def _chances(held: np.ndarray) -> np.ndarray:
    """The chance of every deal of two cards and an up card."""
    same, size = np.eye(len(held)), held.sum()
    deals = held[:, None, None] * (held[None, :, None] - same[:, :, None])
    deals = deals * (held[None, None, :] - same[:, None, :] - same[None, :, :])
    chances: np.ndarray = deals / (size * (size - 1) * (size - 2))
    return chances


def _played(compiled: Compiled, rounds: int = ROUNDS, seed: int = 5, **how: Any) -> Totals:
    engine = CpuEngine()
    try:
        return simulate(compiled, engine, rounds=rounds, seed=seed, **how).totals
    finally:
        engine.close()


# -- the plain figures


@pytest.mark.parametrize("mode", ["fresh", pytest.param("shoe", marks=pytest.mark.prove)])
def test_a_control_variate_leaves_every_plain_sum_as_it_is(mode: str) -> None:
    """The sums of the fast path, which knows nothing of controls."""
    compiled = default_game("pa-spanish-21", mode)
    last = 40_000 if mode == "fresh" else 500
    plain = run_batch(Job.of(compiled, 5), 3, last)
    reduced = run_batch(Job.of(compiled, 5, control=control_of(compiled)), 3, last)
    assert reduced.sums[: stats.PARTS] == plain.sums[: stats.PARTS]
    assert reduced.sums[stats.TALLY :] == plain.sums[stats.TALLY :]


# -- the control


@pytest.mark.parametrize("book", BOOKS)
def test_the_adjusted_mean_is_exact_and_gains_what_the_first_deals_explain(book: str) -> None:
    mean, variance, share = exact(book)
    control = control_of(default_game(book))
    adjusted = Adjusted(_played(default_game(book), control=control), control)
    totals = adjusted.totals
    assert abs(adjusted.exact_mean - mean) < 2**-20
    prizes = totals.mean - totals.mean_without_prizes
    assert abs(adjusted.mean - prizes - mean) < SIGMAS * adjusted.standard_error
    assert abs(adjusted.control_away) < SIGMAS
    factor = (totals.standard_error / adjusted.standard_error) ** 2
    assert factor == pytest.approx(variance / (variance - share), rel=0.02)
    assert factor > 1.1


def test_in_real_shoes_the_control_is_expected_from_the_cards_left() -> None:
    """One deck: a shoe of small cards ends sooner, so that a full shoe's mean is too high for the rounds played."""
    rules = Rulebook.load("classic-blackjack").under({"decks": 1})
    compiled = compiled_once(Setup.of(rules, mode="shoe", penetration=Fraction(1, 2)))
    control = control_of(compiled)
    totals = _played(compiled, control=control)
    adjusted = Adjusted(totals, control)
    full = Adjusted(_fresh(totals), control).exact_mean
    assert full - adjusted.exact_mean > 3e-4
    assert abs(adjusted.control_away) < SIGMAS
    long = _played(compiled, rounds=30_000_000, seed=6)
    error = (adjusted.standard_error**2 + long.standard_error**2) ** 0.5
    assert abs(adjusted.mean - long.mean) < SIGMAS * error
    assert totals.standard_error > 1.05 * adjusted.standard_error


def _fresh(totals: Totals) -> Totals:
    """The same sums, as if every round had had a fresh shoe."""
    sums = list(totals.sums)
    sums[stats.SHOES] = 0
    return Totals(sums)


def test_several_boxes_with_strategies_of_their_own() -> None:
    rules = Rulebook.load("classic-blackjack").under()
    chart, same = default_strategy(rules), default_strategy(rules)
    setup = Setup.of(rules, 3)
    boxes = (setup.boxes[0], replace(setup.boxes[1], strategy=replace(same)), replace(setup.boxes[2], strategy=chart))
    compiled = compiled_once(replace(setup, boxes=boxes))
    control = control_of(compiled)
    adjusted = Adjusted(_played(compiled, 300_000, control=control), control)
    assert abs(adjusted.mean - exact("classic-blackjack")[0]) < SIGMAS * adjusted.standard_error
    assert adjusted.totals.standard_error > 1.05 * adjusted.standard_error


def test_the_mean_of_a_control_by_hand() -> None:
    """Two ones and two twos; it is 1 where the up card is a two and both cards are ones: 2 x 2 x 1 of 24 deals."""
    table = np.zeros((3, 3, 3), np.int64)
    table[2, 1, 1] = 1
    assert exact_mean(table, np.array([0, 2, 2])) * 24 == 2 * 2 * 1


# -- faults of a control


def test_a_wrong_exact_mean_is_found() -> None:
    """One per cent of a wager away: far from the exact value, and told as such."""
    compiled = default_game("classic-blackjack")
    control = control_of(compiled)
    wrong = replace(control, mean=control.mean + control.main * 2**20 // 100)
    adjusted = Adjusted(_played(compiled, control=wrong), wrong)
    assert abs(adjusted.mean - exact("classic-blackjack")[0]) > SIGMAS * adjusted.standard_error
    assert abs(adjusted.control_away) > SIGMAS
    told = found_wrong(reduced_body(adjusted.totals, False, wrong, None))
    assert told is not None
    assert "exact mean" in told


def test_a_control_of_nothing_gains_nothing() -> None:
    compiled = default_game("classic-blackjack")
    nothing = Control.of(compiled, [np.zeros((11, 11, 11))])
    adjusted = Adjusted(_played(compiled, 100_000, control=nothing), nothing)
    assert adjusted.mean == adjusted.totals.mean
    assert adjusted.standard_error == pytest.approx(adjusted.totals.standard_error, rel=1e-6)


# -- pairs


@pytest.mark.parametrize("boxes", [1, 3])
def test_the_second_of_a_pair_is_the_first_with_box_and_dealer_exchanged(boxes: int) -> None:
    """Round by round, from cards that are exchanged here by hand; without the exchange the sums are others."""
    compiled = compiled_once(Setup.of(Rulebook.load("pa-spanish-21").under(), boxes))
    job, simulator = Job.of(compiled, 1, antithetic=True), Simulator(compiled)
    same = 0
    for number in range(400):
        cards = _cards(simulator, number)
        first, second = cards[: boxes + 1], cards[boxes + 1 : 2 * boxes + 2]
        turned = [*reversed(first), *reversed(second), *cards[2 * boxes + 2 :]]
        one, two = _gain(simulator, cards), _gain(simulator, turned)
        found = run_batch(job, number, number + 1)
        assert found[stats.PARTS] == 1
        assert found[stats.GAIN] + found[stats.PRIZE] == one + two
        assert found[stats.PART_GAIN_2] == (one + two) ** 2
        same += one == two
    assert same < 300


def _cards(simulator: Simulator, number: int) -> list[int]:
    """The first cards of a round's fresh shoe."""
    begin(simulator.w, number)
    simulator.w[Work.ROUND], simulator.w[Work.FILLED] = number, 0
    for _ in range(60):
        fill_fresh(simulator.t, simulator.w, simulator.deck, simulator.r)
    return [int(card) for card in simulator.compiled.game.cards[simulator.deck[:60]]]


def _gain(simulator: Simulator, cards: list[int]) -> int:
    dealt = simulator.deal_numbers(cards)
    return (dealt.gain + dealt.prize) // int(simulator.compiled.grain)


@pytest.mark.parametrize("book", BOOKS)
def test_pairs_have_the_exact_mean_and_gain(book: str) -> None:
    totals = _played(default_game(book), antithetic=True)
    assert totals.rounds == 2 * totals[stats.PARTS] == ROUNDS
    assert abs(totals.mean_without_prizes - exact(book)[0]) < SIGMAS * totals.part_error
    assert (totals.standard_error / totals.part_error) ** 2 > 1.4


def test_pairs_of_one_round_twice_would_be_told_as_a_loss() -> None:
    """What a pair without the exchange would give: half the rounds, and so twice the variance."""
    one = run_batch(Job.of(default_game("classic-blackjack"), 5, fast=False), 0, 50_000)
    sums = [2 * number for number in one.sums]
    sums[stats.PARTS] = one.rounds
    sums[stats.PART_GAIN_2], sums[stats.PART_INITIAL_2] = 4 * one[stats.GAIN_2], 4 * one[stats.INITIAL_2]
    sums[stats.PART_GAIN_INITIAL] = 4 * one[stats.GAIN_INITIAL]
    told = reduced_body(Totals(sums), True, None, None)["antithetic"]
    assert told["factor"] == pytest.approx(0.5, rel=1e-3)


# -- whoever plays, however it is cut


@pytest.mark.parametrize("mode", ["fresh", pytest.param("shoe", marks=pytest.mark.prove)])
def test_threads_cuts_and_a_restart_change_nothing(mode: str, tmp_path: Path) -> None:
    compiled = default_game("classic-blackjack", mode)
    how: dict[str, Any] = {"antithetic": True, "control": control_of(compiled), "seed": 11}
    whole = _played(compiled, 200_000, **how)
    kept = tmp_path / "work.json"
    _played(compiled, 70_000, checkpoint=kept, **how)
    assert _played(compiled, 200_000, checkpoint=kept, **how) == whole
    job = Job.of(compiled, 11, antithetic=True, control=how["control"])
    cuts = [0, 1, 300, 2_003, whole[stats.PARTS]]
    assert Totals.merged(run_batch(job, first, last) for first, last in pairwise(cuts)) == whole


ON_THE_GPU = """
import warnings; warnings.simplefilter("ignore")
import numpy as np
from twentyone.rulebook import Rulebook
from twentyone.sim.cache import compiled_once
from twentyone.sim.control import Control
from twentyone.sim.cuda import Cuda
from twentyone.sim.job import Job
from twentyone.sim.setup import Setup
for mode, last in (("fresh", 60), ("shoe", 1)):
    game = compiled_once(Setup.of(Rulebook.load("classic-blackjack").under({"decks": 1}), 2, mode=mode))
    values = np.arange(1331.0).reshape(11, 11, 11) / 1331
    control = Control.of(game, [values + values.swapaxes(0, 1)] * 2)
    job = Job.of(game, 7, antithetic=True, control=control)
    print(Cuda(job, blocks=2, threads=4, each=24, slow=64).run(0, last).sums)
"""


def test_the_kernels_of_the_gpu_give_the_same_sums() -> None:
    """Interpreted, because there is no GPU here."""
    settings = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    rules = Rulebook.load("classic-blackjack").under({"decks": 1})
    games = [compiled_once(Setup.of(rules, 2, mode=mode)) for mode in ("fresh", "shoe")]  # interpreted, it takes long
    command = [sys.executable, "-c", ON_THE_GPU]
    told = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
    values = np.arange(1331.0).reshape(11, 11, 11) / 1331
    for game, last, line in zip(games, (60, 1), told.stdout.splitlines(), strict=True):
        control = Control.of(game, [values + values.swapaxes(0, 1)] * 2)
        wanted = run_batch(Job.of(game, 7, antithetic=True, control=control), 0, last)
        assert line == str(wanted.sums)
