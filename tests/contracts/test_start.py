"""What `serve` and `shift` compare before they write anything: key, schema, signed heads, streams, derived rows."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from twentyone.cli import main
from twentyone.ledger.backup import backup, restore
from twentyone.ledger.codec import SCHEMA
from twentyone.ledger.keys import default_key_path
from twentyone.ledger.rows import LedgerRefused, NewEvent, NoSuchLedger
from twentyone.ledger.store import open_store
from twentyone.service.service import Service

BOOK = "classic-blackjack"
NOW = 1_900_000_000


def work(url: str, rounds: int, *options: str) -> int:
    return main(["shift", BOOK, "--rounds", str(rounds), "--seed", "3", "--ledger", url, *options])


def files(url: str) -> tuple[Path, Path]:
    """Key and checkpoints of a ledger, where its commands look for them."""
    key = default_key_path(url)
    return key, key.with_suffix(".checkpoints")


def serve(url: str, **options: object) -> None:
    """What `twentyone serve` does before it listens."""
    service = Service(url, clock=lambda: NOW, **options)  # type: ignore[arg-type]
    try:
        service.check()
    finally:
        service.writer.close()
        service.store.close()


def content(url: str) -> tuple[object, ...]:
    """Everything that a start may write: the events, and the files beside the ledger."""
    try:
        with closing(open_store(url)) as store:
            events: object = list(store.read_all())
    except NoSuchLedger:
        events = None
    return events, {path.name: path.read_bytes() for path in files(url) if path.exists()}


def refused(url: str, match: str, **options: object) -> None:
    """Both commands refuse, and write nothing."""
    before, people = content(url), Path(f"{url}.people").exists()
    with pytest.raises(LedgerRefused, match=match):
        serve(url, **options)
    assert work(url, 20) == 2
    assert content(url) == before
    assert Path(f"{url}.people").exists() == people


@pytest.fixture(params=["sqlite", "postgresql"])
def urls(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Addresses where there is no ledger yet; the files of one of PostgreSQL are in this folder."""
    monkeypatch.chdir(tmp_path)
    if request.param == "postgresql":
        return lambda: str(request.getfixturevalue("postgres").new_schema())
    numbers = itertools.count(1)
    return lambda: str(tmp_path / f"ledger{next(numbers)}.db")


@pytest.fixture
def url(urls: Callable[[], str]) -> str:
    """A ledger of a short shift."""
    made = urls()
    assert work(made, 2) == 0
    return made


def take_files(source: str, target: str) -> None:
    """Give a ledger the files of another."""
    for old, new in zip(files(source), files(target), strict=True):
        if old != new:
            shutil.copy(old, new)


def owner(url: str, *statements: str) -> None:
    """Statements of whoever owns the database."""
    if "://" in url:
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)
        return
    with closing(open_store(url)) as store:
        for statement in statements:
            store._writing.rows(statement)  # type: ignore[attr-defined]


def test_an_honest_ledger_is_played_on(url: str) -> None:
    serve(url)
    assert work(url, 4) == 0


# -- S5: the database is not what was signed


def put_back(url: str, urls: Callable[[], str], folder: Path) -> str:
    """A backup in place of a ledger that has gone on since."""
    with closing(open_store(url)) as store:
        backup(store, folder / "older.db")
    assert work(url, 6) == 0
    older = urls()
    restore(folder / "older.db", older)
    take_files(url, older)
    return older


def test_an_older_database_under_newer_checkpoints(url: str, urls: Callable[[], str], tmp_path: Path) -> None:
    refused(put_back(url, urls, tmp_path), "tail was cut off")


def test_a_foreign_database_under_the_same_key(url: str, urls: Callable[[], str], tmp_path: Path) -> None:
    other = urls()
    key, trail = files(url)
    held = tmp_path / "held.checkpoints"
    trail.rename(held)
    if not files(other)[0].exists():
        shutil.copy(key, files(other)[0])
    assert main(["shift", BOOK, "--rounds", "4", "--seed", "other", "--ledger", other]) == 0
    held.replace(files(other)[1])
    refused(other, "rehashed")


def test_foreign_checkpoints(url: str, tmp_path: Path) -> None:
    foreign = str(tmp_path / "foreign.db")
    assert work(foreign, 1) == 0
    shutil.copy(f"{foreign}.checkpoints", files(url)[1])
    refused(url, "not signed by this ledger's key")


def test_a_database_that_is_gone(url: str, urls: Callable[[], str]) -> None:
    """An empty one in its place does not begin a new history under the old checkpoints."""
    empty = urls()
    take_files(url, empty)
    refused(empty, "restore")
    assert "://" in empty or not Path(empty).exists()


def test_a_stream_that_is_missing(url: str, urls: Callable[[], str]) -> None:
    assert work(url, 4, "--tables", "2") == 0
    with closing(open_store(url)) as store:
        kept = [event for event in store.read_all() if event.stream.endswith("-1")]
    other = urls()
    with closing(open_store(other, create=True)) as copy:
        copy.take_over(iter(kept))
    take_files(url, other)
    refused(other, "tail was cut off")


def test_an_altered_event_after_the_last_checkpoint(url: str) -> None:
    """What is not signed yet is chained: the start reads it."""
    with closing(open_store(url)) as store:
        stream = f"{BOOK}-1"
        store.append(stream, store.version(stream), [NewEvent("x", {}, NOW, SCHEMA)] * 2, "k", "f")
        last = store.version(stream)
    disable, enable = GUARDS["://" in url]
    owner(url, disable, f"UPDATE events SET body = '{{\"x\":1}}' WHERE ver = {last} AND stream = '{stream}'", enable)
    refused(url, "does not give its hash")


@pytest.mark.parametrize("stream", [f"{BOOK}-1", "new"])
def test_an_event_of_an_earlier_form_after_the_last_checkpoint(url: str, stream: str) -> None:
    """It would not be dealt again, and its chips would need no entry of the house."""
    with closing(open_store(url)) as store:
        store.append(stream, store.version(stream), [NewEvent("x", {}, NOW, SCHEMA - 1)], "k", "f")
    refused(url, f"is of form {SCHEMA - 1}, after events of form {SCHEMA}")


GUARDS = {
    False: (
        "DROP TRIGGER events_are_not_updated",
        "CREATE TRIGGER events_are_not_updated BEFORE UPDATE ON events\n"
        "BEGIN\n    SELECT RAISE(ABORT, 'an event of the ledger is never changed');\nEND",
    ),
    True: (
        "ALTER TABLE events DISABLE TRIGGER events_are_not_changed",
        "ALTER TABLE events ENABLE ALWAYS TRIGGER events_are_not_changed",
    ),
}


def test_an_edited_purse(url: str) -> None:
    owner(url, "UPDATE purses SET balance = balance + 50000000")
    refused(url, "of purses is balance .*: it was edited")


def test_without_the_checks_an_older_database_is_played_on(
    url: str, urls: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control."""
    older = put_back(url, urls, tmp_path)
    monkeypatch.setattr("twentyone.ledger.start._check", lambda *_: None)
    serve(older)


# -- the schema


EMPTIED = {
    False: (
        "DROP TRIGGER events_are_not_deleted",
        "CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events BEGIN SELECT 1; END",
    ),
    True: ("CREATE OR REPLACE FUNCTION events_refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN OLD; END$$",),
}
FOREIGN = {
    False: ("CREATE TRIGGER own AFTER INSERT ON events BEGIN DELETE FROM snapshots; END",),
    True: (
        "CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END$$",
        "CREATE TRIGGER own BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION own()",
    ),
}


def test_a_guard_that_is_gone(url: str) -> None:
    owner(url, GUARDS["://" in url][0])
    refused(url, "events_are_not")


def test_a_guard_that_was_emptied(url: str) -> None:
    owner(url, *EMPTIED["://" in url])
    refused(url, "events_are_not_deleted|events_refuse")


def test_a_foreign_trigger(url: str) -> None:
    owner(url, *FOREIGN["://" in url])
    refused(url, "own")


# -- the key


def test_a_lost_key_is_refused_before_anything_is_written(url: str) -> None:
    key, _ = files(url)
    key.rename(key.with_name("away"))
    refused(url, "no key file")
    assert not key.exists()


def test_another_key(url: str, tmp_path: Path) -> None:
    foreign = str(tmp_path / "foreign.db")
    assert work(foreign, 1) == 0
    shutil.copy(f"{foreign}.key", files(url)[0])
    refused(url, "sealed with key")


# -- no checkpoints


def test_a_ledger_whose_checkpoints_are_gone(url: str) -> None:
    _, trail = files(url)
    trail.unlink()
    refused(url, "no signed checkpoint")
    serve(url, accept_unsigned=True)
    assert work(url, 4, "--accept-unsigned") == 0
    assert work(url, 6) == 0


def test_a_new_ledger_is_signed_before_its_first_event(urls: Callable[[], str]) -> None:
    """So that one that was played on has checkpoints, wherever it was stopped."""
    new = urls()
    serve(new)
    assert files(new)[1].read_text(encoding="utf-8").count("\n") == 1
