"""Every round of a shift in which much goes wrong has a script: of the schema, and dealt again to the cents."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.faults.tampering import restamp
from tests.schemas import VALIDATOR

from twentyone.ledger.export import CannotSay, DealtOtherwise, export_round
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rounds import RoundRow, list_rounds
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.store import Store, open_store
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.script import FORMAT, FORMAT_2, replay
from twentyone.service.shift.work import Shift, ShiftPlan
from twentyone.table.shoe import os_source

ROUNDS, RATE, SEED = 40, Fraction(1, 20), "13"
OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("s13-spanish-21", {"players_per_box": 3, "boxes_per_player": 3}),
    ("pa-double-back-jack", {"decks": 1}),
    ("md-spanish-21", {"bonus_spin": "A"}),
    ("md-spanish-21", {"xtreme_16": True}),
]
"""Shared boxes, a shoe that runs out, wheels with their meters."""
CASES: list[tuple[str, dict[str, Any]]] = [*((book, {}) for book in rulebook_ids()), *OTHERS]


def work(folder: Path, book: str, given: dict[str, Any]) -> str:
    """A shift worked to its end; its ledger."""
    path, keys = str(folder / "l.db"), Keyring.new(os_source())
    with closing(open_store(path, create=True)) as store:
        plan = ShiftPlan(Rulebook.load(book).under(given), 1, ROUNDS, RATE, SEED)
        Shift(store, keys, plan, lambda: 0, "").work(lambda _: None)
    return path


def rows_of(store: Store) -> list[RoundRow]:
    return list(list_rounds(store))


@pytest.mark.parametrize(("book", "given"), CASES, ids=[f"{book} {given}" for book, given in CASES])
def test_every_round_of_a_shift_has_a_script(book: str, given: dict[str, Any], tmp_path: Path) -> None:
    with closing(open_store(work(tmp_path, book, given))) as store:
        rows = rows_of(store)
        assert len(rows) == ROUNDS
        formats = set()
        for row in rows:
            body = export_round(store, row)
            assert VALIDATOR.is_valid(body), f"{row.id}: {next(VALIDATOR.iter_errors(body)).message}"
            verdict = replay(json.dumps({key: value for key, value in body.items() if key != "expect"}))
            assert verdict.result is not None, verdict.error
            assert verdict.result["net"] == row.to_json()["net"]
            formats.add(body["format"])
        assert formats == {FORMAT, FORMAT_2}


# -- negative controls


@pytest.fixture
def altered(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A ledger that is open to whoever owns the file."""
    connection = sqlite3.connect(work(tmp_path, "pa-spanish-21", {}), isolation_level=None)
    connection.execute("DROP TRIGGER events_are_not_updated")
    yield connection
    connection.close()


def irregular(store: Store) -> RoundRow:
    return next(row for row in rows_of(store) if export_round(store, row)["format"] == FORMAT_2)


def alter(connection: sqlite3.Connection, row: RoundRow, change: str) -> int:
    """Change the events of a round, and stamp the chain of its table anew."""
    where = "WHERE type = 'round_event' AND stream = ? AND ver BETWEEN ? AND ?"
    count = connection.execute(f"UPDATE events SET body = {change} {where}", (row.table, row.first, row.last)).rowcount
    columns = ", ".join(StoredEvent._fields)
    rows = connection.execute(f"SELECT {columns} FROM events WHERE stream = ? ORDER BY ver", (row.table,)).fetchall()
    for event in restamp([StoredEvent(*values) for values in rows]):
        stamped = (event.prev, event.hash, event.stream, event.ver)
        connection.execute("UPDATE events SET prev = ?, hash = ? WHERE stream = ? AND ver = ?", stamped)
    return count


def test_a_step_that_was_altered_is_found(altered: sqlite3.Connection, tmp_path: Path) -> None:
    """The script is dealt from what the round was brought: another name of it does not give the round."""
    with closing(open_store(str(tmp_path / "l.db"))) as store:
        row = irregular(store)
        assert alter(altered, row, "json_replace(body, '$.data.step.player', 'Nobody')")
        with pytest.raises(DealtOtherwise, match="differs from the ledger"):
            export_round(store, row)


def test_a_citation_that_was_altered_is_found(altered: sqlite3.Connection, tmp_path: Path) -> None:
    """Not only the cents are compared."""
    with closing(open_store(str(tmp_path / "l.db"))) as store:
        row = irregular(store)
        assert alter(altered, row, "replace(body, '635a.7', '635a.8')")
        with pytest.raises(DealtOtherwise, match="against"):
            export_round(store, row)


def test_a_ledger_that_did_not_keep_the_steps_says_so(altered: sqlite3.Connection, tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "l.db"))) as store:
        row = irregular(store)
        regular = next(other for other in rows_of(store) if export_round(store, other)["format"] == FORMAT)
        for one in (row, regular):
            assert alter(altered, one, "json_remove(body, '$.data.step')")
        with pytest.raises(CannotSay, match="not known step by step"):
            export_round(store, row)
        assert export_round(store, regular)["format"] == FORMAT
