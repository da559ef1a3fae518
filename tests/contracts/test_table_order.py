"""The order in which a state's mappings were filled is no part of it: a table goes on the same way without it.

A snapshot does not keep that order, so a table that depended on it would write another record after a restart.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.contracts.table_driver import FLOORPERSON, Day
from tests.contracts.table_mischief import Mischief
from tests.contracts.test_table_days import CASES, NAMES
from tests.daily import daily

from twentyone.rulebook import Rulebook, Rules
from twentyone.table import Table, TableEvent, TableState
from twentyone.table.events import ChipsMoved, PlayerSeated

ROUNDS = 20


def turned(state: TableState) -> TableState:
    """The same state with each mapping filled the other way round."""
    twin = state.copy()
    for name, value in vars(state).items():
        if isinstance(value, dict):
            setattr(twin, name, dict(reversed(value.items())))
    return twin


def told(event: TableEvent) -> tuple[Any, ...]:
    """An event without the live round that it carries."""
    return tuple(event.to_json().items())


class Twin:
    """Gives each command to a table whose mappings are turned, too."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.mischief, self.differences = rules, Mischief(), list[str]()
        self.day: Day

    def see(self, before: Table, events: tuple[TableEvent, ...]) -> None:
        """Compare what both tables do, and what both ask for next."""
        command = self.day.command
        assert command is not None
        self.mischief.see(before, command, events)
        other = Table.at(self.rules, turned(before.state)).apply(command)
        if list(map(told, other.new_events)) != list(map(told, events)):
            self.differences.append(f"{command.do} by the {command.role} at {command.at}")
        if other.next_steps(at=command.at) != self.day.table.next_steps(at=command.at):
            self.differences.append(f"what is asked after {command.do}")


def work(rules: Rules, seed: int) -> tuple[Day, Twin]:
    """A day on which the table is closed at last, with the players' chips on it."""
    twin = Twin(rules)
    day = twin.day = Day(rules, seed, twin.see, 0.1, mischief=twin.mischief)
    day.work(ROUNDS)
    day.noise, day.mischief = 0, None
    day.work(day.done + 1)
    day.give("close_table", "floorperson", FLOORPERSON)
    return day, twin


@pytest.mark.parametrize(("book", "given"), daily(CASES, *CASES[1::3]), ids=NAMES)
def test_a_table_does_not_depend_on_the_order_of_its_mappings(book: str, given: dict[str, Any]) -> None:
    rulebook = Rulebook.load(book)
    shared = {"players_per_box": 3} if rulebook.under({}).submission.get("players_per_box") else {}
    _, twin = work(rulebook.under({**given, **shared}), 3 * CASES.index((book, given)) + 2)
    assert twin.differences == []


def test_players_are_paid_out_in_the_order_in_which_they_came() -> None:
    """Three players sit down, then the table closes: who came first is paid first, however the state was kept."""
    day, _ = work(Rulebook.load("pa-spanish-21").under({}), 2)
    paid = [event.source for event in day.table.new_events if isinstance(event, ChipsMoved)]
    came = [event.player for event in day.table.events if isinstance(event, PlayerSeated)]
    assert len(paid) > 1
    assert paid == [name for name in dict.fromkeys(came) if name in paid]
