"""The default charts are those that the exact values give today: valued, and found again."""

from __future__ import annotations

import pytest
from tests.analyses import best, by_chart
from tests.daily import daily

from twentyone.odds.analysis import analyse
from twentyone.odds.charts import improved
from twentyone.odds.exceptions import departures
from twentyone.rulebook import Rulebook, Rules
from twentyone.strategy import Cell, CellKey, Strategy, default_strategy

BOOKS = ("classic-blackjack", "pa-spanish-21", "s13-spanish-21", "pa-down-under-blackjack")
"""The games whose analysis is a matter of a second or two; the others' files are made by the same command."""

DEAREST = 0.00005
"""No chart may cost more of a wager than this against the optimum."""


def rules_of(book: str) -> Rules:
    return Rulebook.load(book).under()


def differences(one: Strategy, other: Strategy) -> list[str]:
    return [
        f"{place}: {one.cell(place)}, {other.cell(place)}"
        for place in one.cells
        if one.cell(place) != other.cell(place)
    ]


@pytest.mark.parametrize("book", daily(BOOKS, "pa-down-under-blackjack"))
def test_the_chart_costs_next_to_nothing_and_never_less_than_nothing(book: str) -> None:
    cost = by_chart(book).figures.house_edge - best(book).figures.house_edge
    assert -1e-12 < cost < DEAREST


@pytest.mark.parametrize("book", daily(BOOKS, "pa-down-under-blackjack"))
def test_the_chart_is_found_again(book: str) -> None:
    """No cell can be bettered on the chart's own values; if one can, `python -m twentyone.odds.generate` mends it."""
    own = default_strategy(rules_of(book))
    again = improved(rules_of(book), by_chart(book))
    assert differences(again, own) == []
    assert again.insurance == own.insurance


@pytest.mark.parametrize(("book", "tolerance"), [("pa-down-under-blackjack", 1e-9), ("pa-spanish-21", 0.005)])
def test_what_the_chart_costs_is_the_sum_of_its_mistakes(book: str, tolerance: float) -> None:
    """How often the chart meets a hand, times what it loses there by the optimum's values, adds up to its cost.

    Exactly so where a pair is split once; with resplits the hands met are counted with the pair cards left on average.
    """
    cost = by_chart(book).figures.house_edge - best(book).figures.house_edge
    own = default_strategy(rules_of(book))
    mistakes = departures(best(book), own, by_chart(book), least=0.0)
    assert sum(row.gain for row in mistakes) == pytest.approx(cost, rel=tolerance)
    assert all(row.best != row.chart for row in mistakes)


def test_one_wrong_cell_is_seen() -> None:
    """Negative control: hitting 12 against a 6 with a large hole card costs, and the next improvement mends it."""
    rules = rules_of("pa-down-under-blackjack")
    place = CellKey("first", "large", "hard", "12", "6")
    wrong = default_strategy(rules).with_cell(place, Cell("H"))
    assert default_strategy(rules).cell(place) == Cell("S")
    spoiled = analyse(rules, strategy=wrong)
    assert spoiled.figures.house_edge > by_chart(rules.rulebook.id).figures.house_edge + 1e-5
    assert improved(rules, spoiled).cell(place) == Cell("S")
