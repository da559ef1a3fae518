"""T4: PostgreSQL stopped hard in the middle of the work, or standing still: nothing acknowledged is lost, nothing is
stored twice, and nobody waits for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest
from tests.faults.stopping import CLIENTS, FEWEST, stop_and_start
from tests.postgres import Postgres

from twentyone.ledger.failing import SERVER
from twentyone.ledger.postgres import open_postgres
from twentyone.ledger.rows import LedgerFailed, NewEvent

STOPS = 6
TOLD = NewEvent("told", {}, 7)


def test_a_hard_stop_loses_and_doubles_nothing(postgres: Postgres) -> None:
    report = stop_and_start(postgres, stops=STOPS, seed=1)
    assert report.faults == []
    assert report.failed == STOPS
    assert report.acknowledged >= STOPS * (FEWEST - CLIENTS)


def test_blind_sending_again_is_found(postgres: Postgres) -> None:
    """The negative control: a client that sends a command again under a new key stores it twice."""
    report = stop_and_start(postgres, stops=2, seed=1, blind=True)
    assert any("is stored 2 times" in fault for fault in report.faults)


@pytest.mark.parametrize("asked", ["append", "version"])
def test_a_server_that_stands_still_stops_the_store(
    postgres: Postgres, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is opened anew once the server answers again; what had no answer is stored once under its key."""
    monkeypatch.setattr("twentyone.ledger.postgres.ANSWERS", 0.2)
    with closing(open_postgres(postgres.new_database(), create=True)) as store:
        store.hurry()
        first = store.append("one", 0, [TOLD], "k1", "f")
        given: dict[str, Callable[[], object]] = {
            "append": lambda: store.append("one", first.events[-1].ver, [TOLD], "k2", "f"),
            "version": lambda: store.version("one"),
        }
        with postgres.standing_still(), pytest.raises(LedgerFailed) as failed:
            given[asked]()
        assert failed.value.passing == SERVER
        monkeypatch.setattr("twentyone.ledger.postgres.ANSWERS", None)
        store.reopen(lambda _: None)
        for _ in range(2):
            assert store.append("one", first.events[-1].ver, [TOLD], "k2", "f").events[0].ver == 2
        assert store.version("one") == 2


def test_what_takes_long_is_waited_for(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forgetting the rounds of years is no server that stands still."""
    monkeypatch.setattr("twentyone.ledger.postgres.ANSWERS", 0.2)
    monkeypatch.setattr("twentyone.ledger.projections.DROP", "SELECT pg_sleep(0.5), ?::text")
    with closing(open_postgres(postgres.new_database(), create=True)) as store:
        store.hurry()
        store.drop_projection("rounds")
        assert store.failure is None
