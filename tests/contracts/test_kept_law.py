"""A ledger carries its law: amended or gone from this software, a rulebook is still the one that its tables play by."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from tests.citing import known_cites
from tests.contracts.runner_driver import KEYRING, LedgerDay, begin, seeded_source

from twentyone.ledger.export import export_round
from twentyone.ledger.kept_law import KEPT, law_faults
from twentyone.ledger.rounds import list_rounds
from twentyone.ledger.rows import HOUSE, LedgerRefused, RulesUnavailable
from twentyone.ledger.runner import Runner
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.verify import verify
from twentyone.rulebook import Rulebook, folders, rulebook, rulebook_ids

BOOKS = rulebook_ids()
SEEDS = dict(zip(BOOKS, range(3, 3 + len(BOOKS)), strict=True))
"""A day of each book."""


def _amend(shelf: Path) -> None:
    """Every book pays some hands otherwise than it did."""
    for folder in shelf.iterdir():
        for file in folder.glob("*.md"):
            text = file.read_text(encoding="utf-8")
            file.write_text(text.replace('"3:2"', '"5:4"').replace('"2:1"', '"7:4"'), encoding="utf-8")


def _remove(shelf: Path) -> None:
    """The software has none of these books any more."""
    for folder in shelf.iterdir():
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with a table of each book, each in the middle of a round."""
    path = tmp_path_factory.mktemp("kept") / "law.db"
    store = open_store(str(path), create=True)
    for book, seed in SEEDS.items():
        day = begin(store, Rulebook.load(book).under(), seed, stream=book)
        day.work(3)
        while day.state.round is None or len(day.state.round.events) < 3:
            day.follow(day.table.next_steps()[0])
    store.close()
    return path


@pytest.fixture
def ledger(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played.parent, tmp_path / "copy")) / played.name


@pytest.fixture
def change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Path], None]], None]:
    """Another shelf in place of the package's."""

    def put(changed: Callable[[Path], None]) -> None:
        shelf = Path(shutil.copytree(folders.FOLDER, tmp_path / "shelf"))
        changed(shelf)
        known_cites()
        monkeypatch.setattr(folders, "FOLDER", shelf)
        monkeypatch.setattr(rulebook, "_read", cache(rulebook._read.__wrapped__))

    return put


def _exports(store: Store) -> dict[str, str]:
    """The script of every round that is over."""
    return {row.id: json.dumps(export_round(store, row)) for row in list_rounds(store) if row.over}


def _play_on(store: Store, name: str) -> None:
    """The round that was interrupted ends under the law that the table began with."""
    began = Runner(store, name, KEYRING, seeded_source(1), lambda: 10**6)
    began.load()
    rules = began.table.rules
    assert rules.rulebook.known_as == began.created["rulebook_hash"], name
    day = LedgerDay(rules, SEEDS[name], lambda *_: None)
    day.runner, day.table, day.clock = began, began.table, 10**6
    while not day.done:
        day.follow(day.table.next_steps()[0])


@pytest.mark.parametrize("changed", [_amend, _remove])
def test_every_table_goes_on_under_its_own_law(
    ledger: Path, change: Callable[[Callable[[Path], None]], None], changed: Callable[[Path], None]
) -> None:
    store = open_store(str(ledger))
    before = _exports(store)
    assert len(before) >= 3 * len(BOOKS)
    change(changed)
    assert verify(store, KEYRING, None).faults == ()
    assert _exports(store) == before
    for name in BOOKS:
        _play_on(store, name)
    assert verify(store, KEYRING, None).faults == ()
    store.close()


def test_a_law_is_kept_once_and_named(ledger: Path) -> None:
    store = open_store(str(ledger))
    kept = [json.loads(event.body) for event in store.read(HOUSE) if event.type == KEPT]
    assert sorted(body["rulebook"] for body in kept) == sorted(BOOKS)
    assert [list(law_faults(body)) for body in kept] == [[]] * len(BOOKS)
    assert sum(len(body["files"]) for body in kept) < 400_000
    store.close()


@pytest.mark.parametrize("field", ["files", "law"])
def test_a_changed_byte_of_a_kept_law_is_found(
    ledger: Path, change: Callable[[Callable[[Path], None]], None], field: str
) -> None:
    raw = sqlite3.connect(ledger, isolation_level=None)
    for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        raw.execute(f"DROP TRIGGER {name}")
    ver, text = raw.execute("SELECT ver, body FROM events WHERE type = ? ORDER BY ver LIMIT 1", (KEPT,)).fetchone()
    body = json.loads(text)
    value = body[field]
    body[field] = value[:40] + ("A" if value[40] != "A" else "B") + value[41:]
    raw.execute(
        "UPDATE events SET body = ? WHERE stream = ? AND ver = ?",
        (json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False), HOUSE, ver),
    )
    raw.close()
    store = open_store(str(ledger))
    report = verify(store, KEYRING, None)
    assert any("kept rulebook" in fault.what and fault.ver == ver for fault in report.faults), report.faults
    change(_remove)
    with pytest.raises(LedgerRefused, match="verify the ledger"):
        Runner(store, body["rulebook"], KEYRING, seeded_source(1), lambda: 0).load()
    store.close()


def test_a_ledger_without_its_law_says_so(ledger: Path, change: Callable[[Callable[[Path], None]], None]) -> None:
    """As ledgers were before: neither the software nor the ledger has the law, so nobody guesses."""
    store = open_store(str(ledger))
    change(_remove)
    found = store.find_key

    def none_kept(key: str) -> object:
        return None if " law " in key else found(key)

    store.find_key = none_kept  # type: ignore[method-assign, assignment]
    with pytest.raises(RulesUnavailable, match="kept neither by this ledger nor by this software"):
        Runner(store, BOOKS[0], KEYRING, seeded_source(1), lambda: 0).load()
    store.close()
