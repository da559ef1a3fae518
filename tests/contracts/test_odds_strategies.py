"""A given strategy valued exactly: against every round of a small shoe, played by the strategy itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.contracts.odds_by_rounds import results_by_rounds
from tests.contracts.strategy_player import asked

from twentyone.odds.choosers import FixedStrategy
from twentyone.odds.core import Core
from twentyone.odds.insurance import insured
from twentyone.odds.results import Distribution, Results
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.tables import Tables
from twentyone.round import Offer, Round
from twentyone.rulebook import Rulebook
from twentyone.strategy import Cell, Strategy, default_strategy

#        A  2  3  4  5  6  7  8  9  10
SHOES: list[tuple[str, dict[str, Any], list[int]]] = [
    ("classic-blackjack", {"surrender": "late"}, [3, 0, 0, 0, 0, 4, 0, 0, 0, 10]),
    ("classic-blackjack", {"hole_card": "none"}, [3, 0, 0, 0, 0, 4, 0, 0, 0, 10]),
    ("pa-spanish-21", {}, [3, 0, 0, 0, 4, 0, 0, 0, 0, 9]),
    ("s13-spanish-21", {"readings": {"s13-surrender-timing": "before-reader"}}, [2, 0, 0, 0, 0, 0, 0, 0, 4, 10]),
    ("pa-double-back-jack", {}, [0, 0, 0, 0, 4, 0, 0, 0, 3, 7]),
    ("pa-down-under-blackjack", {}, [3, 0, 0, 0, 0, 4, 0, 0, 0, 7]),
]


def worked_out(
    strategy: Strategy, book: str, submission: dict[str, Any], shoe: list[int]
) -> tuple[Any, Distribution, Core]:
    """Mean and distribution of a round by the analysis, insurance counted in."""
    core = Core(Tables(Rulebook.load(book).under(submission), shoe=np.array(shoe)), FixedStrategy(strategy))
    settled = SettlementMass(core)
    return settled.value + insured(core).value, Results(core, settled).distribution, core


def played(strategy: Strategy, core: Core) -> dict[Fraction, Fraction]:
    """The same with the strategy asked about each situation of the round itself."""

    def answer(play: Round, need: Offer) -> str:
        return strategy.decide(asked(play)[0]) if need.options else "decline"

    return results_by_rounds(core, answer=answer)


def moment(results: Mapping[Fraction, Any], power: int) -> float:
    """The mean of a power of the net result."""
    return float(sum(float(net) ** power * float(chance) for net, chance in results.items()))


@pytest.mark.parametrize(("book", "submission", "shoe"), SHOES)
def test_default_charts(book: str, submission: dict[str, Any], shoe: list[int]) -> None:
    """Mean and square are exact, whatever is split."""
    strategy = default_strategy(Rulebook.load(book).under({}))
    mean, found, core = worked_out(strategy, book, submission, shoe)
    results = played(strategy, core)
    assert mean == pytest.approx(moment(results, 1), abs=1e-12)
    assert found.mean == pytest.approx(moment(results, 1), abs=1e-12)
    assert moment(found.chances, 2) == pytest.approx(moment(results, 2), abs=1e-12)


@pytest.mark.parametrize("at", [0, 5])
def test_insurance_and_even_money(at: int) -> None:
    """A strategy that always insures (or takes even money on a Blackjack): every result, no pair being split."""
    book, submission, shoe = SHOES[at]
    chart = default_strategy(Rulebook.load(book).under({}))
    whole = {place: Cell("S") if cell.letter == "P" else cell for place, cell in chart.cells.items()}
    strategy = replace(chart, cells=whole, insurance={"insure": True, "even_money": True})
    mean, found, core = worked_out(strategy, book, submission, shoe)
    results = played(strategy, core)
    assert mean == pytest.approx(moment(results, 1), abs=1e-12)
    for net in {*results, *found.chances}:
        assert found.chances.get(net, 0) == pytest.approx(float(results.get(net, 0)), abs=1e-12)
    without, *_ = worked_out(replace(strategy, insurance={}), book, submission, shoe)
    assert abs(mean - without) > 1e-4
