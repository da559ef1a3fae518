"""What no text speaks of cites nothing: people come and go, chips move between table, cage and tip box."""

from __future__ import annotations

import pytest
from tests.citing import HOUSE

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.table import Command, Table
from twentyone.table.script import follow

COMMANDS = (
    Command("bring_chips", "player", "Ann", 2, {"amount": "100"}),
    Command("tip", "player", "Ann", 3, {"amount": "100"}),
    Command("fill", "floorperson", "Fay", 4, {"amount": "1000"}),
    Command("credit", "floorperson", "Fay", 5, {"amount": "500"}),
    Command("set_limit", "operator", "Olga", 6, {"about": "fill", "amount": "5000"}),
    Command("sit", "player", "Bob", 7, {"boxes": [2]}),
    Command("buy_in", "dealer", "Dan", 8, {"player": "Bob", "amount": "100"}),
    Command("leave", "player", "Ann", 9),
    Command("close_table", "floorperson", "Fay", 10),
)


@pytest.mark.parametrize("book", rulebook_ids())
def test_what_no_text_speaks_of_cites_nothing(book: str) -> None:
    table = follow(Table.new(Rulebook.load(book).under({})), "show_cards", 1)
    table = table.apply(Command("sit", "player", "Ann", 1, {"boxes": [1]}))
    table = table.apply(Command("buy_in", "dealer", "Dan", 1, {"player": "Ann", "amount": "1000"}))
    for command in COMMANDS:
        table = table.apply(command)
    told = [event for event in table.events if event.kind in HOUSE]
    assert {event.kind for event in told} == {*HOUSE} - {"player_standing"}
    assert {event.cite for event in told} == {""}


def test_cash_that_becomes_chips_for_a_spoken_wager_keeps_its_paragraph() -> None:
    table = follow(Table.new(Rulebook.load("pa-spanish-21").under({})), "show_cards", 1)
    table = table.apply(Command("sit", "player", "Ann", 1, {"boxes": [1]}))
    table = follow(table, "", 1)
    table = table.apply(Command("place_wager", "player", "Ann", 2, {"box": 1, "amount": "10", "cash": True}))
    for role, by in (("dealer", "Dan"), ("floorperson", "Fay")):
        if table.state.verbal:
            table = table.apply(Command("confirm_verbal_wager", role, by, 3, {"box": 1, "player": "Ann"}))
    moved = [event.cite for event in table.events if event.kind == "chips_moved"]
    assert moved == ["58 Pa. Code § 635a.6(a)"]
