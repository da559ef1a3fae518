"""T2: a shift killed with SIGKILL fifty times loses no round that it told of, and repeats none."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from pathlib import Path

from tests.contracts.shift_kills import Kills, doubled, lost, stored_rounds

from twentyone.ledger.store import open_store

KILLS = 50


def test_fifty_kills_lose_nothing_that_was_told(tmp_path: Path) -> None:
    kills = Kills(str(tmp_path / "l.db"), tmp_path, "pa-spanish-21")
    assert kills.work(KILLS) == []
    assert kills.at_work >= KILLS // 2
    assert len(kills.told) >= kills.at_work


def test_a_lost_round_and_a_doubled_one_are_found() -> None:
    stored = Counter({"a:1": 1, "a:2": 2, "a:4": 1})
    assert lost({"a:1", "a:3"}, stored) == ["a:3 was told as stored and is lost"]
    assert doubled(stored) == ["a:2 is stored 2 times", "a has rounds missing"]


def test_a_ledger_that_lost_its_tail_is_found(tmp_path: Path) -> None:
    kills = Kills(str(tmp_path / "l.db"), tmp_path, "pa-spanish-21", seed=2)
    assert kills.work(1) == []
    kills.told.add("pa-spanish-21-1:99999")
    assert kills.examine() == ["pa-spanish-21-1:99999 was told as stored and is lost"]
    with closing(open_store(kills.url)) as store:
        assert sum(stored_rounds(store).values()) == kills.rounds()
