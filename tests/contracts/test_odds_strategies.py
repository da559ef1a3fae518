"""A given strategy valued exactly: against every round of a small shoe, played by the strategy itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.contracts.odds_by_rounds import moments_by_rounds
from tests.contracts.strategy_player import asked

from twentyone.odds.choosers import FixedStrategy
from twentyone.odds.core import Core
from twentyone.odds.insurance import insured
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


def moments(strategy: Strategy, book: str, submission: dict[str, Any], shoe: list[int]) -> tuple[Any, Any, Core]:
    """Mean and square of a round by the analysis, insurance counted in."""
    core = Core(Tables(Rulebook.load(book).under(submission), shoe=np.array(shoe)), FixedStrategy(strategy))
    settled, extra = SettlementMass(core), insured(core)
    return settled.value + extra.value, settled.second_moment + extra.square, core


def played(strategy: Strategy, core: Core) -> tuple[float, float]:
    """The same with the strategy asked about each situation of the round itself."""

    def answer(play: Round, need: Offer) -> str:
        return strategy.decide(asked(play)[0]) if need.options else "decline"

    mean, square = moments_by_rounds(core, answer=answer)
    return float(mean), float(square)


@pytest.mark.parametrize(("book", "submission", "shoe"), SHOES)
def test_default_charts(book: str, submission: dict[str, Any], shoe: list[int]) -> None:
    """The mean is exact; the square takes hands of one split as independent given the dealer's hand."""
    strategy = default_strategy(Rulebook.load(book).under({}))
    mean, square, core = moments(strategy, book, submission, shoe)
    expected, squared = played(strategy, core)
    assert mean == pytest.approx(expected, abs=1e-12)
    assert square == pytest.approx(squared, abs=0.05)


@pytest.mark.parametrize("at", [0, 5])
def test_insurance_and_even_money(at: int) -> None:
    """A strategy that always insures (or takes even money on a Blackjack): mean and square, no pair being split."""
    book, submission, shoe = SHOES[at]
    chart = default_strategy(Rulebook.load(book).under({}))
    whole = {place: Cell("S") if cell.letter == "P" else cell for place, cell in chart.cells.items()}
    strategy = replace(chart, cells=whole, insurance={"insure": True, "even_money": True})
    mean, square, core = moments(strategy, book, submission, shoe)
    expected, squared = played(strategy, core)
    assert mean == pytest.approx(expected, abs=1e-12)
    assert square == pytest.approx(squared, abs=1e-12)
    without, *_ = moments(replace(strategy, insurance={}), book, submission, shoe)
    assert abs(mean - without) > 1e-4
