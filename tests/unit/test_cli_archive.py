"""`twentyone archive` and `verify --before` as somebody types them: what they say, and their exit statuses."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from twentyone.cli import archive, main

CLOSE = ("archive", "close", "2026.db", "--next", "2027.db", "--by", "Fay")
YEARS = 8 * 366 * 86_400


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ledger of a short shift, made once."""
    folder = tmp_path_factory.mktemp("year")
    shift = ["shift", "classic-blackjack", "--rounds", "2", "--seed", "3", "--ledger", str(folder / "2026.db")]
    assert main(shift) == 0
    return folder


@pytest.fixture(autouse=True)
def here(year: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it in the current folder."""
    shutil.copytree(year, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *command: str, status: int = 0) -> Any:
    """What a command says to a program."""
    capsys.readouterr()
    assert main([*command, "--json"]) == status
    return json.loads(capsys.readouterr().out)


def test_a_period_is_closed_listed_checked_and_verified(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*CLOSE]) == 0
    said = capsys.readouterr().out
    assert "period 1 is closed" in said
    assert "period 2 begins in 2027.db: tables 1" in said
    assert main(["verify", "2027.db"]) == 0
    assert "on trust: period 2 begins with what period 1 left (2026.db" in capsys.readouterr().out
    for before in ("2026.db", "archives/2026-0001.db"):
        assert told(capsys, "verify", "2027.db", "--before", before)["trusted"] == []
    public = "archives/2026-0001.db.pub"
    assert main(["verify", "archives/2026-0001.db", "--public-key", public]) == 0
    (row,) = told(capsys, "archive", "list", "archives")["archives"]
    assert (row["number"], row["state"], row["file"]) == (1, "kept", "2026-0001.db")
    assert told(capsys, "archive", "check", "archives", "--public-key", public) | {"run": 0} == {
        "ok": True, "checked": 1, "faults": [], "unchecked": [], "run": 0,
    }  # fmt: skip
    assert main(["archive", "list", "archives"]) == main(["archive", "check", "archives"]) == 0
    assert "archives 1: all well" in capsys.readouterr().out
    assert told(capsys, *CLOSE)["period"] == 1  # again is nothing


def test_writing_commands_name_the_next_period_and_reading_ones_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    main([*CLOSE])
    shift = ("shift", "classic-blackjack", "--rounds", "9", "--seed", "3", "--ledger", "2026.db")
    coupon = ("coupon", "issue", "2026.db", "--amount", "5", "--ends", "2099-01-01", "--by", "Fay")
    for command in (shift, coupon):
        capsys.readouterr()
        assert main([*command]) == 2
        assert "2026.db is a closed period since" in (said := capsys.readouterr().err)
        assert "go on with 2027.db" in said
    for reading in ("verify 2026.db", "report 2026.db", "rounds 2026.db", "show 2026.db --house"):
        assert main(reading.split()) == 0
    assert main(["export", "2026.db", "classic-blackjack-1:1"]) == 0
    assert "Fay closes period 1; period 2 is in 2027.db" in capsys.readouterr().out


def test_the_wrong_period_before_and_a_changed_archive_leave_with_1(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([*CLOSE])
    assert main(["verify", "2026.db", "--before", "2027.db", "--before-checkpoints", "2027.db.checkpoints"]) == 1
    assert "it follows no other period" in capsys.readouterr().out
    file = here / "archives" / "2026-0001.db"
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.chmod(0o600)
    file.write_bytes(content)
    assert "is not the file that was archived" in told(capsys, "archive", "check", "archives", status=1)["faults"][0]
    listed = here / "archives" / "archives.jsonl"
    listed.write_text(listed.read_text().replace('"number":1', '"number":7'))
    assert main(["archive", "list", "archives"]) == 1
    assert "does not follow the line before it" in capsys.readouterr().err


def test_what_is_old_enough_goes_when_it_is_told_to(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main([*CLOSE])
    main(["archive", "close", "2027.db", "--next", "2028.db", "--by", "Fay"])
    expire = ("archive", "expire", "archives", "--keep", "7y", "--by", "Fay", "--ledger", "2028.db")
    assert told(capsys, *expire, "--yes")["removed"] == []  # the control: nothing is that old
    now = archive._now()
    monkeypatch.setattr(archive, "_now", lambda: now + YEARS)
    (row,) = told(capsys, *expire)["would_go"]
    assert row["file"] == "2026-0001.db"
    assert (here / "archives" / "2026-0001.db").exists()
    assert main([*expire, "--yes"]) == 0
    assert "2026-0001.db: removed" in (said := capsys.readouterr().out)
    assert "2027-0002.db: stays, the newest period is never removed" in said
    assert not (here / "archives" / "2026-0001.db").exists()
    assert [row["state"] for row in told(capsys, "archive", "list", "archives")["archives"]] == ["removed", "kept"]
    assert told(capsys, "archive", "check", "archives", "--public-key", "archives/2027-0002.db.pub")["ok"]
    main(["show", "2028.db", "--house"])
    assert "Fay removes the archive of period 1 (2026-0001.db), kept 7y" in capsys.readouterr().out
    assert main(["verify", "2028.db", "--before", "2027.db"]) == 0


def test_a_command_line_that_makes_no_sense(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong, says in (
        (("archive", "close", "2026.db", "--by", "Fay"), "archive close needs --next"),
        (("archive", "close", "2026.db", "--next", "n.db"), "archive close needs --by"),
        (("archive", "close", "none.db", "--next", "n.db", "--by", "Fay"), "there is no such ledger"),
        (("archive", "list", "nowhere"), "there are no archives"),
        (("archive", "expire", "archives", "--by", "Fay"), "archive expire needs --keep"),
        (("archive", "forget", "archives"), "invalid choice"),
    ):
        with pytest.raises(SystemExit) as left:
            main([*wrong])
        assert (left.value.code, says in capsys.readouterr().err) == (64, True)
    main([*CLOSE])
    assert main(["archive", "expire", "archives", "--keep", "ever", "--by", "Fay"]) == 2
    assert "'ever' is no time to keep an archive" in capsys.readouterr().err
    assert main(["archive", "close", "2027.db", "--next", "2027.db", "--by", "Fay"]) == 2
    assert "name a new one" in capsys.readouterr().err
