"""Charts by optimisation: the cell that gains most, numbers and marks only where they are worth remembering."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from twentyone.odds.analysis import Analysis
from twentyone.odds.charts import WORTH, improved
from twentyone.odds.exceptions import departures
from twentyone.odds.model import Condition, Spots
from twentyone.rulebook import Rulebook, Rules
from twentyone.strategy import Cell, CellKey, Strategy

CLASSES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
NAN = float("nan")

Row = tuple[str, dict[str, float], float, str]
"""A hand's classes, what its decisions are worth, how often it is reached, the special hand it can become."""


def rules_of(book: str) -> Rules:
    return Rulebook.load(book).under()


def spots(phase: str, rows: list[Row], pair: str = "") -> Spots:
    """Spots of one condition from a few rows."""
    names = sorted({name for _, values, _, _ in rows for name in values})
    counts = np.array([[cards.split().count(name) for name in CLASSES] for cards, _, _, _ in rows])
    totals = counts @ np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    return Spots(
        phase=phase,
        counts=counts,
        total=totals,
        soft=np.zeros(len(rows), dtype=bool),
        cards=counts.sum(axis=1),
        pair=(pair,) * len(rows),
        start=("",) * len(rows),
        bonus=tuple(bonus for _, _, _, bonus in rows),
        values={name: np.array([[values.get(name, NAN)] for _, values, _, _ in rows]) for name in names},
        reach=np.array([[reach] for _, _, reach, _ in rows]),
        best=np.full((len(rows), 1), "stand"),
    )


def chart(book: str, found: Spots, up: str = "6", hole: str = "", rules: Rules | None = None) -> Strategy:
    """The chart that gains most on these spots."""
    rules = rules or rules_of(book)
    analysis = SimpleNamespace(
        rules=rules,
        classes=CLASSES,
        conditions=(Condition(up, hole),),
        spots={found.phase: found},
        _core=SimpleNamespace(splits={}),
    )
    return improved(rules, cast("Analysis", analysis))


def cell(book: str, rows: list[Row], phase: str = "first", pair: str = "") -> str:
    """The one cell that these hands share."""
    (found,) = chart(book, spots(phase, rows, pair)).cells.values()
    return str(found)


def test_the_better_decision_by_weight() -> None:
    """Hits on one hand gain 0.1 three times as often as the other loses 0.2: the cell is a hit."""
    often = ("10 5", {"hit": 0.1, "stand": 0.0}, 0.03, "")
    seldom = ("9 6", {"hit": -0.2, "stand": 0.0}, 0.01, "")
    assert cell("classic-blackjack", [often, seldom]) == "H"
    assert cell("classic-blackjack", [(*often[:2], 0.01, ""), (*seldom[:2], 0.01, "")]) == "S"


def test_letters_with_what_is_done_where_they_are_not_allowed() -> None:
    two = ("6 5", {"hit": 0.1, "stand": -0.5, "double": 0.3}, 0.01, "")
    assert cell("classic-blackjack", [two, ("2 3 6", {"hit": 0.1, "stand": -0.5}, 0.001, "")]) == "D"
    assert cell("classic-blackjack", [two, ("2 3 6", {"hit": -0.9, "stand": -0.5}, 0.001, "")]) == "Ds"
    up = ("10 6", {"hit": -0.6, "stand": -0.7, "double": -1.0, "surrender": -0.5}, 0.01, "")
    assert cell("pa-spanish-21", [up, ("10 2 4", {"hit": -0.6, "stand": -0.7, "double": -1.0}, 0.001, "")]) == "Rh"
    assert cell("pa-spanish-21", [up, ("10 2 4", {"hit": -0.7, "stand": -0.6, "double": -1.0}, 0.001, "")]) == "Rs"
    assert cell("pa-spanish-21", [("8 8", {**up[1], "split": -0.6}, 0.01, "")], pair="8") == "R"


@pytest.mark.parametrize(("reach", "wanted"), [(1.1 * WORTH / 0.2, "S5"), (0.9 * WORTH / 0.2, "S")])
def test_a_number_has_to_be_worth_remembering(reach: float, wanted: str) -> None:
    """Five cards gain 0.2 by hitting: the number stands there from a reach of WORTH / 0.2 on."""
    rows: list[Row] = [
        ("10 6", {"hit": -0.5, "stand": -0.2}, 0.01, ""),
        ("10 2 4", {"hit": -0.5, "stand": -0.2}, 0.01, ""),
        ("8 2 2 4", {"hit": -0.3, "stand": -0.2}, 0.01, ""),
        ("6 2 2 2 4", {"hit": 0.0, "stand": -0.2}, reach, ""),
    ]
    assert cell("pa-spanish-21", rows) == wanted


@pytest.mark.parametrize(
    ("kinds", "mark"), [("any suited spades", "*"), ("suited spades", "†"), ("spades", "‡"), ("", "")]
)
def test_a_mark_is_the_widest_that_gains(kinds: str, mark: str) -> None:
    rows: list[Row] = [("10 3", {"hit": -0.3, "stand": -0.2}, 0.01, "")]
    for kind in ("any", "suited", "spades"):
        rows.append(("6 7", {"hit": 0.1 if kind in kinds.split() else -0.3, "stand": -0.2}, 0.001, kind))
    assert cell("pa-spanish-21", rows) == f"S{mark}"


def test_offers() -> None:
    rescue = [("10 2 4", {"rescue": -1.0, "decline": -1.2}, 0.01, "")]
    assert cell("pa-spanish-21", rescue, "doubled") == "R"
    chance = [("10 6 9", {"second_chance": -1.1, "decline": -1.0}, 0.01, "")]
    assert cell("pa-double-back-jack", chance, "busted") == "N"


def test_surrender_before_the_reader_has_its_own_chart() -> None:
    """Section 13(g)(9) read that way: what is offered early is not offered on the turn."""
    rules = Rulebook.load("s13-spanish-21").under({"readings": {"s13-surrender-timing": "before-reader"}})
    values = {"stand": -0.6, "hit": -0.7, "double": -0.9, "surrender": -0.5}
    for stand, wanted in ((-0.6, "R"), (-0.4, "N")):
        found = spots("first", [("10 7", {**values, "stand": stand}, 0.01, "")])
        cells = {place.phase: str(cell) for place, cell in chart("", found, "A", rules=rules).cells.items()}
        assert cells == {"first": "S", "early": wanted}


def test_a_hand_never_reached_has_its_cell_all_the_same() -> None:
    assert cell("classic-blackjack", [("10 6", {"hit": -0.1, "stand": -0.2}, 0.0, "")]) == "H"


def test_hole_conditions_have_their_own_cells() -> None:
    found = spots("first", [("10 6", {"hit": -0.1, "stand": 0.2}, 0.01, "")])
    assert list(chart("pa-down-under-blackjack", found, "6", "large").cells) == [
        CellKey("first", "large", "hard", "16", "6")
    ]


def test_a_pair_out_of_a_split_counts_for_its_total_too() -> None:
    """The last hand of a box may not split; whether a pair before it is split again is asked of the core."""
    found = spots("split", [("8 8", {"hit": -0.5, "stand": -0.4}, 0.01, "")], pair="8")
    cells = {place.hand: str(cell) for place, cell in chart("classic-blackjack", found).cells.items()}
    assert cells == {"pairs": "S", "hard": "S"}


def analysis_of(found: Spots) -> Analysis:
    """As much of an analysis as the departures read."""
    conditions = (Condition("6"),)
    return cast("Analysis", SimpleNamespace(classes=CLASSES, conditions=conditions, spots={found.phase: found}))


def test_departures_from_a_chart() -> None:
    """Two 12s share a cell that stands: 10-2 would gain 0.1 by a hit, as often as the chart meets it."""
    rows: list[Row] = [
        ("10 2", {"hit": -0.1, "stand": -0.2}, 0.01, ""),
        ("9 3", {"hit": -0.3, "stand": -0.2}, 0.02, ""),
    ]
    standing = Strategy("classic-blackjack", {CellKey("first", "", "hard", "12", "6"): Cell("S")})
    best = analysis_of(spots("first", rows))
    (row,) = departures(best, standing)
    assert (row.hand, row.chart, row.best) == ("2 10", "stand", "hit")
    assert row.gain == pytest.approx(0.001)
    often = analysis_of(spots("first", [(cards, values, 0.05, "") for cards, values, _, _ in rows]))
    assert departures(best, standing, often)[0].gain == pytest.approx(0.005)
    other = analysis_of(spots("first", rows[:1]))
    assert departures(best, standing, other)[0].gain == pytest.approx(0.001)


def test_one_wrong_value_changes_the_cell() -> None:
    """Negative control: the chart follows the values."""
    rows = spots("first", [("10 6", {"hit": -0.1, "stand": -0.2}, 0.01, "")])
    wrong = replace(rows, values={**rows.values, "stand": rows.values["stand"] + 0.2})
    assert chart("classic-blackjack", rows).cells != chart("classic-blackjack", wrong).cells
