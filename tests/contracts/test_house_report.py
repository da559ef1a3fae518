"""All chips of the house: what was given out is what is found, and a chip too many or too few is told."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.coupon_tables import CouponTable
from tests.contracts.coupon_tables import issue as issue_coupon
from tests.contracts.house_tables import NOW, bring, issue, leave, open_table
from tests.contracts.runner_driver import KEYRING
from tests.contracts.store_places import Place
from tests.faults.tampering import forge, restamp

from twentyone.cli import main
from twentyone.ledger.purses import emptied
from twentyone.ledger.report import pages, shift_report
from twentyone.ledger.rows import HOUSE
from twentyone.ledger.sql import SqlStore
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


def test_a_side_wager_that_goes_back_alone_leaves_the_main_wager_on_the_layout(place: Place) -> None:
    """The report had the whole box go back: a player too rich, a layout below zero, and every chip accounted for."""
    store = place.open()
    table = CouponTable(store, "one").wager("10")
    table.give("place_wager", "player", "Ann", box=1, amount="5", wager="match_the_dealer")
    table.give("take_back_wager", "floorperson", "Fay", box=1, player="Ann", wager="match_the_dealer")
    found = shift_report(store, Period(), NOW).to_json()["house"]["found"]
    assert (found["players"], found["layouts"]) == ("990", "10")
    table.play("win").collect()
    found = shift_report(store, Period(), NOW).to_json()["house"]["found"]
    assert (found["players"], found["layouts"]) == (table.chips, "0")


def test_money_that_an_edited_row_let_through_is_not_accounted_for(place: Place) -> None:
    """The rows were edited, used and edited back: a purse of -$49,999,500 balanced $50,000,000 at a table."""
    store = place.open()
    assert isinstance(store, SqlStore)
    runner, table = open_table(store, "one", "Ann"), CouponTable(store, "two")
    issue(store, "Ann", "500", "k-1")
    issue_coupon(store, "A-1")
    for _ in range(2):
        store._writing.rows("UPDATE coupons SET state = 'open', place = ''")
        table.wager().lay("A-1").play("win").collect()
    twice = shift_report(store, Period(), NOW)
    said = "(house) version 7: the coupon A-1 was used at two: it is used once"
    assert (twice.reconciled, twice.to_json()["house"]["wrong"][0]) == (False, said)
    store._writing.rows("UPDATE purses SET balance = 50000000000")
    bring(runner, "Ann", "50000000", "k-2")
    text = "\n".join(pages(shift_report(store, Period(), NOW)))
    assert "version 9: Ann brings $50,000,000.00, and the purse holds $500.00" in text
    assert "THE FIGURES DO NOT AGREE" in text


def test_a_missing_entry_is_a_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The negative control: one entry of a purse removed, and the chain stamped anew."""
    path = tmp_path / "t.db"
    with closing(open_store(str(tmp_path / "whole.db"), create=True)) as store:
        work(store)
        rows = [row for row in store.read_all() if (row.stream, row.ver) != (HOUSE, 6)]
    with closing(open_store(str(path), create=True)) as store:
        forge(store, restamp(rows))
    assert main(["report", str(path), "--json"]) == 1
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (report["house"]["difference"], report["reconciled"]) == ("-290", False)


def test_show_names_money_that_no_purse_held(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "t.db")
    with closing(open_store(path, create=True)) as store:
        assert isinstance(store, SqlStore)
        runner = open_table(store, "one", "Ann")
        issue(store, "Ann", "500", "k-1")
        store._writing.rows("UPDATE purses SET balance = 900000")
        bring(runner, "Ann", "900", "k-2")
    assert main(["show", path, "--house"]) == 1
    assert "version 3: Ann brings $900.00, and the purse holds $500.00" in capsys.readouterr().err


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
    assert (listed["purses"], len(listed["events"])) == ({"Ann": "460", "Bob": "0"}, 8)
    assert main(["rounds", str(path)]) == 0
    for wrong in (["show", str(path)], ["show", str(path), "one:1", "--house"]):
        with pytest.raises(SystemExit) as left:
            main(wrong)
        assert left.value.code == 64
    assert capsys.readouterr().err.count("or --house") == 2
