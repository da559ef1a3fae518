"""Commands that read write nothing, nor beside the ledger; what is refused stores nothing, and prints nothing."""

from __future__ import annotations

import argparse
import hashlib
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from twentyone.authentic import ExaminedPackage
from twentyone.cli import main, whole_parser
from twentyone.ledger import evidence, migrations, sqlite
from twentyone.ledger.codec import SCHEMA
from twentyone.ledger.keys import Keyring
from twentyone.ledger.migrations import Migration, migrations_of
from twentyone.ledger.rows import NewEvent
from twentyone.ledger.software import begin_software
from twentyone.ledger.store import open_store, read_store
from twentyone.service.held_accounts import mark_accounts
from twentyone.service.records import open_records
from twentyone.table.shoe import os_source

BOOK = "md-spanish-21"
TERMS = f'rulebook = "{BOOK}"\nbonus_spin = "A"\n[progressive.bonus_spin]\nrate = "0.07"\nreset = "5000"\n'
OTHER = f'rulebook = "{BOOK}"\ndecks = 8\n'
DAY = "2026-01-01"


def run(*command: str) -> int:
    """The status of a command, also of one that the parser refuses."""
    try:
        return main(command)
    except SystemExit as left:
        return int(str(left.code))


def held(folder: Path) -> dict[str, str]:
    """Every file of a folder with the digest of its bytes, but for the lock that keeps a second server out."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".serving")
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ledger of a short shift, its files, an account, and a submission that is not its own."""
    folder = tmp_path_factory.mktemp("worked")
    (folder / "terms.toml").write_text(TERMS, encoding="utf-8")
    (folder / "other.toml").write_text(OTHER, encoding="utf-8")
    ledger = folder / "l.db"
    assert run(*shift(folder)) == 0
    with closing(open_store(str(ledger))) as store, closing(open_records(str(ledger))) as people:
        begin_software(store, ExaminedPackage("of another version", 1, ""), 1_767_300_000)
        people.run("INSERT INTO people_accounts VALUES ('fay', 'administrator', 'hash')")
        mark_accounts(store, people, Keyring.load(folder / "l.db.key").sealing, 1_767_300_000)
    return folder


def shift(folder: Path, *more: str) -> list[str]:
    """The shift of the ledger; what is said last counts."""
    terms = [] if "--submission" in more else ["--submission", str(folder / "terms.toml")]
    files = ["--key", str(folder / "l.db.key"), "--checkpoints", str(folder / "l.db.checkpoints")]
    plan = ["--rounds", "6", "--seed", "4", "--irregularities", "0.02"]
    return ["shift", BOOK, *plan, "--ledger", str(folder / "l.db"), *files, *terms, *more]


@pytest.fixture
def folder(worked: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(worked, tmp_path / "copy"))


def readers(folder: Path, out: Path) -> dict[str, list[list[str]]]:
    """Every command that reads a ledger, in each of its ways; what it writes goes into another folder."""
    ledger = str(folder / "l.db")
    key, checkpoints = str(folder / "l.db.key"), str(folder / "l.db.checkpoints")
    files = ["--key", key, "--checkpoints", checkpoints]
    return {
        "verify": [["verify", ledger, *files], ["verify", ledger, *files, "--json"], ["verify", ledger]],
        "rounds": [
            ["rounds", ledger, *files],
            ["rounds", ledger, "--json"],
            ["rounds", ledger, "--irregularity", "any"],
        ],
        "show": [["show", ledger, "1", *files], ["show", ledger, "--house", *files], ["show", ledger, "2", "--json"]],
        "export": [
            ["export", ledger, "1", *files],
            ["export", ledger, "--all", *files],
            ["export", ledger, "--parquet", str(out / "parquet")],
        ],
        "report": [["report", ledger, *files], ["report", ledger, "--json"]],
        "analyse": [["analyse", ledger, f"{BOOK}-1:1", *files]],
        "coupon": [["coupon", "list", ledger, *files]],
        "law": [["law", "due", BOOK, "--ledger", ledger]],
        "key": [["key", "public", ledger, "--key", key]],
        "backup": [["backup", ledger, str(out / "backup.db")]],
        "restore": [["restore", ledger, str(out / "restored.db")]],
        "witness": [
            [
                *("witness", checkpoints, "--public-key", str(out / "house.pub"), "--key", str(out / "witness.key")),
                *("--cosigned", str(out / "note"), "--ledger", ledger),
            ]
        ],
        "archive": [["archive", "expire", str(folder), "--keep", "7y", "--by", "Fay", "--ledger", ledger]],
    }


WRITERS = ("shift", "serve")
"""The commands that play on a ledger, and bring its schema up to date."""
ALLOWED = {"archive": 64, "restore": 0}
"""Statuses other than 0: there are no archives beside this ledger."""


def prepare_witness(folder: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The witness's own key, and the house's public key."""
    out.mkdir()
    Keyring.create(out / "witness.key", os_source())
    capsys.readouterr()
    assert run("key", "public", str(folder / "l.db"), "--key", str(folder / "l.db.key")) == 0
    (out / "house.pub").write_text(capsys.readouterr().out, encoding="utf-8")


def walk(folder: Path, out: Path, capsys: pytest.CaptureFixture[str], *, older: bool = False) -> None:
    """Every reading command leaves every byte of the folder as it was."""
    prepare_witness(folder, out, capsys)
    before = held(folder)
    for named, commands in readers(folder, out).items():
        for command in commands:
            status = run(*command)
            assert status == ALLOWED.get(named, 0), (command, capsys.readouterr().err)
            assert held(folder) == before, command
    assert not older or schema_of(folder / "l.db") == len(migrations_of("sqlite")) - 1


def schema_of(ledger: Path) -> int:
    """How many migrations were applied."""
    with closing(sqlite3.connect(f"file:{ledger}?mode=ro&immutable=1", uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM migrations").fetchone()[0])


def with_ledgers() -> set[str]:
    """The commands that take a ledger."""
    parsers = next(one for one in whole_parser()._actions if isinstance(one, argparse._SubParsersAction)).choices
    told = {name: " ".join(f"{one.dest} {one.metavar} {one.help}" for one in p._actions) for name, p in parsers.items()}
    return {name for name, words in told.items() if "ledger" in words.lower()}


def test_every_command_that_takes_a_ledger_is_walked(tmp_path: Path) -> None:
    """A new command cannot be forgotten."""
    assert with_ledgers() == {*readers(tmp_path, tmp_path), *WRITERS}


def test_reading_changes_no_byte(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walk(folder, tmp_path / "out", capsys)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A version of the software whose schema is one step further."""
    steps = migrations_of("sqlite")
    step = Migration(len(steps) + 1, f"{len(steps) + 1:04}_later.sql", "CREATE TABLE later (x TEXT) STRICT;\n")
    for module in (sqlite, migrations):
        monkeypatch.setattr(module, "migrations_of", lambda _: [*steps, step])
    yield
    sqlite._objects.cache_clear()


@pytest.mark.usefixtures("later")
def test_reading_an_older_ledger_changes_no_byte(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walk(folder, tmp_path / "out", capsys)
    assert schema_of(folder / "l.db") == len(migrations_of("sqlite"))


@pytest.mark.parametrize("index", [True, False], ids=["with its index", "without"])
def test_reading_after_a_crash_changes_no_byte(
    index: bool, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was stored last is in the log alone."""
    crashed = folder / "l.db"
    with closing(open_store(str(crashed))) as store:
        last = store.settled()
        store.append("x", 0, [an_event()], "x", "x")
        copies = {end: Path(f"{crashed}{end}").read_bytes() for end in ("", "-wal", "-shm")}
    for end, content in copies.items():
        if index or end != "-shm":
            Path(f"{crashed}{end}").write_bytes(content)
    assert copies["-wal"]
    before = held(folder)
    with closing(read_store(str(crashed))) as store:
        assert store.settled() == last + 1
    prepare_witness(folder, tmp_path / "out", capsys)
    for command in (["rounds", str(crashed)], ["report", str(crashed)], ["backup", str(crashed), str(tmp_path / "b")]):
        assert run(*command) == 0
        assert held(folder) == before, command


def an_event() -> NewEvent:
    """An event of no meaning."""
    return NewEvent("x", {}, 1_767_300_001, SCHEMA)


PLAYS = """
import sys
from contextlib import closing
from twentyone.ledger.codec import SCHEMA
from twentyone.ledger.rows import NewEvent
from twentyone.ledger.store import open_store
with closing(open_store(sys.argv[1])) as store:
    print("open", flush=True)
    for number, _ in enumerate(sys.stdin):
        event = NewEvent("x", {"n": number, "t": "x" * 2000}, 1767300001, SCHEMA)
        store.append("x", number, [event], f"k{number}", "f")
        print(store.settled(), flush=True)
"""


def test_a_ledger_is_read_while_another_process_plays_on_it(folder: Path) -> None:
    """From the first event on, and after its log began anew; the file itself changes by the player's hand alone."""
    ledger = str(folder / "l.db")
    player = subprocess.Popen(
        [sys.executable, "-c", PLAYS, ledger], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert player.stdin is not None
    assert player.stdout is not None
    try:
        assert player.stdout.readline() == "open\n"
        for number in range(1_500):
            player.stdin.write("\n")
            player.stdin.flush()
            last = int(player.stdout.readline())
            if number % 100 < 3:
                before = held(folder)
                with closing(read_store(ledger)) as store:
                    assert (store.settled(), sum(1 for _ in store.read_all())) == (last, last)
                assert held(folder) == before
    finally:
        player.stdin.close()
        player.wait()


def test_who_begins_to_play_while_it_is_read_is_noticed(folder: Path) -> None:
    """Opened as a file that does not change, it would be read half old and half new."""
    with closing(read_store(str(folder / "l.db"))) as store:
        assert store.settled() > 0
        with closing(open_store(str(folder / "l.db"))) as player:
            player.append("x", 0, [an_event()], "x", "x")
        with pytest.raises(Exception, match="was written to while it was read; try again"):
            store.settled()


def test_opened_to_be_written_a_ledger_leaves_files_beside_it(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control of the walk."""
    monkeypatch.setattr(evidence, "is_writable", lambda _: True)
    before = held(folder)
    with closing(open_store(str(folder / "l.db"))):
        assert held(folder) != before


@pytest.mark.usefixtures("later")
def test_a_shift_brings_an_older_ledger_up_to_date_and_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = len(migrations_of("sqlite"))
    assert run(*shift(folder)) == 0
    assert f"its schema was {known} and is now {known + 1}" in capsys.readouterr().err
    assert schema_of(folder / "l.db") == known + 1


# -- refusals


def free_port() -> int:
    """A port that nobody listens on."""
    with closing(socket.socket()) as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])


def refusals(folder: Path) -> dict[str, list[str]]:
    """Everything that a writing command refuses."""
    ledger = str(folder / "l.db")
    files = ["--key", str(folder / "l.db.key"), "--checkpoints", str(folder / "l.db.checkpoints")]
    bad_key = ["--key", str(folder / "terms.toml"), *files[2:]]
    new, port = str(folder / "new.db"), ("--port", str(free_port()))
    return {
        "another submission": shift(folder, "--submission", str(folder / "other.toml")),
        "shoes for play": [word for word in shift(folder) if word not in ("--seed", "4")],
        "another key": shift(folder, "--key", str(folder / "terms.toml")),
        "unsigned software": shift(folder, "--require-authentic"),
        "no checkpoints": shift(folder, "--checkpoints", str(folder / "none")),
        "a new ledger, unsigned software": ["shift", BOOK, "--rounds", "1", "--ledger", new, "--require-authentic"],
        "an infinite deck": [
            *("shift", "classic-blackjack", "--rounds", "1", "--ledger", new),
            *("--submission", str(folder / "infinite.toml")),
        ],
        "a folder": ["shift", BOOK, "--rounds", "1", "--ledger", str(folder)],
        "served by unsigned software": ["serve", "--ledger", ledger, *files, "--require-authentic", *port],
        "served with another key": ["serve", "--ledger", ledger, *bad_key, *port],
        "a new house, unsigned software": ["serve", "--ledger", new, "--require-authentic", *port],
        "a coupon issued twice": [
            *("coupon", "issue", ledger, "M-1", "--amount", "5", "--ends", "2020-01-01", "--by", "Fay", *files),
        ],
        "a coupon that is not there": ["coupon", "void", ledger, "M-2", "--by", "Fay", "--reason", "lost", *files],
        "a backup over a file": ["backup", ledger, str(folder / "terms.toml")],
        "a ledger restored over another": ["restore", ledger, str(folder / "terms.toml")],
        "a period that is not closed": [
            *("archive", "close", ledger, "--next", ledger, "--by", "Fay", "--out", str(folder / "archives"), *files),
        ],
    }


@pytest.mark.parametrize("what", refusals(Path()))
@pytest.mark.parametrize("older", [False, True], ids=["", "older"])
def test_whoever_is_refused_has_stored_nothing(
    what: str, older: bool, folder: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "infinite.toml").write_text('rulebook = "classic-blackjack"\ninfinite_deck = true\n', encoding="utf-8")
    if older:
        request.getfixturevalue("later")
    before = held(folder)
    capsys.readouterr()
    status = run(*refusals(folder)[what])
    said = capsys.readouterr()
    assert (status, said.out) == (2, ""), said.err
    assert said.err.count("\n") == 1, said.err
    assert held(folder) == before
