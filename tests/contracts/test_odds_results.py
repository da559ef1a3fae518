"""The distribution of a round's result: against every round of small shoes, and against the figures of whole games."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.contracts.odds_by_rounds import results_by_rounds

from twentyone.odds import split_joints
from twentyone.odds.analysis import analyse
from twentyone.odds.choosers import Best
from twentyone.odds.core import Core
from twentyone.odds.results import Distribution, Results
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rulebook

#        A  2  3  4  5  6  7  8  9  10
TWO_HANDS: list[tuple[str, dict[str, Any], list[int]]] = [
    ("classic-blackjack", {"max_split_hands": 2}, [2, 0, 0, 0, 0, 4, 0, 0, 0, 9]),
    ("classic-blackjack", {"hole_card": "none", "max_split_hands": 2}, [2, 0, 0, 0, 0, 4, 0, 0, 0, 8]),
    ("pa-spanish-21", {"max_split_hands": 2}, [3, 0, 0, 0, 4, 0, 0, 0, 0, 9]),
    ("pa-double-back-jack", {}, [0, 0, 0, 0, 0, 4, 0, 0, 0, 8]),
    ("pa-double-back-jack", {}, [2, 0, 0, 0, 0, 0, 4, 0, 0, 8]),
    ("pa-down-under-blackjack", {}, [3, 0, 0, 0, 0, 4, 0, 0, 0, 7]),
]
MORE_HANDS: list[tuple[str, dict[str, Any], list[int]]] = [
    ("classic-blackjack", {}, [0, 0, 0, 0, 0, 4, 0, 0, 0, 10]),
    ("classic-blackjack", {"hole_card": "none", "surrender": "late"}, [2, 0, 0, 0, 0, 4, 0, 0, 0, 8]),
    ("pa-spanish-21", {"max_split_hands": 3}, [0, 0, 0, 0, 5, 0, 0, 0, 4, 9]),
    ("s13-spanish-21", {"hole_card": "none"}, [2, 0, 0, 0, 0, 0, 0, 0, 4, 10]),
]


class Uninsured(Best):
    """The best decision each time, as the rounds of the other side are played: without insurance."""

    def insures(self, *_: Any) -> str:
        """Never."""
        return "decline"


def both(book: str, submission: dict[str, Any], shoe: list[int]) -> tuple[Distribution, dict[Fraction, Fraction]]:
    """The distribution by the analysis, and by all rounds."""
    core = Core(Tables(Rulebook.load(book).under(submission), shoe=np.array(shoe)), Uninsured())
    return Results(core, SettlementMass(core)).distribution, results_by_rounds(core)


def square(results: Any) -> float:
    """The mean of the square of the net result."""
    return float(sum(float(net * net) * float(chance) for net, chance in results.items()))


@pytest.mark.parametrize(("book", "submission", "shoe"), TWO_HANDS)
def test_every_result_of_small_shoes(book: str, submission: dict[str, Any], shoe: list[int]) -> None:
    """Where a pair is split once, every result has the chance that all rounds together give it."""
    found, dealt = both(book, submission, shoe)
    assert found.exact
    for net in {*dealt, *found.chances}:
        assert found.chances.get(net, 0) == pytest.approx(float(dealt.get(net, 0)), abs=1e-12)


@pytest.mark.parametrize(("book", "submission", "shoe"), MORE_HANDS)
def test_mean_and_deviation_of_more_hands(book: str, submission: dict[str, Any], shoe: list[int]) -> None:
    """With three and four hands mean and square are exact; a single result nearly so, even in a tiny shoe."""
    found, dealt = both(book, submission, shoe)
    assert found.mean == pytest.approx(float(sum(net * chance for net, chance in dealt.items())), abs=1e-12)
    assert square(found.chances) == pytest.approx(square(dealt), abs=1e-12)
    for net in {*dealt, *found.chances}:
        assert found.chances.get(net, 0) == pytest.approx(float(dealt.get(net, 0)), abs=2e-3)


def test_independent_hands_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands that draw as if the other had taken no card have the right mean and the wrong square: it is seen."""
    monkeypatch.setattr(split_joints, "MOST_PAIRS", 0)
    found, dealt = both(*TWO_HANDS[0])
    assert not found.exact
    assert found.mean == pytest.approx(float(sum(net * chance for net, chance in dealt.items())), abs=1e-12)
    assert abs(square(found.chances) - square(dealt)) > 1e-3


@pytest.mark.parametrize(
    ("book", "submission"),
    [
        ("classic-blackjack", {"decks": 1, "max_split_hands": 2}),
        ("pa-down-under-blackjack", {"decks": 4}),
        ("s13-spanish-21", {}),
    ],
)
def test_figures_of_whole_games(book: str, submission: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """All chances add up to one, their mean is the edge, their deviation the deviation; none is below zero."""
    if book != "classic-blackjack":
        monkeypatch.setattr(split_joints, "MOST_PAIRS", 20_000)
    analysis = analyse(Rulebook.load(book).under(submission))
    found = analysis.distribution
    assert sum(found.chances.values()) == pytest.approx(1, abs=1e-12)
    assert found.mean == pytest.approx(-analysis.figures.house_edge, abs=1e-12)
    assert found.standard_deviation == analysis.figures.standard_deviation
    assert list(found.chances) == sorted(found.chances)
    assert min(found.chances.values()) > 0
    wrong = Distribution({net: chance for net, chance in found.chances.items() if net != 2})
    assert abs(wrong.mean + analysis.figures.house_edge) > 1e-3
