"""The long loop in short: 500 rounds at a table of every regulation, every irregularity put to use, and its proof."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bench import prove_table
from tests.contracts import table_days
from tests.contracts.table_cards import Camera
from tests.contracts.table_days import A_DAY, DayFault, work_day
from tests.contracts.table_mischief import paragraphs
from tests.contracts.table_submissions import BOOKS, rules_of_day
from tests.contracts.table_witness import Witness
from tests.daily import daily

from twentyone.cards import Card
from twentyone.money import Amount
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.clauses import Irregularity, SubmissionKey
from twentyone.rulebook.reader import is_under
from twentyone.table import Command, Table, TableEvent
from twentyone.table.model import Bundle

BOOK = BOOKS[2]
"""The rulebook of the tests of the proof itself."""
ROUNDS = 500
DAYS = 10
"""Days that try every choice."""
SHOE_RUNS_OUT = 0
"""A day by hand on which the shoe runs out in a round, with a rack that is cut."""
LEAST = 1
"""How often each irregularity happens in so many rounds."""


@pytest.mark.parametrize("book", daily(BOOKS, "md-spanish-21"))
def test_every_irregularity_happens_and_nothing_gets_lost(book: str) -> None:
    rulebook, fired, rounds = Rulebook.load(book), Counter[str](), 0
    for number in range(ROUNDS // A_DAY):
        worked = work_day(rulebook, number)
        fired += worked.fired
        rounds += worked.rounds
    assert rounds >= ROUNDS
    assert {name for name in paragraphs(rulebook) if fired[name] < LEAST} == set()


@pytest.mark.parametrize("book", BOOKS)
def test_every_paragraph_on_irregularities_is_counted(book: str) -> None:
    """All paragraphs under the heading, but for those that only open a list or are carried out with another."""
    rulebook = Rulebook.load(book)
    first = next(clause.paragraph for clause in rulebook.clauses if isinstance(clause, Irregularity))
    top = min((name for name in rulebook.entries if is_under(first, name)), key=len)
    own = {entry.paragraph for entry in rulebook.entries.values() if entry.paragraph.startswith(top) and entry.clauses}
    counted = {cite.removeprefix(rulebook.prefix) for cite in paragraphs(rulebook).values()}
    assert own - counted == set()


@pytest.mark.parametrize("book", BOOKS)
def test_days_try_every_choice_that_matters_to_a_table(book: str) -> None:
    rulebook = Rulebook.load(book)
    days = [rules_of_day(rulebook, number) for number in range(DAYS)]
    keys = {clause.name: clause for clause in rulebook.clauses if isinstance(clause, SubmissionKey)}
    for key in ("shuffler", "bonus_spin", "hole_card"):
        if key in keys:
            assert {day.submission.get(key) for day in days} >= set(keys[key].choices) - {"none", "unread"}, key
    for key in ("preinspected", "mid_shoe_entry", "reader_reveals", "xtreme_16"):
        if key in keys:
            assert {day.submission[key] for day in days} == {True, False}, key
    for key in ("boxes_per_player", "players_per_box"):
        if not keys[key].fixed:
            assert {day.submission[key] for day in days} == {1, 2, 3}, key


# -- tables with a planted fault


def _plant(monkeypatch: pytest.MonkeyPatch, change: Any) -> None:
    apply = Table.apply

    def faulty(self: Table, command: Command) -> Table:
        after = apply(self, command)
        change(after, command)
        return after

    monkeypatch.setattr(Table, "apply", faulty)


def _lose_a_card(after: Table, command: Command) -> None:
    if command.do == "collect_cards" and after.state.rack:
        last = after.state.rack[-1]
        after.state.rack = (*after.state.rack[:-1], Bundle(last.round, (last.hands[0][1:], *last.hands[1:])))


def _mix_hands(after: Table, command: Command) -> None:
    if command.do == "collect_cards" and after.state.rack:
        last = after.state.rack[-1]
        after.state.rack = (*after.state.rack[:-1], Bundle(last.round, last.hands[::-1]))


def _mint(after: Table, command: Command) -> None:
    if command.do == "deal":
        after.state.writable("chips")["(inventory)"] += Amount("1")


@pytest.mark.parametrize("change", [_lose_a_card, _mint])
def test_a_table_that_loses_cards_or_makes_chips_is_found_out(monkeypatch: pytest.MonkeyPatch, change: Any) -> None:
    _plant(monkeypatch, change)
    monkeypatch.setattr(Witness, "see", _see_states)
    with pytest.raises(DayFault):
        work_day(Rulebook.load(BOOK), 0)


def _see_states(self: Witness, before: Table, events: tuple[TableEvent, ...]) -> None:
    """Look at the table's own state and not at its events, in which these faults do not show."""
    assert sum(before.state.chips.values(), Amount(0)) == 0


def _leave_uncut(after: Table, command: Command) -> None:
    if command.do == "reload_rack":
        after.state.agenda = tuple(todo for todo in after.state.agenda if todo.do != "cut")


def test_a_rack_that_is_dealt_from_uncut_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    _plant(monkeypatch, _leave_uncut)
    with pytest.raises(DayFault, match="was not cut"):
        work_day(Rulebook.load(BOOK), SHOE_RUNS_OUT)


def test_a_card_out_of_nowhere_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    receive = Camera._receive

    def one_more(self: Camera, batch: str) -> None:
        receive(self, batch)
        self.stacks[batch].append(Card("AS"))

    monkeypatch.setattr(Camera, "_receive", one_more)
    with pytest.raises(DayFault):
        work_day(Rulebook.load(BOOK), 0)


# -- the proof


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Days of five rounds, kept in a folder of the test."""
    work = table_days.work_day
    monkeypatch.setattr(prove_table, "work_day", lambda rulebook, number: work(rulebook, number, 5))
    monkeypatch.setattr(prove_table, "FOLDER", tmp_path)
    monkeypatch.setattr(prove_table, "LEAST", 0)
    return tmp_path


def _kept(folder: Path) -> dict[str, Any]:
    body: dict[str, Any] = json.loads((folder / f"table-{BOOK}.json").read_text(encoding="utf-8"))
    return {key: value for key, value in body.items() if key != "seconds"}


def test_a_missing_irregularity_fails_the_proof(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert prove_table.main(["--part", BOOK, "--rounds", "10"]) == 1
    out = capsys.readouterr().out
    assert "too rare: " in out
    assert all(cite in out for cite in paragraphs(Rulebook.load(BOOK)).values())


def test_a_stopped_proof_goes_on_where_it_was(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prove_table.main(["--part", BOOK, "--rounds", "20"])
    whole = _kept(small)
    (small / f"table-{BOOK}.json").unlink()
    work = table_days.work_day

    def stop(rulebook: Rulebook, number: int) -> Any:
        if number == 2:
            raise KeyboardInterrupt
        return work(rulebook, number, 5)

    monkeypatch.setattr(prove_table, "work_day", stop)
    assert prove_table.main(["--part", BOOK, "--rounds", "20"]) == 130
    assert _kept(small)["days"] == 2
    monkeypatch.setattr(prove_table, "work_day", lambda rulebook, number: work(rulebook, number, 5))
    prove_table.main(["--part", BOOK, "--rounds", "20"])
    assert _kept(small) == whole


def test_a_fault_is_told_with_its_day(small: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def refuse(self: Table, command: Command) -> Table:
        raise ValueError("planted")

    monkeypatch.setattr(Table, "apply", refuse)
    assert prove_table.main(["--part", BOOK, "--rounds", "5"]) == 1
    out = capsys.readouterr().out
    assert "ValueError: planted" in out
    assert f'work_day(Rulebook.load("{BOOK}"), 0)' in out
    assert not (small / f"table-{BOOK}.json").exists()


def test_rules_of_a_day_are_always_the_same() -> None:
    def choices(rules: Rules) -> list[Any]:
        return [(choice.key, choice.value) for choice in rules.submission.choices]

    rulebook = Rulebook.load(BOOK)
    assert choices(rules_of_day(rulebook, 17)) == choices(rules_of_day(rulebook, 17))
