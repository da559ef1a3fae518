"""All chips of the house: what was given out is what is found, and a chip too many or too few is told."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.house_tables import NOW, bring, issue, leave, open_table
from tests.contracts.runner_driver import KEYRING
from tests.contracts.store_places import Place
from tests.faults.tampering import forge, restamp

from twentyone.cli import main
from twentyone.ledger.purses import emptied
from twentyone.ledger.report import pages, shift_report
from twentyone.ledger.rows import HOUSE
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.timestamps import Period
from twentyone.ledger.verify import verify
from twentyone.money import Amount
from twentyone.table import Command

GIVEN = {"issued": "570", "taken_over": "0", "fills": "1000", "withdrawn": "-50", "paid_out": "0"}
FOUND = {"purses": "460", "players": "50", "layouts": "0", "inventories": "1000", "tips": "10"}


def work(store: Store) -> None:
    """Two tables, a fill, a tip, two players, one purse withdrawn."""
    one, two = open_table(store, "one", "Ann", "Bob"), open_table(store, "two", "Ann")
    issue(store, "Ann", "500", "k-1")
    issue(store, "Bob", "70", "k-2")
    two.handle(Command("fill", "floorperson", "Fay", args={"amount": "1000"}), "fill")
    bring(one, "Bob", "20", "k-3")
    bring(one, "Ann", "300", "k-4")
    one.handle(Command("tip", "player", "Ann", args={"amount": "10"}), "tip")
    leave(one, "Ann", "k-5")
    bring(two, "Ann", "30", "k-6")
    store.append(HOUSE, 0, [emptied("Bob", Amount("50"), "Fay", "test", NOW)], "k-7", "f")


def test_the_house_is_reconciled_to_the_cent(place: Place) -> None:
    store = place.open()
    work(store)
    report = shift_report(store, Period(), NOW)
    house = report.to_json()["house"]
    assert (house["given_out"], house["found"], house["difference"]) == (GIVEN, FOUND, "0")
    assert report.reconciled
    text = "\n".join(pages(report))
    assert "play money issued            $570.00    in purses                    $460.00" in text
    assert "the house: what was given out against what is found, difference $0.00" in text
    assert verify(store, KEYRING, None).faults == ()


def test_the_shift_says_which_chips_count(place: Place) -> None:
    store = place.open()
    work(store)
    early = shift_report(store, Period(None, NOW), NOW)
    assert early.house is not None
    assert set(early.house.found.values()) == {Amount("0")}
    assert shift_report(store, Period(), NOW, tables=["one"]).house is None
    assert shift_report(store, Period(), NOW, tables=["one", "two"]).house is not None


def test_a_missing_entry_is_a_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The negative control: one entry of a purse removed, and the chain stamped anew."""
    path = tmp_path / "t.db"
    with closing(open_store(str(tmp_path / "whole.db"), create=True)) as store:
        work(store)
        rows = [row for row in store.read_all() if (row.stream, row.ver) != (HOUSE, 5)]
    with closing(open_store(str(path), create=True)) as store:
        forge(store, restamp(rows))
    assert main(["report", str(path), "--json"]) == 1
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (report["house"]["difference"], report["reconciled"]) == ("-290", False)


def test_show_lists_the_house(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.db"
    store = open_store(str(path), create=True)
    work(store)
    store.close()
    assert main(["show", str(path), "--house"]) == 0
    told = capsys.readouterr().out
    for words in (
        "Fay issues $500.00 of play money to Ann: test",
        "Ann brings $300.00 to one (version 11)",
        "Ann takes $290.00 away from one",
        "Fay empties the purse of Bob of $50.00: test",
        "purse of Ann: $460.00",
        "purse of Bob: $0.00",
    ):
        assert words in told, told
    assert main(["show", str(path), "--house", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert (listed["purses"], len(listed["events"])) == ({"Ann": "460", "Bob": "0"}, 7)
    assert main(["rounds", str(path)]) == 0
    for wrong in (["show", str(path)], ["show", str(path), "one:1", "--house"]):
        with pytest.raises(SystemExit) as left:
            main(wrong)
        assert left.value.code == 64
    assert capsys.readouterr().err.count("or --house") == 2
