"""The public key of a ledger: enough to verify it, not enough to open a seal, to mark a row or to sign."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from twentyone.cli import main
from twentyone.ledger.keys import Keyring
from twentyone.ledger.public_keys import PublicKey
from twentyone.ledger.rows import LedgerRefused
from twentyone.ledger.store import open_store
from twentyone.ledger.verify import verify

BOOK = "classic-blackjack"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An operator's folder: a ledger with its key and checkpoints."""
    folder = tmp_path_factory.mktemp("house")
    assert main(["shift", BOOK, "--rounds", "3", "--seed", "3", "--ledger", str(folder / "t.db")]) == 0
    return folder


@pytest.fixture
def regulator(house: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """What a regulator gets: the database, the checkpoints and the public key."""
    for name in ("t.db", "t.db.checkpoints"):
        shutil.copy(house / name, tmp_path / name)
    capsys.readouterr()
    assert main(["key", "public", str(house / "t.db")]) == 0
    (tmp_path / "t.pub").write_text(capsys.readouterr().out, encoding="ascii")
    return tmp_path


def found(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, Any]:
    capsys.readouterr()
    status = main(["verify", str(folder / "t.db"), "--json", *options])
    return status, json.loads(capsys.readouterr().out or "null")


def test_a_regulator_verifies_without_a_secret(regulator: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, report = found(regulator, capsys, "--public-key", str(regulator / "t.pub"))
    assert (status, report["faults"], report["unchecked"], report["closed"]) == (0, [], [], [])
    assert report["counts"]["checkpoints"] == 2
    assert found(regulator, capsys)[0] == 1, "without any key the signatures are not checked"


def test_the_public_key_holds_no_secret(house: Path, regulator: Path) -> None:
    keys, text = Keyring.load(house / "t.db.key"), (regulator / "t.pub").read_text(encoding="ascii")
    for secret in (keys.sealing, keys.signer.private_bytes_raw()):
        assert secret.hex() not in text
    assert PublicKey.load(regulator / "t.pub").id == keys.id


def test_what_the_secret_key_finds_the_public_key_finds(regulator: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(open_store(str(regulator / "t.db"))) as store:
        store._writing.rows("DROP TRIGGER events_are_not_deleted")  # type: ignore[attr-defined]
        store._writing.rows("DELETE FROM events WHERE gseq = (SELECT max(gseq) FROM events)")  # type: ignore[attr-defined]
    status, report = found(regulator, capsys, "--public-key", str(regulator / "t.pub"))
    assert status == 1
    assert any("its tail was cut off" in fault["what"] for fault in report["faults"])
    for command in (["report"], ["rounds"]):
        assert main([*command, str(regulator / "t.db"), "--public-key", str(regulator / "t.pub")]) == 1
        assert "its tail was cut off" in capsys.readouterr().err


def test_checkpoints_that_a_stranger_signed(regulator: Path, house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = regulator / "other.db"
    assert main(["shift", BOOK, "--rounds", "3", "--seed", "3", "--ledger", str(other)]) == 0
    shutil.copy(f"{other}.checkpoints", regulator / "t.db.checkpoints")
    status, report = found(regulator, capsys, "--public-key", str(regulator / "t.pub"))
    assert status == 1
    assert any("not signed by this ledger's key" in fault["what"] for fault in report["faults"])


def test_the_public_key_of_another_ledger(regulator: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = regulator / "other.db"
    assert main(["shift", BOOK, "--rounds", "1", "--seed", "3", "--ledger", str(other)]) == 0
    capsys.readouterr()
    assert main(["key", "public", str(other)]) == 0
    (regulator / "other.pub").write_text(capsys.readouterr().out, encoding="ascii")
    status, report = found(regulator, capsys, "--public-key", str(regulator / "other.pub"))
    assert status == 1
    assert any("the public key is that of" in fault["what"] for fault in report["faults"])


def test_a_shoe_in_play_stays_closed(house: Path, tmp_path: Path) -> None:
    """Before its reveal: everything else is verified, and the report says what only the operator can open."""
    keys = Keyring.load(house / "t.db.key")
    with (
        closing(open_store(str(house / "t.db"))) as whole,
        closing(open_store(str(tmp_path / "t.db"), create=True)) as cut,
    ):
        rows = list(whole.read_all())
        revealed = next(row.gseq for row in rows if row.type == "shoe_revealed")
        begun = max(row.gseq for row in rows if row.gseq < revealed and row.type == "command")
        cut.take_over(rows[: begun - 1])
        report = verify(cut, None, None, public=PublicKey.of(keys))
        assert report.faults == ()
        assert report.closed == (
            "seals: without the key file 1 seeds of shoes and wheels that are not over stay closed",
        )
        assert verify(cut, keys, None).closed == ()
        assert report.closed[0] in verify(cut, None, None).unchecked


@pytest.mark.parametrize("text", ["", "[]", "null", "{", '{"format": "ledger-public-key/1"}', "9" * 5000])
def test_what_is_no_public_key_is_refused_with_what_to_do(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.pub").write_text(text, encoding="ascii")
    with pytest.raises(LedgerRefused, match="twentyone key public LEDGER"):
        PublicKey.load(tmp_path / "t.pub")
    with pytest.raises(LedgerRefused, match="cannot be read"):
        PublicKey.load(tmp_path / "none.pub")


def test_a_public_key_whose_name_was_changed_is_refused(regulator: Path) -> None:
    body = json.loads((regulator / "t.pub").read_text(encoding="ascii"))
    (regulator / "t.pub").write_text(json.dumps(body | {"id": "0" * 16}), encoding="ascii")
    with pytest.raises(LedgerRefused, match="not a public key"):
        PublicKey.load(regulator / "t.pub")


def test_usage(regulator: Path, house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = ("--public-key", str(regulator / "t.pub"), "--key", str(house / "t.db.key"))
    with pytest.raises(SystemExit) as left:
        main(["verify", str(regulator / "t.db"), *both])
    assert left.value.code == 64
    assert main(["key", "public", str(regulator / "t.db")]) == 2, "a regulator has no key file"
    assert main(["verify", str(regulator / "t.db"), "--public-key", str(house / "t.db.key")]) == 2
    assert capsys.readouterr().out == ""
