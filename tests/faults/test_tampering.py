"""T10: bytes flipped, events altered, removed, added, moved, the tail rehashed or cut off: all of it is found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from tests.faults.tampering import KEY, attacks, faults_of, fill, flip, forge
from tests.faults.work import command, scratch
from tests.postgres import Postgres

from twentyone.ledger.checkpoints import verify_checkpoints
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.store import open_store

STEP = 23
"""Every how manyth byte the tests flip; the long form flips all."""


@pytest.fixture
def folder() -> Iterator[Path]:
    with scratch() as found:
        yield found


@pytest.fixture
def ledger(folder: Path) -> tuple[Path, Path, list[StoredEvent]]:
    path, trail = folder / "ledger.db", folder / "ledger.db.checkpoints"
    with closing(open_store(str(path), create=True)) as store:
        rows = fill(store, trail, commands=6)
        assert faults_of(store, trail) == []
    return path, trail, rows


@pytest.mark.prove
def test_a_flipped_byte_is_found_or_changes_nothing(ledger: tuple[Path, Path, list[StoredEvent]], folder: Path) -> None:
    path, trail, rows = ledger
    original = path.read_bytes()
    found, missed = flip(original, rows, range(0, len(original), STEP), trail, folder)
    assert missed == []
    assert min(found["found"], found["database error"], found["same content"]) > 10


def test_a_flipped_byte_is_missed_with_the_checks_off(
    ledger: tuple[Path, Path, list[StoredEvent]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: without chain and checkpoints most altered contents pass."""
    path, trail, rows = ledger
    monkeypatch.setattr("tests.faults.tampering.faults_of", lambda *_: [])
    original = path.read_bytes()
    _, missed = flip(original, rows, range(0, len(original), 10 * STEP), trail, folder)
    assert len(missed) > 10


def test_every_attack_on_every_event_is_found(ledger: tuple[Path, Path, list[StoredEvent]], folder: Path) -> None:
    """With the checkpoints all; with the chain alone exactly those that it can know, which is the negative control."""
    _, trail, rows = ledger
    for number, (name, forged, known_to_chain) in enumerate(attacks(rows)):
        with closing(open_store(str(folder / f"{number}.db"), create=True)) as store:
            forge(store, forged)
            assert faults_of(store, trail) != [], name
            if forged:
                assert bool(faults_of(store, None)) == known_to_chain, name


def test_what_came_after_the_last_checkpoint_is_counted(ledger: tuple[Path, Path, list[StoredEvent]]) -> None:
    """Nobody has signed it yet: the chain alone speaks for it."""
    path, trail, _ = ledger
    with closing(open_store(str(path))) as store:
        assert verify_checkpoints(store, trail, KEY.public_key()).uncovered == 0
        answer = store.append(*command(50, "table 1", store.version("table 1")))
        report = verify_checkpoints(store, trail, KEY.public_key())
        assert (report.faults, report.uncovered, report.checkpoints) == ([], len(answer.events), 2)


@pytest.mark.parametrize("attack", ["UPDATE events SET body = '{}' WHERE ver = 2", "DELETE FROM events WHERE ver > 3"])
def test_the_owner_of_postgresql_is_found_too(postgres: Postgres, tmp_path: Path, attack: str) -> None:
    """He switches the triggers off, alters, and switches them on again."""
    url, trail = postgres.new_schema(), tmp_path / "checkpoints"
    with closing(open_store(url, create=True)) as store:
        fill(store, trail, commands=6)
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute("ALTER TABLE events DISABLE TRIGGER ALL")
            owner.execute(attack)
            assert any("events_are_not_changed D" in fault for fault in faults_of(store, None))
            owner.execute("ALTER TABLE events ENABLE ALWAYS TRIGGER events_are_not_changed")
            owner.execute("ALTER TABLE events ENABLE ALWAYS TRIGGER events_are_not_truncated")
        assert faults_of(store, trail) != []
        assert store.self_check() == []
