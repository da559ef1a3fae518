"""Verify and the money of the house: whatever the owner of the database edits in it is named."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.house_tables import NOW, bring, issue, leave, open_table, sit
from tests.contracts.runner_driver import KEYRING
from tests.contracts.store_places import Place

from twentyone.ledger.canonical import canonical
from twentyone.ledger.chain import GENESIS, event_hash
from twentyone.ledger.checkpoints import write_checkpoint
from twentyone.ledger.house_audit import HouseAudit
from twentyone.ledger.purses import issued, taken_over
from twentyone.ledger.rows import HOUSE
from twentyone.ledger.sql import SqlStore
from twentyone.ledger.store import open_store
from twentyone.ledger.verify import Report, verify
from twentyone.money import Amount

Forge = Callable[["Owner"], None]


class Owner:
    """Whoever owns the file of a ledger: he edits what he likes, and stamps the chains anew."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._raw = sqlite3.connect(path, isolation_level=None)
        self._guards = self.run("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        for name, _ in self._guards:
            self.run(f"DROP TRIGGER {name}")

    def run(self, sql: str, *values: Any) -> list[Any]:
        return self._raw.execute(sql, values).fetchall()

    def edit(self, stream: str, kind: str, **changes: Any) -> None:
        """Change fields of the last event of a kind."""
        find = "SELECT gseq, body FROM events WHERE stream = ? AND type = ? ORDER BY ver DESC LIMIT 1"
        ((gseq, body),) = self.run(find, stream, kind)
        told = json.loads(body)
        inner = told.get("data", told)
        inner.update(changes)
        self.run("UPDATE events SET body = ? WHERE gseq = ?", canonical(told), gseq)

    def add(self, kind: str, body: dict[str, Any], key: str | None, stream: str = HOUSE, form: int = 3) -> None:
        """Add an event to the house's stream, or to another."""
        row = [stream, NOW, kind, form, canonical(body), "", "", key, None if key is None else "f"]
        place = "max(gseq) + 1, ?, max(gseq) + 999"
        self.run(f"INSERT INTO events SELECT {place}, ?, ?, ?, ?, ?, ?, ?, ? FROM events", *row)

    def remove_last(self, stream: str) -> None:
        self.run("DELETE FROM events WHERE gseq = (SELECT max(gseq) FROM events WHERE stream = ?)", stream)

    def verify(self, checkpoints: Path | None = None) -> Report:
        """Stamp every chain anew, put the guards back, and let it be verified."""
        for (stream,) in self.run("SELECT DISTINCT stream FROM events"):
            self._stamp(stream)
        for _, sql in self._guards:
            self.run(sql)
        self._raw.close()
        with closing(open_store(str(self._path))) as store:
            return verify(store, KEYRING, checkpoints)

    def _stamp(self, stream: str) -> None:
        columns = "gseq, ts, type, schema, body, idem, fingerprint"
        prev = GENESIS
        rows = self.run(f"SELECT {columns} FROM events WHERE stream = ? ORDER BY gseq", stream)
        for ver, (gseq, ts, kind, schema, body, idem, mark) in enumerate(rows, 1):
            own = event_hash(prev, stream, ver, ts, kind, schema, body, idem, mark)
            self.run("UPDATE events SET ver = ?, prev = ?, hash = ? WHERE gseq = ?", ver, prev, own, gseq)
            prev = own


def played(url: str, checkpoints: Path | None = None) -> None:
    """A table at which Ann brings $300 of her $500 and leaves, and Bob brings all of his $70."""
    with closing(open_store(url, create=True)) as store:
        runner = open_table(store, "one", "Ann", "Bob")
        issue(store, "Ann", "500", "k-1")
        issue(store, "Bob", "70", "k-2")
        bring(runner, "Bob", "70", "k-3")
        bring(runner, "Ann", "300", "k-4")
        leave(runner, "Ann", "k-5")
        if checkpoints is not None:
            write_checkpoint(store, checkpoints, KEYRING.signer, NOW)


@pytest.fixture
def owner(tmp_path: Path) -> Owner:
    """The owner of a ledger's file."""
    played(str(tmp_path / "t.db"), tmp_path / "t.checkpoints")
    return Owner(tmp_path / "t.db")


def whats(report: Report) -> str:
    return "\n".join(map(str, report.faults))


def test_an_honest_house_is_found_right(owner: Owner, tmp_path: Path) -> None:
    report = owner.verify(tmp_path / "t.checkpoints")
    assert (report.faults, report.counts["events of the house"], report.counts["tables"]) == ((), 6, 1)


def test_an_edited_row_is_found_in_both_databases(place: Place) -> None:
    """S3: one edited row of the people file was $50,000,000, and `verify` was well."""
    played(place.url)
    store = place.open()
    assert isinstance(store, SqlStore)
    store._writing.rows("UPDATE purses SET balance = 50000000000 WHERE name = 'Ann'")
    said = whats(verify(store, KEYRING, None))
    assert "the row 'Ann' of purses is balance 50000000000, issues 1, the events lead to balance 500000" in said


def test_edited_money_that_was_spent_is_found(place: Place) -> None:
    """The row was edited, spent, and edited back: the events say what cannot be."""
    played(place.url)
    store = place.open()
    assert isinstance(store, SqlStore)
    store._writing.rows("UPDATE purses SET balance = 900000 WHERE name = 'Ann'")
    runner = open_table(store, "two", "Ann")
    bring(runner, "Ann", "900", "k-6")
    said = whats(verify(store, KEYRING, None))
    assert "(house) version 7: Ann brings $900.00, and the purse holds $500.00" in said


def no_entry(owner: Owner) -> None:
    owner.remove_last(HOUSE)
    owner.run("UPDATE purses SET balance = 200000 WHERE name = 'Ann'")


def invented(owner: Owner) -> None:
    owner.add("purse_entry", {"table": "one", "version": 3, "name": "Ann", "amount": 9_000_000}, "mine")
    owner.run("UPDATE purses SET balance = balance + 9000000 WHERE name = 'Ann'")


def no_chips(owner: Owner) -> None:
    owner.run("DELETE FROM events WHERE gseq = (SELECT max(gseq) FROM events WHERE type = 'chips_moved')")


def larger_entry(owner: Owner) -> None:
    owner.edit(HOUSE, "purse_entry", amount=700_000)
    owner.run("UPDATE purses SET balance = 900000 WHERE name = 'Ann'")


def another_name(owner: Owner) -> None:
    owner.edit(HOUSE, "purse_entry", name="Eve")
    owner.run("UPDATE purses SET balance = 200000 WHERE name = 'Ann'")
    owner.run("INSERT INTO purses VALUES ('Eve', 300000, 0)")


def larger_chips(owner: Owner) -> None:
    owner.edit("one", "chips_moved", amount=700_000)


def another_command(owner: Owner) -> None:
    owner.run("UPDATE events SET idem = 'mine' WHERE stream = '(house)' AND ver = 5")


def unknown_event(owner: Owner) -> None:
    owner.add("purse_blessed", {"name": "Ann"}, "mine")


def old_money(owner: Owner) -> None:
    owner.add("purse_taken_over", {"name": "Ann", "amount": 1_000}, "mine")
    owner.run("UPDATE purses SET balance = balance + 1000 WHERE name = 'Ann'")


def earlier_chips(owner: Owner, stream: str, source: str, target: str, form: int = 2) -> None:
    moved = {"source": source, "target": target, "amount": 9_000_000, "why": "old"}
    owner.add("chips_moved", {"by": "Bob", "cite": "", "data": moved}, None, stream, form)


def change_form(owner: Owner, form: int) -> None:
    """From there on nothing would be dealt again."""
    ((created,),) = owner.run("SELECT body FROM events WHERE stream = 'one' AND ver = 1")
    owner.add("form_changed", {**json.loads(created), "form": 2}, "mine", "one", form)


def back_to_an_earlier_form(owner: Owner) -> None:
    change_form(owner, 2)
    earlier_chips(owner, "one", "(cage)", "Bob")


def form_that_is_not_its_own(owner: Owner) -> None:
    change_form(owner, 3)
    earlier_chips(owner, "one", "(inventory)", "Bob", 3)


def table_of_an_earlier_form(owner: Owner) -> None:
    """Its chips would be old purses, which the house takes over."""
    ((created,),) = owner.run("SELECT body FROM events WHERE stream = 'one' AND ver = 1")
    owner.add("table_created", json.loads(created), "mine", "two", 2)
    earlier_chips(owner, "two", "(inventory)", "Bob")
    earlier_chips(owner, "two", "Bob", "(cage)")
    owner.add("purse_taken_over", {"name": "Bob", "amount": 9_000_000}, "mine too")
    owner.run("INSERT INTO purses VALUES ('Bob', 9000000, 1) ON CONFLICT DO UPDATE SET balance = 9000000")


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (no_entry, r"one version \d+: 300000 between Ann and the cage, without an entry in the house's stream"),
        (invented, r"\(house\) version 7: an entry of 9000000 for Ann, and no such chips moved at one version 3"),
        (no_chips, r"\(house\) version 6: an entry of 300000 for Ann, and no such chips moved"),
        (larger_entry, r"\(house\) version 6: an entry of 700000 for Ann(.|\n)*one version \d+: 300000 between"),
        (another_name, r"\(house\) version 6: an entry of 300000 for Eve(.|\n)*one version \d+: 300000 between"),
        (larger_chips, r"one version \d+: 700000 between Ann and the cage, without an entry"),
        (another_command, r"\(house\) version 5: is not stored with the command at one version"),
        (unknown_event, r"\(house\) version 7: house: 'purse_blessed' is not an event of the house"),
        (old_money, r"\(house\) version 7: takes over 1000 of Ann, the tables' events leave 0 at most"),
        (back_to_an_earlier_form, r"one version \d+: is of form 2, after events of form 3"),
        (form_that_is_not_its_own, r"one version 16: one: form 3 is not form 2"),
        (table_of_an_earlier_form, r"two version 1: is of form 2, after events of form 3"),
    ],
)
def test_a_forged_house_is_found_although_its_chains_were_stamped_anew(owner: Owner, forge: Forge, said: str) -> None:

    forge(owner)
    report = owner.verify()
    assert re.search(said, whats(report)), whats(report)


def test_money_issued_after_the_event_is_found_by_the_checkpoints(owner: Owner, tmp_path: Path) -> None:
    owner.edit(HOUSE, "play_money_issued", amount=70_000_000)
    owner.run("UPDATE purses SET balance = balance + 69930000 WHERE name = 'Bob'")
    assert "(house) version 6: was signed by checkpoint 1" in whats(owner.verify(tmp_path / "t.checkpoints"))


def test_rows_that_move_on_during_the_examination_are_not_faults(place: Place) -> None:
    """Tables go on while they are verified: what was stored after the last event that was read is read too."""
    played(place.url)
    store = place.open()
    audit = HouseAudit()
    for event in store.read_all():
        audit.follow(event)
    issue(store, "Ann", "40", "later")
    audit.finish(store)
    assert (audit.faults, audit.unchecked) == ([], [])


def test_a_player_of_two_tables_has_one_purse(place: Place) -> None:
    store = place.open()
    one, two = open_table(store, "one", "Ann"), open_table(store, "two", "Ann")
    issue(store, "Ann", "100", "k-1")
    for number in range(3):
        bring(one, "Ann", "60", f"one {number}")
        bring(two, "Ann", "40", f"two {number}")
        leave(two, "Ann", f"leave two {number}")
        leave(one, "Ann", f"leave one {number}")
        sit(one, "Ann", 1)
        sit(two, "Ann", 1)
    assert verify(store, KEYRING, None).faults == ()
    assert list(store.read_derived("purses")) == [("Ann", (100_000, 1))]


def test_the_events_say_who_issued_and_why() -> None:
    assert issued("Ann", Amount("5"), "Fay", "lost", NOW).body == {
        "name": "Ann",
        "amount": 5_000,
        "issuer": "Fay",
        "reason": "lost",
    }
    assert taken_over("Ann", Amount("5"), NOW).body == {"name": "Ann", "amount": 5_000}
