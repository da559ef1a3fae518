"""Backup and restore: while the ledger is in use, from either database into either, whole or not at all."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from tests.contracts.store_places import Maker, Place
from tests.faults.tampering import KEY, fill, forge, restamp
from tests.faults.work import command
from tests.postgres import Postgres

from twentyone.ledger.backup import backup, restore
from twentyone.ledger.chain import verify_chain
from twentyone.ledger.checkpoints import write_checkpoint
from twentyone.ledger.rows import LedgerRefused, NewEvent
from twentyone.ledger.store import Store, open_store


def rows_of(path: Path) -> list[object]:
    with closing(open_store(str(path))) as store:
        return list(store.read_all())


@pytest.mark.parametrize("into", ["sqlite", "postgresql"])
def test_a_backup_restores_into_either_database(place: Place, tmp_path: Path, postgres: Postgres, into: str) -> None:
    store, copy, trail = place.open(), tmp_path / "copy.db", tmp_path / "trail"
    rows = fill(store, trail)
    made = backup(store, copy)
    assert (made.events, rows_of(copy)) == (len(rows), rows)
    target = str(tmp_path / "restored.db") if into == "sqlite" else postgres.new_schema()
    restored = restore(copy, target, trail, KEY.public_key())
    assert (restored.events, restored.digest, restored.uncovered) == (made.events, made.digest, 0)
    with closing(open_store(target)) as again:
        assert list(again.read_all()) == rows
        key = command(0, "table 0", 0, seed=3)._replace(key="k0")
        assert again.append(*key).repeated
        answer = again.append("table 0", again.version("table 0"), [NewEvent("x", {}, 1)], "new", "f")
        assert answer.events[0].gseq > rows[-1].gseq
        assert verify_chain(again)[0] == []
    left = {path.name for path in tmp_path.iterdir() if path.name.startswith(("copy", "restored"))}
    assert left <= {"copy.db", "restored.db"}


def test_a_backup_is_made_while_the_ledger_is_in_use(place: Place, tmp_path: Path) -> None:
    store, stop = place.open(), threading.Event()
    fill(store, None)

    def work() -> None:
        number = 0
        while not stop.is_set():
            store.append("busy", number, [NewEvent("x", {"n": number}, 1)], f"busy{number}", "f")
            number += 1

    worker = threading.Thread(target=work)
    worker.start()
    try:
        copies = [backup(store, tmp_path / f"copy{number}.db") for number in range(4)]
    finally:
        stop.set()
        worker.join()
    assert [copy.events for copy in copies] == sorted(copy.events for copy in copies)
    everything = list(store.read_all())
    for number, copy in enumerate(copies):
        assert rows_of(tmp_path / f"copy{number}.db") == everything[: copy.events]


def test_progress_is_told(new_place: Maker, tmp_path: Path) -> None:
    store, told = new_place().open(), list[tuple[int, int]]()
    store.append("t", 0, [NewEvent("x", {}, 1)] * 2_500, "k", "f")
    backup(store, tmp_path / "copy.db", lambda done, total: told.append((done, total)))
    assert told
    assert all(0 <= done <= total for done, total in told)


def test_nothing_is_written_over(tmp_path: Path) -> None:
    path, copy = tmp_path / "ledger.db", tmp_path / "copy.db"
    with closing(open_store(str(path), create=True)) as store:
        fill(store, None)
        backup(store, copy)
        before = copy.read_bytes()
        with pytest.raises(LedgerRefused, match="exists already: name a new file"):
            backup(store, copy)
        with pytest.raises(LedgerRefused, match="exists already: name a new file"):
            restore(copy, str(path))
        with pytest.raises(LedgerRefused, match="there is no folder"):
            backup(store, tmp_path / "no" / "copy.db")
    assert copy.read_bytes() == before


def test_a_database_that_holds_a_ledger_is_not_restored_into(tmp_path: Path, postgres: Postgres) -> None:
    url, copy = postgres.new_schema(), tmp_path / "copy.db"
    with closing(open_store(url, create=True)) as store:
        rows = fill(store, None)
        backup(store, copy)
        with pytest.raises(LedgerRefused, match="holds events already"):
            restore(copy, url)
        assert list(store.read_all()) == rows


def damaged(copy: Path, sql: str) -> None:
    with closing(sqlite3.connect(copy)) as owner:
        owner.execute("DROP TRIGGER events_are_not_updated")
        owner.execute("DROP TRIGGER events_are_not_deleted")
        owner.execute(sql)
        owner.commit()


@pytest.mark.parametrize("sql", ["UPDATE events SET body = '{}' WHERE gseq = 3", "DELETE FROM events WHERE gseq = 4"])
def test_a_damaged_backup_is_not_restored(tmp_path: Path, sql: str) -> None:
    copy, target = tmp_path / "copy.db", tmp_path / "restored.db"
    with closing(open_store(str(tmp_path / "ledger.db"), create=True)) as store:
        fill(store, None)
        backup(store, copy)
    damaged(copy, sql)
    with pytest.raises(LedgerRefused, match=r"is not whole .*: take another backup"):
        restore(copy, str(target))
    assert not target.exists()


def test_a_backup_that_was_not_signed_so_is_not_restored(tmp_path: Path) -> None:
    """Stamped anew, its chain is good; only the checkpoints know."""
    trail, forged, target = tmp_path / "trail", tmp_path / "forged.db", tmp_path / "restored.db"
    with closing(open_store(str(tmp_path / "ledger.db"), create=True)) as store:
        rows = fill(store, trail)
        write_checkpoint(store, trail, KEY, 1)
    with closing(open_store(str(forged), create=True)) as other:
        forge(other, restamp(rows[1:]))
    with pytest.raises(LedgerRefused, match=r"rehashed|cut off"):
        restore(forged, str(target), trail, KEY.public_key())
    assert not target.exists()
    assert restore(forged, str(target)).uncovered is None


def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a ledger " * 100, encoding="utf-8")
    for name in ("text", "missing"):
        with pytest.raises(LedgerRefused):
            restore(tmp_path / name, str(tmp_path / "restored.db"))
    assert not (tmp_path / "restored.db").exists()


def test_an_interrupted_backup_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Store, *__: object) -> None:
        raise KeyboardInterrupt

    with closing(open_store(str(tmp_path / "ledger.db"), create=True)) as store:
        fill(store, None)
        monkeypatch.setattr("twentyone.ledger.backup._verified", fail)
        with pytest.raises(KeyboardInterrupt):
            backup(store, tmp_path / "copy.db")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("copy")]
