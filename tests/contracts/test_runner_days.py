"""Random days through a ledger: what is stored leads back to the same table, and verification finds nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.runner_driver import KEYRING, LedgerDay, begin, seeded_source
from tests.contracts.table_driver import FLOORPERSON, Day, face_up_once
from tests.contracts.test_table_days import CASES, NAMES
from tests.postgres import Postgres

from twentyone.ledger.canonical import canonical
from twentyone.ledger.codec import COMMAND, Decoder, read_body, table_event
from twentyone.ledger.face_down import sight_with
from twentyone.ledger.open_shoe import OpenShoe
from twentyone.ledger.replaying import Replay
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.runner import Runner
from twentyone.ledger.snapshots import (
    FIELDS,
    Snapshot,
    read_snapshot,
    read_state,
    state_hash,
    write_snapshot,
    write_state,
)
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.verify import verify
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.clauses import CoverCard
from twentyone.table import TableEvent, TableState, fold_table
from twentyone.table.events import RoundBegun, RoundEvent

FEW = CASES[::4]
FEW_NAMES = NAMES[::4]
"""A quarter of the submissions, for what is slow."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new ledger."""
    opened = open_store(str(tmp_path / "t.db"), create=True)
    yield opened
    opened.close()


def assert_same(mine: TableState, theirs: TableState, rules: Rules) -> None:
    """Two states hold the same, the round in progress too."""
    for name in FIELDS:
        one, other = getattr(mine, name), getattr(theirs, name)
        if name == "round" and one is not None:
            assert (one.state, one.events, one.next) == (other.state, other.events, other.next)
            assert one.rules is other.rules
        else:
            assert one == other, name
            assert type(one) is type(other), name
    assert state_hash(mine, rules) == state_hash(theirs, rules)


def as_stored(number: int, event: TableEvent, rules: Rules) -> StoredEvent:
    """An event as it comes out of a ledger."""
    new = table_event(event, rules)
    return StoredEvent(number, "t", number, new.ts, new.type, new.schema, canonical(new.body), "", "", None, None)


def without_round(event: TableEvent) -> TableEvent:
    """An event without the live round that it carries."""
    return replace(event, round=None) if isinstance(event, RoundBegun | RoundEvent) else event


@pytest.mark.parametrize(("book", "given"), CASES, ids=NAMES)
def test_decoded_events_are_the_events_and_fold_to_the_same_state(book: str, given: dict[str, Any]) -> None:
    rules = Rulebook.load(book).under(given)
    decoder, back = Decoder(rules), list[TableEvent]()

    def see(_: object, events: tuple[TableEvent, ...]) -> None:
        for event in events:
            row = as_stored(len(back) + 1, event, rules)
            back.append(decoder.decode(row, read_body(row)))
            assert without_round(back[-1]) == without_round(event)
            assert table_event(back[-1], rules) == table_event(event, rules)
        held = json.loads(canonical(write_state(day.state, rules)))
        assert_same(read_state(held, rules), day.state, rules)

    day = Day(rules, CASES.index((book, given)), see, 0.15)
    see(None, day.table.events)
    day.work(4)
    assert_same(fold_table(back), day.state, rules)


def events_of(store: Store, stream: str, version: int = 0) -> list[StoredEvent]:
    return list(store.read(stream, version))


def finish(day: LedgerDay) -> None:
    """Play the table down to a state that can be closed, and close it."""
    day.noise = 0
    day.work(day.done + 1)
    day.give("close_table", "floorperson", FLOORPERSON)


@pytest.mark.parametrize(("book", "given"), FEW, ids=FEW_NAMES)
def test_a_ledger_leads_back_to_the_table_from_any_snapshot(store: Store, book: str, given: dict[str, Any]) -> None:
    seed = CASES.index((book, given))
    day = begin(store, Rulebook.load(book).under(given), seed, noise=0.1, every=10**9)
    day.work(6)
    assert day.runner is not None
    whole = events_of(store, "t")
    full = with_key(day)
    for event in whole:
        full.follow(event)
    assert_same(full.state, day.state, day.rules)
    assert full.custody == day.runner.custody
    for place in range(0, len(whole), max(1, len(whole) // 12)):
        assert_tail_leads_on(day, whole, place, full)


def with_key(day: LedgerDay, start: Snapshot | None = None) -> Replay:
    """The events as they are followed with the key: a card that lies face down is in the order of its shoe."""
    return Replay(day.rules, start, sights=lambda rules: sight_with(OpenShoe("t", rules, KEYRING).next_card))


def assert_tail_leads_on(day: LedgerDay, whole: list[StoredEvent], place: int, full: Replay) -> None:
    """A snapshot at any event after which nothing lies face down, and the events after it, make what all make."""
    first = with_key(day)
    while first.version <= place or first.custody.face_down or whole[first.version - 1].type == COMMAND:
        if first.version == len(whole):
            return
        first.follow(whole[first.version])
    place = first.version - 1
    made = Snapshot(first.version, whole[place].hash, first.ts, first.state, first.custody)
    text = write_snapshot(KEYRING, "t", made, day.rules)
    again = with_key(day, read_snapshot(KEYRING, "t", first.version, text, day.rules))
    for event in whole[place + 1 :]:
        again.follow(event)
    assert_same(again.state, full.state, day.rules)
    assert again.custody == full.custody


@pytest.mark.parametrize(("book", "given"), CASES, ids=NAMES)
def test_a_day_with_disturbances_verifies(store: Store, book: str, given: dict[str, Any]) -> None:
    seed = 300 + CASES.index((book, given))
    day = begin(store, Rulebook.load(book).under(given), seed, noise=0.1, every=60)
    day.work(4)
    assert day.runner is not None
    loaded = Runner(store, "t", KEYRING, seeded_source(1), lambda: 0)
    loaded.load()
    assert_same(loaded.table.state, day.state, day.rules)
    report = verify(store, KEYRING, None)
    assert report.faults == ()
    assert report.counts["commands dealt again"] == len(day.given)
    assert report.counts["events"] == day.runner.version + report.counts["events of the house"]
    sealed, revealed = (
        report.counts[f"shoes {what}"] + report.counts.get(f"wheel seeds {what}", 0) for what in ("sealed", "revealed")
    )
    assert sealed == revealed + report.counts["seeds still sealed"]
    assert report.counts["rounds"] == day.state.rounds
    without = verify(store, None, None)
    assert without.faults == ()
    unseen = [what for what in without.unchecked if "hole card is unknown" in what]
    assert without.counts["commands dealt again"] == len(day.given) or (unseen and day.state.round is not None)


def test_a_closed_table_has_revealed_every_shoe(store: Store) -> None:
    day = begin(store, Rulebook.load("pa-spanish-21").under({"shuffler": "automated"}), 5)
    finish(day)
    counts = verify(store, KEYRING, None).counts
    assert counts["seeds still sealed"] == 0
    assert counts["shoes sealed"] == counts["shoes revealed"] > 1


def test_the_same_day_is_the_same_to_the_byte_on_both_databases(store: Store, postgres: Postgres) -> None:
    """People, clock and entropy from one seed: every event, every hash, every seal is the same."""
    book, given = CASES[2]
    with closing(open_store(postgres.new_database(), create=True)) as other:
        days = [begin(place, Rulebook.load(book).under(given), 11, noise=0.1) for place in (store, other)]
        for day in days:
            day.work(3)
        mine, theirs = ([event._replace(gseq=0) for event in place.read("t")] for place in (store, other))
        assert mine == theirs
        assert_same(days[0].state, days[1].state, days[0].rules)
        assert verify(other, KEYRING, None).faults == ()


def with_deep_cover_card(book: Rulebook) -> Rulebook:
    """A rulebook that lets the cover card lie so deep that a round can empty the shoe."""
    entries = dict(book.entries)
    for name, entry in entries.items():
        clauses = [replace(c, share=Fraction(1, 200)) if isinstance(c, CoverCard) else c for c in entry.clauses]
        entries[name] = replace(entry, clauses=tuple(clauses))
    return replace(book, entries=entries)


@pytest.mark.parametrize("value", ["shuffled", "kept-out"])
def test_a_shoe_that_runs_out_is_filled_from_the_rack_and_both_verify(
    store: Store, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    deep = with_deep_cover_card(Rulebook.load("pa-spanish-21"))
    monkeypatch.setattr("twentyone.rulebook.rulebook._load", lambda _: deep)
    day = begin(store, deep.under({"shuffler": "manual", "readings": {"face-up-reload": value}}), 5)
    day.mischief = face_up_once
    day.seats = {f"p{box}": [box] for box in range(1, 8)}
    while day.reloads < 1:
        day.work(day.done + 3)
    report = verify(store, KEYRING, None)
    assert report.faults == ()
    assert report.counts["shoes revealed"] > day.reloads
