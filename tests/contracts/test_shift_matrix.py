"""Shifts under every choice at each of its values: none dies, none stands still, each ledger is verified.

This is a sample of what `make prove PART=shifts` works: there every two choices meet, with more seeds.
"""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from bench import prove_shifts
from tests.contracts.shift_driver import Felt
from tests.contracts.shift_matrix import (
    MATRIX_BOOKS,
    Cell,
    Row,
    Stuck,
    as_submission,
    cell_of,
    choices_of,
    covering,
    prerequisites,
    values_of,
    work_cell,
)
from tests.daily import daily_books

from twentyone.cli import main
from twentyone.errors import SubmissionRefused
from twentyone.round import Offer
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.clauses import SubmissionKey
from twentyone.service.shift import people
from twentyone.service.shift.chance import Chance
from twentyone.service.shift.people import ShiftPeople
from twentyone.service.shift.players import answers, boxes_taken
from twentyone.service.shift.work import ShiftBroken
from twentyone.table import Table, TableEvent, TableState
from twentyone.table.card_devices import is_barred
from twentyone.table.fallback_rules import rules_in_force
from twentyone.table.model import DeviceState

ROUNDS = 5
"""Rounds of a shift of the sample."""


def sample(book: str) -> list[Row]:
    """Submissions of the matrix in which every value stands at least once."""
    rows, left = [(row, set(values_of(book, row).items())) for row in covering(book)], set[tuple[str, str]]()
    left.update(*(values for _, values in rows))
    chosen: list[Row] = []
    while left:
        row, values = max(rows, key=lambda item: len(item[1] & left))
        chosen.append(row)
        left -= values
    return chosen


@pytest.mark.parametrize("book", MATRIX_BOOKS)
def test_a_shift_under_every_value_of_every_choice_verifies(book: str, tmp_path: Path) -> None:
    for number, row in enumerate(sample(book)):
        folder = tmp_path / str(number)
        folder.mkdir()
        rate = cell_of(number * len(MATRIX_BOOKS)).rate
        cell = Cell(number, book, row, f"sample {number}", rate, ROUNDS)
        assert work_cell(cell, folder).rounds == ROUNDS, cell


def test_every_value_is_in_the_matrix() -> None:
    """Made by another way than the matrix: from the clauses of the rulebooks."""
    for book in MATRIX_BOOKS:
        rulebook, tried = Rulebook.load(book), choices_of(book)
        shown = {item for row in covering(book) for item in values_of(book, row).items()}
        for reading in rulebook.readings:
            assert (
                len(reading.values) == 1
                or {(f"reading {reading.name}", json.dumps(value)) for value in reading.values} <= shown
            ), reading.name
        for key in (clause for clause in rulebook.clauses if isinstance(clause, SubmissionKey) and not clause.fixed):
            values = key.choices or ((False, True) if key.type == "boolean" else tuple(tried[key.name]))
            for value in (value for value in values if (key.name, json.dumps(value)) not in shown):
                with pytest.raises(SubmissionRefused, match="no table"):
                    Table.new(rulebook.under({key.name: value}))


@pytest.mark.parametrize("book", daily_books("pa-down-under-blackjack"))
def test_every_two_choices_that_may_stand_together_do(book: str) -> None:
    """Those that no submission of the matrix has are refused by the rulebook, whatever stands beside them."""
    tried, rulebook = choices_of(book), Rulebook.load(book)
    shown: set[Any] = set()
    for row in covering(book):
        shown.update(combinations(sorted(values_of(book, row).items()), 2))
    for one, other in combinations(sorted(tried), 2):
        for mine in tried[one]:
            for theirs in tried[other]:
                if ((one, json.dumps(mine)), (other, json.dumps(theirs))) not in shown:
                    pinned = {one: mine, other: theirs}
                    with pytest.raises(SubmissionRefused):
                        Table.new(rulebook.under(as_submission(prerequisites(rulebook, pinned))))


def test_the_proof_goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "shifts.json"
    assert prove_shifts.prove_shifts(2, minutes=0, file=file) == prove_shifts.TIME_OVER
    assert prove_shifts.prove_shifts(1, file=file) == prove_shifts.PROVED
    capsys.readouterr()
    assert prove_shifts.prove_shifts(2, file=file) == prove_shifts.PROVED
    assert "2 shifts of" in capsys.readouterr().out
    assert json.loads(file.read_text(encoding="utf-8"))["shifts"] == 2


def test_planted_faults_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A table of one box that nobody may sit at; people who do nothing but tip; barred players who wait for ever."""
    one_box = Cell(1, "pa-spanish-21", {"boxes": 1}, "planted", cell_of(0).rate, ROUNDS)
    barred = one_box._replace(given={"mid_shoe_entry": False}, seed="planted 7", rounds=25)
    plants: list[tuple[Cell, str, Any, type[Exception]]] = [
        (one_box, "boxes_taken", lambda *_: {}, ShiftBroken),
        (barred, "ShiftPeople._without_wagers", lambda *_: iter(()), ShiftBroken),
        (one_box, "planned_wagers", lambda *_: [], Stuck),
    ]
    for cell, name, plant, found in plants:
        folder = tmp_path / name
        folder.mkdir()
        with monkeypatch.context() as patch:
            patch.setattr(f"{people.__name__}.{name}", plant)
            with pytest.raises(found):
                work_cell(cell, folder)


# -- what it found


@pytest.mark.parametrize("book", MATRIX_BOOKS)
def test_who_is_barred_and_alone_waits_for_the_shuffle_and_plays_on(book: str) -> None:
    """Nobody at the table may wager: the cards are shuffled, which ends the bar, or the barred go."""
    rules = Rulebook.load(book).under({"mid_shoe_entry": False})
    barred = 0

    def watch(state: TableState, event: TableEvent) -> None:
        nonlocal barred
        alone = state.phase == "open" and not state.agenda and not state.placed and bool(state.players)
        barred += alone and all(is_barred(rules, player) for player in state.players.values())

    for seed in range(40):
        Felt(rules, ShiftPeople(rules, f"alone {seed}", cell_of(0).rate, 50), seed, watch).work()
        if barred:
            return
    raise AssertionError("nobody was barred and alone")


@pytest.mark.parametrize("book", MATRIX_BOOKS)
@pytest.mark.parametrize("boxes", [1, 2])
def test_a_company_finds_a_place_at_one_box_and_at_two(book: str, boxes: int) -> None:
    names = {key.name for key in Rulebook.load(book).clauses if isinstance(key, SubmissionKey)}
    given = {"boxes": boxes} if "boxes" in names else {}
    rules = Rulebook.load(book).under({**given, **({"players_per_box": 3} if book.startswith("s13") else {})})
    for seed in range(40):
        taken = boxes_taken(rules, f"seed {seed}", 0)
        assert any(taken.values()), seed
        if not given and boxes == 2:
            break


def test_a_table_of_one_box_is_worked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.toml").write_text('rulebook = "pa-spanish-21"\nboxes = 1\n', encoding="utf-8")
    command = ["shift", "pa-spanish-21", "--rounds", "20", "--seed", "9", "--ledger", str(tmp_path / "l.db")]
    assert main([*command, "--submission", str(tmp_path / "one.toml")]) == 0, capsys.readouterr().err


def test_an_offer_that_nobody_may_answer_is_closed_by_the_dealer() -> None:
    (said,) = answers(None, Offer("double", (), True), "Dan", 7, Chance("x"))  # type: ignore[arg-type]
    assert (said.do, said.role, said.by, said.args) == ("decide", "dealer", "Dan", {"action": "decline"})


@pytest.mark.parametrize("book", MATRIX_BOOKS)
def test_a_device_that_nothing_replaces_leaves_a_table_its_own_rules(book: str) -> None:
    """Not the equal ones of another table: a round would record that something replaces them."""
    broken = TableState(devices={"shoe": DeviceState(state="out_of_order")}, all_working=False)
    known = Rulebook.load(book).under({})
    for rules in (known, Rules(known.rulebook, known.submission)):
        assert rules_in_force(rules, broken) is rules
