"""T4: PostgreSQL stopped hard in the middle of the work: nothing acknowledged is lost, nothing is stored twice."""

from __future__ import annotations

from tests.faults.stopping import stop_and_start
from tests.postgres import Postgres

STOPS = 6


def test_a_hard_stop_loses_and_doubles_nothing(postgres: Postgres) -> None:
    report = stop_and_start(postgres, stops=STOPS, seed=1)
    assert report.faults == []
    assert report.failed == STOPS
    assert report.acknowledged > 20


def test_blind_sending_again_is_found(postgres: Postgres) -> None:
    """The negative control: a client that sends a command again under a new key stores it twice."""
    report = stop_and_start(postgres, stops=2, seed=1, blind=True)
    assert any("is stored 2 times" in fault for fault in report.faults)
