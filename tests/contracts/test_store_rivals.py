"""T6: 64 writers on one table, through one writer and through many connections."""

from __future__ import annotations

from contextlib import closing

import pytest
from tests.contracts.store_places import Place
from tests.faults.rivals import STREAM, Rivals, history_faults

from twentyone.ledger import sql
from twentyone.ledger.chain import verify_chain
from twentyone.ledger.group import Draft, Verdict, examine
from twentyone.ledger.rows import Appended, StaleVersion
from twentyone.ledger.store import Store
from twentyone.ledger.writer import Writer

COMMANDS = 64 * 80


def check(rivals: Rivals, store: Store) -> list[str]:
    stored = list(store.read(STREAM))
    return [*history_faults(rivals.answers, stored), *(str(fault) for fault in verify_chain(store)[0])]


def test_64_clients_through_one_writer(place: Place) -> None:
    store = place.open()
    with closing(Writer(store)) as writer:
        rivals = Rivals(store, [writer.append])
        answers = rivals.run(COMMANDS)
    assert check(rivals, store) == []
    assert len(answers) == COMMANDS
    assert sum(isinstance(answer.outcome, StaleVersion) for answer in answers) > 100
    assert sum(isinstance(answer.outcome, Appended) for answer in answers) > 20


def test_64_clients_through_eight_connections(place: Place) -> None:
    stores = [place.open() for _ in range(8)]
    rivals = Rivals(stores[0], [store.append for store in stores])
    rivals.run(64 * 12)
    assert check(rivals, stores[0]) == []
    assert sum(isinstance(answer.outcome, Appended) for answer in rivals.answers) > 20


def test_a_store_that_does_not_look_at_the_version_is_found(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control."""

    def careless(drafts, versions, known, rows):  # type: ignore[no-untyped-def]
        verdicts: list[Verdict] = examine(drafts, versions, known, rows)
        return [
            item if isinstance(verdict, StaleVersion) and isinstance(item, Draft) else verdict
            for item, verdict in zip(drafts, verdicts, strict=True)
        ]

    monkeypatch.setattr(sql, "examine", careless)
    store = place.open()
    rivals = Rivals(store, [store.append])
    rivals.run(64 * 4)
    assert any("was made on another version" in fault for fault in check(rivals, store))
