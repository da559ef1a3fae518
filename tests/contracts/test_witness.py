"""A witness who cosigns, and what is taken on trust after a signed checkpoint."""

from __future__ import annotations

import fcntl
import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from twentyone.cli import main
from twentyone.ledger.checkpoints import Checkpoint
from twentyone.ledger.codec import COMMAND
from twentyone.ledger.keys import Keyring
from twentyone.ledger.notes import cosigned_at, read_notes
from twentyone.ledger.public_keys import PublicKey
from twentyone.ledger.store import open_store
from twentyone.ledger.verify import verify

BOOK = "classic-blackjack"
Ask = Callable[..., tuple[int, str]]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """The status of a command and what it printed; it runs beside the files of the ledger `t.db`."""
    monkeypatch.chdir(tmp_path)

    def run(*command: str) -> tuple[int, str]:
        capsys.readouterr()
        status = main([*command])
        return status, capsys.readouterr().out

    return run


@pytest.fixture
def house(ask: Ask, tmp_path: Path) -> Path:
    """A ledger with its public key, and a witness."""
    play(ask, 2)
    for name in ("t.db", "witness"):
        kind = "public" if name == "t.db" else "new"
        (tmp_path / f"{name}.pub").write_text(ask("key", kind, name)[1], encoding="ascii")
    return tmp_path


def play(ask: Ask, rounds: int, seed: str = "3") -> None:
    assert ask("shift", BOOK, "--rounds", str(rounds), "--seed", seed, "--ledger", "t.db")[0] == 0


def cosign(ask: Ask, *more: str) -> tuple[int, str]:
    return ask("witness", "t.db.checkpoints", "--public-key", "t.db.pub", "--key", "witness.key", *more)


def examine(ask: Ask, *more: str) -> tuple[int, str]:
    return ask("verify", "t.db", "--public-key", "t.db.pub", *more)


def test_what_is_cosigned_is_demanded(ask: Ask, house: Path) -> None:
    status, said = examine(ask, "--witness", "witness.pub")
    assert (status, "no checkpoint is cosigned by the witness" in said) == (1, True)
    assert cosign(ask, "--ledger", "t.db")[0] == 0
    assert examine(ask, "--witness", "witness.pub")[0] == 0
    play(ask, 4)
    status, said = examine(ask, "--witness", "witness.pub", "--json")
    counts = json.loads(said)["counts"]
    assert (status, counts["last cosigned checkpoint"] < counts["checkpoints"]) == (0, True)
    assert counts["events after the last cosigned checkpoint"] > 0
    assert cosign(ask)[0] == 0
    assert (
        json.loads(examine(ask, "--witness", "witness.pub", "--json")[1])["counts"][
            "events after the last cosigned checkpoint"
        ]
        == 0
    )
    assert json.loads(ask("witness", "t.db.checkpoints", *KEYS, "--json")[1])["cosigned"] == counts["checkpoints"]


KEYS = ("--public-key", "t.db.pub", "--key", "witness.key")


def test_the_notes_are_those_that_other_programs_read(ask: Ask, house: Path) -> None:
    """A signed note with a cosignature: three lines of a checkpoint, an empty one, a dash, the name, 76 bytes."""
    assert cosign(ask, "--name", "witness.example/w1")[0] == 0
    text = (house / "t.db.checkpoints.cosigned").read_text(encoding="utf-8")
    [note] = read_notes(text)
    key = PublicKey.load(house / "witness.pub").verifier
    at = cosigned_at(note, key)
    assert at is not None
    assert str(note) == text
    assert note.signatures[0].startswith("\N{EM DASH} witness.example/w1 ")
    assert cosigned_at(note._replace(text=note.text.replace("checkpoint 2", "checkpoint 3")), key) is None
    assert cosigned_at(note, PublicKey.load(house / "t.db.pub").verifier) is None


def test_the_owner_of_the_key_writes_history_anew(ask: Ask, house: Path) -> None:
    """He has the database and the key: only the witness knows that there was another history."""
    assert cosign(ask)[0] == 0
    for name in ("t.db", "t.db.checkpoints"):
        (house / name).unlink()
    play(ask, 2, seed="another")
    assert examine(ask)[0] == 0  # the negative control: without the witness all is well
    status, said = examine(ask, "--witness", "witness.pub")
    assert (status, "history was written anew" in said) == (1, True)
    status, said = cosign(ask)
    assert (status, "is not the one that this witness cosigned" in said, "nothing was cosigned" in said) == (
        1,
        True,
        True,
    )


def test_checkpoints_that_are_shorter_than_what_was_cosigned(ask: Ask, house: Path) -> None:
    play(ask, 4)
    assert cosign(ask)[0] == 0
    trail = house / "t.db.checkpoints"
    lines = trail.read_text(encoding="utf-8").splitlines(keepends=True)
    trail.write_text("".join(lines[:-1]), encoding="utf-8")
    status, said = cosign(ask)
    assert (status, "lines were removed" in said) == (1, True)


def test_two_histories_at_the_same_moment(ask: Ask, house: Path) -> None:
    """Shown to two runs of one witness at once, both would continue what was cosigned before: the second is refused."""
    with (house / "witness.key").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert cosign(ask)[0] == 2
    assert not (house / "t.db.checkpoints.cosigned").exists()
    assert cosign(ask)[0] == 0


def test_a_copy_that_is_not_what_the_checkpoints_say(ask: Ask, house: Path) -> None:
    assert ask("backup", "t.db", "older.db")[0] == 0
    play(ask, 4)
    status, said = cosign(ask, "--ledger", "older.db")
    assert (status, "tail was cut off" in said) == (1, True)
    assert cosign(ask, "--ledger", "t.db")[0] == 0


# -- since a checkpoint


def test_what_a_checkpoint_covers_is_taken_on_trust(ask: Ask, house: Path) -> None:
    play(ask, 4)
    whole = json.loads(examine(ask, "--json")[1])["counts"]["commands dealt again"]
    status, said = examine(ask, "--since", "2", "--json")
    report = json.loads(said)
    assert (status, report["trusted"][0].startswith("checkpoint 2 of ")) == (0, True)
    assert 0 < report["counts"]["commands dealt again"] < whole
    status, said = examine(ask, "--since", "last")
    assert (status, f"the {whole:,} commands up to it were not dealt again" in said) == (0, True)
    with pytest.raises(SystemExit) as left:
        examine(ask, "--since", "99")
    assert left.value.code == 64


def test_an_altered_event_is_found_on_either_side_of_the_checkpoint(ask: Ask, house: Path) -> None:
    """What is trusted is how it was dealt, not what is stored."""
    play(ask, 4)
    for version in (5, 120):
        shutil.copy("t.db", "held.db")
        with closing(open_store("t.db")) as made:
            store: Any = made
            store._writing.rows("DROP TRIGGER events_are_not_updated")
            store._writing.rows("UPDATE events SET ts = ts + 1 WHERE gseq = ?", (version,))
        assert examine(ask, "--since", "last")[0] == 1
        shutil.copy("held.db", "t.db")


@pytest.mark.parametrize("book", ["classic-blackjack", "pa-down-under-blackjack"])
def test_every_command_may_be_the_last_that_is_trusted(book: str, ask: Ask, tmp_path: Path) -> None:
    """Also in the middle of a round, with cards that lie face down and wheels that were sealed."""
    assert ask("shift", book, "--rounds", "2", "--seed", "5", "--ledger", "t.db")[0] == 0
    keyring = Keyring.load("t.db.key")
    with closing(open_store("t.db")) as store:
        events = list(store.read(f"{book}-1"))
        ends = [event.ver - 1 for event in events if event.type == COMMAND][1::5]
        for ver in ends:
            point = Checkpoint(1, 0, 0, {f"{book}-1": (ver, "")}, "")
            report = verify(store, keyring, "t.db.checkpoints", since=point)
            assert report.ok, (ver, report.faults)
            assert report.counts["commands dealt again"] == len(
                [e for e in events if e.type == COMMAND and e.ver > ver]
            )
