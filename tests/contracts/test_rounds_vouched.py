"""`show` and `rounds` print what the events say: an edited row is found by them, by `verify` and at a start."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.contracts.store_places import Place

from twentyone.cli import main
from twentyone.ledger.codec import COMMAND
from twentyone.ledger.keys import Keyring
from twentyone.ledger.round_rows import MARK, RoundReader
from twentyone.ledger.rounds import PROJECTION, RoundRow, find_round, list_rounds
from twentyone.ledger.rows import LedgerRefused, ProjectionRow
from twentyone.ledger.start import Files, open_to_play
from twentyone.ledger.store import Store
from twentyone.ledger.verify import verify
from twentyone.table.shoe import os_source

BOOK = "classic-blackjack"
TABLE = f"{BOOK}-1"
Alter = Callable[[Store], object]


class Kept:
    """A ledger whose rounds are listed and kept."""

    def __init__(self, url: str, store: Store) -> None:
        self.url, self.store = url, store
        self.keys = Keyring.load("own.key")
        self.honest = self.listed(None)

    def listed(self, keys: Keyring | None) -> list[RoundRow]:
        return list(list_rounds(self.store, keyring=keys))

    def faults(self) -> list[str]:
        found = verify(self.store, self.keys, "own.checkpoints")
        assert found.unchecked == ()
        return [str(fault) for fault in found.faults]


@pytest.fixture
def kept(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    monkeypatch.chdir(tmp_path)
    files = ("--key", "own.key", "--checkpoints", "own.checkpoints")
    assert main(["shift", BOOK, "--rounds", "3", "--seed", "3", "--ledger", place.url, *files]) == 0
    made = Kept(place.url, place.open())
    assert made.listed(made.keys) == made.honest
    return made


def row_of(store: Store, key: str) -> ProjectionRow:
    row = store.find_projection(PROJECTION, key)
    assert row is not None
    return row


FIRST, SECOND = (f"{TABLE}:{number:09d}" for number in (1, 2))


def edit_a_figure(store: Store) -> None:
    row = row_of(store, FIRST)
    mark, _, body = row.body.partition(" ")
    body = json.dumps(json.loads(body) | {"wagered": 99_000_000}, ensure_ascii=False)
    store.upsert_projection(PROJECTION, [row._replace(body=f"{mark} {body}")])


def put_one_row_over_another(store: Store) -> None:
    store.upsert_projection(PROJECTION, [row_of(store, SECOND)._replace(key=FIRST)])


def remove_a_row(store: Store) -> None:
    rows = [row for row in store.read_projection(PROJECTION) if row.key != FIRST]
    store.replace_projection(PROJECTION, rows)


def add_a_row(store: Store) -> None:
    store.upsert_projection(PROJECTION, [row_of(store, SECOND)._replace(key=f"{TABLE}:000000099")])


def edit_the_mark(store: Store) -> None:
    row = row_of(store, MARK)
    store.upsert_projection(PROJECTION, [row._replace(body=row.body.replace('"read": ', '"read": 9'))])


ALTERATIONS = [edit_a_figure, put_one_row_over_another, remove_a_row, add_a_row, edit_the_mark]


@pytest.mark.parametrize("alter", ALTERATIONS)
def test_a_list_that_was_altered(alter: Alter, kept: Kept) -> None:
    assert kept.faults() == []
    alter(kept.store)
    assert any("list of rounds" in fault for fault in kept.faults())
    with pytest.raises(LedgerRefused, match=r"the list of rounds was altered .*rebuild the list"):
        kept.listed(kept.keys)
    with pytest.raises(LedgerRefused, match=r"rebuild the list .*nothing was written"):
        open_to_play(kept.url, Files(Path("own.key"), Path("own.checkpoints")), os_source(), 0)
    assert kept.listed(None) == kept.honest
    assert list(list_rounds(kept.store, keyring=kept.keys, rebuild=True)) == kept.honest
    assert kept.faults() == []


@pytest.mark.parametrize("alter", [edit_a_figure, put_one_row_over_another, remove_a_row, edit_the_mark])
def test_one_round_of_a_list_that_was_altered(alter: Alter, kept: Kept) -> None:
    alter(kept.store)
    with pytest.raises(LedgerRefused, match="the list of rounds was altered"):
        find_round(kept.store, f"{TABLE}:1", kept.keys)
    assert find_round(kept.store, f"{TABLE}:1") == kept.honest[0]


def test_without_the_mark_of_the_key_an_edited_figure_is_printed(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control."""
    edit_a_figure(kept.store)
    monkeypatch.setattr("twentyone.ledger.rounds.compare_digest", lambda *_: True)
    assert kept.listed(kept.keys)[0].wagered == 99_000_000


def test_a_list_of_an_earlier_version_is_neither_read_nor_compared(kept: Kept) -> None:
    kept.store.upsert_projection("rounds", [ProjectionRow(FIRST, 1, '{"wagered": 99}')])
    kept.store.drop_projection(PROJECTION)
    assert kept.listed(kept.keys) == kept.honest
    assert list(kept.store.read_projection("rounds")) == []
    assert kept.faults() == []


def test_who_has_no_key_writes_nothing(kept: Kept) -> None:
    kept.store.drop_projection(PROJECTION)
    assert kept.listed(None) == kept.honest
    assert find_round(kept.store, f"{TABLE}:2") == kept.honest[1]
    assert list(kept.store.read_projection(PROJECTION)) == []


def test_another_process_reads_on(kept: Kept, place: Place) -> None:
    """The list kept by one process, followed by a second one after more rounds."""
    files = ("--key", "own.key", "--checkpoints", "own.checkpoints")
    assert main(["shift", BOOK, "--rounds", "5", "--seed", "3", "--ledger", place.url, *files]) == 0
    with closing(place.open()) as other:
        assert len(list(list_rounds(other, keyring=kept.keys))) == 5
    assert kept.listed(kept.keys) == kept.listed(None)
    assert kept.faults() == []


def test_a_list_that_is_read_on_before_every_command_is_the_same(kept: Kept) -> None:
    """A round that is in progress where the reading stops is kept as far as it has come."""
    reader, found, stopped = RoundReader(), list[RoundRow](), 0
    for event in kept.store.read_all():
        if event.type == COMMAND:
            stopped += len(reader.in_progress)
            reader = RoundReader(**json.loads(reader.mark().body))
        round_ = reader.follow(event)
        found += [round_] if round_ is not None else []
    assert found == kept.honest
    assert stopped > len(found)
