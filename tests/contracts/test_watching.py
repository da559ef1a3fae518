"""A ledger in use that is examined again and again: what its owner changes behind its back is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

import pytest
from tests.contracts.test_start import BOOK, files, url, urls

from twentyone.cli import main
from twentyone.ledger import watching
from twentyone.ledger.chain import event_hash
from twentyone.ledger.codec import SCHEMA
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rounds import PROJECTION
from twentyone.ledger.rows import NewEvent
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.watching import LedgerWatch

__all__ = ["url", "urls"]

STREAM = f"{BOOK}-1"
LAST = f"(SELECT max(ver) FROM events WHERE stream = '{STREAM}')"


def restamp(store: Store) -> list[str]:
    """The last event of a table with another time, stamped as if it had always been so."""
    last = list(store.read(STREAM))[-1]
    own = event_hash(last.prev, STREAM, last.ver, 7, last.type, last.schema, last.body, last.idem, last.fingerprint)
    return [f"UPDATE events SET ts = 7, hash = '{own}' WHERE stream = '{STREAM}' AND ver = {last.ver}"]


class Attack(NamedTuple):
    """What the owner does, what is said of it, and which part of a look finds it."""

    statements: Callable[[Store], list[str]]
    says: str
    part: str


ATTACKS = {
    "an old event": Attack(
        lambda _: [f"UPDATE events SET ts = ts + 1 WHERE stream = '{STREAM}' AND ver = 3"],
        "does not give its hash",
        "_rest",
    ),
    "an event removed from the middle": Attack(
        lambda _: [f"DELETE FROM events WHERE stream = '{STREAM}' AND ver = 3"], "an event was removed", "_rest"
    ),
    "the last event stamped anew": Attack(restamp, "it was stamped anew", "_heads"),
    "the last event removed": Attack(
        lambda _: [f"DELETE FROM events WHERE stream = '{STREAM}' AND ver = {LAST}"], "its tail was cut off", "_heads"
    ),
    "a purse filled": Attack(lambda _: ["UPDATE purses SET balance = balance + 5"], "it was edited", "_derived"),
    "a purse removed": Attack(lambda _: ["DELETE FROM purses"], "it was edited", "_derived"),
    "a purse made": Attack(lambda _: ["INSERT INTO purses VALUES ('Eve', 9, 0)"], "it was edited", "_derived"),
    "a foreign index": Attack(lambda _: ["CREATE INDEX own ON events (ts)"], "does not belong to a ledger", "_schema"),
    "a round of the list": Attack(
        lambda _: [f"UPDATE projection SET body = body || ' ' WHERE name = '{PROJECTION}'"],
        "does not bear the mark",
        "_rounds",
    ),
}
GUARDS = {
    False: (
        ["DROP TRIGGER events_are_not_updated", "DROP TRIGGER events_are_not_deleted"],
        [
            "CREATE TRIGGER events_are_not_updated BEFORE UPDATE ON events\nBEGIN\n"
            "    SELECT RAISE(ABORT, 'an event of the ledger is never changed');\nEND",
            "CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events\nBEGIN\n"
            "    SELECT RAISE(ABORT, 'an event of the ledger is never removed');\nEND",
        ],
    ),
    True: (
        ["ALTER TABLE events DISABLE TRIGGER events_are_not_changed"],
        ["ALTER TABLE events ENABLE ALWAYS TRIGGER events_are_not_changed"],
    ),
}


def watch_of(store: Store, url: str) -> LedgerWatch:
    key, trail = files(url)
    return LedgerWatch(store, Keyring.load(key), trail, lambda: None)


@contextmanager
def attacked(store: Any, url: str, attack: Attack) -> Iterator[None]:
    """What the owner does, undone afterwards; the store reads what he sees."""
    off, on = GUARDS["://" in url]
    for statement in ("BEGIN", *off, *attack.statements(store), *on):
        store._writing.rows(statement)
    try:
        yield
    finally:
        store._writing.rows("ROLLBACK")


def test_every_attack_is_named_by_its_part(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And without that part it is not: each is needed."""
    assert main(["rounds", url, "--rebuild"]) == 0, "the list, which a plain reader does not keep"
    with closing(open_store(url)) as made:
        store: Any = made
        store._reading = store._writing
        store._writing.rows("RESET ROLE" if "://" in url else "SELECT 1")
        for name, attack in ATTACKS.items():
            watch = watch_of(store, url)
            assert watch.look(store) is None
            with attacked(store, url, attack):
                assert attack.says in str(watch.look(store)), name
            watch = watch_of(store, url)
            with attacked(store, url, attack), monkeypatch.context() as patch:
                for part in (attack.part, "_missing", "_signatures"):
                    patch.setattr(LedgerWatch, part, lambda *_: ())
                assert watch.look(store) is None, f"{name}, without {attack.part}"


@pytest.mark.parametrize("attack", ["a purse filled", "a purse removed", "a purse made"])
def test_rows_that_were_edited_before_the_first_look(url: str, attack: str) -> None:
    """The ledger was compared when it was opened; what is edited from then on is not taken for what it was."""
    with closing(open_store(url)) as made:
        store: Any = made
        store._reading = store._writing
        store._writing.rows("RESET ROLE" if "://" in url else "SELECT 1")
        with attacked(store, url, ATTACKS[attack]):
            assert "it was edited" in str(watch_of(store, url).look(store))


def test_what_is_added_is_followed_and_read_once(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An honest ledger that goes on stays without a difference; a look costs what was added, not what there is."""
    monkeypatch.setattr(watching, "AGAIN", 0)
    with closing(open_store(url)) as store, closing(open_store(url)) as other:
        watch = watch_of(store, url)
        assert watch.look(store) is None
        begun = watch.events
        for number in range(3):
            other.append(STREAM, other.version(STREAM), [NewEvent("x", {}, 1, SCHEMA)] * 2, f"k{number}", "f")
            assert watch.look(store) is None
        assert watch.events - begun == 3 * 2


def test_a_forged_event_at_the_end(url: str) -> None:
    """It names another one as the one before it."""
    with closing(open_store(url)) as made:
        store: Any = made
        watch = watch_of(store, url)
        row = list(store.read(STREAM))[-1]
        forged = row._replace(gseq=row.gseq + 100, ver=row.ver + 1, prev="0" * 64, idem=None, fingerprint=None)
        store._writing.write_many(
            "INSERT INTO events (gseq, stream, ver, ts, type, schema, body, prev, hash, idem, fingerprint) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [forged],
        )
        assert "does not continue the event before it" in str(watch.look(store))


def test_checkpoints_that_are_cut_off(url: str) -> None:
    _, trail = files(url)
    with closing(open_store(url)) as store:
        watch = watch_of(store, url)
        assert watch.look(store) is None
        lines = trail.read_text(encoding="utf-8").splitlines(keepends=True)
        trail.write_text("".join(lines[:-1]), encoding="utf-8")
        assert "lines were removed" in str(watch.look(store))
        trail.write_text("".join(lines[:-1]) + lines[-1].replace('"count":', '"count":1'), encoding="utf-8")
        assert "is not signed by this ledger's key" in str(watch.look(store))


def test_a_long_ledger_is_read_in_parts(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it is: an edit is found once the part comes to it."""
    monkeypatch.setattr(watching, "AGAIN", 10)
    with closing(open_store(url)) as made:
        store: Any = made
        store._reading = store._writing
        store._writing.rows("RESET ROLE" if "://" in url else "SELECT 1")
        watch = watch_of(store, url)
        begun = watch.events
        with attacked(store, url, ATTACKS["an old event"]):
            looks = [watch.look(store) for _ in range(store.settled() // 10 + 2)]
            assert watch.events - begun <= 10 * len(looks)
        assert any("does not give its hash" in str(found) for found in looks)
