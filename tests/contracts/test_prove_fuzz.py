"""The long fuzzing: block by block, each of its own seed, kept, and gone on with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from bench import prove_fuzz
from bench.prove import FAULT, PROVED, TIME_OVER
from bench.prove_fuzz import Block, planted
from tests.faults.fuzz import TARGETS

NEVER_OVER = float("inf")


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Block, bool]]:
    """The blocks that were handed over; each holds."""
    blocks: list[tuple[Block, bool]] = []

    def hand_over(block: Block, control: bool) -> tuple[int, str]:
        blocks.append((block, control))
        return block.size, ""

    monkeypatch.setattr(prove_fuzz, "try_block", hand_over)
    monkeypatch.setattr(prove_fuzz, "BLOCK", 100)
    return blocks


def test_each_block_has_a_seed_of_its_own_and_the_first_a_planted_fault(
    tried: list[tuple[Block, bool]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prove_fuzz.prove("files", 250, 19, 1, NEVER_OVER, tmp_path) == PROVED
    assert [control for _, control in tried] == [True, False, False]
    assert [(block.seed, block.size) for block, _ in tried] == [(19, 100), (20, 100), (21, 50)]
    assert "prove fuzz files: 250 tried, seeds 19 to 21, 0 faults" in capsys.readouterr().out


def test_what_is_done_is_not_done_again(tried: list[tuple[Block, bool]], tmp_path: Path) -> None:
    assert [prove_fuzz.prove("files", 250, 19, 1, NEVER_OVER, tmp_path) for _ in range(2)] == [PROVED, PROVED]
    assert len(tried) == 3
    for name, count, seed in (("files", 250, 20), ("files", 300, 19), ("people", 250, 19)):
        assert prove_fuzz.prove(name, count, seed, 1, NEVER_OVER, tmp_path) == PROVED
    assert len(tried) == 12, "another seed, another number or another target is another proof"


def test_it_goes_on_where_its_time_was_over(
    tried: list[tuple[Block, bool]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prove_fuzz, "time", SimpleNamespace(monotonic=lambda: float(len(tried))))
    assert prove_fuzz.prove("files", 500, 19, 1, 1.5, tmp_path) == TIME_OVER
    assert "200 tried, seeds 19 to 23, 0 faults so far" in capsys.readouterr().out
    assert prove_fuzz.prove("files", 500, 19, 1, NEVER_OVER, tmp_path) == PROVED
    assert [block.seed for block, _ in tried] == [19, 20, 21, 22, 23]


def test_a_fault_is_told_with_its_seed_and_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaks(reads: Callable[[object], None]) -> Callable[[object], None]:
        def read(material: object) -> None:
            reads(material)
            raise ZeroDivisionError

        return read

    target = TARGETS["law-scripts"]
    monkeypatch.setitem(TARGETS, "law-scripts", target._replace(reads=breaks(target.reads)))
    monkeypatch.setattr(prove_fuzz, "planted", lambda _: planted(target.reads))
    monkeypatch.setattr(prove_fuzz, "BLOCK", 5)
    for _ in range(2):
        assert prove_fuzz.prove("law-scripts", 10, 19, 1, NEVER_OVER, tmp_path) == FAULT
        told = capsys.readouterr().out
        assert "FAULT: seed 19, 5 tried:" in told
        assert "ZeroDivisionError" in told


def test_a_target_that_misses_the_planted_fault_proves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prove_fuzz, "planted", lambda reads: reads)
    assert prove_fuzz.prove("law-scripts", 10, 19, 1, NEVER_OVER, tmp_path) == FAULT
    assert "the planted fault was not found" in capsys.readouterr().out
