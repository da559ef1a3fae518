"""Owners lost in mid-round, with real processes (`make prove PART=owners`: three hundred of them)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.faults.owners import faults, house

if TYPE_CHECKING:
    from tests.postgres import Postgres


@pytest.mark.prove
def test_another_process_takes_over_in_mid_round(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One owner is killed, the next is stopped and goes on later: nothing is lost, nothing doubled."""
    monkeypatch.chdir(tmp_path)
    ledger = postgres.new_database()
    with house(ledger, tmp_path) as tables:
        for number, how in enumerate(("kill", "stop")):
            tables.lose_owner(how, number)
        assert faults(ledger, tables.acknowledged) == []
        assert len(tables.acknowledged) >= 6
        one = next(iter(tables.acknowledged))
        assert faults(ledger, {**tables.acknowledged, "never sent": 1}) == [
            "never sent was acknowledged and is not stored"
        ]
        assert faults(ledger, {one: 1}) != []
