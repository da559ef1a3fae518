"""What must hold of any analysis: totals, order of options, optimum above every chart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.analyses import best, by_chart, deviation

from twentyone.odds.analysis import Analysis
from twentyone.odds.core import Core
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rulebook, rulebook_ids

#          A  2  3  4  5  6  7  8  9  10
SHOE = [8, 4, 4, 4, 4, 8, 8, 8, 4, 16]


def edge(book: str, **submission: Any) -> float:
    """The edge of a game with half a deck's variety and few cards: quick, and every rule still matters."""
    return -float(SettlementMass(Core(Tables(Rulebook.load(book).under(submission), shoe=np.array(SHOE)))).value)


BETTER = [
    ("classic-blackjack", {"surrender": "none"}, {"surrender": "late"}),
    ("classic-blackjack", {"double_on": "two"}, {"double_on": "any"}),
    ("classic-blackjack", {"double_after_split": False}, {"double_after_split": True}),
    ("classic-blackjack", {"split_aces_one_card": True}, {"split_aces_one_card": False}),
    ("classic-blackjack", {"max_split_hands": 2}, {"max_split_hands": 3}),
    ("classic-blackjack", {"max_split_hands": 3}, {"max_split_hands": 4}),
    ("classic-blackjack", {"blackjack_pays": "6:5"}, {"blackjack_pays": "3:2"}),
    ("classic-blackjack", {"hole_card": "none", "dealer_blackjack_takes": "all"}, {"hole_card": "none"}),
    ("pa-spanish-21", {"readings": {"split-aces": "one-card"}}, {}),
    ("pa-spanish-21", {}, {"readings": {"split-21": "win"}}),
    ("pa-spanish-21", {}, {"readings": {"double-on-21": "soft-only"}}),
    ("pa-spanish-21", {}, {"readings": {"both-bust": "equal-totals-push"}}),
    ("s13-spanish-21", {"readings": {"s13-split-21": "push"}}, {}),
    ("pa-down-under-blackjack", {}, {"readings": {"dub-two-large": "any"}}),
    ("pa-down-under-blackjack", {}, {"readings": {"dub-bust-on-22": "returned"}}),
]


@pytest.mark.parametrize(("book", "without", "given"), BETTER)
def test_an_added_option_never_lowers_the_optimum(book: str, without: dict[str, Any], given: dict[str, Any]) -> None:
    """More that a player may do or is paid is never worth less to him."""
    assert edge(book, **given) <= edge(book, **without) + 1e-12


@pytest.fixture(scope="module", params=sorted(rulebook_ids()))
def games(request: pytest.FixtureRequest) -> tuple[Analysis, Analysis]:
    """Each game by its optimum and by its default chart."""
    return best(request.param), by_chart(request.param)


def test_whole_games(games: tuple[Analysis, Analysis]) -> None:
    """The optimum is not below the chart; chances add up to one; outcomes count every hand."""
    best, chart = games
    assert best.figures.house_edge <= chart.figures.house_edge
    for found in games:
        figures = found.figures
        assert sum(figures.dealer.values()) == pytest.approx(1, abs=1e-12)
        assert figures.element_of_risk == pytest.approx(figures.house_edge / figures.average_wager)
        assert 1 < figures.average_wager < 1.5
        assert 1 < deviation(found) < 1.3
        mass = found._settled
        settled = mass.mass.sum() + sum(
            (mass.split_weight[start][:, None] * mass.pair_out(start)).sum() for start in mass.splits
        )
        assert settled == pytest.approx(1, abs=1e-12)
        hands = sum(figures.outcomes.values())
        splits = figures.decisions["split"]
        assert hands == pytest.approx(1 + splits, abs=1e-12)


def test_spots_agree_with_the_figures(games: tuple[Analysis, Analysis]) -> None:
    """The decisions of all spots, weighted by how often they are met, are those of the figures."""
    best, _ = games
    for name in ("hit", "double", "stand"):
        taken = sum(float((spots.reach * (spots.best == name)).sum()) for spots in best.spots.values())
        assert taken == pytest.approx(best.figures.decisions[name], abs=1e-9)
    first = best.spots["first"]
    values = np.stack([first.values[name] for name in first.values])
    with np.errstate(invalid="ignore"):
        chosen = np.choose(
            [list(first.values).index(name) for name in first.best.ravel()], values.reshape(len(values), -1)
        )
    ok = ~np.isnan(chosen)
    assert (chosen[ok] >= np.nanmax(values.reshape(len(values), -1), axis=0)[ok] - 1e-9).all()
