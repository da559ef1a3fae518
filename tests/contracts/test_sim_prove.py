"""The long proof of the simulator: it goes on where it was stopped, and a difference is told and counts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench import prove_sim
from bench.prove_sim import Block

from twentyone.sim.compile import Compiled

BOOK = "classic-blackjack"
WORDS = ["--part", BOOK, "--rounds", "60", "--fast", "1024", "--workers", "1"]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Blocks of twenty rounds, and of 512 by both paths."""
    monkeypatch.setattr(prove_sim, "ROUNDS", 20)
    monkeypatch.setattr(prove_sim, "FAST", 512)
    monkeypatch.setattr(prove_sim, "FOLDER", tmp_path)


def _names(folder: Path) -> list[str]:
    found: list[str] = json.loads((folder / "sim.json").read_text(encoding="utf-8"))["names"]
    return found


def test_all_of_it_is_proved_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert prove_sim.main(WORDS) == 0
    out = capsys.readouterr().out
    assert f"prove sim {BOOK}: 60 of 60 rounds by simulator and round, 1,024 of 1,024 rounds by fast path" in out
    assert "0 differences" in out
    assert len(_names(tmp_path)) == 3 + 2


def test_a_run_whose_minutes_are_over_goes_on_where_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prove_sim.main([*WORDS, "--minutes", "0"]) == 75
    assert "start again to go on" in capsys.readouterr().out
    assert _names(tmp_path) == [f"{BOOK} round 0 20"]
    proved: list[Block] = []

    def listed(block: Block) -> None:
        proved.append(block)

    monkeypatch.setattr(prove_sim, "prove_block", listed)
    assert prove_sim.main(WORDS) == 0
    assert [block.number for block in proved] == [1, 2, 0, 1]


def test_another_code_is_another_proof(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(prove_sim, "prove_block", lambda _: None)
    assert prove_sim.main(WORDS) == 0
    assert prove_sim.Done.load().names
    monkeypatch.setattr(prove_sim, "fingerprint", lambda: "another")
    assert not prove_sim.Done.load().names


def test_ctrl_c_keeps_what_is_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(left: list[Block], workers: int) -> Iterator[tuple[Block, None]]:
        yield left[0], None
        raise KeyboardInterrupt

    monkeypatch.setattr(prove_sim, "played", stopped)
    assert prove_sim.main(WORDS) == 130
    assert "stopped" in capsys.readouterr().out
    assert len(_names(tmp_path)) == 1


def test_two_processes_share_the_blocks(tmp_path: Path) -> None:
    assert prove_sim.main([*WORDS[:-1], "2"]) == 0
    assert len(_names(tmp_path)) == 5


def test_a_difference_is_told_and_does_not_count(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sum of the fast path is off by one."""
    sums = prove_sim._sums

    def wrong(game: Compiled, fast: bool, first: int, last: int) -> list[int]:
        return [*sums(game, fast, first, last)[:-1], int(fast)]

    monkeypatch.setattr(prove_sim, "_sums", wrong)
    assert prove_sim.main(WORDS) == 1
    out = capsys.readouterr().out
    assert "the fast path and the round function differ" in out
    assert "1 difference," in out
    assert len(_names(tmp_path)) == 3
