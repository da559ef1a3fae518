"""The writer: a lone command commits at once, what queued shares the next commit, a failure stops everything."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any

import pytest
from tests.patience import PATIENCE

from twentyone.ledger.rows import Appended, Batch, LedgerFailed, NewEvent, StaleVersion
from twentyone.ledger.sqlite import SqliteStore, open_sqlite
from twentyone.ledger.writer import Writer

EVENTS = [NewEvent("command", {"do": "deal"}, 1)]


class Gate:
    """A store whose commits wait for the test, and may fail."""

    def __init__(self, store: SqliteStore) -> None:
        self.where, self._store = store.where, store
        self.groups: list[int] = []
        self.open, self.entered = threading.Semaphore(0), threading.Semaphore(0)
        self.fault: BaseException | None = None

    def append_many(self, batches: Sequence[Batch]) -> list[Appended | Exception]:
        self.groups.append(len(batches))
        self.entered.release()
        assert self.open.acquire(timeout=PATIENCE)
        if self.fault is not None:
            raise self.fault
        return self._store.append_many(batches)


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(open_sqlite(str(tmp_path / "ledger.db"), create=True))


def submit(writer: Writer, number: int) -> Future[Appended]:
    return writer.submit(f"table {number}", 0, EVENTS, f"k{number}", "f")


def test_what_queued_meanwhile_shares_the_next_commit(gate: Gate) -> None:
    writer: Any = Writer(gate)  # type: ignore[arg-type]
    first = submit(writer, 0)
    assert gate.entered.acquire(timeout=PATIENCE)
    others = [submit(writer, number) for number in range(1, 8)]
    assert not first.done()
    gate.open.release()
    assert first.result(timeout=PATIENCE).events[0].ver == 1
    gate.open.release()
    assert [future.result(timeout=PATIENCE).events[0].ver for future in others] == [1] * 7
    assert gate.groups == [1, 7]
    writer.close()


def test_a_group_has_a_limit(gate: Gate) -> None:
    writer: Any = Writer(gate, most=3)  # type: ignore[arg-type]
    submit(writer, 0)
    assert gate.entered.acquire(timeout=PATIENCE)
    others = [submit(writer, number) for number in range(1, 8)]
    for _ in range(4):
        gate.open.release()
    wait(others, timeout=PATIENCE)
    assert gate.groups == [1, 3, 3, 1]
    writer.close()


def test_commands_that_are_queued_together_share_a_commit_and_are_answered_at_once(gate: Gate) -> None:
    writer: Any = Writer(gate, most=3)  # type: ignore[arg-type]
    told: list[list[str]] = []
    group = [Batch(f"table {number}", 0, EVENTS, f"k{number}", "f") for number in range(5)]
    writer.submit_many(group, lambda answers: told.append([answer.events[0].stream for answer in answers]))
    gate.open.release()
    writer.close()
    assert (gate.groups, told) == ([5], [[f"table {number}" for number in range(5)]])


@pytest.mark.parametrize("fault", [LedgerFailed("disk full"), RuntimeError("a bug"), SystemExit(3)])
def test_a_failure_is_told_to_everybody_who_waits_and_never_tried_again(gate: Gate, fault: BaseException) -> None:
    gate.fault = fault
    writer: Any = Writer(gate)  # type: ignore[arg-type]
    waiting = [submit(writer, 0)]
    assert gate.entered.acquire(timeout=PATIENCE)
    waiting += [submit(writer, number) for number in range(1, 5)]
    gate.open.release()
    for future in waiting:
        with pytest.raises(LedgerFailed):
            future.result(timeout=PATIENCE)
    with pytest.raises(LedgerFailed):
        submit(writer, 9).result(timeout=PATIENCE)
    assert (gate.groups, bool(writer.stopped)) == ([1], True)
    writer.close()


def test_refusals_reach_only_their_own_client(tmp_path: Path) -> None:
    store = open_sqlite(str(tmp_path / "ledger.db"), create=True)
    with Writer(store) as writer:
        good, stale = submit(writer, 1), writer.submit("table 2", 5, EVENTS, "k", "f")
        bad = writer.submit("table 3", 0, [NewEvent("x", {"x": 2**64}, 1)], "k3", "f")
        assert good.result(timeout=PATIENCE).events[0].ver == 1
        with pytest.raises(StaleVersion):
            stale.result(timeout=PATIENCE)
        with pytest.raises(Exception, match="larger than"):
            bad.result(timeout=PATIENCE)
        assert submit(writer, 4).result(timeout=PATIENCE).events[0].ver == 1


def test_closing_stores_what_is_queued(gate: Gate) -> None:
    writer: Any = Writer(gate)  # type: ignore[arg-type]
    futures = [submit(writer, number) for number in range(5)]
    for _ in range(5):
        gate.open.release()
    writer.close()
    assert [future.result(timeout=0).repeated for future in futures] == [False] * 5
    with pytest.raises(LedgerFailed, match="closed"):
        submit(writer, 9).result(timeout=0)
    writer.close()


def test_whoever_gave_up_waiting_does_not_stop_the_writer(gate: Gate) -> None:
    writer: Any = Writer(gate)  # type: ignore[arg-type]
    first = submit(writer, 0)
    assert gate.entered.acquire(timeout=PATIENCE)
    second = submit(writer, 1)
    assert second.cancel()
    gate.open.release()
    gate.open.release()
    first.result(timeout=PATIENCE)
    gate.open.release()
    assert submit(writer, 2).result(timeout=PATIENCE).events[0].ver == 1
    writer.close()
