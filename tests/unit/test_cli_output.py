"""Standard output that is closed, full, or a pipe without a reader: no traceback, and no fault becomes status 0."""

from __future__ import annotations

import json
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tests.daily import daily

from twentyone.cli import COMMANDS, DONE, FOUND_WRONG, main
from twentyone.cli.output import Delivery

BOOK = "pa-spanish-21"
LAW = Path(__file__).parents[1] / "law"
SCRIPT = str(LAW / BOOK / "635a.12/a-winning-wager-pays-even-money.json")
BEGIN = {
    "closed": "os.close(1); sys.stdout = sys.__stdout__ = None",
    "full": "os.dup2(os.open('/dev/full', os.O_WRONLY), 1)",
    "pipe without a reader": "ends = os.pipe(); os.dup2(ends[1], 1); os.close(ends[0])",
    "heard": "os.dup2(os.open(os.devnull, os.O_WRONLY), 1)",
}
"""What happens to standard output before a command begins."""
DRIVER = """
import json, os, sys
import rich.progress
import twentyone.ledger.report, twentyone.ledger.store, twentyone.ledger.verify, twentyone.service.shift.work
from twentyone.cli import main
from twentyone.rulebook import loaded_rulebooks
loaded_rulebooks()
found = []
for number, command in enumerate(json.loads(sys.argv[1])):
    child = os.fork()
    if child == 0:
        os.dup2(os.open(f"{number}.err", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        BEGIN
        sys.exit(main(command))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    found.append([status, open(f"{number}.err").read()])
print(json.dumps(found))
"""


def run(folder: Path, output: str, commands: list[list[str]]) -> list[tuple[int, str]]:
    """The status and the standard error of each command, each in a process of its own that ends as any does."""
    program = DRIVER.replace("BEGIN", BEGIN[output])
    asked = [sys.executable, "-c", program, json.dumps(commands)]
    done = subprocess.run(asked, capture_output=True, text=True, check=True, cwd=folder)
    return [(status, said) for status, said in json.loads(done.stdout)]


def ledger(folder: Path) -> str:
    """The ledger of two rounds."""
    path = str(folder / "t.db")
    assert main(["shift", BOOK, "--rounds", "2", "--seed", "3", "--ledger", path]) == DONE
    return path


def forge(path: str, copy: str) -> str:
    """A copy of a ledger with one event that was changed by hand."""
    with sqlite3.connect(path) as good, sqlite3.connect(copy) as bad:
        good.backup(bad)
        for (name,) in bad.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            bad.execute(f"DROP TRIGGER {name}")
        bad.execute("UPDATE events SET ts = ts + 1 WHERE ver = 5")
    return copy


def examples(folder: Path) -> list[list[str]]:
    """Commands that do something, quickly; what only a faulty ledger shows is among them."""
    good, round_ = ledger(folder), f"{BOOK}-1:1"
    (folder / "ours.toml").write_text(f'rulebook = "{BOOK}"\n', encoding="utf-8")
    return [
        ["verify", forge(good, str(folder / "forged.db"))],
        ["verify", good],
        ["verify", good, "--json"],
        ["rounds", good],
        ["show", good, round_],
        ["export", good, round_],
        ["report", good],
        ["backup", good, "copy.db"],
        ["restore", "copy.db", "again.db"],
        ["shift", BOOK, "--rounds", "2", "--seed", "3", "--ledger", good],
        ["replay", SCRIPT],
        ["law"],
        ["law", BOOK, "635a.10(d)"],
        ["check", "ours.toml"],
        ["layout", BOOK],
        ["play", BOOK, "--auto", "--seed", "1"],
        ["--version"],
    ]


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[str]], list[int]]:
    """Commands, and the status of each where somebody reads what it says."""
    folder = tmp_path_factory.mktemp("output")
    commands = [[name, "--help"] for name in COMMANDS] + examples(folder)
    return folder, commands, [status for status, _ in run(folder, "heard", commands)]


@pytest.mark.parametrize("output", daily(["closed", "full"], "full"))
def test_no_command_exits_with_0_if_its_answer_could_not_be_written(
    output: str, heard: tuple[Path, list[list[str]], list[int]]
) -> None:
    """The usage of all commands, and what those do that are quick: the status is what was found, and never 0."""
    folder, commands, statuses = heard
    for name in ("copy.db", "again.db"):
        (folder / name).unlink(missing_ok=True)
    told = run(folder, output, commands)
    for command, well, (status, said) in zip(commands, statuses, told, strict=True):
        assert status == (well or FOUND_WRONG), (command, status, said)
        assert not [word for word in ("Traceback", "Exception ignored") if word in said], (command, said)
        assert "the output cannot be written" in said.splitlines()[-1], (command, said)
    assert statuses[len(COMMANDS)] == FOUND_WRONG, "the forged ledger is no example of a fault"
    assert statuses.count(DONE) == len(commands) - 1


def test_a_reader_that_stops_early_is_no_failure_of_a_command(
    heard: tuple[Path, list[list[str]], list[int]],
) -> None:
    """`twentyone law | head -2`: every command keeps its own status and says nothing of the pipe."""
    folder, commands, statuses = heard
    for name in ("copy.db", "again.db"):
        (folder / name).unlink(missing_ok=True)
    for command, well, (status, said) in zip(
        commands, statuses, run(folder, "pipe without a reader", commands), strict=True
    ):
        assert status == well, (command, status, said)
        assert not [word for word in ("Traceback", "Exception ignored", "pipe") if word in said], (command, said)


def test_a_refusal_stays_one_whatever_becomes_of_the_output(tmp_path: Path) -> None:
    """What is refused prints nothing on standard output, so that nothing is lost; standard error may be closed."""
    nothing = [["verify", "none.db"], ["nothing"], ["law", "no-such-book"]]
    assert [status for status, _ in run(tmp_path, "closed", nothing)] == [64, 64, 64]


def test_standard_error_that_is_closed_does_not_send_a_refusal_to_the_answer(tmp_path: Path) -> None:
    for closed in ("2>&-", "2>/dev/full"):
        asked = f"exec {sys.executable} -m twentyone verify none.db {closed}"
        done = subprocess.run(["sh", "-c", asked], capture_output=True, text=True, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (64, "")


def test_nobody_plays_at_a_screen_that_shows_nothing(tmp_path: Path) -> None:
    """A game of a million rounds ends with its reader."""
    [(status, said)] = run(tmp_path, "pipe without a reader", [["play", BOOK, "--auto", "--rounds", "1000000"]])
    assert (status, said) == (DONE, "")


def test_messages_go_on_once_there_is_room_again(tmp_path: Path) -> None:
    """The log of a server on a disk that was full for a while; standard output that was lost stays lost."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with (tmp_path / "log").open("wb", buffering=0) as log:
        again, once = Delivery(log.fileno(), again=True), Delivery(log.fileno())
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
        try:
            assert [again.write(b"lost"), once.write(b"lost")] == [4, 4]
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert [again.write(b"said\n"), once.write(b"dropped\n")] == [5, 8]
    assert (tmp_path / "log").read_bytes() == b"said\n"
