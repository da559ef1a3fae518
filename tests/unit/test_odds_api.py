"""The mathematics from Python: hands in a person's spelling, values that travel, tables, and what is not installed."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from tests.analyses import best, by_chart

from twentyone.cards import Card, parse_cards
from twentyone.errors import NotInstalled, Refused
from twentyone.odds import Analysis, analyse
from twentyone.odds.lookup import decisions_on
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.strategy import Cell, CellKey, best_chart, default_strategy

SPANISH, CLASSIC, DOUBLE_BACK = "pa-spanish-21", "classic-blackjack", "pa-double-back-jack"


@cache
def small() -> Analysis:
    """Something quick."""
    return analyse(CLASSIC, decks=1, max_split_hands=2)


# -- games


def test_a_game_is_an_id_a_rulebook_or_rules() -> None:
    rules = Rulebook.load(CLASSIC).under({"decks": 1, "max_split_hands": 2})
    assert small() == analyse(rules) == analyse(rules.rulebook, decks=1, max_split_hands=2)
    assert small() != analyse(rules, strategy=default_strategy(rules))


def test_the_edge_and_the_deviation_are_those_of_the_figures() -> None:
    game = best(CLASSIC)
    assert (game.edge, game.deviation) == (game.figures.house_edge, game.figures.standard_deviation)
    assert game.house_edge_at(5) == game.house_edge_at("5")


# -- hands


@pytest.mark.parametrize(
    "cards", ["KS 6D", "ks 6d", "K 6", "t 6", "T♠ 6♦", ["Ks", "6d"], [Card("KS"), "6"], parse_cards("KS 6D")]
)
def test_a_hand_in_all_its_spellings(cards: Any) -> None:
    game = best(CLASSIC)
    assert game.decisions(cards, up="9") == decisions_on(game._core, parse_cards("KS 6D"), Card("9C"), "", False, False)


@pytest.mark.parametrize("cards", ["6 7", "6s 7", "7 7", "7 8"])
def test_suits_that_matter_must_be_named(cards: str) -> None:
    with pytest.raises(Refused, match="make a difference") as refused:
        best(SPANISH).decisions(cards, up="T")
    assert refused.value.cite


def test_suits_that_matter_make_a_difference() -> None:
    game = best(SPANISH)
    assert game.value("6s 7s", up="T") > game.value("6h 7h", up="T") > game.value("6h 7s", up="T")
    assert game.value("6 8 2", up="T") == game.value("6s 8s 2s", up="T")


def test_a_ten_of_a_deck_without_tens_is_any_card_that_counts_ten() -> None:
    game = best(SPANISH)
    assert game.decisions("T 6", up="T") == game.decisions("K 6", up="J")
    with pytest.raises(Refused, match="there is no 10S"):
        game.decisions("Ts 6", up="2")


@pytest.mark.parametrize(("cards", "up"), [("8 8 8 8", "8"), ("8x 8", "2"), ("8 8", "2 3"), ("8", "2"), ("", "2")])
def test_a_hand_that_is_none_is_refused(cards: str, up: str) -> None:
    with pytest.raises(Refused):
        small().value(cards, up=up)


def test_a_decision_that_is_not_allowed_has_no_value() -> None:
    with pytest.raises(Refused, match="'split' is not allowed on this hand"):
        best(CLASSIC).value("T 6", up="T", decision="split")


def test_the_value_of_a_hand_is_that_of_the_decision_taken() -> None:
    game = best(DOUBLE_BACK)
    for hand in ("T 6", "A A", "5 6", "T 6 8"):
        values = game.decisions(hand, up="T")
        assert game.value(hand, up="T") == max(values.values()) == values[game.best(hand, up="T")]


def test_under_a_chart_the_chart_decides() -> None:
    game = by_chart(SPANISH)
    assert game.strategy == default_strategy(game.rules) == game.chart
    for hand, doubled, taken in (("T 6", False, "hit"), ("T 2 3", True, "rescue"), ("9 9", False, "split")):
        values = game.decisions(hand, up="9", doubled=doubled)
        assert game.best(hand, up="9", doubled=doubled) == taken
        assert game.value(hand, up="9", doubled=doubled) == values[taken]
    stood = game.strategy.with_cell(CellKey("first", "", "hard", "16", "9"), Cell("S"))
    timid = replace(game, strategy=stood)
    assert timid.best("T 6", up="9") == "stand"
    assert timid.value("T 6", up="9") < game.value("T 6", up="9")


# -- values that travel


@pytest.mark.parametrize("trip", [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_an_analysis_arrives_as_it_left_and_is_worked_out_again_on_demand(trip: Callable[[Analysis], Analysis]) -> None:
    game = small()
    there = trip(game)
    assert (there, hash(there), repr(there)) == (game, hash(game), repr(game))
    assert there.decisions("8 8", up="T") == game.decisions("8 8", up="T")
    assert len(pickle.dumps(game)) < 10_000


def test_reprs_are_short() -> None:
    game = by_chart(SPANISH)
    for value in (game, game.rules, game.chart, game.rules.rulebook):
        assert len(repr(value)) < 160, repr(value)


# -- tables


def test_the_table_of_hands_says_what_the_analysis_says() -> None:
    game = small()
    table = game.to_polars()
    row = table.filter(phase="first", hand="6 10", up="10").row(0, named=True)
    values = game.decisions("T 6", up="T")
    assert {name: row[name] for name in values} == pytest.approx(values)
    assert row["best"] == game.best("T 6", up="T")
    assert table.shape == game.to_pandas().shape


def test_the_table_of_a_chart_has_a_row_for_each_of_its_rows() -> None:
    chart = default_strategy(Rulebook.load(SPANISH).under())
    table = chart.to_polars()
    assert table.shape == chart.to_pandas().shape == (len(chart.cells) // 10, 14)


@pytest.mark.parametrize(("method", "package", "extra"), [("to_polars", "polars", "data"), ("to_pandas", "pandas", "")])
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, method: str, package: str, extra: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    wanted = f"twentyone[{extra}]" if extra else package
    with pytest.raises(NotInstalled) as refused:
        getattr(default_strategy(Rulebook.load(SPANISH).under()), method)()
    assert str(refused.value) == f"{method}() needs the package {package}: install `{wanted}`"


# -- layers


def test_the_best_chart_of_a_default_game_is_its_own() -> None:
    for name in rulebook_ids():
        assert best_chart(name) == default_strategy(Rulebook.load(name).under())


PROBE = """
import sys
sys.modules |= dict.fromkeys(("numpy", "numba"))
import twentyone.odds, twentyone.sim, twentyone.strategy
from twentyone import Round, Rulebook
from twentyone.errors import NotInstalled
print(twentyone.strategy.best_chart("classic-blackjack"))
for package, name in ((twentyone.odds, "analyse"), (twentyone.sim, "simulate")):
    try:
        getattr(package, name)
    except NotInstalled as missing:
        print(missing)
"""


def test_without_numpy_the_core_works_and_the_rest_says_what_to_install() -> None:
    run = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
    chart, *missing = run.stdout.splitlines()
    assert chart.startswith("<Strategy classic-blackjack")
    assert [line.partition(" needs")[0] for line in missing] == ["twentyone.odds.analyse", "twentyone.sim.simulate"]
    assert all(line.endswith("install `twentyone[odds]`") for line in missing)


@pytest.mark.parametrize("package", ["twentyone", "twentyone.odds", "twentyone.sim"])
def test_a_package_is_loaded_with_nothing_it_was_not_asked_for(package: str) -> None:
    probe = f"import sys, {package}; print(sorted({{'numpy', 'numba', 'polars', 'pandas'}} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
