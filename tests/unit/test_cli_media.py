"""S27, S28, S29: a full disk, files of others, what is no text, and evidence on media that cannot be written."""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from twentyone.cli import main
from twentyone.ledger import evidence
from twentyone.ledger.codec import SCHEMA
from twentyone.ledger.rows import NewEvent
from twentyone.ledger.store import open_store

STREAM = "classic-blackjack-1"


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of a short shift."""
    path = tmp_path_factory.mktemp("media") / "ledger.db"
    assert main(["shift", "classic-blackjack", "--rounds", "2", "--seed", "3", "--ledger", str(path)]) == 0
    return path


@contextmanager
def no_room(size: int) -> Iterator[None]:
    """No file can grow beyond a size, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def held(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def leave(command: list[str]) -> int:
    """The status of a command, also of one that the parser refuses."""
    try:
        return main(command)
    except SystemExit as left:
        return int(str(left.code))


def test_a_backup_on_a_full_disk(worked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with no_room(50_000):
        assert main(["backup", str(worked), str(tmp_path / "copy.db")]) == 2
    assert "nothing is left of it" in capsys.readouterr().err
    assert held(tmp_path) == {}
    assert main(["backup", str(worked), str(tmp_path / "copy.db")]) == 0


def test_a_backup_leaves_the_files_of_others(worked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "copy.db.part").write_text("theirs", encoding="ascii")
    assert main(["backup", str(worked), str(tmp_path / "copy.db")]) == 2
    assert "exists already" in capsys.readouterr().err
    assert held(tmp_path) == {"copy.db.part": b"theirs"}
    (tmp_path / "copy.db.part").rename(tmp_path / "copy.db.part-wal")
    assert main(["backup", str(worked), str(tmp_path / "copy.db")]) == 2
    assert held(tmp_path) == {"copy.db.part-wal": b"theirs"}, "a log of others is read, or removed"


def test_a_picture_on_a_full_disk(tmp_path: Path) -> None:
    picture = tmp_path / "layout.svg"
    with no_room(1_000):
        assert leave(["layout", "pa-spanish-21", "--svg", str(picture)]) == 64
    assert held(tmp_path) == {}
    picture.write_text("before", encoding="ascii")
    with no_room(1_000):
        assert leave(["layout", "pa-spanish-21", "--svg", str(picture)]) == 64
    assert held(tmp_path) == {"layout.svg": b"before"}
    assert leave(["layout", "pa-spanish-21", "--svg", str(picture)]) == 0
    assert list(held(tmp_path)) == ["layout.svg"]


def test_a_ledger_that_cannot_be_begun_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["shift", "classic-blackjack", "--rounds", "1", "--ledger", str(tmp_path / "new.db")]
    with no_room(1_000):
        assert main([*command, "--seed", "3"]) == 2
    assert "a file cannot be written" in capsys.readouterr().err
    assert leave([*command, "--seed", "\udcff\udcfe"]) == 64
    assert held(tmp_path) == {}


def test_a_key_that_is_nested_without_end(worked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = tmp_path / "deep.key"
    key.write_text("[" * 100_000, encoding="ascii")
    key.chmod(0o600)
    assert main(["verify", str(worked), "--key", str(key)]) == 2
    assert "this is not a key file" in capsys.readouterr().err


# -- media that cannot be written


@pytest.fixture
def media(worked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the ledger, with its key and checkpoints, where nothing may be written."""
    folder = tmp_path / "media"
    folder.mkdir()
    for end in ("", ".key", ".checkpoints"):
        shutil.copy(f"{worked}{end}", folder / f"ledger.db{end}")
    access = os.access

    def asked(path: str | Path, mode: int) -> bool:
        return access(path, mode) and not (mode & os.W_OK and folder in (Path(path), Path(path).parent))

    monkeypatch.setattr(os, "access", asked)
    return folder


def test_every_command_reads_evidence_and_writes_nothing_beside_it(media: Path, tmp_path: Path) -> None:
    ledger, before = str(media / "ledger.db"), held(media)
    for command in (
        ["verify", ledger],
        ["rounds", ledger],
        ["show", ledger, "1"],
        ["show", ledger, "--house"],
        ["report", ledger],
        ["export", ledger, "1"],
        ["backup", ledger, str(tmp_path / "copy.db")],
        ["restore", ledger, str(tmp_path / "restored.db")],
    ):
        assert main(command) == 0, command
    with closing(open_store(ledger)) as store:
        assert store.read_only
        assert held(media) == before


def test_a_log_beside_the_evidence_is_read_too(media: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was stored last may be in it alone: after a power cut, or where only the files were copied."""
    ledger = media / "ledger.db"
    with monkeypatch.context() as patch:
        patch.setattr(evidence, "is_writable", lambda _: True)
        with closing(open_store(str(ledger))) as store:
            last = store.append(STREAM, store.version(STREAM), [NewEvent("x", {}, 1, SCHEMA)], "k", "f").events[-1]
            files = held(media)
    for name, content in files.items():
        if not name.endswith("-shm"):
            (media / name).write_bytes(content)
    before = held(media)
    assert before["ledger.db-wal"]
    with closing(open_store(str(ledger))) as store:
        assert store.head(STREAM) == (last.ver, last.hash)
        assert (store.where, store.read_only) == (str(ledger), True)
    assert main(["shift", "classic-blackjack", "--rounds", "4", "--seed", "3", "--ledger", str(ledger)]) == 2
    assert held(media) == before


def test_nothing_is_played_on_media_that_cannot_be_written(media: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = held(media)
    command = ["shift", "classic-blackjack", "--rounds", "4", "--seed", "3", "--ledger", str(media / "ledger.db")]
    assert main(command) == 2
    assert "lies where nothing can be written" in capsys.readouterr().err
    assert held(media) == before


def test_opened_to_be_written_there_would_be_files_beside_it(media: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control."""
    monkeypatch.setattr(evidence, "is_writable", lambda _: True)
    before = held(media)
    with closing(open_store(str(media / "ledger.db"))):
        assert held(media) != before
