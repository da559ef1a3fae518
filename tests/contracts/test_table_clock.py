"""A clock that is set back or forward changes nothing at a table but what the text ties to hours."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from tests.contracts.table_driver import FLOORPERSON, Day
from tests.contracts.table_submissions import BOOKS
from tests.contracts.table_witness import Witness
from tests.daily import daily

from twentyone.errors import Refused
from twentyone.rulebook import Rulebook
from twentyone.rulebook.clauses import CardChange
from twentyone.table import Command, Table, TableEvent, TableState, fold_table

HOUR = 60 * 60
ROUNDS = 12
NOON = 12 * HOUR
TIMES = ("at", "day", "opened", "inspected")
"""What tells a time, and may differ."""

Clock = Callable[[int, int], int]
"""What a clock shows at a command: its number and the true time."""

CLOCKS: dict[str, Clock] = {
    "back an hour in the middle": lambda number, at: at - HOUR * (number > 100),
    "forward an hour in the middle": lambda number, at: at + HOUR * (number > 100),
    "forward and back again": lambda number, at: at + HOUR * (100 < number < 200),
    "the same second again": lambda _, at: at - at % 60,
    "stands still": lambda _, __: NOON,
    "runs backwards": lambda _, at: NOON - at // 10,
    "jumps about": lambda number, at: at + number * 7919 % (2 * HOUR),
}


@cache
def commands(book: str) -> tuple[Command, ...]:
    """A day at a table, command by command, from noon on."""
    rules = Rulebook.load(book).under({"shuffler": "manual"})
    given: list[Command] = []
    day = Day(rules, 2, lambda _, __: given.append(day.command) if day.command is not None else None, clock=NOON)
    day.work(ROUNDS)
    day.change_dealer()
    day.work(ROUNDS + 2)
    day.stand_idle()
    day.work(ROUNDS + 4)
    day.give("close_table", "floorperson", FLOORPERSON)
    return tuple(given)


def again(book: str, clock: Clock) -> Table:
    """The same day by another clock."""
    table = Table.new(Rulebook.load(book).under({"shuffler": "manual"}))
    for number, command in enumerate(commands(book)):
        table = table.apply(command._replace(at=clock(number, command.at)))
    return table


def told(events: tuple[TableEvent, ...]) -> list[Any]:
    """What happened, in order, without when."""
    return [_timeless(event.to_json()) for event in events]


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(item) for key, item in value.items() if key not in TIMES}
    return [_timeless(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda name: name.replace(" ", "-"))
@pytest.mark.parametrize("book", daily(BOOKS, "pa-spanish-21", "pa-double-back-jack"))
def test_order_cards_and_chips_do_not_depend_on_the_clock(book: str, clock: str) -> None:
    straight, other = again(book, lambda _, at: at), again(book, CLOCKS[clock])
    assert told(other.events) == told(straight.events)
    assert other.state.chips == straight.state.chips
    assert other.state.cash == straight.state.cash
    assert [event.at for event in other.events] != [event.at for event in straight.events]


@pytest.mark.parametrize("book", BOOKS)
def test_a_day_later_the_cards_are_changed_first(book: str) -> None:
    rules = Rulebook.load(book).under({"shuffler": "manual"})
    witness = Witness(rules.rulebook, Table.new(rules))
    day = Day(rules, 0, witness.see, clock=NOON)
    day.work(2)
    clause = rules.one(CardChange)
    day.clock += (clause.hours + 1) * HOUR
    day.give("place_wager", "player", "Ann", box=1, amount="10")
    before = day.state
    with pytest.raises(Refused) as refused:
        day.give("deal", "dealer", day.dealer)
    assert refused.value.cite == clause.cite
    assert day.state is before


def fold_by_the_clock(events: tuple[TableEvent, ...]) -> TableState:
    """A reader that puts events in the order of their clock."""
    return fold_table(sorted(events, key=lambda event: event.at))


def test_a_reader_that_sorts_by_the_clock_is_found_out() -> None:
    """The day's events in the order of a clock that runs backwards are another day, or none at all."""
    table = again(BOOKS[0], CLOCKS["runs backwards"])
    try:
        sorted_state = fold_by_the_clock(table.events)
    except (KeyError, AttributeError, AssertionError, TypeError, IndexError):
        return
    assert sorted_state.chips != table.state.chips or sorted_state.phase != table.state.phase
