"""The inventory of a table: what it opens with is neither a fill nor a win, and play money is a buy-in."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

import pytest
from tests.contracts.house_tables import at, bring, issue, leave, sit

from twentyone.errors import Refused
from twentyone.ledger.report import pages, shift_report
from twentyone.ledger.store import open_store
from twentyone.ledger.timestamps import Period
from twentyone.money import ZERO, Amount
from twentyone.rulebook import Rulebook
from twentyone.service.catalogue import step_fields
from twentyone.table import Command, Table
from twentyone.table.words import described

OPENS = {"dealer": "Dan", "inventory": "50000"}


def opened(*commands: Command) -> Table:
    """A table that opens with $50,000, after other commands."""
    table = Table.new(Rulebook.load("pa-spanish-21").under())
    return reduce(Table.apply, commands, table.apply(Command("open_table", "floorperson", "Fay", args=OPENS)))


def test_a_table_opens_with_the_chips_of_its_rack() -> None:
    table = opened()
    assert table.state.chips == {"(cage)": Amount("-50000"), "(inventory)": Amount("50000")}
    said = [line.says for event in table.events for line in described(event)]
    assert "the table opens with $50,000.00 in its inventory" in said


def test_a_rack_that_does_not_hold_what_is_on_record_is_counted_again() -> None:
    closed = opened(Command("close_table", "floorperson", "Fay"))
    wrong = Command("open_table", "floorperson", "Fay", args={**OPENS, "inventory": "49000"})
    with pytest.raises(Refused, match=r"\$49,000.00 were counted in the rack, but \$50,000.00 are on record"):
        closed.apply(wrong)
    assert opened(Command("close_table", "floorperson", "Fay"), wrong._replace(args=OPENS)).state.chips[
        "(inventory)"
    ] == Amount("50000")


def test_the_console_asks_for_the_chips_of_the_rack() -> None:
    """It suggests an amount for an empty rack, and what is on record for one that holds chips."""
    closed = Table.new(Rulebook.load("pa-spanish-21").under())
    again = opened(
        Command("fill", "floorperson", "Fay", args={"amount": "100"}), Command("close_table", "floorperson", "Fay")
    )
    for table, suggested in ((closed, "50000"), (again, "50100")):
        fields = {field["name"]: field for field in step_fields(table, "open_table", entered=True)}
        assert fields["inventory"] == {"name": "inventory", "type": "str", "value": suggested}


def test_what_a_table_opens_with_is_no_fill_and_play_money_is_a_buy_in(tmp_path: Path) -> None:
    """$50,000 at the opening, a fill of $1,000, Ann brings $500 of play money and leaves with it: the table won
    nothing, and its drop is what she bought in with."""
    store = open_store(str(tmp_path / "l.db"), create=True)
    issue(store, "Ann", "500", "issue")
    runner = at(store, "t")
    runner.create(Rulebook.load("pa-spanish-21").under({}), for_play=False)
    runner.handle(Command("open_table", "floorperson", "Fay", args=OPENS), "open")
    sit(runner, "Ann", 1)
    bring(runner, "Ann", "500", "bring")
    runner.handle(Command("fill", "floorperson", "Fay", args={"amount": "1000"}), "fill")
    leave(runner, "Ann", "leave")
    report = shift_report(store, Period(), 0)
    (table,) = report.tables
    figures = (table.opening, table.fills, table.inventory, table.drop, table.cash, table.win)
    assert figures == (*map(Amount, ("50000", "1000", "51000", "500")), ZERO, ZERO)
    assert report.reconciled
    assert not report.hold
    paper = "\n".join(pages(report))
    assert "opening inventory         $50,000.00" in paper
    assert "closing inventory         $51,000.00" in paper
    store.close()
