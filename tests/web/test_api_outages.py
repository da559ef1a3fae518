"""S23, S24: a full disk, a lock, a restarted database, a limit: 503 with the reason at once, and back by itself."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.patience import until_soon
from tests.postgres import Postgres
from tests.web.inside import Answer, Inside, inside, open_table
from twentyone.ledger import sqlite
from twentyone.ledger.interruptions import INTERRUPTED
from twentyone.ledger.rows import HOUSE
from twentyone.service.live import LiveTable
from twentyone.web import app

Tip = dict[str, Any]
Work = Callable[[Inside, LiveTable], Awaitable[None]]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Looked at often, and no lock is waited for."""
    monkeypatch.setattr(app, "RECOVER", 0.01)
    monkeypatch.setattr(sqlite, "HURRY", ("PRAGMA busy_timeout = 1", "PRAGMA busy_timeout = 1"))
    monkeypatch.chdir(tmp_path)


def tip(key: str) -> Tip:
    return {"do": "tip", "args": {"amount": "5"}, "key": key, "version": None}


async def send(inn: Inside, key: str) -> Answer:
    return await inn.clients["guest"].send("POST", "/tables/one/commands", tip(key))


def tips(inn: Inside) -> int:
    return sum('"do":"tip"' in event.body for event in inn.service.store.read("one"))


def played(folder: Path, work: Work, **options: Any) -> None:
    """Work at one table; whatever happened, the ledger verifies afterwards."""

    async def go() -> None:
        async with inside(folder, **options) as inn:
            live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
            await work(inn, live)
            await until_soon(lambda: not inn.service.recovery.why, "it has come back")
            assert inn.service.verify()["ok"]

    asyncio.run(go())


async def down(inn: Inside, why: str) -> None:
    """Every command is answered 503 with the reason, and when to ask again; the log, the health and a probe say so."""
    for key in ("a", "b"):
        answer = await send(inn, key)
        assert (answer.status_code, answer.header("retry-after")) == (503, "2"), answer.text
        assert why in answer.json()["why"]
    ready = await inn.clients["visitor"].get("/ready")
    assert (ready.status_code, ready.json()["why"]) == (503, why)
    assert (await inn.clients["visitor"].get("/health")).json()["commands"] is False


async def back(inn: Inside, before: int = 0) -> None:
    """It comes back; what had no answer is stored once under its key; the house's stream tells of it."""
    await until_soon(lambda: not inn.service.recovery.why and not inn.service.recovery.since, "it has come back")
    for _ in range(2):
        for key in ("a", "b"):
            assert (await send(inn, key)).status_code == 200
    assert tips(inn) == before + 2
    told = [event for event in inn.service.store.read(HOUSE) if event.type == INTERRUPTED]
    assert told
    assert (await inn.clients["visitor"].get("/health")).json()["commands"] is True


@contextmanager
def full(inn: Inside, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No file may grow, and none can be made."""

    def no_room(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "posix_fallocate", no_room)
        inn.service.store._writing.rows(LIMIT)  # type: ignore[attr-defined]
        yield


LIMIT = "PRAGMA max_page_count = 1"


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fill(inn: Inside, _: LiveTable) -> None:
        with capture_logs() as log, full(inn, monkeypatch):
            sent = 0
            while (await send(inn, f"fill {sent}".replace(" ", "-"))).status_code == 200:
                sent += 1
            await down(inn, "the disk is full")
            await until_soon(lambda: log, "it is logged")
        assert "database or disk is full" in log[0]["why"]
        await back(inn, sent)
        assert (await send(inn, f"fill-{sent}")).status_code == 200  # the one that met the failure
        assert tips(inn) == sent + 3

    played(tmp_path, fill)


@contextmanager
def locked(path: str) -> Iterator[None]:
    """Another process writes into a file and does not come to an end."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def test_a_lock_of_another_process(tmp_path: Path) -> None:
    async def lock(inn: Inside, _: LiveTable) -> None:
        with capture_logs() as log:
            with locked(inn.service.ledger):
                await down(inn, "another process has locked the file")
            await back(inn)
        levels = [(line["log_level"], line["event"].startswith("no commands")) for line in log]
        assert levels == [("error", True), ("warning", False)]

    played(tmp_path, lock)


def test_a_lock_on_the_file_of_the_people(tmp_path: Path) -> None:
    """Who is known plays on; who comes is told to come back; nobody waits for the lock."""

    async def lock(inn: Inside, _: LiveTable) -> None:
        records: Any = inn.service.records
        for line in (records._base, records._notes):
            assert line.execute("PRAGMA busy_timeout").fetchone()[0] <= 50, (
                "the loop waits for it, and everybody with it"
            )
        with locked(f"{inn.service.ledger}.people"):
            assert (await send(inn, "a")).status_code == 200
            for path, body in (("/tables/one/sit", {}), ("/session/login", {"name": "Ann", "password": "x" * 12})):
                answer = await inn.clients["visitor"].send("POST", path, body)
                assert (answer.status_code, answer.header("retry-after")) == (503, "2"), answer.text
                assert "another process has locked the file" in answer.json()["why"]
            assert (await inn.clients["visitor"].get("//")).status_code == 200
        assert (await inn.clients["visitor"].send("POST", "/tables/one/sit", {})).status_code == 200

    played(tmp_path, lock)


def test_a_session_is_known_while_its_file_is_locked(tmp_path: Path) -> None:
    """When it was last seen is noted later: the request is not refused for it."""
    now = [1_750_000_000]

    async def lock(inn: Inside, _: LiveTable) -> None:
        now[0] += 600
        with locked(f"{inn.service.ledger}.people"):
            assert (await send(inn, "a")).status_code == 200
            assert (await inn.clients["guest"].get("/me")).json()["name"] == "Ann"

    played(tmp_path, lock, clock=lambda: now[0])


def test_a_restarted_database(postgres: Postgres, tmp_path: Path) -> None:
    async def stop(inn: Inside, _: LiveTable) -> None:
        postgres.stop_hard()
        try:
            for key in ("a", "b"):
                answer = await send(inn, key)
                assert (answer.status_code, answer.header("retry-after")) == (503, "2"), answer.text
                assert "the database does not answer" in answer.json()["why"]
            page = await inn.clients["guest"].get("//")
            assert (page.status_code, "the database does not answer" in page.text.lower()) == (503, True)
            assert not inn.service.watch.look(), "who cannot look has not found a difference"
        finally:
            postgres.start()
        await back(inn)
        assert not inn.service.watch.look()
        assert not inn.service.stops.reasons, "it is dealt on"

    played(tmp_path, stop, ledger=postgres.new_database())


def test_a_database_that_lost_what_was_acknowledged_stays_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older copy under the same name: it answers, and is not what it was."""

    async def lose(inn: Inside, _: LiveTable) -> None:
        assert (await send(inn, "lost")).status_code == 200
        store = inn.service.store
        with closing(sqlite3.connect(inn.service.ledger)) as reading:
            older = sqlite3.connect(tmp_path / "older.db")
            reading.backup(older)
        older.execute("DROP TRIGGER events_are_not_deleted")
        older.execute("DELETE FROM events WHERE gseq >= (SELECT gseq FROM events WHERE idem LIKE '%lost')")
        older.commit()
        older.close()
        with locked(inn.service.ledger):
            assert (await send(inn, "a")).status_code == 503
            monkeypatch.setattr(type(store), "_open_anew", lambda _: sqlite.open_sqlite(str(tmp_path / "older.db")))
        await until_soon(lambda: store.failure is not None and not store.failure.passing, "it was compared")
        assert store.failure is not None
        assert "which was acknowledged, is gone" in store.failure.says
        assert (await send(inn, "b")).status_code == 503
        assert "has to be looked at" in (await inn.clients["visitor"].get("/ready")).json()["why"]

        store.failure = None  # a person has looked
        inn.service.writer.resume()

    played(tmp_path, lose)


def test_a_limit_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many open files, no thread left: not an error of ours, answered and logged as what it is."""

    async def exhaust(inn: Inside, _: LiveTable) -> None:
        with capture_logs() as log:
            await tried(inn)
        failed = [line["log_level"] for line in log if line["event"] == "failed"]
        assert failed == ["warning", "warning", "error"]

    async def tried(inn: Inside) -> None:
        for fault in (OSError(errno.EMFILE, "Too many open files"), RuntimeError("can't start new thread")):

            def fail(*_: object, fault: Exception = fault) -> None:
                raise fault

            with monkeypatch.context() as patch:
                patch.setattr(type(inn.service.people), "guest", fail)
                answer = await inn.clients["visitor"].send("POST", "/tables/one/sit", {})
                assert (answer.status_code, answer.header("retry-after")) == (503, "2")
        with monkeypatch.context() as patch:
            patch.setattr(type(inn.service.people), "guest", lambda *_: 1 // 0)
            assert (await inn.clients["visitor"].send("POST", "/tables/one/sit", {})).status_code == 500

    played(tmp_path, exhaust)


def test_what_fails_after_a_command_was_stored_does_not_change_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(inn: Inside, live: LiveTable) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(live, "_tell", lambda: 1 // 0)
            first = await send(inn, "once")
        assert first.status_code == 200
        assert (await send(inn, "once")).content == first.content
        assert tips(inn) == 1

    played(tmp_path, fail)


def test_without_a_look_it_stays_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: nothing else brings it back."""
    monkeypatch.setattr(app, "RECOVER", 1e6)

    async def lock(inn: Inside, _: LiveTable) -> None:
        with locked(inn.service.ledger):
            await down(inn, "another process has locked the file")
        assert (await send(inn, "a")).status_code == 503
        await inn.service.recovery.look()
        assert (await send(inn, "a")).status_code == 200

    played(tmp_path, lock)
