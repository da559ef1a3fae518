"""What is the dealer's is for the dealer on duty: at every moment of a day, for every command, in every book."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.golden.day import BOOKS, Day

from twentyone.errors import Refused
from twentyone.table import Command, Table
from twentyone.table.play import COMMANDS

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
