"""Simulations from Python: the rounds of the command, how they are played again, and what is refused."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from tests.analyses import by_chart

from twentyone import Amount, Rulebook
from twentyone.errors import NotAScript, Refused, SubmissionRefused
from twentyone.sim import Simulation, simulate
from twentyone.sim.cache import compiled_once
from twentyone.sim.engines import CpuEngine
from twentyone.sim.run import simulate as play
from twentyone.sim.setup import Setup
from twentyone.strategy import default_strategy, to_csv, to_json

SPANISH, CLASSIC = "pa-spanish-21", "classic-blackjack"
RULES = Rulebook.load(SPANISH).under()


@pytest.fixture(scope="module")
def run() -> Simulation:
    return simulate(SPANISH, rounds=100_000, seed=5)


def test_the_rounds_are_those_of_the_simulator(run: Simulation) -> None:
    engine = CpuEngine(1)
    plain = play(compiled_once(Setup.of(RULES)), engine, rounds=100_000, seed=5)
    engine.close()
    assert run.result.totals == plain.totals
    assert (run.mean, run.standard_error, run.rounds) == (plain.totals.mean, plain.totals.standard_error, 100_000)
    assert abs(run.mean + by_chart(SPANISH).edge) < 4 * run.standard_error


def test_how_it_was_played_plays_it_again(run: Simulation) -> None:
    how = json.loads(json.dumps(run.how))
    assert simulate(**how) == run.again() == run
    assert run.again(seed=6) != run
    assert how["readings"] == dict(RULES.submission.readings)
    assert pickle.loads(pickle.dumps(run)) == run
    json.dumps(run.to_json())


@pytest.mark.parametrize(
    "asked",
    [
        {"mode": "shoe", "penetration": 0.5, "count": "hilo", "spread": {1: 2, 3: 8}, "boxes": 2},
        {"mode": "shoe", "count": {"tags": {"2": 1, "K": -1}}, "spread": "2:4", "error_rate": 0.01},
        {"strategy": to_csv(default_strategy(Rulebook.load(CLASSIC).under())), "main": 25, "until": 0.5},
    ],
)
def test_every_argument_is_in_how(asked: dict[str, Any]) -> None:
    """Negative control: without one of them it is another simulation."""
    first = simulate(CLASSIC, rounds=3_000, **asked)
    assert simulate(**json.loads(json.dumps(first.how))) == first
    assert simulate(CLASSIC, rounds=3_000).how != first.how


@pytest.mark.parametrize("main", [25, "25", "25.00", Amount("25")])
def test_amounts_are_dollars(main: Any) -> None:
    sides = {"match_the_dealer": main}
    assert simulate(SPANISH, rounds=2_000, main=main, sides=sides).how["main"] == "25"


def test_charts_are_given_as_values_or_as_text(run: Simulation) -> None:
    chart = default_strategy(RULES)
    for given in (chart, to_json(chart), [chart]):
        assert simulate(RULES, rounds=100_000, seed=5, strategy=given) == run


def test_the_table_holds_every_round(run: Simulation) -> None:
    table = run.to_polars()
    assert (table["rounds"].sum(), round(table["share"].sum(), 9)) == (run.rounds, 1.0)
    assert run.to_pandas().shape == table.shape
    assert (table["gain"] * table["share"]).sum() == pytest.approx(run.mean, abs=1e-3)


@pytest.mark.parametrize(
    ("asked", "kind", "says"),
    [
        ({"main": "0.03"}, Refused, "not a multiple of the chip unit"),
        ({"main": 7.5}, Refused, "is not an amount"),
        ({"sides": {"lucky": 5}}, Refused, "is not offered here"),
        ({"mode": "forever"}, Refused, "no mode"),
        ({"count": "hilo"}, Refused, "needs a real shoe"),
        ({"mode": "shoe", "spread": "2:4"}, Refused, "needs a count"),
        ({"mode": "shoe", "count": "hilo", "spread": {1: 8}, "main": 100, "table_maximum": "500"}, Refused, "maximum"),
        ({"penetration": "1/2"}, Refused, "no cover card"),
        ({"error_rate": 2}, Refused, "between 0 and 1"),
        ({"boxes": 0}, Refused, "cannot be simulated"),
        ({"boxes": 3, "strategy": [default_strategy(RULES)] * 2}, Refused, "2 charts for 3 boxes"),
        ({"rounds": 0.5}, Refused, "no whole number"),
        ({"rounds": 0}, Refused, "cannot be simulated"),
        ({"meters": {"wheel": "5"}}, Refused, "no meter"),
        ({"strategy": "{}"}, NotAScript, "strategy/1"),
        ({"no_such_key": 1}, SubmissionRefused, "no_such_key"),
    ],
)
def test_what_cannot_be_simulated(asked: dict[str, Any], kind: type[Exception], says: str) -> None:
    with pytest.raises(kind, match=says):
        simulate(SPANISH, **{"rounds": 1_000, **asked})
