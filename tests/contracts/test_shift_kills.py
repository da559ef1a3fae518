"""T2: a shift killed with SIGKILL twenty times loses no round that it told of, and repeats none."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from tests.contracts.shift_kills import Kills, doubled, lost, shift_command, stored_rounds
from tests.heeding import heed_ctrl_c

from twentyone.ledger.store import open_store

KILLS = 12


@pytest.mark.prove
def test_twenty_kills_lose_nothing_that_was_told(tmp_path: Path) -> None:
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


def test_a_full_disk_ends_the_shift_with_an_error_and_loses_nothing(tmp_path: Path) -> None:
    """The file may not grow beyond a limit: the commit that needs more room fails; later the same command goes on."""
    kills = Kills(str(tmp_path / "l.db"), tmp_path, "pa-spanish-21")
    command = shift_command(kills.url, tmp_path, kills.book, 150, "--tell")
    limited = [sys.executable, "-c", LIMITED, str(900 * 1024), *command]
    full = subprocess.run(limited, capture_output=True, text=True)
    assert full.returncode == 2, full.stderr
    assert "takes no more commands" in full.stderr.splitlines()[-1]
    kills.told.update(line.split()[1] for line in full.stderr.splitlines() if line.startswith("stored "))
    assert kills.told
    assert kills.examine() == []
    assert subprocess.run(command, capture_output=True).returncode == 0
    assert kills.examine() == []
    assert kills.rounds() == 150


LIMITED = """import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
os.execv(sys.argv[2], sys.argv[2:])"""


def test_an_interrupted_shift_keeps_what_it_did(tmp_path: Path) -> None:
    kills = Kills(str(tmp_path / "l.db"), tmp_path, "pa-spanish-21")
    command = shift_command(kills.url, tmp_path, kills.book, 100_000, "--tell")
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, preexec_fn=heed_ctrl_c
    )
    assert process.stderr is not None
    first = next(line for line in process.stderr if line.startswith("stored "))
    process.send_signal(signal.SIGINT)
    told = [first, *process.stderr]
    assert process.wait() == 130
    assert told[-1] == "interrupted\n"
    kills.told.update(line.split()[1] for line in told if line.startswith("stored "))
    assert kills.examine() == []
