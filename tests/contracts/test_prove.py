"""The long proof: it goes on where it was stopped, and tells a fault with its seed and its commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bench import prove
from tests.property import simulate

from twentyone.errors import Refused
from twentyone.round import Round
from twentyone.rulebook import rulebook_ids

BOOK = rulebook_ids()[0]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Parts of forty rounds, kept after every ten."""
    monkeypatch.setattr(prove, "SIZES", {"normal": 40, "full": 80})
    monkeypatch.setattr(prove, "BLOCK", 10)
    monkeypatch.setattr(prove, "FOLDER", tmp_path)


def _kept(folder: Path) -> dict[str, Any]:
    body: dict[str, Any] = json.loads((folder / f"{BOOK}.json").read_text(encoding="utf-8"))
    return {key: value for key, value in body.items() if key != "seconds"}


def test_a_part_ends_with_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert prove.main(["--part", BOOK]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"prove rounds {BOOK}: 40 rounds, ")
    assert ", 0 faults, " in out
    assert out.count("\n") == 1


def test_a_stopped_run_keeps_its_work_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prove.main(["--part", BOOK]) == 0
    whole = _kept(tmp_path)
    (tmp_path / f"{BOOK}.json").unlink()
    play_number = simulate.play_number

    def stop_at_25(*arguments: Any, **more: Any) -> Any:
        if arguments[1] == 25:
            raise KeyboardInterrupt
        return play_number(*arguments, **more)

    monkeypatch.setattr(prove, "play_number", stop_at_25)
    assert prove.main(["--part", BOOK]) == 130
    assert _kept(tmp_path)["rounds"] == 20
    assert "20 of 40 rounds, stopped" in capsys.readouterr().out
    monkeypatch.setattr(prove, "play_number", play_number)
    assert prove.main(["--part", BOOK]) == 0
    assert _kept(tmp_path) == whole


def test_work_of_other_code_does_not_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert prove.main(["--part", BOOK]) == 0
    monkeypatch.setattr(prove, "fingerprint", lambda: "another")
    assert prove.Part.load(BOOK, tmp_path).rounds == 0


def test_a_part_whose_time_is_over_can_go_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    clock = iter(range(0, 10**9, 400))
    monkeypatch.setattr("bench.prove.time.monotonic", lambda: next(clock))
    assert prove.main(["--part", BOOK]) == 75
    kept = _kept(tmp_path)["rounds"]
    assert 0 < kept < 40


def test_a_fault_is_told_with_its_seed_and_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(self: Round, command: object) -> Round:
        raise Refused("planted", "nowhere")

    monkeypatch.setattr(Round, "apply", refuse)
    assert prove.main([]) == 1
    out = capsys.readouterr().out
    assert ", 1 fault, " in out
    assert "seed: round 0" in out
    assert "command: Drawn(" in out
