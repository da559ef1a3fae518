"""The usual append as one statement: it stores what the whole way stores, and nothing if a table is not as known."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from tests.contracts.test_leases import Pair
from tests.patience import until

from twentyone.ledger.at_once import APPEND_AT_ONCE
from twentyone.ledger.chain import Chain
from twentyone.ledger.postgres import PostgresStore
from twentyone.ledger.rows import Appended, Batch, KeyReused, NewEvent, StaleVersion, Superseded

if TYPE_CHECKING:
    from tests.postgres import Postgres

TOLD = NewEvent("told", {"text": 'a "quoted" café \\ 🂡'}, 7)


@pytest.fixture
def pair(postgres: Postgres) -> Iterator[Pair]:
    pair = Pair(postgres.new_schema())
    with closing(pair.one), closing(pair.two):
        pair.one.leases.enrol(["a", "b"])
        pair.one.leases.claim(["a", "b"])
        for table in "ab":
            assert isinstance(pair.one.write(table, 0 if table == "a" else 1), Appended)
        yield pair


@pytest.fixture
def said(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement with which the first process writes."""
    said: list[str] = []
    whole = type(pair.one.store._writing).rows

    def heard(connection: Any, sql: str, parameters: Any = ()) -> list[Any]:
        if connection is pair.one.store._writing:
            said.append(sql)
        return list(whole(connection, sql, parameters))

    monkeypatch.setattr(type(pair.one.store._writing), "rows", heard)
    return said


def batch(table: str, version: int, key: str, mark: str = "f", events: int = 1) -> Batch:
    return Batch(table, version, [TOLD] * events, key, mark)


def test_usual_commands_are_one_statement(pair: Pair, said: list[str]) -> None:
    """Two of one table and one of another in a group: numbered in order, chained, each with its key."""
    group = [batch("a", 1, "k1", events=2), batch("b", 1, "k2"), batch("a", 3, "k3")]
    answers = pair.one.store.append_many(group)
    assert said == [APPEND_AT_ONCE]
    events = [event for answer in answers if isinstance(answer, Appended) for event in answer.events]
    assert [(event.stream, event.ver, event.idem) for event in events] == [
        ("a", 2, "k1"), ("a", 3, None), ("b", 2, "k2"), ("a", 4, "k3"),
    ]  # fmt: skip
    assert [event.gseq for event in events] == sorted(event.gseq for event in events)
    stored = list(pair.one.store.read_all())
    assert stored[-4:] == events
    assert not list(Chain().follow_all(stored))


def test_it_stores_what_the_whole_way_stores(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second table is written without the short way: event for event the same, but for name and hash."""
    pair.one.store.append("a", 1, [TOLD, TOLD], "k1", "f")
    monkeypatch.setattr(PostgresStore, "_at_once", lambda *_: None)
    pair.one.store.append("b", 1, [TOLD, TOLD], "k2", "f")
    short, whole = ([event[3:7] for event in pair.one.store.read(table, 1)] for table in "ab")
    assert short == whole


def test_what_is_not_usual_goes_the_whole_way(pair: Pair, said: list[str]) -> None:
    """A known key, another command under it, and an older version: each gets its answer, and nothing is stored."""
    store = pair.one.store
    first = store.append("a", 1, [TOLD], "k1", "f")
    assert store.append("a", 1, [TOLD], "k1", "f") == Appended(first.events, True)
    with pytest.raises(KeyReused):
        store.append("a", 2, [TOLD], "k1", "other")
    with pytest.raises(StaleVersion):
        store.append("a", 1, [TOLD], "k2", "f")
    assert store.version("a") == 2
    assert said.count(APPEND_AT_ONCE) == 2  # the first, and the one that the unique key refused


def test_one_that_is_not_usual_takes_the_others_with_it(pair: Pair, said: list[str]) -> None:
    answers = pair.one.store.append_many([batch("a", 1, "k1"), batch("b", 9, "k2")])
    assert [type(answer) for answer in answers] == [Appended, StaleVersion]
    assert APPEND_AT_ONCE not in said


def test_a_head_that_is_not_known_here_is_looked_up(pair: Pair) -> None:
    """Somebody appended while our lease was over, without leading the table: the command is stale, nothing is lost."""
    pair.end_lease(pair.one)
    assert isinstance(pair.two.write("a", 1), Appended)
    with pytest.raises(StaleVersion):
        pair.one.store.append("a", 1, [TOLD], "k1", "f")
    pair.one.store.append("a", 2, [TOLD], "k1", "f")
    assert not list(Chain().follow_all(list(pair.one.store.read_all())))


def test_a_history_that_is_another_one_is_not_continued(pair: Pair) -> None:
    """The last event that we know is not in the ledger: its version is free, and nothing is stored under it."""
    pair.one.store.acknowledged["a"] = (5, "0" * 64)
    with pytest.raises(StaleVersion):
        pair.one.store.append("a", 5, [TOLD], "k1", "f")
    assert pair.one.store.version("a") == 1


def test_who_waits_for_the_row_sees_its_new_epoch(pair: Pair) -> None:
    """The statement has begun, under our epoch, while another process takes the table over."""
    outcome: list[Any] = []

    def late() -> None:
        outcome.append(pair.one.write("a", 5))

    with psycopg.connect(pair.url) as line:
        line.execute("UPDATE streams SET leader = 'two', epoch = epoch + 1 WHERE stream = 'a'")
        thread = threading.Thread(target=late)
        thread.start()
        waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%appending%'"
        with psycopg.connect(pair.url, autocommit=True) as other:
            until(lambda: other.execute(waits).fetchall(), "it waits for the row")
        line.commit()
    thread.join()
    assert isinstance(outcome[0], Superseded)
    assert pair.two.store.version("a") == 1
