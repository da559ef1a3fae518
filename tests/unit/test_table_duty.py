"""What is the dealer's is for the dealer on duty: at every moment of a day, for every command, in every book."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.golden.day import BOOKS, Day

from twentyone.errors import Refused
from twentyone.rulebook import Rulebook
from twentyone.table import Command, Table
from twentyone.table.follow import Follower
from twentyone.table.play import COMMANDS
from twentyone.table.table import NextStep

ARGUMENTS: dict[str, Any] = {
    "player": "Ann",
    "dealer": "Eve",
    "who": "Ann",
    "amount": "5",
    "box": 1,
    "wager": "main",
    "card": "AS",
    "decks": 6,
    "cards": 288,
    "place": 100,
    "from_bottom": 80,
    "commitment": "seal",
    "device": "shuffler",
    "name": "insufficient_cards",
    "action": "decline",
    "symbol": "40",
    "on": True,
    "cutter": "dealer",
    "why": "so",
    "right": "AS",
    "wrong": "KS",
    "exposed": True,
    "face": "up",
    "boxes": [1],
    "blackjack": False,
}
"""Something for whatever a command may name."""


def fitting(do: str) -> dict[str, Any]:
    """Arguments that a command takes."""
    return {name: ARGUMENTS[name] for name in COMMANDS[do].takes if name in ARGUMENTS}


def moment(table: Table) -> object:
    """What tells moments of a day apart: where the procedure is, and what is asked of whom."""
    state, steps = table.state, [(step.do, step.role) for step in table.next_steps()]
    return state.phase, state.dealer, state.stopped, tuple(steps), bool(state.placed)


def moments(book: str) -> Iterator[tuple[Table, Command]]:
    """Each kind of moment of a day once, with the command that came then."""
    found: dict[object, tuple[Table, Command]] = {}
    plain = Table.apply

    def apply(table: Table, command: Command) -> Table:
        after = plain(table, command)
        found.setdefault((moment(table), command.do), (table, command))
        return after

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "apply", apply)
        last = Day(book).run()
    yield from found.values()
    yield last, Command("open_table", "floorperson", "Fay")


@pytest.mark.parametrize("book", BOOKS)
def test_a_dealer_of_another_table_can_do_nothing_here(book: str) -> None:
    seen, carried = set(), list[str]()
    for table, given in moments(book):
        seen.add(table.state.phase)
        if given.role == "dealer":
            table.apply(given)
        for do in COMMANDS:
            for args in (given.args if do == given.do else {}, fitting(do)):
                try:
                    table.apply(Command(do, "dealer", "Eve", given.at, args))
                except Refused:
                    continue
                carried.append(f"{table.state.phase}: {do}")
    assert seen == {"closed", "open", "round", "settled", "idle"}
    assert carried == []


@pytest.mark.parametrize("book", BOOKS)
def test_nobody_deals_at_a_closed_table(book: str) -> None:
    """Not even who dealt there before it was closed."""
    for table in (Table.new(Day(book).table.rules), Day(book).run()):
        for do in COMMANDS:
            with pytest.raises(Refused):
                table.apply(Command(do, "dealer", "Dan", 10**9, fitting(do)))


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("role", ["floorperson", "operator"])
def test_neither_the_dealer_nor_nobody_acts_in_another_role(book: str, role: str) -> None:
    """Who deals does nothing as floorperson or operator at the same table, and nothing is done without a name."""
    for table, given in moments(book):
        for do in COMMANDS:
            for name in (table.state.dealer or "", "", " "):
                with pytest.raises(Refused):
                    table.apply(Command(do, role, name, given.at, given.args if do == given.do else fitting(do)))


def opened(by: str = "Fay", role: str = "floorperson") -> Table:
    table = Table.new(Rulebook.load("pa-spanish-21").under())
    return table.apply(Command("open_table", role, by, 0, {"dealer": "Dan"}))


def test_who_opens_as_floorperson_is_assigned_until_the_table_closes() -> None:
    table = opened()
    assert table.state.floorperson == "Fay"
    assert opened("Olga", "operator").state.floorperson == ""
    table = table.apply(Command("close_table", "floorperson", "Gus", 1))
    assert table.state.floorperson == ""


@pytest.mark.parametrize(
    ("do", "role", "by", "args", "why"),
    [
        ("assign_floorperson", "floorperson", "Fay", {}, "Fay is assigned to this table already"),
        ("assign_floorperson", "operator", "Olga", {"floorperson": "Dan"}, "Dan deals here"),
        ("assign_floorperson", "operator", "Olga", {"floorperson": "Ann"}, "Ann plays here"),
        ("assign_floorperson", "operator", "Olga", {"floorperson": ""}, "has a name"),
        ("assign_floorperson", "operator", "Olga", {}, "needs floorperson"),
        ("change_dealer", "floorperson", "Gus", {"dealer": "Fay"}, "Fay is the floorperson assigned to this table"),
        ("sit", "player", "Fay", {"boxes": [2]}, "Fay is the floorperson assigned to this table"),
    ],
)
def test_the_assigned_floorperson_is_one_person_who_neither_deals_nor_plays(
    do: str, role: str, by: str, args: dict[str, Any], why: str
) -> None:
    table = opened().apply(Command("sit", "player", "Ann", 0, {"boxes": [1]}))
    with pytest.raises(Refused, match=why):
        table.apply(Command(do, role, by, 1, args))


def test_who_opens_a_table_does_not_deal_at_it() -> None:
    table = Table.new(Rulebook.load("pa-spanish-21").under())
    with pytest.raises(Refused, match="cannot deal at it"):
        table.apply(Command("open_table", "floorperson", "Fay", 0, {"dealer": "Fay"}))


def test_other_staff_assigns_itself_before_it_does_what_is_the_assigned_floorpersons() -> None:
    """The follower of the procedure, as automatic staff and shifts work, never acts in the name of another."""
    table = opened("Gus")
    table = Follower({"dealer": "Dan", "floorperson": "Fay"}).until(table, "show_cards", 1)
    kinds = [(event.kind, event.by) for event in table.events if event.kind == "floorperson_assigned"]
    assert kinds == [("floorperson_assigned", "Fay")]
    assert {event.by for event in table.events if event.kind in ("device_inspected", "inspection_verified")} == {"Fay"}


def test_a_text_without_an_assigned_floorperson_assigns_nobody() -> None:
    table = Table.new(Rulebook.load("classic-blackjack").under())
    table = table.apply(Command("open_table", "floorperson", "Fay", 0, {"dealer": "Dan"}))
    assert table.state.floorperson == ""
    with pytest.raises(Refused, match="knows no floorperson who is assigned"):
        table.apply(Command("assign_floorperson", "floorperson", "Fay"))


def test_a_table_that_cannot_be_closed_says_the_one_reason() -> None:
    with pytest.raises(Refused, match="the table is closed already"):
        Table.new(Rulebook.load("pa-spanish-21").under()).apply(Command("close_table", "floorperson", "Fay"))
    table = Follower({"dealer": "Dan", "floorperson": "Fay"}, bring=brought).until(seated(), "", 1)
    table = table.apply(Command("place_wager", "player", "Ann", 1, {"box": 1, "amount": "10"}))
    with pytest.raises(Refused, match="cannot be closed now: a wager lies on it"):
        table.apply(Command("close_table", "floorperson", "Fay", 1))
    table = table.apply(Command("deal", "dealer", "Dan", 1))
    with pytest.raises(Refused, match="cannot be closed now: a round is in progress"):
        table.apply(Command("close_table", "floorperson", "Fay", 1))


def test_who_comes_late_is_not_told_that_a_round_was_sat_out() -> None:
    """635a.6(b): whoever laid no wager on a round of this shoe waits, having been there or not."""
    table = Follower({"dealer": "Dan", "floorperson": "Fay"}, bring=brought).until(seated(mid_shoe_entry=False), "", 1)
    table = table.apply(Command("place_wager", "player", "Ann", 1, {"box": 1, "amount": "10"}))
    table = table.apply(Command("deal", "dealer", "Dan", 1))
    for card in ("9S", "9H", "9D", "9C"):
        table = table.apply(Command("card", "dealer", "Dan", 1, {"card": card}))
    table = table.apply(Command("decide", "player", "Ann", 1, {"action": "stand"}))
    table = table.apply(Command("collect_cards", "dealer", "Dan", 1))
    table = table.apply(Command("sit", "player", "Bob", 1, {"boxes": [2]}))
    with pytest.raises(Refused, match="Bob laid no wager on an earlier round of this shoe"):
        table.apply(Command("place_wager", "player", "Bob", 1, {"box": 2, "amount": "10"}))


def seated(**submission: Any) -> Table:
    """A table that Ann came to, with chips."""
    table = Table.new(Rulebook.load("pa-spanish-21").under(submission))
    table = table.apply(Command("open_table", "floorperson", "Fay", 0, {"dealer": "Dan"}))
    table = table.apply(Command("sit", "player", "Ann", 0, {"boxes": [1]}))
    return table.apply(Command("buy_in", "dealer", "Dan", 0, {"player": "Ann", "amount": "100"}))


def brought(step: NextStep) -> dict[str, str]:
    return {"shuffle": {"commitment": "0" * 64}, "burn": {"card": "2S"}}.get(step.do, {})
