"""A command knows its arguments: any other is refused, never passed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.health.test_consoles import arguments

from twentyone.errors import Refused
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.service.lines import ABSENT
from twentyone.table import Command, Table
from twentyone.table.play import COMMANDS, SERVICE_SAYS
from twentyone.table.script import follow

RULES = Rulebook.load("pa-spanish-21").under({})


def refusal(do: str, args: Mapping[str, Any], role: str = "player", table: Table | None = None) -> Refused:
    with pytest.raises(Refused) as refused:
        (table or Table.new(RULES)).apply(Command(do, role, "Ann", 0, args))
    return refused.value


@pytest.mark.parametrize("do", sorted(COMMANDS))
def test_each_command_refuses_an_argument_it_does_not_know(do: str) -> None:
    takes = tuple(COMMANDS[do].takes)
    refused = refusal(do, {"sunshine": True})
    allowed = ", ".join(takes) or "none"
    assert f"{do} has no argument 'sunshine': it takes {allowed}" in str(refused)
    assert not refused.cite, "no paragraph speaks of arguments"
    known = refusal(do, dict.fromkeys(takes, object()), role="nobody")
    assert "has no argument" not in str(known), "the control: its own arguments are not the fault"


@pytest.mark.parametrize("name", rulebook_ids())
def test_no_book_has_a_paragraph_for_a_stray_argument(name: str) -> None:
    table = Table.new(Rulebook.load(name).under({}))
    assert not any(refusal(do, {"sunshine": 1}, table=table).cite for do in COMMANDS)


def test_a_wager_is_not_laid_in_chips_when_cash_was_meant() -> None:
    table = follow(Table.new(RULES), "show_cards", 0)
    table = table.apply(Command("sit", "player", "Ann", 0, {"boxes": [1]}))
    table = table.apply(Command("buy_in", "dealer", "Dan", 0, {"player": "Ann", "amount": "100"}))
    table = follow(table, "", 0)
    wager = {"box": 1, "amount": "10"}
    assert "'verbal'" in str(refusal("place_wager", {**wager, "verbal": True}, table=table))
    assert table.apply(Command("place_wager", "player", "Ann", 0, wager)).state.placed, "the control: it could be laid"


def test_the_nearest_argument_is_named() -> None:
    assert "did you mean 'amount'?" in str(refusal("place_wager", {"ammount": "10"}))


def test_what_the_service_says_is_allowed_with_its_commands_only() -> None:
    assert set(SERVICE_SAYS.values()) == {ABSENT}
    assert "has no argument" not in str(refusal("leave", {ABSENT: "the clock"}))
    assert "has no argument 'absent'" in str(refusal("tip", {ABSENT: "the clock"}))


@pytest.mark.parametrize("do", sorted(COMMANDS))
def test_what_is_declared_is_read(do: str) -> None:
    assert arguments(COMMANDS[do].function) == set(COMMANDS[do].takes)
