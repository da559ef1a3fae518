"""A coupon of the house: issued by staff, laid once, used once, never paid more than its amount at the wager's odds."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.coupon_tables import DAY, CouponTable, coupon, issue
from tests.contracts.house_tables import NOW
from tests.contracts.runner_driver import KEYRING
from tests.contracts.store_places import Place

from twentyone.errors import Refused
from twentyone.ledger import coupon_audit, coupons
from twentyone.ledger.canonical import canonical
from twentyone.ledger.chain import verify_chain
from twentyone.ledger.coupons import CouponRow, issued, void
from twentyone.ledger.kept_law import KEPT
from twentyone.ledger.report import shift_report
from twentyone.ledger.rows import HOUSE, Batch, NewEvent, StoredEvent
from twentyone.ledger.runner import Prepared
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.timestamps import Period
from twentyone.ledger.verify import verify
from twentyone.money import ZERO, Amount
from twentyone.table import Command


def faults(store: Store) -> list[str]:
    return [str(fault) for fault in verify(store, KEYRING, None).faults]


def state_of(store: Store, number: str) -> str:
    found = coupon(store, number)
    return "" if found is None else found.state


@pytest.mark.parametrize(
    ("outcome", "chips", "state", "paid"), [("win", "1020", "used", 10_000), ("lose", "990", "used", 0)]
)
def test_a_coupon_is_used_with_a_wager_that_is_decided(
    place: Place, outcome: str, chips: str, state: str, paid: int
) -> None:
    store = place.open()
    issue(store, "A-1")
    table = CouponTable(store, "one").wager().lay("A-1")
    assert coupon(store, "A-1") == CouponRow(10_000, "Fay", NOW, NOW + DAY, "", "laid", "one")
    table.play(outcome).collect()
    assert (table.chips, state_of(store, "A-1")) == (chips, state)
    last = list(store.read(HOUSE))[-1]
    assert (last.type, json.loads(last.body)["paid"]) == ("coupon_used", paid)
    table.wager()
    with pytest.raises(Refused, match="was used at one: it is used once"):
        table.lay("A-1")
    assert faults(store) == []


def test_a_coupon_goes_back_and_may_be_laid_again(place: Place) -> None:
    store = place.open()
    issue(store, "A-1")
    table = CouponTable(store, "one").wager().lay("A-1")
    table.give("take_back_wager", "player", "Ann", box=1)
    assert state_of(store, "A-1") == "open"
    table.wager().lay("A-1").play("push").collect()
    assert (table.chips, state_of(store, "A-1")) == ("1000", "open")
    table.wager().lay("A-1").play("win").collect()
    assert (table.chips, state_of(store, "A-1")) == ("1020", "used")
    assert [event.type for event in store.read(HOUSE) if event.type != KEPT] == [
        "coupon_issued", *("coupon_laid", "coupon_returned") * 2, "coupon_laid", "coupon_used"
    ]  # fmt: skip
    assert faults(store) == []


def test_a_coupon_that_is_none_or_over_or_for_another_is_refused(place: Place) -> None:
    store = place.open()
    issue(store, "OVER", ends=NOW + 60)
    issue(store, "HERS", person="Bea")
    issue(store, "FIVE", "5")
    issue(store, "GONE")
    store.append(HOUSE, 0, [void("GONE", "Fay", "lost", NOW)], "void", "f")
    table = CouponTable(store, "one").wager()
    table.now = NOW + 60
    before = (store.version("one"), store.version(HOUSE))
    for number, why in {
        "NONE": "the house has issued no coupon NONE",
        "99999999": "issued no coupon",
        "OVER": r"was good until 2027-01-15 08:00 \(UTC\)",
        "HERS": "is for Bea, not for Ann",
        "FIVE": r"is worth \$5.00, not \$10.00",
        "GONE": "is void",
    }.items():
        with pytest.raises(Refused, match=why):
            table.lay(number)
    assert (store.version("one"), store.version(HOUSE), table.runner.stopped) == (*before, "")
    table.lay("FIVE", "5")
    assert faults(store) == []


@pytest.mark.parametrize("who", [{"person": "Ann\x00"}, {"issuer": "Fay\x00"}])
def test_a_name_that_no_database_holds_is_refused_and_stops_no_ledger(place: Place, who: dict[str, str]) -> None:
    """PostgreSQL holds no such text: one coupon stopped the whole house."""
    store = place.open()
    with pytest.raises(Refused, match="printable"):
        store.append(
            HOUSE, 0, [issued("A-1", Amount("5"), at=NOW, ends=NOW + DAY, **{"issuer": "Fay", **who})], "k", "f"
        )
    issue(store, "A-2")
    assert faults(store) == []


def test_a_coupon_lies_at_one_table(place: Place) -> None:
    store, other = place.open(), place.open()
    issue(store, "A-1")
    one, two = CouponTable(store, "one").wager(), CouponTable(other, "two", "Bea").wager()
    one.lay("A-1")
    with pytest.raises(Refused, match="lies at one: it is used once"):
        two.lay("A-1")
    with pytest.raises(Refused, match="lies at one: only an open one"):
        store.append(HOUSE, 0, [void("A-1", "Fay", "lost", NOW)], "void", "f")
    one.play("win").collect()
    with pytest.raises(Refused, match="was used at one"):
        two.lay("A-1")
    assert faults(store) == []


def test_a_group_that_lays_one_coupon_twice_is_stored_once(place: Place) -> None:
    store = place.open()
    issue(store, "A-1")
    one, two = CouponTable(store, "one").wager(), CouponTable(store, "two", "Bea").wager()
    batches: list[Batch] = []
    for table in (one, two):
        args = {"box": 1, "player": table.player, "number": "A-1", "amount": "10"}
        prepared = table.runner.prepare(Command("lay_coupon", "dealer", "Dan", args=args), f"lay {table.player}")
        assert isinstance(prepared, Prepared)
        batches.append(prepared.batch)
    answers = store.append_many(batches)
    assert [isinstance(answer, Refused) for answer in answers] == [False, True]


LAYER = """
import sys
from tests.contracts.coupon_tables import CouponTable
from twentyone.errors import Refused
from twentyone.ledger.store import open_store
table = CouponTable(open_store(sys.argv[1]), sys.argv[2], sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
try:
    table.lay("A-1")
    print("laid")
except Refused as refused:
    print(refused)
"""


def test_two_processes_lay_one_coupon_once(postgres: Any) -> None:
    """The same coupon, at two tables, through two processes on PostgreSQL."""
    url = postgres.new_schema()
    store = open_store(url, create=True)
    issue(store, "A-1")
    names = {"one": "Ann", "two": "Bea"}
    for stream, player in names.items():
        CouponTable(store, stream, player).wager()
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", LAYER, url, stream, player],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2],
        )
        for stream, player in names.items()
    ]  # fmt: skip
    assert [worker.stdout.readline() for worker in workers if worker.stdout] == ["ready\n"] * 2
    said = [worker.communicate("go\n")[0] for worker in workers]
    assert sorted(text == "laid\n" for text in said) == [False, True], said
    assert any("it is used once" in text for text in said)
    assert faults(store) == []
    store.close()


@pytest.mark.parametrize("wrong", ["0", "-5", "1000.5", "999999999"])
def test_a_coupon_is_worth_something_and_not_too_much(wrong: str) -> None:
    with pytest.raises(Refused, match="a coupon is worth more than nothing and at most"):
        issued("A-1", Amount(wrong), "Fay", NOW, NOW + DAY)


def test_a_coupon_has_a_number_an_issuer_and_a_later_end(place: Place) -> None:
    for number, issuer, ends in (("A 1", "Fay", NOW + 1), ("", "Fay", NOW + 1), ("A", " ", NOW + 1), ("A", "Fay", NOW)):
        with pytest.raises(Refused):
            issued(number, Amount("5"), issuer, NOW, ends)
    store = place.open()
    issue(store, "A-1")
    with pytest.raises(Refused, match="there is a coupon A-1 already"):
        issue(store, "A-1", "20")


# -- what verify sees


def test_a_coupon_that_the_house_does_not_know_is_found(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that leaves the entries out: the tables' events alone show it."""
    store = place.open()
    monkeypatch.setattr(coupons, "coupon_entries", lambda *_: ())
    CouponTable(store, "one").wager("99").lay("NEVER", "99").play("win").collect()
    assert verify_chain(store)[0] == []
    found = "\n".join(faults(store))
    assert "coupon_laid NEVER without its entry in the house's stream" in found
    assert "coupon_used NEVER without its entry in the house's stream" in found


def test_an_entry_without_its_table_is_found(place: Place) -> None:
    store = place.open()
    issue(store, "A-1")
    body = {"table": "one", "version": 3, "number": "A-1", "player": "Ann", "amount": 10_000}
    store.append(HOUSE, 0, [NewEvent("coupon_laid", body, NOW, 3)], "k", "f")
    assert any("no such event is at one version 3" in fault for fault in faults(store))


def test_a_coupon_that_pays_more_than_its_wager_allows_is_found() -> None:
    audit = coupon_audit.CouponAudit()
    lying = coupon_audit._Lying((1, "Ann", "main"), 10_000)
    audit._lying["one"] = {"A-1": lying}
    row = {"event": "wager_settled", "box": 1, "player": "Ann", "wager": "main", "outcome": "win", "odds": "3:2"}
    audit._note_odds("one", [row])
    paid = {"source": "(inventory)", "target": "Ann"}
    assert list(audit._settle("one", "A-1", paid | {"amount": 15_000})) == []
    assert "its wager allows 15000" in next(audit._settle("one", "A-1", paid | {"amount": 1}))
    assert "does not lie at this table" in next(audit._settle("one", "B-2", paid | {"amount": 1}))


def test_an_edited_row_of_a_coupon_is_found(tmp_path: Path) -> None:
    """Whoever opens a used coupon again in the database can lay it again: the events say that it was used."""
    path = tmp_path / "ledger.db"
    store = open_store(str(path), create=True)
    issue(store, "A-1")
    CouponTable(store, "one").wager().lay("A-1").play("win").collect()
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE coupons SET state = 'open', place = ''")
    assert any("the row 'A-1' of coupons" in fault for fault in faults(store))
    CouponTable(store, "one").wager().lay("A-1").play("win").collect()
    assert any("coupon_laid A-1, which is used" in fault for fault in faults(store))
    store.close()


def test_what_a_correction_takes_back_is_not_reported_as_won(place: Place) -> None:
    """Before, what went back was added to what coupons had won, and the report did not agree with the chips."""
    store = place.open()
    issue(store, "A-1")
    table = CouponTable(store, "one").wager().lay("A-1").play("win")
    table.give("correct_entry", "floorperson", "Fay", wrong="9D", right="7C", why="misread")
    table.collect()
    assert (table.chips, state_of(store, "A-1")) == ("1000", "open")
    report = shift_report(store, Period(), NOW)
    assert (report.reconciled, report.tables[0].coupons) == (True, ZERO)
    assert report.coupons.to_json()["returned"] == {"count": 1, "amount": "10"}
    assert faults(store) == []


def stored(kind: str, data: dict[str, Any], schema: int = 3) -> StoredEvent:
    body = canonical({"cite": "13(e)(3)", "by": "Ann", "data": data})
    return StoredEvent(1, "one", 1, NOW, kind, schema, body, "", "", None, None)


def test_a_coupon_that_a_player_laid_himself_is_a_fault_of_this_form_only() -> None:
    laid = {"box": 1, "player": "Ann", "wager": "main", "amount": 10_000, "coupon": 10_000}
    paid = {"source": "(inventory)", "target": "Ann", "amount": 10_000, "why": "coupon"}
    now, earlier = coupon_audit.CouponAudit(), coupon_audit.CouponAudit()
    assert list(now.follow(stored("coupon_settled", paid))) == ["a coupon without a number is paid"]
    assert "nobody of the staff laid it" in next(iter(now.follow(stored("wager_laid", laid))))
    assert list(earlier.follow(stored("wager_laid", laid, 2))) == []
    assert list(earlier.follow(stored("coupon_settled", paid))) == []
