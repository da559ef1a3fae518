"""A shift that meets a fault of ours stops with one sentence, keeps what it did, and ends once the fault is mended."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from twentyone.cli import main
from twentyone.service.shift import people
from twentyone.service.shift.chance import Chance
from twentyone.service.shift.players import answers

BOOK = "pa-spanish-21"


def work(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """The same command, whenever it is given: status, standard output, standard error."""
    capsys.readouterr()
    status = main(
        ["shift", BOOK, "--rounds", "12", "--tables", "2", "--seed", "6", "--ledger", str(folder / "l.db"), "--json"]
    )
    said = capsys.readouterr()
    return status, said.out, said.err


def events(folder: Path) -> list[tuple[Any, ...]]:
    """What the tables did, without seals: their keys are made for each ledger."""
    with closing(sqlite3.connect(folder / "l.db")) as base:
        return base.execute(
            "SELECT stream, ver, type, body FROM events WHERE type IN ('command', 'round_event', 'chips_moved') "
            "AND stream LIKE 'pa-%' ORDER BY stream, ver"
        ).fetchall()


def broken_after(rounds: int, fault: Callable[[], Any]) -> Any:
    """Players who meet a fault when they are asked something in a later round."""

    def asked(round_: Any, offer: Any, dealer: str, at: int, chance: Chance) -> Any:
        if at > 1_767_254_400 + 4 * 60 * rounds:
            fault()
        return answers(round_, offer, dealer, at, chance)

    return asked


def divide() -> float:
    """A fault of ours."""
    return 1 / 0


@pytest.mark.parametrize("kind", ["an exception", "nobody can do anything"])
def test_the_same_command_ends_after_the_fault_is_mended(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calm, folder = tmp_path / "calm", tmp_path / "broken"
    for one in (calm, folder):
        one.mkdir()
    assert work(calm, capsys)[0] == 0
    with monkeypatch.context() as patch:
        if kind == "an exception":
            patch.setattr(people, "answers", broken_after(2, divide))
        else:
            patch.setattr(people, "answers", lambda *_: iter(()))
        for _ in range(2):
            status, out, err = work(folder, capsys)
            assert (status, out) == (1, "")
            sentence = err.splitlines()[-1]
            assert re.match(rf"twentyone shift: {BOOK}-[12] stopped at version \d+, after \d+ rounds ", sentence)
            assert "this is a fault of the software" in sentence
            assert "the same command goes on from there" in sentence
            assert ("ZeroDivisionError division by zero, at test_shift_faults.py:" in sentence) == (
                kind == "an exception"
            )
            assert err.count(sentence) == 1
            assert "Traceback" not in err
        kept = events(folder)
        assert kept
        assert main(["verify", str(folder / "l.db")]) == 0
    status, out, _ = work(folder, capsys)
    assert status == 0
    assert json.loads(out)["totals"]["rounds"] == 12
    assert all(event in events(folder) for event in kept)
    assert events(folder) == events(calm)
