"""The house's stream: money that is not at a table, stored with the command that moves it or not at all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from tests.contracts.house_tables import NOW, at, bring, issue, leave, open_table, purse
from tests.contracts.runner_driver import KEYRING
from tests.contracts.store_places import Maker, Place

from twentyone.errors import Refused
from twentyone.ledger import house_rows
from twentyone.ledger.chain import verify_chain
from twentyone.ledger.codec import SCHEMA
from twentyone.ledger.group import house_key
from twentyone.ledger.kept_law import KEPT
from twentyone.ledger.purses import emptied, issued
from twentyone.ledger.rows import HOUSE, Appended, Batch, KeyReused, NewEvent, NotCanonical
from twentyone.ledger.store import table_streams
from twentyone.ledger.verify import verify
from twentyone.ledger.writer import Writer
from twentyone.money import ZERO, Amount

DEAL = [NewEvent("command", {"do": "deal"}, NOW, SCHEMA)]


def entry(name: str, amount: int, table: str = "t", version: int = 1) -> NewEvent:
    body = {"table": table, "version": version, "name": name, "amount": amount}
    return NewEvent("purse_entry", body, NOW, 3)


def test_money_goes_out_of_the_purse_and_back(place: Place) -> None:
    store = place.open()
    runner = open_table(store, "one", "Ann")
    issue(store, "Ann", "500", "k-1")
    bring(runner, "Ann", "300", "k-2")
    assert (purse(store, "Ann"), runner.table.state.chips["Ann"]) == ("200", Amount("300"))
    leave(runner, "Ann", "k-3")
    assert purse(place.open(), "Ann") == "500"
    moved = [event.type for event in store.read(HOUSE) if event.type != KEPT]
    assert moved == ["play_money_issued", "purse_entry", "purse_entry"]
    assert (store.streams(), table_streams(store)) == ([HOUSE, "one"], ["one"])
    assert verify(store, KEYRING, None).faults == ()


def test_a_purse_that_does_not_hold_enough_refuses_the_command_and_nothing_stops(place: Place) -> None:
    store = place.open()
    runner = open_table(store, "one", "Ann")
    issue(store, "Ann", "100", "k-1")
    before = (store.version("one"), store.version(HOUSE))
    with pytest.raises(Refused, match=r"Ann brings \$100.01, and the purse holds \$100.00"):
        store.append("one", before[0], DEAL, "k", "f", [entry("Ann", -100_010)])
    with pytest.raises(Refused, match="the purse holds"):
        bring(runner, "Ann", "101", "k-2")
    assert (store.version("one"), store.version(HOUSE), runner.stopped) == (*before, "")
    bring(runner, "Ann", "100", "k-3")
    assert purse(store, "Ann") == "0"


def test_a_refused_command_of_a_group_takes_nothing_with_it(place: Place) -> None:
    store = place.open()
    with Writer(store) as writer:
        answers = store.append_many(
            [
                Batch(HOUSE, 0, [issued("Ann", Amount("5"), "Fay", "test", NOW)], "k1", "f"),
                Batch("t", 0, DEAL, "k2", "f", [entry("Ann", -6_000)]),
                Batch("u", 0, DEAL, "k3", "f", [entry("Ann", -5_000, "u")]),
                Batch("t", 0, DEAL, "k4", "f", [entry("Ann", -1)]),
                Batch("t", 0, DEAL, "k5", "f", [entry("Bob", 7), entry("Bob", -7), entry("Ann", 9_000)]),
                Batch("t", 1, DEAL, "k6", "f"),
            ]
        )
        kinds = [type(answer) for answer in answers]
        assert kinds == [Appended, Refused, Appended, Refused, Appended, Appended]
        assert writer.append("t", 2, DEAL, "k7", "f", [entry("Ann", -9_000)]).events[0].ver == 3
    assert (purse(store, "Ann"), purse(store, "Bob"), store.version(HOUSE)) == ("0", "0", 6)
    assert verify_chain(store)[0] == []


def test_the_same_command_again_moves_the_money_once(place: Place) -> None:
    store, other = place.open(), place.open()
    issue(store, "Ann", "5", "k")
    part = [entry("Ann", -5_000)]
    assert not store.append("t", 0, DEAL, "k1", "f", part).repeated
    assert other.append("t", 0, DEAL, "k1", "f", part).repeated
    assert (purse(other, "Ann"), other.version(HOUSE)) == ("0", 2)
    found = store.find_key(house_key("k1"))
    assert found is not None
    assert [event.type for event in found[1]] == ["purse_entry"]
    with pytest.raises(KeyReused):
        issue(store, "Ann", "6", "k")


@pytest.mark.parametrize(
    "batch",
    [
        Batch("t", 0, DEAL, house_key("k"), "f"),
        Batch("t", 0, DEAL, "k", "f", [NewEvent("command", {}, 1)]),
        Batch("t", 0, DEAL, "k", "f", [NewEvent("purse_entry", {}, 1)]),
        Batch("t", 0, DEAL, "k", "f", [NewEvent("purse_entry", {"name": "Ann", "amount": "5"}, 1)]),
        Batch("t", 0, DEAL, "k", "f", [NewEvent("play_money_issued", {"name": "Ann", "amount": -5}, 1)]),
        Batch(HOUSE, 0, DEAL, "k", "f"),
        Batch(HOUSE, 0, [entry("Ann", 5)], "k", "f", [entry("Ann", 5)]),
    ],
)
def test_what_is_no_event_of_the_house_is_refused(place: Place, batch: Batch) -> None:
    store = place.open()
    (answer,) = store.append_many([batch])
    assert isinstance(answer, NotCanonical), answer
    assert store.streams() == []


def test_no_purse_holds_more_than_a_database_can(place: Place) -> None:
    store = place.open()
    issue(store, "Ann", "9000000000000000", "k1")
    with pytest.raises(Refused, match="more come to Ann"):
        issue(store, "Ann", "9000000000000000", "k2")
    issue(store, "Bob", "1", "k3")


def test_a_purse_is_emptied_of_what_it_holds(place: Place) -> None:
    store = place.open()
    issue(store, "Ann", "5", "k1")
    with pytest.raises(Refused, match="read it again"):
        store.append(HOUSE, 0, [emptied("Ann", Amount("4"), "Fay", "test", NOW)], "k2", "f")
    store.append(HOUSE, 0, [emptied("Ann", Amount("5"), "Fay", "test", NOW)], "k2", "f")
    assert purse(store, "Ann") == "0"


def at_once(*work: Callable[[], Any]) -> None:
    """Do things at the same time; a refusal is an answer."""
    gate = threading.Barrier(len(work))

    def run(job: Callable[[], Any]) -> None:
        gate.wait()
        with suppress(Refused):
            job()

    threads = [threading.Thread(target=run, args=(job,)) for job in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_one_purse_is_not_spent_twice_by_two_processes(place: Place) -> None:
    """S2: $500 became $1,000 in 12 of 12 tries when each process had a lock of its own."""
    one, two = place.open(), place.open()
    for table in ("one", "two"):
        open_table(one, table, "Ann")
    here, there = at(one, "one"), at(two, "two")
    for number in range(12):
        issue(one, "Ann", "500", f"money {number}")
        at_once(
            partial(bring, here, "Ann", "500", f"here {number}"),
            partial(bring, there, "Ann", "500", f"there {number}"),
        )
        chips = [runner.table.state.chips.get("Ann", ZERO) for runner in (here, there)]
        assert (sum(chips, ZERO), purse(one, "Ann"), here.stopped, there.stopped) == (
            Amount("500") * (number + 1),
            "0",
            "",
            "",
        )
    assert verify(one, KEYRING, None).faults == ()


def test_a_store_that_does_not_look_into_the_purse_is_found(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: without the check the database itself refuses the row, and the store stops."""
    monkeypatch.setitem(
        house_rows.KINDS,
        "purse_entry",
        house_rows.KINDS["purse_entry"]._replace(
            change=lambda rows, body, _: rows.__setitem__(("purses", body["name"]), (body["amount"], 0))
        ),
    )
    with pytest.raises(Exception, match=r"CHECK|check") as failed:
        place.open().append("t", 0, DEAL, "k", "f", [entry("Ann", -5)])
    assert "purses" in str(failed.value) or "balance" in str(failed.value)


def test_a_copied_ledger_has_the_same_purses(new_place: Maker) -> None:
    source, target = new_place().open(), new_place().open()
    runner = open_table(source, "one", "Ann", "Bob")
    issue(source, "Ann", "500", "k-1")
    issue(source, "Bob", "70", "k-2")
    bring(runner, "Ann", "120", "k-3")
    target.take_over(source.read_all())
    assert list(target.read_derived("purses")) == list(source.read_derived("purses")) != []
    assert verify(target, KEYRING, None).faults == ()


def test_close_brings_every_chip_into_its_purse(place: Place) -> None:
    from twentyone.table import Command

    store = place.open()
    runner = open_table(store, "one", "Ann", "Bob")
    for name in ("Ann", "Bob"):
        issue(store, name, "90", f"money {name}")
        bring(runner, name, "90", f"bring {name}")
    runner.handle(Command("close_table", "floorperson", "Fay"), "close")
    assert (purse(store, "Ann"), purse(store, "Bob")) == ("90", "90")
    assert verify(store, KEYRING, None).faults == ()
