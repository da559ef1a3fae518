"""Whole days at a table of every regulation: what holds after every event, whoever does what."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from tests.contracts.table_driver import FLOORPERSON, Day, face_up_once
from tests.contracts.table_submissions import BOOKS, METERS
from tests.contracts.table_witness import Witness
from tests.daily import daily

from twentyone.rulebook import Rulebook
from twentyone.rulebook.clauses import SubmissionKey
from twentyone.table import Table, TableState, fold_table
from twentyone.table.card_events import RackReloaded
from twentyone.table.events import HandsReconstructed
from twentyone.table.play import task_of
from twentyone.table.rack import reconstruct_rack

SHOES = 3
"""Shoes that a day plays down to the cover card."""
ROUNDS = 45
"""Rounds of a day whose device has no cover card: what is dealt goes back into it after each."""
DISTURBED = 40
"""Rounds of a day on which everybody gives commands at random."""


def submissions(book: str) -> list[dict[str, Any]]:
    """The submissions to try: preshuffled decks, every shuffler, every hole card, both wheels with their meters."""
    keys = {clause.name: clause for clause in Rulebook.load(book).clauses if isinstance(clause, SubmissionKey)}
    wheels: list[dict[str, Any]] = [{}]
    if "progressive" in keys:
        wheels += [{"bonus_spin": table, "xtreme_16": True, "progressive": METERS} for table in ("A", "C")]
    holes = [{"hole_card": mode} for mode in keys["hole_card"].choices] if "hole_card" in keys else [{}]
    two = {} if keys["boxes_per_player"].default == 2 else {"boxes_per_player": 2}
    preshuffled: list[dict[str, Any]] = [{"shuffler": "manual", "preinspected": True}]
    return (preshuffled if "preinspected" in keys else []) + [
        {"shuffler": shuffler, **hole, **wheel, **two}
        for shuffler in keys["shuffler"].choices
        for hole in holes
        for wheel in wheels
    ]


CASES = [(book, given) for book in BOOKS for given in submissions(book)]
NAMES = [
    "-".join([book, *(str(value) for value in given.values() if isinstance(value, str | bool))])
    for book, given in CASES
]


def begin(book: str, given: dict[str, Any], seed: int, noise: float = 0.0) -> tuple[Day, Witness]:
    """A day with its witness."""
    rulebook = Rulebook.load(book)
    rules = rulebook.under(given)
    witness = Witness(rulebook, Table.new(rules))
    return Day(rules, seed, witness.see, noise), witness


def check_fold(day: Day) -> None:
    """The state is the fold of the events."""
    folded = fold_table(day.table.events)
    for field in (field for field in fields(TableState) if field.compare):
        mine, theirs = getattr(day.state, field.name), getattr(folded, field.name)
        if field.name == "round":
            mine, theirs = (None if held is None else held.state for held in (mine, theirs))
        assert mine == theirs, field.name


def check_rack(day: Day) -> None:
    """The floorperson's reconstruction tells the hands that the rack holds, and none where it holds no round."""
    if not reconstruct_rack(day.state.rack):
        return
    day.give("reconstruct", "floorperson", FLOORPERSON)
    rebuilt = day.table.events[-1]
    assert isinstance(rebuilt, HandsReconstructed)
    assert rebuilt.rounds == tuple(bundle.hands for bundle in reconstruct_rack(day.state.rack))


def play_on(day: Day, rounds: int) -> None:
    """So many more rounds, with the hands rebuilt now and then."""
    for number in range(day.done + 1, day.done + rounds + 1):
        day.work(number)
        if number % 5 == 0:
            check_rack(day)


def covers(day: Day) -> int:
    """How often the cover card has come out."""
    return sum(event.kind == "cover_card_seen" for event in day.table.events)


@pytest.mark.parametrize(("book", "given"), daily(CASES, *CASES[::6]), ids=NAMES)
def test_a_newcomer_works_a_day_by_the_next_steps(book: str, given: dict[str, Any]) -> None:
    day, witness = begin(book, given, seed=CASES.index((book, given)))
    has_cover = task_of(day.rules, "insert_cover_card") is not None
    play_on(day, 3)
    day.change_dealer()
    play_on(day, 3)
    if task_of(day.rules, "spread_idle") is not None:
        day.stand_idle()
        play_on(day, 3)
    if task_of(day.rules, "reshuffle") is not None:
        day.give("reshuffle", "floorperson", FLOORPERSON)
        play_on(day, 3)
    while covers(day) < SHOES if has_cover else day.done < ROUNDS:
        play_on(day, 1)
    check_fold(day)
    day.give("close_table", "floorperson", FLOORPERSON)
    check_fold(day)
    assert day.state.shoes > SHOES or not has_cover
    assert witness.state.chips == day.state.chips


@pytest.mark.parametrize(("book", "given"), CASES, ids=NAMES)
def test_commands_at_random_are_refused_or_allowed(book: str, given: dict[str, Any]) -> None:
    day, witness = begin(book, given, seed=1000 + CASES.index((book, given)), noise=0.2)
    day.work(DISTURBED)
    check_fold(day)
    assert sum(day.refused.values()) > DISTURBED
    assert sum(day.allowed.values()) > 0
    assert witness.state.chips == day.state.chips


@pytest.mark.parametrize("book", BOOKS)
def test_a_shoe_that_runs_out_in_a_round_is_filled_from_the_rack(book: str) -> None:
    day, _ = begin(book, {"shuffler": "manual"}, seed=7)
    run_out(day)


def run_out(day: Day) -> None:
    """Play until the shoe runs out in a round."""
    play_on(day, 4)
    while len(day.cards.shoe) > 3:
        day.change_dealer()
        day.give("burn", "dealer", day.dealer, card=day.cards.top.name)
    day.work(5)
    assert day.reloads == 1


READ = [book for book in BOOKS if any(one.name == "face-up-reload" for one in Rulebook.load(book).readings)]


@pytest.mark.parametrize("book", READ)
@pytest.mark.parametrize("value", ["shuffled", "kept-out"])
def test_a_card_found_face_up_is_where_the_camera_sees_it_when_the_rack_is_shuffled(book: str, value: str) -> None:
    day, _ = begin(book, {"shuffler": "manual", "readings": {"face-up-reload": value}}, seed=7)
    day.mischief = face_up_once
    run_out(day)
    check_fold(day)
    reloaded = [event for event in day.table.events if isinstance(event, RackReloaded)]
    assert [len(event.kept) for event in reloaded] == [value == "kept-out"]
