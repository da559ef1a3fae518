"""What others have published of counting, ours beside it; docs/counting.md has the tables and names the differences."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest
from bench import removals
from bench.insurance_points import Difference, Table, differences, groups_of, published, slips
from tests.daily import daily

from twentyone.strategy.cells import Cell

TABLES = [table for table in published() if table.decks <= 2]
"""Those of more decks take longer: `make prove PART=counts-points`."""


# -- insurance by running count and cards left


@pytest.mark.parametrize("table", daily(TABLES, TABLES[0]), ids=lambda table: f"{table.system}-{table.decks}")
def test_insurance_pays_from_the_published_points_on(table: Table) -> None:
    away = _away(table)
    assert {each.row for each in away} == slips(table)
    for each in away:
        gain = _gain(table, each)
        assert each.ours == (gain >= 0, gain == 0), "whole numbers say that the published point is the wrong one"


def test_another_count_has_other_points() -> None:
    """Negative control: most points of one system are none of the other's."""
    wrong = published()[0]._replace(system="ko")
    assert len({each.row for each in _away(wrong)}) > sum(map(len, wrong.points.values())) / 2


def _away(table: Table) -> list[Difference]:
    step = 1 if table.decks == 1 else 25
    return [each for hand in table.points for each in differences(table, hand, step) if each is not None]


def _gain(table: Table, point: Difference) -> Fraction:
    """What insurance gains, by counting every set of cards that may be left."""
    low, middle, tens, aces = (groups_of(table, point.hand)[letter].cards for letter in "LMTA")
    sets = won = 0
    for lows in range(low + 1):
        high = point.running + lows
        for ten in range(max(0, high - aces), min(tens, high) + 1):
            rest = point.left - lows - high
            if 0 <= rest <= middle:
                ways = comb(low, lows) * comb(tens, ten) * comb(aces, high - ten) * comb(middle, rest)
                sets, won = sets + ways, won + ways * ten
    return Fraction(3 * won, sets * point.left) - 1


# -- a card less in the shoe


@pytest.fixture(scope="module")
def returns() -> dict[str, float]:
    """The card that is gone to the return of a round."""
    game = removals.rules()
    chart = removals.chart(game)
    return {gone: removals.worth(game, chart, gone) for gone in removals.PUBLISHED}


@pytest.mark.parametrize("gone", removals.PUBLISHED)
def test_a_round_with_a_card_gone_is_worth_what_was_published(gone: str, returns: dict[str, float]) -> None:
    assert returns[gone] == pytest.approx(removals.PUBLISHED[gone], abs=removals.ROUNDING)


def test_a_card_gone_at_random_changes_nothing(returns: dict[str, float]) -> None:
    """A chart that stays the same is worth as much from any random part of a shoe."""
    mean = sum(4 * worth if gone == "10" else worth for gone, worth in returns.items() if gone) / 13
    assert mean == pytest.approx(returns[""], abs=1e-12)


def test_one_cell_of_the_chart_is_seen() -> None:
    """Negative control: hitting 16 against a ten where it stands."""
    game, right = removals.rules(), removals.chart(removals.rules())
    cells = {key: Cell("Rh") if str(cell) == "Rs" else cell for key, cell in right.cells.items()}
    away = removals.worth(game, replace(right, cells=cells)) - removals.PUBLISHED[""]
    assert abs(away) > 1e6 * removals.ROUNDING
