"""Purses of an earlier version, kept beside the ledger: taken over once, never more than the ledger's events say."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.contracts.house_tables import NOW, purse
from tests.contracts.store_places import Place

from twentyone.ledger.house_audit import HouseAudit
from twentyone.ledger.rows import HOUSE, NewEvent
from twentyone.ledger.store import Store
from twentyone.service.purses import Purses
from twentyone.service.records import Records, open_records

EARLIER = 2


def left(name: str, amount: int) -> NewEvent:
    data = {"source": name, "target": "(cage)", "amount": amount, "why": "leaves"}
    return NewEvent("chips_moved", {"cite": "", "by": name, "data": data}, NOW, EARLIER)


def spent(name: str, amount: int) -> NewEvent:
    args = {"player": name, "amount": amount, "play_money": "purse"}
    return NewEvent("command", {"do": "buy_in", "role": "dealer", "by": "Dan", "at": NOW, "args": args}, NOW, EARLIER)


def before(store: Store, records: Records, *zeroed: int) -> None:
    """A ledger of the earlier form, with its purses; `zeroed`: rows that were emptied, or edited."""
    happened = [left("Ann", 500_000), spent("Ann", 200_000), left("Bob", 90_000), left("Ann", 40_000)]
    store.append("t", 0, happened, "k", "f")
    records.run("CREATE TABLE people_purses (stream TEXT, ver BIGINT, name TEXT, amount BIGINT)")
    kept = [("Ann", 500_000), ("Ann", -200_000), ("Bob", 90_000), ("Ann", 40_000)]
    for ver, (name, amount) in enumerate(kept, 1):
        row = ("t", ver, name, 0 if ver in zeroed else amount)
        records.run("INSERT INTO people_purses VALUES (?, ?, ?, ?)", row)


def audited(store: Store) -> HouseAudit:
    audit = HouseAudit()
    for event in store.read_all():
        audit.follow(event)
    audit.finish(store)
    return audit


@pytest.fixture
def records(tmp_path: Path) -> Records:
    """The people file."""
    return open_records(str(tmp_path / "t.db"))


def test_old_purses_are_taken_over_once(place: Place, records: Records) -> None:
    one, two = place.open(), place.open()
    before(one, records)
    for store in (one, two):
        Purses(store, lambda: NOW).take_over(records)
    assert (purse(two, "Ann"), purse(two, "Bob"), two.version(HOUSE)) == ("340", "90", 2)
    assert records.rows("SELECT * FROM people_purses") == []
    records.run("INSERT INTO people_purses VALUES ('t', 1, 'Ann', 500000)")
    Purses(two, lambda: NOW).take_over(records)
    assert (purse(two, "Ann"), two.version(HOUSE)) == ("340", 2)
    assert audited(two).faults == []


def test_a_purse_that_was_emptied_stays_empty(place: Place, records: Records) -> None:
    store = place.open()
    before(store, records, 1, 2)
    Purses(store, lambda: NOW).take_over(records)
    assert purse(store, "Ann") == "40"
    assert audited(store).faults == []


def test_edited_rows_bring_no_more_than_the_events(place: Place, records: Records) -> None:
    """A row that was spent and set to zero, a row that was raised, a row that no event has made."""
    store = place.open()
    before(store, records, 2)
    records.run("UPDATE people_purses SET amount = 50000000000 WHERE name = 'Bob'")
    records.run("INSERT INTO people_purses VALUES ('t', 9, 'Eve', 50000000000)")
    Purses(store, lambda: NOW).take_over(records)
    assert [purse(store, name) for name in ("Ann", "Bob", "Eve")] == ["340", "90", "0"]
    assert audited(store).faults == []
