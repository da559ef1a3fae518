"""The published variations of the classic game: round, odds, simulator and charts say the same of each of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.contracts.odds_by_rounds import value_by_rounds
from tests.contracts.sim_driver import Dice, first_difference
from tests.daily import daily

from twentyone.errors import Refused, SubmissionRefused
from twentyone.money import Amount
from twentyone.odds.analysis import analyse
from twentyone.odds.charts import best_chart
from twentyone.odds.core import Core
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rulebook, Rules
from twentyone.sim.compile import Compiled, compile_setup
from twentyone.sim.job import Job, run_batch
from twentyone.sim.setup import Box, Setup
from twentyone.strategy import default_strategy
from twentyone.table import Table

ROUNDS = 60
"""Rounds of each variation that simulator and round both deal ..."""
FAST = 1 << 13
"""... and rounds that the simulator plays by its table and by its round function."""

#        A  2  3  4  5  6  7  8  9  10
VARIATIONS: dict[str, tuple[dict[str, Any], list[int]]] = {
    "Blackjack 2:1": ({"blackjack_pays": "2:1"}, [2, 0, 0, 0, 0, 4, 0, 0, 0, 8]),
    "Blackjack 7:5": ({"blackjack_pays": "7:5"}, [2, 0, 0, 0, 0, 4, 0, 0, 0, 8]),
    "Blackjack 1:1": ({"blackjack_pays": "1:1"}, [2, 0, 0, 0, 0, 4, 0, 0, 0, 8]),
    "double 9 to 11": ({"double_totals": "9-11"}, [0, 0, 0, 3, 4, 0, 0, 0, 0, 9]),
    "double 10 and 11": ({"double_totals": "10-11"}, [0, 0, 0, 3, 4, 0, 0, 0, 0, 9]),
    "double hard hands": ({"double_totals": "hard", "double_on": "any"}, [2, 0, 0, 0, 0, 4, 0, 0, 0, 9]),
    "no split": ({"split_pairs": "none"}, [0, 0, 0, 0, 0, 4, 0, 0, 0, 9]),
    "like ranks": ({"split_pairs": "rank", "max_split_hands": 3}, [0, 0, 0, 0, 0, 2, 0, 0, 0, 5, 4, 0, 0]),
    "early surrender": ({"surrender": "early"}, [3, 0, 0, 0, 0, 5, 0, 0, 0, 7]),
    "early surrender, no hole card": ({"surrender": "early", "hole_card": "none"}, [3, 0, 0, 0, 0, 5, 0, 0, 0, 7]),
    "push on 22": ({"push_on_22": True}, [0, 0, 0, 0, 0, 6, 0, 0, 0, 8]),
    "push on 22, no hole card": ({"push_on_22": True, "hole_card": "none"}, [2, 0, 0, 0, 0, 5, 0, 0, 0, 7]),
    "ties lose": ({"ties_lose": True}, [2, 0, 0, 0, 0, 4, 0, 0, 0, 8]),
    "original only": (
        {"hole_card": "none", "dealer_blackjack_takes": "original-only"},
        [3, 0, 0, 0, 4, 0, 0, 0, 0, 8],
    ),
    "ace only is read": ({"reader_reads": "ace", "surrender": "late"}, [3, 0, 0, 0, 4, 0, 0, 0, 0, 8]),
    "ace only is read, all is taken": (
        {"reader_reads": "ace", "dealer_blackjack_takes": "all", "surrender": "early"},
        [3, 0, 0, 0, 4, 0, 0, 0, 0, 8],
    ),
    "five-card Charlie": ({"charlie": "5"}, [0, 4, 0, 4, 0, 0, 0, 0, 0, 5]),
    "six-card Charlie": ({"charlie": "6", "double_on": "any", "split_pairs": "none"}, [0, 7, 2, 0, 0, 0, 0, 0, 0, 5]),
    "seven-card Charlie": ({"charlie": "7", "split_pairs": "none"}, [0, 9, 0, 0, 0, 0, 0, 0, 0, 4]),
}


def rules_of(name: str) -> Rules:
    """The classic game with a variation."""
    return Rulebook.load("classic-blackjack").under({"max_split_hands": 2, **VARIATIONS[name][0]})


@pytest.mark.parametrize("name", daily(VARIATIONS, *list(VARIATIONS)[::3]))
def test_simulator_and_round_deal_alike(name: str) -> None:
    setup = Setup(rules_of(name), (Box(Dice(4), Amount("10")), Box(Dice(5), Amount("10"))))
    assert first_difference(compile_setup(setup), ROUNDS) is None


@pytest.mark.parametrize(
    "name", ["like ranks", "early surrender", "push on 22", "ace only is read", "five-card Charlie"]
)
def test_the_fast_path_is_the_round_function(name: str) -> None:
    compiled = compile_setup(Setup(rules_of(name), (Box(Dice(6), Amount("10")),)))
    fast, plain = Job.of(compiled, 7), Job.of(compiled, 7, fast=False)
    assert fast.table is not None
    assert run_batch(fast, 0, FAST) == run_batch(plain, 0, FAST)


@pytest.mark.parametrize("name", VARIATIONS)
def test_the_analysis_is_the_mean_over_all_rounds(name: str) -> None:
    core = Core(Tables(rules_of(name), shoe=np.array(VARIATIONS[name][1])))
    assert float(SettlementMass(core).value) == pytest.approx(float(value_by_rounds(core)), abs=1e-12)


@pytest.mark.parametrize("name", ["early surrender", "five-card Charlie"])
def test_the_best_chart_is_one_for_the_variation(name: str) -> None:
    """It decides only what the text allows, and costs less than 0.005 per cent beside the best play of every hand."""
    rules = rules_of(name)
    best = analyse(rules)
    chart = best_chart(rules, best).strategy.check(rules)
    assert 0 <= analyse(rules, strategy=chart).figures.house_edge - best.figures.house_edge < 5e-5


# -- side wagers


def with_sides() -> Compiled:
    """Two boxes with every side wager."""
    book = Rulebook.load("classic-blackjack")
    rules = book.under({"match_the_dealer": True, "perfect_pairs": True, "twenty_one_plus_three": "graded"})
    sides = [{"perfect_pairs": "1", "twenty_one_plus_three": "2"}, {"match_the_dealer": "3", "perfect_pairs": "5"}]
    boxes = (Box(Dice(4), Amount("10"), {kind: Amount(size) for kind, size in laid.items()}) for laid in sides)
    return compile_setup(Setup(rules, tuple(boxes)))


def test_side_wagers_are_settled_alike() -> None:
    assert first_difference(with_sides(), 4 * ROUNDS) is None


def test_a_wrong_pay_of_a_side_wager_is_found() -> None:
    compiled = with_sides()
    firsts = compiled.game.firsts.copy()
    firsts[0, :16] += 1
    wrong = Compiled(compiled.setup, compiled.game._replace(firsts=firsts), compiled.tallies, compiled.grain)
    assert first_difference(wrong, 4 * ROUNDS) is not None


# -- an infinite deck


def test_an_infinite_deck_is_dealt_alike() -> None:
    rules = Rulebook.load("classic-blackjack").under({"infinite_deck": True, "decks": 1})
    setup = Setup(rules, tuple(Box(Dice(number), Amount("10")) for number in range(5)))
    assert first_difference(compile_setup(setup), ROUNDS) is None


def test_an_infinite_deck_is_simulated_as_it_is_analysed() -> None:
    """A card that was drawn comes again as often as any other: the mean is within 4.5 standard errors."""
    rules = Rulebook.load("classic-blackjack").under({"infinite_deck": True})
    strategy = default_strategy(rules)
    totals = run_batch(Job.of(compile_setup(Setup(rules, (Box(strategy),))), 3), 0, 1 << 19)
    exact = analyse(rules, strategy=strategy).figures
    error = exact.standard_deviation / (1 << 19) ** 0.5
    assert abs(totals.mean + exact.house_edge) < 4.5 * error


def test_no_table_and_no_shoe_deal_an_infinite_deck() -> None:
    rules = Rulebook.load("classic-blackjack").under({"infinite_deck": True})
    with pytest.raises(SubmissionRefused, match=r"no table deals an infinite deck.*Classic § 1\(h\)"):
        Table.new(rules)
    with pytest.raises(Refused, match=r"mode=fresh.*Classic § 1\(h\)"):
        compile_setup(Setup(rules, (Box(Dice(1)),), mode="shoe"))
