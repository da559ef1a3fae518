"""Systems that are not Linux, played by taking away what they lack: computing works, writing a ledger is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from twentyone.cli import DONE, REFUSED
from twentyone.cli import main as command

BOOK = "classic-blackjack"
MACOS = "import os; del os.sched_getaffinity; del os.posix_fallocate"
WINDOWS = f"{MACOS}; del os.fchmod; import sys; sys.modules.update(fcntl=None, resource=None)"


def run(system: str, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of ours in a process that lacks what this system lacks."""
    code = f"{system}; import sys; from twentyone.cli import main; sys.exit(main({list(words)!r}))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ledger that was made here."""
    made = tmp_path_factory.mktemp("elsewhere")
    assert command(["shift", BOOK, "--rounds", "2", "--seed", "3", "--ledger", str(made / "t.db")]) == DONE
    return made


@pytest.mark.parametrize("system", [MACOS, WINDOWS], ids=["macos", "windows"])
@pytest.mark.parametrize(
    "words", [("simulate", BOOK, "--rounds", "1000", "--seed", "5"), ("verify", "t.db"), ("report", "t.db")],
    ids=lambda words: words[0],
)  # fmt: skip
def test_computing_and_reading_work_on_every_system(system: str, words: tuple[str, ...], folder: Path) -> None:
    done = run(system, folder, *words)
    assert (done.returncode, done.stderr.count("Traceback")) == (DONE, 0), done.stderr
    assert done.stdout


def test_macos_plays_a_shift(tmp_path: Path) -> None:
    done = run(MACOS, tmp_path, "shift", BOOK, "--rounds", "2", "--seed", "3", "--ledger", "m.db")
    assert done.returncode == DONE, done.stderr


@pytest.mark.parametrize(
    "words", [("shift", BOOK, "--rounds", "2", "--ledger", "w.db"), ("serve", "--ledger", "w.db", "--port", "8999")],
    ids=lambda words: words[0],
)  # fmt: skip
def test_windows_refuses_to_write_a_ledger_in_a_sentence(words: tuple[str, ...], tmp_path: Path) -> None:
    done = run(WINDOWS, tmp_path, *words)
    assert (done.returncode, done.stdout) == (REFUSED, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "use Linux or macOS" in done.stderr
    assert not list(tmp_path.iterdir())
