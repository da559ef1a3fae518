"""Rounds from the newest back, a page at a time: all of them, once, in both dialects; an altered row is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contracts.store_places import Place

from twentyone.cli import main
from twentyone.ledger import newest_rounds
from twentyone.ledger.keys import Keyring
from twentyone.ledger.newest_rounds import Rounds
from twentyone.ledger.round_rows import RoundRow
from twentyone.ledger.rounds import PROJECTION, list_rounds, unmarked
from twentyone.ledger.rows import LedgerRefused, ProjectionRow
from twentyone.ledger.store import Store
from twentyone.ledger.timestamps import Period
from twentyone.ledger.wanted import Wanted

BOOK = "classic-blackjack"
ROUNDS = 9


class Kept:
    """A ledger of two tables, and its rounds."""

    def __init__(self, store: Store) -> None:
        self.store = store
        keys = Keyring.load("own.key")
        self.honest = list(list_rounds(store, keyring=keys))
        self.rounds = Rounds(store, keys)

    def pages(self, wanted: Wanted = Wanted(), most: int = 2) -> Iterator[list[RoundRow]]:
        """Page after page, to the end."""
        before = None
        while True:
            page = self.rounds.page(wanted, before, most)
            yield page.rounds
            if page.next is None:
                return
            assert before is None or page.next < before
            before = page.next


@pytest.fixture
def kept(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    monkeypatch.chdir(tmp_path)
    given = ("--tables", "2", "--rounds", str(ROUNDS), "--seed", "3", "--irregularities", "0.2")
    files = ("--key", "own.key", "--checkpoints", "own.checkpoints")
    assert main(["shift", BOOK, *given, "--ledger", place.url, *files]) == 0
    made = Kept(place.open())
    assert len(made.honest) == ROUNDS
    return made


def ids(rows: list[RoundRow]) -> list[str]:
    return sorted(row.id for row in rows)


def test_the_pages_hold_every_round_once_the_newest_first(kept: Kept) -> None:
    pages = list(kept.pages())
    assert [len(page) for page in pages] == [2, 2, 2, 2, 1]
    rows = [row for page in pages for row in page]
    assert ids(rows) == ids(kept.honest)
    assert rows == list(kept.rounds.every(Wanted()))
    for table in {row.table for row in rows}:
        numbers = [row.number for row in rows if row.table == table]
        assert numbers == sorted(numbers, reverse=True)


def test_a_page_that_is_just_full_is_the_last(kept: Kept) -> None:
    assert [len(page) for page in kept.pages(most=3)] == [3, 3, 3]


def test_filters_find_the_same_on_pages_and_in_the_list(kept: Kept) -> None:
    some = kept.honest[0]
    player = next(iter(some.net))
    late = sorted(row.begun for row in kept.honest)[ROUNDS // 2]
    for wanted in (
        Wanted(table=some.table),
        Wanted(player=player.upper()),
        Wanted(player=player.lower()),
        Wanted(paragraph=some.cites[0]),
        Wanted(outcome="win"),
        Wanted(irregularity="any"),
        Wanted(begun=Period(late, None)),
        Wanted(begun=Period(None, late)),
        Wanted(of=player),
        Wanted(box=some.boxes[0]),
        Wanted(of="nobody"),
    ):
        due = [row for row in kept.honest if wanted.holds(row)]
        assert ids([row for page in kept.pages(wanted) for row in page]) == ids(due)
    assert [row for row in kept.honest if Wanted(of=player.upper()).holds(row)] == []


def test_a_long_search_stops_and_says_how_far_it_came(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newest_rounds, "LOOKED_AT", 4)
    page = kept.rounds.page(Wanted(player="nobody"))
    newest = list(kept.rounds.every(Wanted()))
    assert (page.rounds, page.reached) == ([], newest[3].begun)
    assert page.next is not None
    assert ids([row for found in kept.pages(most=100) for row in found]) == ids(kept.honest)


def test_a_page_looks_only_at_its_own_rows(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row far back is not read for the first page: the time of a page does not grow with the ledger."""
    monkeypatch.setattr("twentyone.ledger.projections.FEW", 1)
    looked = list[str]()

    def noting(keyring: Keyring, row: ProjectionRow) -> ProjectionRow:
        looked.append(row.key)
        return unmarked(keyring, row)

    monkeypatch.setattr(newest_rounds, "unmarked", noting)
    kept.rounds.page(Wanted(), most=2)
    assert len(looked) <= 5


@pytest.mark.parametrize("number", [1, 3])
def test_a_row_that_is_gone_or_edited_is_noticed_where_it_is_looked_at(kept: Kept, number: int) -> None:
    table = kept.honest[0].table
    key = f"{table}:{number:09d}"
    rows = list(kept.store.read_projection(PROJECTION))
    kept.store.replace_projection(PROJECTION, [row for row in rows if row.key != key])
    with pytest.raises(LedgerRefused, match=f"round {number} of {table} is missing"):
        list(kept.pages())
    [own] = [row for row in rows if row.key == key]
    kept.store.upsert_projection(PROJECTION, [own._replace(body=own.body.replace('"void": false', '"void": true'))])
    with pytest.raises(LedgerRefused, match="does not bear the mark"):
        list(kept.rounds.every(Wanted()))
    kept.store.upsert_projection(PROJECTION, [own])
    assert ids([row for page in kept.pages() for row in page]) == ids(kept.honest)
