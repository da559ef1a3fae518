"""The files of a ledger are for their owner alone, however the process makes files; a shared one is not written."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.postgres import Postgres

from twentyone.cli import main
from twentyone.ledger.backup import backup, restore
from twentyone.ledger.keys import default_key_path
from twentyone.ledger.one_process import only_process
from twentyone.ledger.rows import LedgerRefused
from twentyone.ledger.store import open_store
from twentyone.service.kept_answers import KeptAnswers
from twentyone.service.questions import question_of
from twentyone.service.service import Service

SHIFT = ("shift", "pa-spanish-21", "--rounds", "2", "--seed", "3", "--ledger")


@pytest.fixture(autouse=True)
def open_handed() -> Iterator[None]:
    """A process that lets everybody read and write what it makes."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def test_everything_a_shift_writes_is_for_its_owner_alone(tmp_path: Path) -> None:
    assert main([*SHIFT, str(tmp_path / "t.db")]) == 0
    found = modes(tmp_path)
    assert set(found) >= {"t.db", "t.db.key", "t.db.checkpoints"}
    assert set(found.values()) == {0o600}


def test_everything_a_service_has_open_is_for_its_owner_alone(tmp_path: Path) -> None:
    service = Service(str(tmp_path / "t.db"), clock=lambda: 1)
    service.signing.attempt()
    found = modes(tmp_path)
    service.writer.close()
    assert set(found) >= {"t.db", "t.db-wal", "t.db-shm", "t.db.people", "t.db.people-wal", "t.db.key"}
    assert set(found.values()) == {0o600}


def test_a_backup_and_what_is_restored_are_for_their_owner_alone(tmp_path: Path) -> None:
    assert main([*SHIFT, str(tmp_path / "t.db")]) == 0
    during = list[dict[str, int]]()
    with closing(open_store(str(tmp_path / "t.db"))) as store:
        backup(store, tmp_path / "copy.db", lambda *_: during.append(modes(tmp_path)))
    restore(tmp_path / "copy.db", str(tmp_path / "again.db"))
    assert any(name.endswith(".part") for seen in during for name in seen)
    assert {mode for seen in [*during, modes(tmp_path)] for mode in seen.values()} == {0o600}


@pytest.mark.parametrize("end", ["", "-wal", ".checkpoints"])
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o602])
def test_a_shift_refuses_a_file_that_others_may_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], end: str, mode: int
) -> None:
    ledger = str(tmp_path / "t.db")
    assert main([*SHIFT, ledger]) == 0
    keeps_the_log = open_store(ledger)
    Path(ledger + end).chmod(mode)
    capsys.readouterr()
    assert main([*SHIFT, ledger]) == 2
    out, err = capsys.readouterr()
    keeps_the_log.close()
    assert out == ""
    assert f"chmod 600 {ledger}{end}" in err


@pytest.mark.parametrize("end", ["", ".people", ".checkpoints"])
def test_a_service_refuses_a_file_that_others_may_read(tmp_path: Path, end: str) -> None:
    ledger = str(tmp_path / "t.db")
    service = Service(ledger, clock=lambda: 1)
    service.signing.attempt()
    service.writer.close()
    Path(ledger + end).chmod(0o644)
    with pytest.raises(LedgerRefused, match=f"chmod 600 {ledger}{end}"):
        Service(ledger, clock=lambda: 1)


def test_a_copy_for_evidence_may_be_read_by_anybody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = str(tmp_path / "t.db")
    assert main([*SHIFT, ledger]) == 0
    Path(ledger).chmod(0o644)
    for command in (("rounds", ledger), ("show", ledger, "1"), ("report", ledger), ("export", ledger, "1")):
        assert main(command) == 0, capsys.readouterr().err
    assert main(["backup", ledger, str(tmp_path / "copy.db")]) == 0
    assert modes(tmp_path)["copy.db"] == 0o600


# -- addresses


def test_no_password_of_an_address_is_printed(
    tmp_path: Path, postgres: Postgres, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SHIFT, str(tmp_path / "t.db")]) == 0
    assert main(["backup", str(tmp_path / "t.db"), str(tmp_path / "copy.db")]) == 0
    joined = "&" if "?" in (url := postgres.new_schema()) else "?"
    secret = f"{url}{joined}password=canary"  # pragma: allowlist secret
    for options in ((), ("--json",)):
        capsys.readouterr()
        main(["restore", str(tmp_path / "copy.db"), secret, *options])
        assert "canary" not in "".join(capsys.readouterr())
        secret = secret.replace("canary", "canary2")
    for strange in ("mysql://u:canary@h/x", "postgresql://u:canary@127.0.0.1:1/x"):  # pragma: allowlist secret
        main(["verify", strange])
        assert "canary" not in "".join(capsys.readouterr())


def test_no_password_becomes_the_name_of_a_file() -> None:
    for url in ("postgresql://u:canary@h", "postgresql://u:canary@h/games?a=b"):  # pragma: allowlist secret
        assert "canary" not in str(default_key_path(url))


@pytest.mark.parametrize(
    "asked", [("issue", "--amount", "5", "--ends", "2099-12-31"), ("void", "A-1", "--reason", "lost")]
)
def test_no_coupon_is_written_into_a_ledger_that_others_may_read(
    tmp_path: Path, asked: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.db"
    do, *rest = asked
    assert main([*SHIFT, str(path)]) == 0
    assert main(["coupon", "issue", str(path), "A-1", "--amount", "5", "--ends", "2099-12-31", "--by", "Fay"]) == 0
    path.chmod(0o644)
    before = path.read_bytes()
    capsys.readouterr()
    assert main(["coupon", do, str(path), *rest, "--by", "Fay"]) == 2
    assert "chmod 600" in capsys.readouterr().err
    assert path.read_bytes() == before
    assert main(["coupon", "list", str(path)]) == 0, "who only reads takes a copy of any mode"


def test_what_the_desk_keeps_is_for_its_owner_alone(tmp_path: Path) -> None:
    """A script of the ledger may name a card that was never shown."""
    kept = KeptAnswers(tmp_path)
    kept.keep(question_of("odds", {"rulebook": "classic-blackjack"}), {"script": "hidden"})
    assert list(modes(tmp_path).values()) == [0o600]


def test_a_ledger_is_served_once_whatever_link_leads_to_it(tmp_path: Path) -> None:
    ledger, link = tmp_path / "t.db", tmp_path / "other.db"
    open_store(str(ledger), create=True).close()
    link.symlink_to(ledger)
    with only_process(str(ledger), "http://one"):
        for again in (ledger, link, tmp_path / ".." / tmp_path.name / "t.db"):
            with pytest.raises(LedgerRefused, match="is served by http://one already"):
                only_process(str(again), "http://two")
    assert set(modes(tmp_path)) == {"t.db", "other.db", "t.db.serving"}
