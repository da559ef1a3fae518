"""What happened at a table: shared by the tables that follow one another, put together when it is asked for."""

from __future__ import annotations

from twentyone.rulebook import Rulebook
from twentyone.table import Command, Table, fold_table
from twentyone.table.script import follow


def sit(table: Table, name: str, box: int) -> Table:
    return table.apply(Command("sit", "player", name, 0, {"boxes": [box]}))


def opened() -> Table:
    return follow(Table.new(Rulebook.load("pa-spanish-21").under({"decks": 6})), "show_cards", 0)


def test_events_are_those_of_all_commands_in_order() -> None:
    first = opened()
    second = sit(first, "Ann", 1)
    third = sit(second, "Bob", 2)
    assert [event.kind for event in third.new_events] == ["player_seated"]
    assert third.events == (*first.events, *second.new_events, *third.new_events)
    assert third.events == (*second.events, *third.new_events)
    assert first.events == third.events[: len(first.events)]
    assert fold_table(third.events) == third.state


def test_a_command_copies_no_history() -> None:
    """A long day would take the square of its commands otherwise."""
    first = opened()
    second = sit(first, "Ann", 1)
    assert second.log.before is first.log
    assert len(second.log.events) == 1


def test_two_futures_share_one_past() -> None:
    past = opened()
    one, other = sit(past, "Ann", 1), sit(past, "Bob", 2)
    assert one.events[:-1] == other.events[:-1] == past.events
    assert one.events[-1].by == "Ann"
    assert other.events[-1].by == "Bob"
    assert past.events == opened().events


def test_a_table_goes_on_from_a_state_alone() -> None:
    past = opened()
    on = Table.at(past.rules, past.state)
    assert on.events == ()
    after = sit(on, "Ann", 1)
    assert after.events == after.new_events
    assert after.state == sit(past, "Ann", 1).state
    assert fold_table(after.events, past.state) == after.state
