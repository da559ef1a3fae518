"""A working shift: killed and run again it ends, verifies, and every round's script gives the same cents."""

from __future__ import annotations

import json
import re
import shutil
import signal
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.shift_driver import Felt
from tests.contracts.shift_kills import shift_command
from tests.contracts.test_table_days import CASES, NAMES
from tests.daily import daily
from tests.patience import until
from tests.postgres import Postgres
from tests.property.irregular import _SHOWS
from tests.schemas import VALIDATOR

from twentyone.cli import main
from twentyone.ledger.chain import event_hash
from twentyone.ledger.checkpoints import write_checkpoint
from twentyone.ledger.codec import read_body
from twentyone.ledger.export import export_round
from twentyone.ledger.keys import Keyring
from twentyone.ledger.report import shift_report
from twentyone.ledger.rounds import RoundRow, list_rounds
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.timestamps import Period
from twentyone.ledger.verify import verify
from twentyone.round.events import Event
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.script import replay
from twentyone.service.shift.people import ShiftPeople
from twentyone.service.shift.players import STAY, boxes_taken
from twentyone.service.shift.work import Shift, ShiftPlan
from twentyone.table import TableEvent, TableState
from twentyone.table.events import RoundBegun, RoundEvent
from twentyone.table.shoe import os_source

BOOKS = [book for book in rulebook_ids() if Rulebook.load(book).regulation]
ROUNDS = 70


def files(folder: Path) -> list[str]:
    """Key file and checkpoints of a ledger of these tests."""
    return ["--key", str(folder / "l.key"), "--checkpoints", str(folder / "l.checkpoints")]


def said(capsys: pytest.CaptureFixture[str], *command: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command."""
    capsys.readouterr()
    status = main(command)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def killed(url: str, folder: Path, book: str, rounds: int) -> None:
    """Begin a shift and kill it once it has told of a few rounds."""
    with (folder / "told").open("w", encoding="utf-8") as told:
        command = shift_command(url, folder, book, rounds, "--tell")
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=told)

        def at_work() -> bool:
            return (folder / "told").read_text(encoding="utf-8").count("stored ") >= 3 or process.poll() is not None

        until(at_work, "the shift works", look=0.005)
        process.kill()
        assert process.wait() in (-signal.SIGKILL, 0)


def work(url: str, folder: Path, book: str, rounds: int, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Work a shift to its end; its report."""
    status, out, err = said(capsys, *shift_command(url, folder, book, rounds, "--json")[3:])
    assert status == 0, err
    report: dict[str, Any] = json.loads(out)
    return report


def check_scripts(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every round has a script of the schema that gives the cents of the ledger."""
    rows = {row["round"]: row for row in json.loads(said(capsys, "rounds", url, "--json")[1])}
    status, out, err = said(capsys, "export", url, "--all")
    assert (status, err) == (0, "")
    scripts = {body["title"]: body for body in map(json.loads, out.splitlines())}
    assert scripts.keys() == rows.keys()
    for name, body in scripts.items():
        assert VALIDATOR.is_valid(body), f"{name}: {next(VALIDATOR.iter_errors(body)).message}"
        del body["expect"]
        result = replay(body).result
        assert result is not None
        assert result["net"] == rows[name]["net"]


@pytest.mark.parametrize("book", daily(BOOKS, "md-spanish-21"))
def test_a_shift_killed_twice_ends_as_if_nothing_had_happened(
    book: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = str(tmp_path / "l.db")
    killed(url, tmp_path, book, ROUNDS)
    killed(url, tmp_path, book, ROUNDS)
    report = work(url, tmp_path, book, ROUNDS, capsys)
    assert report["totals"]["rounds"] == ROUNDS
    status, out, _ = said(capsys, "verify", url, *files(tmp_path))
    assert status == 0, out
    check_scripts(url, capsys)
    calm = tmp_path / "calm"
    calm.mkdir()
    undisturbed = work(str(calm / "l.db"), calm, book, ROUNDS, capsys)
    assert undisturbed["totals"] == report["totals"]
    mine, theirs = (json.loads(said(capsys, "rounds", place, "--json")[1]) for place in (url, str(calm / "l.db")))
    assert mine == theirs


def test_a_shift_killed_twice_in_postgresql(
    tmp_path: Path, postgres: Postgres, capsys: pytest.CaptureFixture[str]
) -> None:
    url, book = postgres.new_database(), BOOKS[0]
    killed(url, tmp_path, book, ROUNDS)
    killed(url, tmp_path, book, ROUNDS)
    report = work(url, tmp_path, book, ROUNDS, capsys)
    status, out, _ = said(capsys, "verify", url, *files(tmp_path))
    assert status == 0, out
    check_scripts(url, capsys)
    file = str(tmp_path / "file.db")
    (tmp_path / "calm").mkdir()
    assert work(file, tmp_path / "calm", book, ROUNDS, capsys)["totals"] == report["totals"]


# -- the four attacks


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ledger, its key and its checkpoints."""
    folder = tmp_path_factory.mktemp("untouched")
    arguments = shift_command(str(folder / "l.db"), folder, "pa-spanish-21", 30)
    subprocess.run(arguments, check=True, capture_output=True)
    return folder


@pytest.fixture
def attacked(untouched: Path, tmp_path: Path) -> Iterator[tuple[Path, sqlite3.Connection]]:
    """A copy of it, open to whoever owns the file; the guards are gone."""
    folder = tmp_path / "attacked"
    shutil.copytree(untouched, folder)
    connection = sqlite3.connect(folder / "l.db", isolation_level=None)
    guards = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
    for name in guards:
        connection.execute(f"DROP TRIGGER {name}")
    yield folder, connection
    connection.close()


def found(folder: Path, connection: sqlite3.Connection, capsys: pytest.CaptureFixture[str]) -> str:
    """What `verify` says of an attacked ledger, its guards put back so that nothing else can give it away."""
    for name, sql in GUARDS.items():
        connection.execute(sql.format(name=name))
    status, out, _ = said(capsys, "verify", str(folder / "l.db"), *files(folder))
    assert status == 1
    return out


GUARDS = {
    "events_are_not_updated": "CREATE TRIGGER {name} BEFORE UPDATE ON events\nBEGIN\n"
    "    SELECT RAISE(ABORT, 'an event of the ledger is never changed');\nEND",
    "events_are_not_deleted": "CREATE TRIGGER {name} BEFORE DELETE ON events\nBEGIN\n"
    "    SELECT RAISE(ABORT, 'an event of the ledger is never removed');\nEND",
}

Attacked = tuple[Path, sqlite3.Connection]
TABLE = "pa-spanish-21-1"


def test_the_untouched_ledger_verifies(attacked: Attacked, capsys: pytest.CaptureFixture[str]) -> None:
    folder, connection = attacked
    for name, sql in GUARDS.items():
        connection.execute(sql.format(name=name))
    status, out, _ = said(capsys, "verify", str(folder / "l.db"), *files(folder))
    assert (status, out.splitlines()[-1]) == (0, "all well")


def test_one_altered_byte_is_found(attacked: Attacked, capsys: pytest.CaptureFixture[str]) -> None:
    folder, connection = attacked
    alter = """UPDATE events SET body = replace(body, '"by"', '"bX"') WHERE stream = ? AND ver = 200"""
    connection.execute(alter, (TABLE,))
    assert f"fault: {TABLE} version 200: its content does not give its hash" in found(folder, connection, capsys)


def test_a_removed_event_is_found(attacked: Attacked, capsys: pytest.CaptureFixture[str]) -> None:
    folder, connection = attacked
    connection.execute("DELETE FROM events WHERE stream = ? AND ver = 200", (TABLE,))
    assert f"fault: {TABLE} version 201: follows version 199" in found(folder, connection, capsys)


def test_a_tail_stamped_anew_is_found(attacked: Attacked, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever owns the file alters the moment of one event and stamps everything after it anew: the chain holds."""
    folder, connection = attacked
    rows = connection.execute(
        "SELECT gseq, prev, stream, ver, ts, type, schema, body, idem, fingerprint, hash FROM events "
        "WHERE stream = ? ORDER BY ver",
        (TABLE,),
    ).fetchall()
    last = rows[len(rows) // 2][10]
    for gseq, _, stream, ver, ts, kind, schema, body, idem, mark, _ in rows[len(rows) // 2 + 1 :]:
        own = event_hash(last, stream, ver, ts + 1, kind, schema, body, idem, mark)
        connection.execute("UPDATE events SET ts = ?, prev = ?, hash = ? WHERE gseq = ?", (ts + 1, last, own, gseq))
        last = own
    out = found(folder, connection, capsys)
    assert re.search(rf"fault: {TABLE} version {len(rows)}: was signed by checkpoint \d+ .* rehashed", out)


def test_a_tail_cut_off_is_found(attacked: Attacked, capsys: pytest.CaptureFixture[str]) -> None:
    """The last command is cut off whole, so that chain, money and rules find nothing: the checkpoint does."""
    folder, connection = attacked
    (last,) = connection.execute(
        "SELECT max(ver) FROM events WHERE stream = ? AND idem IS NOT NULL", (TABLE,)
    ).fetchone()
    connection.execute("DELETE FROM events WHERE stream = ? AND ver >= ?", (TABLE, last))
    out = found(folder, connection, capsys)
    assert f"and the stream ends at version {last - 1}: its tail was cut off" in out


def test_without_the_checkpoints_verify_says_what_it_could_not_check(
    untouched: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The negative control of the checkpoints: what only they can find is named as not checked."""
    key = ["--key", str(untouched / "l.key")]
    status, out, _ = said(capsys, "verify", str(untouched / "l.db"), *key, "--checkpoints", str(tmp_path / "none"))
    assert status == 1
    assert "not checked: checkpoints" in out


# -- what people do

RARE = ("insufficient_cards",)
"""A shoe that runs out: behind the cover card lies more than these tables deal in a round."""


def fired(book: str, given: dict[str, Any], rounds: int, rate: Fraction, seed: str = "7/felt") -> Counter[str]:
    """How often each irregularity of a text happened in a shift without a ledger."""
    rules = Rulebook.load(book).under(given)
    counts: Counter[str] = Counter()
    events: list[Event] = []

    def watch(_: TableState, event: TableEvent) -> None:
        if isinstance(event, RoundBegun | RoundEvent):
            events.extend(event.events)
        elif event.kind == "cards_collected":
            for (before, after), (name, clause) in (
                (pair, item) for pair in pairwise(events) for item in rules.irregularities.items()
            ):
                counts[name] += _SHOWS[name](after, before, clause) if name in _SHOWS else 0
            events.clear()

    Felt(rules, ShiftPeople(rules, seed, rate, rounds), 7, watch).work()
    return counts


@pytest.mark.parametrize("book", daily(BOOKS, "md-spanish-21", "pa-down-under-blackjack"))
def test_every_irregularity_of_the_text_is_fired(book: str) -> None:
    counts = fired(book, {}, 400, Fraction(1, 8))
    known = set(Rulebook.load(book).under({}).irregularities) - {"hole_card_read", "reader_reveals", *RARE}
    assert {name for name in known if not counts[name]} == set()


def test_a_shoe_runs_out_where_one_deck_is_dealt() -> None:
    """At a full table, while its company stays: what lies behind the cover card is less than a round may need."""
    book = next(name for name in BOOKS if "decks" in _may_be_one(name))
    rules = Rulebook.load(book).under({"decks": 1})
    seeds = sorted(range(100), key=lambda seed: -len(boxes_taken(rules, f"{seed}/felt", 0)))
    full = (fired(book, {"decks": 1}, STAY, Fraction(0), f"{seed}/felt") for seed in seeds[:8])
    assert any(counts["insufficient_cards"] for counts in full)


def _may_be_one(book: str) -> set[str]:
    """The key of the decks, where one deck will do."""
    try:
        Rulebook.load(book).under({"decks": 1})
    except Exception:
        return set()
    return {"decks"}


def test_without_a_rate_nothing_goes_wrong() -> None:
    assert not +fired(BOOKS[0], {}, 60, Fraction(0))


# -- every submission

SHARED = ("s13-spanish-21", {"players_per_box": 3, "boxes_per_player": 3})
ONE_DECK = ("pa-double-back-jack", {"decks": 1})


SUBMISSIONS = daily([*CASES, SHARED, ONE_DECK], *CASES[::3], SHARED, ONE_DECK)


@pytest.mark.parametrize(("book", "given"), SUBMISSIONS, ids=[*NAMES, "shared", "one-deck"])
def test_a_shift_under_every_submission_verifies(book: str, given: dict[str, Any], tmp_path: Path) -> None:
    rules, keys = Rulebook.load(book).under(given), Keyring.new(os_source())
    with closing(open_store(str(tmp_path / "l.db"), create=True)) as store:
        Shift(store, keys, ShiftPlan(rules, 1, 10, Fraction(1, 12), "5"), lambda: 0, "").work(lambda _: None)
        write_checkpoint(store, tmp_path / "c", keys.signer, 0)
        report = verify(store, keys, tmp_path / "c")
        assert (report.faults, report.unchecked) == ((), ())
        assert shift_report(store, Period(), 0).reconciled
        rows = list(list_rounds(store))
        assert len(rows) == 10
        for row in rows:
            assert VALIDATOR.is_valid(export_round(store, row)), row.id
        if (book, given) == SHARED:
            assert any(_shares_a_box(store, row) for row in rows)


def _shares_a_box(store: Store, row: RoundRow) -> bool:
    laid = {
        (body["box"], body["player"])
        for event in store.read(row.table, row.first - 1)
        if event.ver <= row.last and event.type == "wager_laid"
        for body in [read_body(event)["data"]]
    }
    return len({box for box, _ in laid}) < len(laid)
