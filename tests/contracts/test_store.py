"""The contract of a store, the same for both databases."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.contracts.store_places import Maker, Place

from twentyone.ledger.chain import GENESIS, event_hash, verify_chain, verify_stream
from twentyone.ledger.rows import (
    Appended,
    Batch,
    KeyReused,
    LedgerFailed,
    LedgerRefused,
    NewEvent,
    NotCanonical,
    ProjectionRow,
    StaleVersion,
)
from twentyone.ledger.sql import SqlStore


def events(*bodies: dict[str, Any]) -> list[NewEvent]:
    return [NewEvent("command", body, 1_700_000_000) for body in bodies or ({"do": "deal"},)]


def test_a_new_ledger_is_empty(place: Place) -> None:
    store = place.open()
    assert (store.version("t"), store.head("t"), store.streams()) == (0, (0, GENESIS), [])
    assert (list(store.read("t")), list(store.read_all()), store.find_key("k")) == ([], [], None)
    assert (store.self_check(), verify_chain(store)[0]) == ([], [])


def test_what_is_appended_is_read_back(place: Place) -> None:
    body = {"z": None, "a": [1, True, {"é": '♠\u0000\n"\\'}], "n": -(2**63) + 1, "m": 2**63 - 1}
    answer = place.open().append("table 1", 0, [NewEvent("x", body, 5, 7), NewEvent("y", {}, 6)], "key", "mark")
    first, second = answer.events
    assert not answer.repeated
    assert (first.ver, first.ts, first.type, first.schema, first.prev) == (1, 5, "x", 7, GENESIS)
    assert (second.ver, second.prev, second.idem, second.fingerprint) == (2, first.hash, None, None)
    assert (first.idem, first.fingerprint, json.loads(first.body)) == ("key", "mark", body)
    assert first.hash == event_hash(GENESIS, "table 1", 1, 5, "x", 7, first.body, "key", "mark")
    store = place.open()
    assert tuple(store.read("table 1")) == tuple(store.read_all()) == answer.events
    assert (store.version("table 1"), store.head("table 1")) == (2, (2, second.hash))
    assert (store.hash_at("table 1", 1), store.hash_at("table 1", 3)) == (first.hash, None)
    places = [("table 1", 2), ("table 1", 3), ("table 1", 1), ("table 2", 1)]
    assert store.hashes_at(places) == {("table 1", 1): first.hash, ("table 1", 2): second.hash}


def test_both_databases_store_the_same_hashes(place: Place) -> None:
    """The hash of an event is a matter of its content alone; worked out here by hand, without the store."""
    import hashlib

    stored = place.open().append("t", 0, [NewEvent("dealt", {"b": 1, "a": "♠"}, 9)], "k", "f").events[0]
    inner = json.dumps('{"a":"♠","b":1}', ensure_ascii=False)
    text = f'["{"0" * 64}","t",1,9,"dealt",1,{inner},"k","f"]'
    assert stored.hash == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("expected", [0, 1, 3, 2**62])
def test_a_stale_version_is_refused_and_stores_nothing(place: Place, expected: int) -> None:
    store = place.open()
    store.append("t", 0, events({}, {}), "k1", "f")
    with pytest.raises(StaleVersion, match=f"is at version 2, the command was made on version {expected}: .*read"):
        store.append("t", expected, events(), "k2", "f")
    assert (store.version("t"), store.find_key("k2")) == (2, None)


def test_a_new_stream_begins_at_nothing(place: Place) -> None:
    with pytest.raises(StaleVersion, match="is at version 0"):
        place.open().append("t", 1, events(), "k", "f")


@pytest.mark.parametrize(
    ("bad", "where"),
    [
        ({"x": 1.5}, r"events\[1\]\.body\.x: float"),
        ({"x": [0, 2**63]}, r"events\[1\]\.body\.x\[1\]: the whole number is larger"),
        ({"x": {"y": "\ud800"}}, r"events\[1\]\.body\.x\.y: the text is not UTF-8"),
        ({1: "x"}, r"events\[1\]\.body: the key 1 is not text"),
        ({"x": b"bytes"}, r"events\[1\]\.body\.x: bytes"),
        ({"x": "y" * 1_000_000}, r"events\[1\]\.body: it has 1,000,008 characters, 1,000,000 are the most"),
        ([1], r"events\[1\]\.body: the fields of an event are an object"),
    ],
)
def test_what_canonical_json_cannot_say_is_refused_whole(place: Place, bad: Any, where: str) -> None:
    store = place.open()
    with pytest.raises(NotCanonical, match=where):
        store.append("t", 0, events({}, bad), "k", "f")
    assert store.version("t") == 0
    assert store.append("t", 0, events(), "k", "f").events[0].ver == 1


@pytest.mark.parametrize(
    "batch",
    [
        Batch("", 0, events(), "k", "f"),
        Batch("a\nb", 0, events(), "k", "f"),
        Batch("t", -1, events(), "k", "f"),
        Batch("t", 2**63, events(), "k", "f"),
        Batch("t", True, events(), "k", "f"),
        Batch("t", 0, [], "k", "f"),
        Batch("t", 0, events(), "k" * 201, "f"),
        Batch("t", 0, events(), "k\x00", "f"),
        Batch("t", 0, [NewEvent("x", {}, 2**63)], "k", "f"),
        Batch("t", 0, [NewEvent("", {}, 1)], "k", "f"),
    ],
)
def test_names_and_numbers_are_bounded(place: Place, batch: Batch) -> None:
    store = place.open()
    with pytest.raises(NotCanonical):
        store.append(*batch)
    assert store.append("t", 0, events(), "good", "f").events[0].ver == 1


def test_a_group_is_taken_or_refused_one_by_one(place: Place) -> None:
    store = place.open()
    store.append("b", 0, events(), "old", "f")
    answers = store.append_many(
        [
            Batch("a", 0, events({}, {}), "k1", "f"),
            Batch("a", 0, events(), "k2", "f"),
            Batch("b", 1, events({"x": 0.5}), "k3", "f"),
            Batch("a", 2, events(), "k4", "f"),
            Batch("a", 0, events({}, {}), "k1", "f"),
            Batch("a", 3, events(), "k1", "other"),
            Batch("b", 0, events(), "old", "f"),
            Batch("b", 1, events(), "k5", "f"),
        ]
    )
    kinds = [type(answer).__name__ for answer in answers]
    assert kinds[1:3] == ["StaleVersion", "NotCanonical"]
    assert kinds[5] == "KeyReused"
    taken = [answer for answer in answers if isinstance(answer, Appended)]
    assert [answer.repeated for answer in taken] == [False, False, True, True, False]
    assert taken[0].events == taken[2].events
    assert (store.version("a"), store.version("b")) == (3, 2)
    assert verify_chain(store)[0] == []


def test_streams_are_chained_apart(place: Place) -> None:
    store = place.open()
    for number in range(4):
        for stream in ("a", "b", "c"):
            store.append(stream, number, events(), f"{stream}{number}", "f")
    assert store.streams() == ["a", "b", "c"]
    for stream in store.streams():
        assert verify_stream(store.read(stream)) == []
        assert [event.ver for event in store.read(stream, after=1)] == [2, 3, 4]
    everything = list(store.read_all())
    assert [event.gseq for event in everything] == sorted({event.gseq for event in everything})
    assert list(store.read_all(after=everything[6].gseq)) == everything[7:]


def test_long_streams_are_read_page_by_page(place: Place) -> None:
    store = place.open()
    store.append_many([Batch("t", 0, events() * 2_345, "k", "f")])
    assert [event.ver for event in store.read("t")] == list(range(1, 2_346))
    assert sum(1 for _ in store.read_all()) == 2_345
    found = store.find_key("k")
    assert found is not None
    assert len(found[1]) == 2_345


def test_the_order_of_events_does_not_depend_on_the_clock(place: Place) -> None:
    """T25: an hour back, a day forward, the end of time; the order is that of the commands."""
    store, clock = place.open(), [10_000, 6_400, 96_400, 0, 2**63 - 1, 5]
    for number, ts in enumerate(clock):
        store.append("t", number, [NewEvent("x", {"n": number}, ts)], f"k{number}", "f")
    assert [event.ts for event in store.read("t")] == [event.ts for event in store.read_all()] == clock
    assert verify_chain(store)[0] == []


# -- T7: idempotency


def test_the_same_key_and_body_get_the_same_answer_byte_for_byte(place: Place) -> None:
    store = place.open()
    first = store.append("t", 0, events({"a": 1}, {"b": 2}), "k", "f")
    store.append("t", 2, events(), "k2", "f")
    again = store.append("t", 0, events({"a": 1}, {"b": 2}), "k", "f")
    assert (repr(again.events), again.repeated) == (repr(first.events), True)
    store.close()
    reopened = place.open()
    assert repr(reopened.append("t", 0, events({"a": 1}, {"b": 2}), "k", "f").events) == repr(first.events)
    assert reopened.find_key("k") == ("f", first.events)
    assert reopened.version("t") == 3


@pytest.mark.parametrize(("stream", "mark"), [("t", "other"), ("other", "f"), ("other", "other")])
def test_the_same_key_with_another_body_is_refused(place: Place, stream: str, mark: str) -> None:
    store = place.open()
    store.append("t", 0, events(), "k", "f")
    for opened in (store, place.open()):
        with pytest.raises(KeyReused, match="belongs to another command"):
            opened.append(stream, opened.version(stream), events(), "k", mark)
    assert sum(1 for _ in store.read_all()) == 1


# -- nothing is changed or removed


@pytest.mark.parametrize(
    "sql", ["UPDATE events SET ts = 1", "DELETE FROM events", "UPDATE events SET body = '{}' WHERE ver = 1"]
)
def test_the_database_refuses_to_change_events(place: Place, sql: str) -> None:
    store = place.open()
    assert isinstance(store, SqlStore)
    store.append("t", 0, events(), "k", "f")
    connection = store._reading
    with pytest.raises(connection.errors):
        connection.rows(sql)
    assert len(list(place.open().read("t"))) == 1


# -- snapshots and projections


def test_the_last_snapshot_of_a_stream_is_kept(place: Place) -> None:
    store = place.open()
    assert store.load_snapshot("t") is None
    store.save_snapshot("t", 5, 1, "five")
    store.save_snapshot("t", 9, 2, "nine")
    assert place.open().load_snapshot("t") == (9, 2, "nine")
    store.drop_snapshots()
    assert store.load_snapshot("t") is None


def test_projections_are_written_dropped_and_built_again(place: Place) -> None:
    store = place.open()
    rows = [ProjectionRow(f"{number:05}", number, "{}") for number in range(1_500)]
    store.replace_projection("rounds", rows)
    store.upsert_projection("other", rows[:2])
    store.upsert_projection("rounds", [ProjectionRow("00003", 99, "new")])
    assert store.find_projection("rounds", "00003") == ProjectionRow("00003", 99, "new")
    assert [row.key for row in store.read_projection("rounds", after="00010")] == [row.key for row in rows[11:]]
    store.replace_projection("rounds", rows[:1])
    assert list(place.open().read_projection("rounds")) == rows[:1]
    store.drop_projection("rounds")
    assert list(store.read_projection("rounds")) == []
    assert list(store.read_projection("other")) == rows[:2]
    assert store.find_projection("rounds", "00003") is None


# -- another ledger's events


def test_events_are_taken_over_as_they_are(new_place: Maker) -> None:
    source, target = new_place().open(), new_place().open()
    for number in range(5):
        source.append("a", number * 2, events({}, {}), f"k{number}", "f")
    assert target.take_over(source.read_all()) == 10
    assert list(target.read_all()) == list(source.read_all())
    assert target.append("a", 10, events(), "new", "f").events[0].gseq > list(source.read_all())[-1].gseq
    with pytest.raises(LedgerRefused, match="holds events already"):
        target.take_over(source.read_all())


def test_a_broken_ledger_is_not_taken_over(new_place: Maker) -> None:
    source, target = new_place().open(), new_place().open()
    source.append("a", 0, events(*[{"n": n} for n in range(1_100)]), "k", "f")
    broken = [event for event in source.read_all() if event.ver != 1_050]
    with pytest.raises(LedgerRefused, match=r"not whole \(a version 1051"):
        target.take_over(broken)
    assert list(target.read_all()) == []
    assert target.append("a", 0, events(), "k", "f").events[0].ver == 1


def test_a_closed_ledger_says_that_it_failed(place: Place) -> None:
    store = place.open()
    store.close()
    with pytest.raises(LedgerFailed):
        store.append("t", 0, events(), "k", "f")
    with pytest.raises(LedgerFailed):
        list(store.read("t"))
