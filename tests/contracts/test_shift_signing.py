"""A shift that cannot sign for a while: it says so, goes on and signs later; one whose ledger was altered stops."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from twentyone.cli import main, shift
from twentyone.ledger import checkpoints
from twentyone.ledger.rows import LedgerRefused

BOOK = "classic-blackjack"
SIGN = checkpoints.write_checkpoint


def failing(wrong: Exception, when: Callable[[int], bool]) -> Callable[..., object]:
    calls = list[int]()

    def sign(*given: object) -> object:
        calls.append(1)
        if when(len(calls)):
            raise wrong
        return SIGN(*given)  # type: ignore[arg-type]

    return sign


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A ledger that is signed at every turn."""
    path = str(tmp_path / "t.db")
    assert main(["shift", BOOK, "--rounds", "1", "--seed", "3", "--ledger", path]) == 0
    monkeypatch.setattr(shift, "SIGN_EVERY", -1.0)
    return path


def test_it_goes_on_and_signs_later(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = OSError(errno.EMFILE, "Too many open files")
    monkeypatch.setattr(checkpoints, "write_checkpoint", failing(full, lambda call: call <= 2))
    assert main(["shift", BOOK, "--rounds", "9", "--seed", "3", "--ledger", url]) == 0
    assert capsys.readouterr().err.count("no checkpoint was signed ([Errno 24] Too many open files)") == 2
    monkeypatch.undo()
    assert main(["verify", url]) == 0


def test_a_last_checkpoint_that_fails_is_no_success(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device", f"{url}.checkpoints")
    monkeypatch.setattr(checkpoints, "write_checkpoint", failing(full, lambda _: True))
    assert main(["shift", BOOK, "--rounds", "4", "--seed", "3", "--ledger", url]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"twentyone: {url}.checkpoints: No space left on device"


def test_a_ledger_that_was_altered_stops_it(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(checkpoints, "write_checkpoint", failing(LedgerRefused("altered"), lambda call: call == 1))
    assert main(["shift", BOOK, "--rounds", "9", "--seed", "3", "--ledger", url]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "twentyone shift: altered"
