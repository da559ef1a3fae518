"""The trainer: exact costs, a schedule by seed and clock, counts as the simulator counts them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.analyses import best
from tests.daily import daily_books

from twentyone.desk import charting
from twentyone.errors import NotAScript, Refused
from twentyone.odds.core import Core
from twentyone.odds.edges import edge_of
from twentyone.odds.hand_values import hand_values
from twentyone.odds.lookup import decisions_on
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.clauses import SuperBonus
from twentyone.service.names import Names
from twentyone.service.records import open_records
from twentyone.service.shift.chance import Chance
from twentyone.sim.counts import count_named
from twentyone.strategy import Cell, CellKey, default_strategy
from twentyone.training.cells import PER_HOUR, by_importance, cell_of, deal, mark, name_of
from twentyone.training.counts import SYSTEMS, count_run
from twentyone.training.kept import KeptProgress
from twentyone.training.schedule import NEW, Progress, after, next_item

CLASSIC = "classic-blackjack"
DAY = 86_400


def quiet(share: float, *, at_once: bool = False, **told: Any) -> None:
    """Nobody is told."""


@cache
def cells_of(book: str) -> dict[str, dict[str, Any]]:
    """The cells of a game by name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(charting, "_analysed", lambda rules: best(rules.rulebook.id))
        cells = charting.cells({"rulebook": book}, quiet, "")["cells"]
    return {name_of(body): body for body in cells}


def rules_of(book: str) -> Rules:
    return Rulebook.load(book).under()


@pytest.mark.parametrize("book", daily_books("pa-double-back-jack"))
def test_every_game_deals_a_hand_of_each_of_its_cells(book: str) -> None:
    rules, cells = rules_of(book), cells_of(book)
    assert len(cells) > 300
    assert sorted(by_importance(list(cells.values()))) == sorted(cells)
    for name, body in cells.items():
        asked = deal(rules, body, Chance("seed", name))
        facts = rules.hand(asked.hand, bool(asked.split_from), asked.cell.phase == "doubled")
        if asked.cell.hand != "pairs":
            assert (str(facts.points), facts.soft) == (asked.cell.row, asked.cell.hand == "soft"), name
        marks = [mark(body, asked.number, decision) for decision in asked.may]
        assert any(one.right and one.lost == 0 for one in marks), name
        assert all(one.lost >= 0 and one.per_hour >= 0 for one in marks), name


def test_a_hands_values_are_those_of_the_command() -> None:
    rules = rules_of(CLASSIC)
    core = Core(Tables(rules))
    body = cells_of(CLASSIC)["first||hard|16|10"]
    asked = deal(rules, body, Chance(1))
    told = mark(body, asked.number, "stand").values
    assert told == pytest.approx(decisions_on(core, asked.hand, asked.up, "", False, False), abs=1e-9)


@pytest.mark.parametrize(("row", "up", "letter", "decision"), [("13", "5", "H", "hit"), ("16", "7", "S", "stand")])
def test_what_a_mistake_costs_is_what_the_edge_of_a_chart_with_it_says(
    row: str, up: str, letter: str, decision: str
) -> None:
    """Two methods: the hands of the cell, and the whole game played by a chart with this one mistake."""
    rules, key = rules_of(CLASSIC), CellKey("first", "", "hard", row, up)
    chart = default_strategy(rules)
    dearer = edge_of(rules, chart.with_cell(key, Cell(letter))) - edge_of(rules, chart)
    body = cells_of(CLASSIC)["|".join(key)]
    told = mark(body, 0, decision)
    assert not told.right
    assert told.per_hour / PER_HOUR == pytest.approx(dearer, rel=0.02)


def test_a_decision_that_the_hand_may_not_take_is_refused() -> None:
    body = cells_of(CLASSIC)["first||hard|16|10"]
    with pytest.raises(Refused, match="may not split"):
        mark(body, 0, "split")
    with pytest.raises(Refused, match="no hand 99"):
        mark(body, 99, "hit")
    with pytest.raises(Refused, match="no cell"):
        cell_of("first|16")


def course(errs: frozenset[str], days: int = 12) -> dict[str, list[int]]:
    """When each cell is asked of somebody who errs on some cells: forty questions a day, one in 20 seconds."""
    names = by_importance(list(cells_of(CLASSIC).values()))[:40]
    known: dict[str, Progress] = {}
    met: dict[str, list[int]] = {}
    for day in range(days):
        for number in range(40):
            at = day * DAY + number * 20
            item = next_item(names, known, at, Chance("seed", at))
            known[item] = after(known.get(item, NEW), item not in errs, at)
            met.setdefault(item, []).append(at)
    return met


def test_who_errs_on_purpose_meets_those_cells_again_sooner() -> None:
    good = course(frozenset())
    errs = frozenset(sorted(good, key=lambda name: good[name][0])[:2])
    bad = course(errs)
    for name in errs:
        assert bad[name][1] - bad[name][0] < good[name][1] - good[name][0], name
        assert len(bad[name]) > 3 * len(good[name]), name
    others = [len(bad[name]) for name in bad if name not in errs]
    assert max(others) < min(len(bad[name]) for name in errs)
    assert course(errs) == bad


def test_progress_is_kept_under_a_name_and_not_inherited(tmp_path: Path) -> None:
    records = open_records(str(tmp_path / "t.db"))
    kept, names = KeptProgress(records), Names(records, lambda: 7)
    first = kept.answered("Ann", "chart", "a", False, 1000)
    again = kept.answered("ann", "chart", "a", True, 2000)
    assert (first.seen, first.missed, first.due) == (1, 1, 1060)
    assert (again.seen, again.missed) == (2, 1)
    assert kept.of("Ann", "chart") == {"a": again}
    assert kept.of("Ann", "other") == kept.of("Ben", "chart") == {}
    names.given("Ann")
    assert kept.of("Ann", "chart") == {}
    records.close()


@pytest.mark.parametrize("book", [CLASSIC, "pa-spanish-21"])
def test_runs_are_counted_as_the_simulator_counts(book: str) -> None:
    rules = rules_of(book)
    deck = tuple(
        dict.fromkeys(card for number in range(40) for card in count_run(rules, "hilo", 52, Chance(number)).cards)
    )
    assert len(deck) == (52 if book == CLASSIC else 48)
    for name in SYSTEMS:
        system = count_named(name)
        run = count_run(rules, name, 30, Chance("run", name))
        start = system.started(deck, rules.submission["decks"])
        assert start is not None
        assert run.start * system.scale == start, name
        assert run.running * system.scale == start + sum(map(system.tag, run.cards)), name
        assert count_run(rules, name, 30, Chance("run", name)) == run


def test_a_run_of_no_known_count_or_length_is_refused() -> None:
    with pytest.raises(NotAScript, match="no count"):
        count_run(rules_of(CLASSIC), "tarot", 10, Chance(1))
    with pytest.raises(NotAScript, match="1 to 52 cards"):
        count_run(rules_of(CLASSIC), "hilo", 53, Chance(1))


@pytest.mark.parametrize("book", daily_books("s13-spanish-21"))
def test_the_suits_of_a_question_are_those_that_its_values_are_for(book: str) -> None:
    """Every cell that a special hand may come of, dealt often: the trainer's values are those of the command."""
    rules, cells = rules_of(book), cells_of(book)
    told = [body for body in cells.values() if any("cards" in hand for hand in body["hands"])]
    assert bool(told) == bool(rules.all(SuperBonus))
    for body in [*told, *list(cells.values())[::40]]:
        for number in range(2 * len(body["hands"])):
            asked = deal(rules, body, Chance("suits", number))
            flags = {"split": bool(asked.split_from), "doubled": asked.cell.phase == "doubled"}
            values = hand_values(rules, asked.hand, asked.up, asked.cell.hole, **flags)
            for decision, value in mark(body, asked.number, asked.may[0]).values.items():
                if decision in values:
                    assert value == pytest.approx(values[decision], abs=1e-12), asked
