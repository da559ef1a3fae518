"""The commands of the ledger: what they print, how they leave, what a mistake costs (one line, no traceback)."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.faults.tampering import restamp

from twentyone.cli import main
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rounds import list_rounds
from twentyone.ledger.store import open_store
from twentyone.money import Amount
from twentyone.rulebook import Rulebook
from twentyone.table.shoe import os_source

BOOK = "pa-spanish-21"
SHIFT = ("shift", BOOK, "--tables", "2", "--rounds", "30", "--irregularities", "0.04", "--seed", "3")


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The ledger of a short shift."""
    path = str(tmp_path_factory.mktemp("cli") / "t.db")
    assert main([*SHIFT, "--ledger", path]) == 0
    return path


def said(capsys: pytest.CaptureFixture[str], *command: str) -> tuple[int, str, str]:
    capsys.readouterr()
    try:
        status = main(command)
    except SystemExit as left:
        status = int(str(left.code))
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return status, out, err


def told(capsys: pytest.CaptureFixture[str], *command: str) -> Any:
    status, out, err = said(capsys, *command, "--json")
    assert status == 0, err
    return json.loads(out)


# -- shift


def test_the_same_shift_again_does_nothing_more(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect(ledger) as connection:
        before = connection.execute("SELECT count(*), max(hash) FROM events").fetchone()
    assert said(capsys, *SHIFT, "--ledger", ledger)[0] == 0
    with sqlite3.connect(ledger) as connection:
        assert connection.execute("SELECT count(*), max(hash) FROM events").fetchone() == before


def test_a_longer_shift_opens_the_tables_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "t.db")
    for rounds in ("4", "9"):
        work = ("shift", BOOK, "--rounds", rounds, "--seed", "3", "--ledger", path)
        assert told(capsys, *work)["totals"]["rounds"] == int(rounds)
    assert said(capsys, "verify", path)[0] == 0


def test_shoes_of_a_seed_are_marked_as_not_for_play(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert not any(table["for_play"] for table in told(capsys, "report", ledger)["tables"])
    assert "not for play" in said(capsys, "show", ledger, f"{BOOK}-1:1")[1]


def test_without_a_seed_shoes_are_for_play_and_the_clock_is_the_walls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "t.db")
    report = told(capsys, "shift", BOOK, "--rounds", "3", "--ledger", path)
    assert report["tables"][0]["for_play"]
    assert report["period"]["last"] <= report["generated_at"] <= report["period"]["first"] + 600
    assert said(capsys, "verify", path)[0] == 0
    status, _, err = said(capsys, "shift", BOOK, "--rounds", "5", "--ledger", path, "--seed", "1")
    assert status == 2
    assert "leave the seed out" in err


def test_another_submission_is_refused(tmp_path: Path, ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.toml").write_text(f'rulebook = "{BOOK}"\ndecks = 8\n', encoding="utf-8")
    status, out, err = said(capsys, *SHIFT, "--ledger", ledger, "--submission", str(tmp_path / "s.toml"))
    assert (status, out) == (2, "")
    assert "another submission" in err


@pytest.mark.parametrize(
    "wrong",
    [
        ("--tables", "0"),
        ("--tables", "1.5"),
        ("--rounds", "-3"),
        ("--rounds", "9" * 40),
        ("--irregularities", "0.9"),
        ("--irregularities", "nan"),
        ("--irregularities", "1/0"),
        ("--submission", "there-is-no-such.toml"),
    ],
)
def test_a_command_line_that_makes_no_sense_leaves_with_64(
    wrong: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = dict(zip(SHIFT[2::2], SHIFT[3::2], strict=True)) | {
        wrong[0]: wrong[1],
        "--ledger": str(tmp_path / "t.db"),
    }
    status, out, err = said(capsys, "shift", BOOK, *(word for pair in command.items() for word in pair))
    assert (status, out) == (64, "")
    assert err.splitlines()[-1].startswith("twentyone shift: ")
    assert not (tmp_path / "t.db").exists()


def test_an_unknown_rulebook_has_no_shift(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = tmp_path / "t.db"
    status, out, err = said(capsys, "shift", "no-such-book", "--rounds", "1", "--ledger", str(ledger))
    assert (status, out) == (64, "")
    assert "no-such-book" in err
    assert not ledger.exists()


def test_a_rulebook_that_no_regulator_wrote_has_a_shift_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book, ledger = "classic-blackjack", str(tmp_path / "t.db")
    assert not Rulebook.load(book).regulation
    options = ("--rounds", "12", "--irregularities", "0.05", "--seed", "3", "--json")
    status, out, err = said(capsys, "shift", book, *options, "--ledger", ledger)
    assert status == 0, err
    assert json.loads(out)["totals"]["rounds"] == 12
    assert said(capsys, "verify", ledger)[0] == 0


def test_a_ledger_without_its_key_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "t.db")
    work = ("shift", BOOK, "--rounds", "2", "--seed", "1", "--ledger", path)
    assert said(capsys, *work)[0] == 0
    (tmp_path / "t.db.key").rename(tmp_path / "away")
    status, _, err = said(capsys, *work)
    assert status == 2
    assert "there is no key file" in err
    status, out, _ = said(capsys, "verify", path)
    assert status == 1
    assert "not checked" in out


# -- files that are no ledgers


@pytest.mark.parametrize("command", ["rounds", "verify", "report", "show", "export", "backup"])
def test_what_is_no_ledger_is_refused(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = {"show": ("a:1",), "export": ("a:1",), "backup": (str(tmp_path / "b.db"),)}.get(command, ())
    status, out, err = said(capsys, command, str(tmp_path / "none.db"), *more)
    assert (status, out) == (64, "")
    assert "there is no such ledger" in err
    (tmp_path / "text.db").write_text("this is no ledger" * 100, encoding="utf-8")
    status, out, err = said(capsys, command, str(tmp_path / "text.db"), *more)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1


# -- rounds


def test_filters_hold_together(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = told(capsys, "rounds", ledger)
    assert len(rows) == 30
    for option, value, holds in (
        ("--table", f"{BOOK}-2", lambda row: row["table"] == f"{BOOK}-2"),
        ("--box", "2", lambda row: 2 in row["boxes"]),
        ("--player", "Ann", lambda row: "Ann" in row["net"]),
        ("--outcome", "push", lambda row: "push" in row["outcomes"]),
        ("--paragraph", "635a.7(p)", lambda row: "58 Pa. Code § 635a.7(p)" in row["cites"]),
        ("--irregularity", "any", lambda row: row["irregularities"]),
        ("--irregularity", "face_up", lambda row: "face_up" in row["irregularities"]),
    ):
        wanted = [row for row in rows if holds(row)]
        assert told(capsys, "rounds", ledger, option, value) == wanted
    both = told(capsys, "rounds", ledger, "--player", "Ann", "--irregularity", "any")
    assert both == [row for row in rows if "Ann" in row["net"] and row["irregularities"]]
    assert said(capsys, "rounds", ledger)[1].splitlines()[-1] == "30 rounds"
    assert said(capsys, "rounds", ledger, "--player", "Nobody")[1] == "0 rounds\n"
    assert said(capsys, "rounds", ledger, "--table", "none")[0] == 64


def test_the_list_built_step_by_step_is_the_list_built_anew(
    ledger: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A ledger that grows command by command, read in between: the list is the one that is built from all events."""
    growing = open_store(str(tmp_path / "g.db"), create=True)
    source = open_store(ledger)
    stream = f"{BOOK}-1"
    begun = [event.ver for event in source.read(stream) if event.type == "round_begun"]
    events = [event for event in source.read_all() if event.stream == stream and event.ver < begun[-1] + 5]
    assert len(events) > 400
    first = next(number for number, event in enumerate(events) if number >= 300 and event.type == "command")
    growing.take_over(events[:first])
    keys = Keyring.create(tmp_path / "g.db.key", os_source())
    list(list_rounds(growing, keyring=keys))
    with sqlite3.connect(tmp_path / "g.db") as connection:
        for number, event in enumerate(events[first:]):
            if event.type == "command" and number % 3 == 0:
                connection.commit()
                list(list_rounds(growing, keyring=keys))
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", event)
    growing.close()
    source.close()
    step_by_step = told(capsys, "rounds", str(tmp_path / "g.db"))
    anew = told(capsys, "rounds", str(tmp_path / "g.db"), "--rebuild")
    assert step_by_step == anew
    assert [row["over"] for row in anew if row["table"] == stream] == [True] * (len(anew) - 1) + [False]
    open_round = next(row["round"] for row in anew if not row["over"])
    assert "in progress, its wagers are held" in said(capsys, "show", str(tmp_path / "g.db"), open_round)[1]
    assert said(capsys, "export", str(tmp_path / "g.db"), open_round)[0] == 2


# -- show and export


def test_show_has_every_event_with_its_paragraph(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    row = told(capsys, "rounds", ledger)[4]
    shown = told(capsys, "show", ledger, row["round"])
    assert shown["replay"]
    lines = [line for line in shown["events"] if line["cite"]]
    assert {line["cite"] for line in lines} == set(row["cites"])
    for player, net in row["net"].items():
        before, after = (Amount(shown[name][player]) for name in ("before", "after"))
        assert after - before == Amount(net)
    page = said(capsys, "show", ledger, row["round"])[1]
    assert page.startswith("REPLAY of round")
    assert all(line["words"] in page for line in lines)


def test_export_writes_the_first_format_that_can_say_the_round(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = told(capsys, "rounds", ledger)
    clean = next(row for row in rows if not row["irregularities"])
    wrong = next(row for row in rows if "card_drawn_in_error" in row["irregularities"])
    for row, wanted in ((clean, "round-script/1"), (wrong, "round-script/2")):
        status, out, err = said(capsys, "export", ledger, row["round"])
        assert (status, err) == (0, "")
        body = json.loads(out)
        assert (body["format"], body["expect"]["net"]) == (wanted, row["net"])
        assert ("steps" in body) == (row is wrong)


def test_an_altered_round_does_not_export(ledger: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The negative control of the cents: a payout that was altered in the ledger."""
    clean = next(row for row in told(capsys, "rounds", ledger) if not row["irregularities"])
    spoilt, stamped = str(tmp_path / "s.db"), str(tmp_path / "t.db")
    with sqlite3.connect(ledger) as source, sqlite3.connect(spoilt) as target:
        source.backup(target)
        target.execute("DROP TRIGGER events_are_not_updated")
        spoil = """UPDATE events SET body = replace(body, '000,"odds"', '500,"odds"') WHERE type = 'round_event'
            AND stream = ? AND ver BETWEEN ? AND ?"""
        assert target.execute(spoil, (clean["table"], clean["first"], clean["last"])).rowcount
    for command in (
        ("rounds", spoilt),
        ("show", spoilt, clean["round"]),
        ("report", spoilt),
        ("export", spoilt, "--all"),
    ):
        status, out, err = said(capsys, *command)
        assert (status, out) == (2, "")
        assert "its content does not give its hash" in err
    with closing(open_store(spoilt)) as altered, closing(open_store(stamped, create=True)) as again:
        again.take_over(restamp(list(altered.read_all())))
    status, out, err = said(capsys, "export", stamped, clean["round"])
    assert (status, out) == (1, "")
    assert "differs from the ledger" in err


def test_a_round_that_is_not_there(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in (f"{BOOK}-1:999", "nowhere:1", "1", "x", f"{BOOK}-1:", f"{BOOK}-1:-1"):
        for command in ("show", "export"):
            status, out, err = said(capsys, command, ledger, name)
            assert (status, out) == (64, ""), name
            assert err
    assert said(capsys, "export", ledger)[0] == 64
    assert said(capsys, "export", ledger, f"{BOOK}-1:1", "--all")[0] == 64


# -- backup and restore


def test_a_backup_restores_into_the_same_ledger(
    ledger: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup, restored = str(tmp_path / "b.db"), str(tmp_path / "r.db")
    made = told(capsys, "backup", ledger, backup)
    assert said(capsys, "backup", ledger, backup)[0] == 2
    files = ("--key", f"{ledger}.key", "--checkpoints", f"{ledger}.checkpoints")
    again = told(capsys, "restore", backup, restored, *files)
    assert (again["digest"], again["events"], again["signed"]) == (made["digest"], made["events"], True)
    assert said(capsys, "verify", restored, *files)[0] == 0
    assert said(capsys, "restore", str(tmp_path / "none"), str(tmp_path / "x.db"))[0] == 64
    assert told(capsys, "rounds", restored) == told(capsys, "rounds", ledger)


def test_a_backup_that_lacks_its_tail_is_refused(
    ledger: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = tmp_path / "b.db"
    told(capsys, "backup", ledger, str(backup))
    with sqlite3.connect(backup) as connection:
        (guard,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'events_are_not_deleted'").fetchone()
        connection.execute("DROP TRIGGER events_are_not_deleted")
        connection.execute("DELETE FROM events WHERE stream = ? AND ver > 300", (f"{BOOK}-1",))
        connection.execute(guard)
    files = ("--key", f"{ledger}.key", "--checkpoints", f"{ledger}.checkpoints")
    status, out, err = said(capsys, "restore", str(backup), str(tmp_path / "r.db"), *files)
    assert (status, out) == (2, "")
    assert "tail was cut off" in err
    assert not (tmp_path / "r.db").exists()


# -- coupon


def test_a_coupon_from_its_issue_to_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "t.db")
    assert said(capsys, "shift", BOOK, "--rounds", "1", "--seed", "3", "--ledger", path)[0] == 0
    new = ("coupon", "issue", path, "A-1", "--amount", "25", "--ends", "2099-12-31", "--by", "Fay", "--for", "Ann")
    issued = told(capsys, *new)
    assert {
        "number": "A-1",
        "amount": "25",
        "issuer": "Fay",
        "person": "Ann",
        "state": "open",
    }.items() <= issued.items()
    assert said(capsys, *new)[0] == 2
    assert told(capsys, "coupon", "list", path) == [issued]
    assert "A-1" in said(capsys, "coupon", "list", path)[1]
    void = ("coupon", "void", path, "A-1", "--by", "Fay", "--reason", "lost")
    assert (told(capsys, *void)["state"], said(capsys, *void)[0]) == ("void", 2)
    report = told(capsys, "report", path)
    assert (report["coupons"]["issued"], report["coupons"]["void"]["count"]) == ({"count": 1, "amount": "25"}, 1)
    assert "Coupons of the house" in said(capsys, "report", path)[1]
    assert said(capsys, "verify", path)[0] == 0


def test_no_coupon_is_issued_in_an_older_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.db"
    for rounds in ("1", "2"):
        assert said(capsys, "shift", BOOK, "--rounds", rounds, "--seed", "3", "--ledger", str(path))[0] == 0
        path.with_name(f"{rounds}.db").write_bytes(path.read_bytes())
    path.write_bytes(path.with_name("1.db").read_bytes())
    new = ("A-1", "--amount", "25", "--ends", "2099-12-31", "--by", "Fay")
    status, out, err = said(capsys, "coupon", "issue", str(path), *new)
    assert (status, out, "its tail was cut off" in err, "nothing was written" in err) == (2, "", True, True)
    assert said(capsys, "coupon", "list", str(path))[:2] == (1, "")
    path.write_bytes(path.with_name("2.db").read_bytes())
    assert said(capsys, "coupon", "issue", str(path), *new)[0] == 0


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (("issue", "--amount", "1e30", "--ends", "2099-12-31", "--by", "Fay"), 64),
        (("issue", "--amount", "٥", "--ends", "2099-12-31", "--by", "Fay"), 64),
        (("issue", "--amount", str(10**17), "--ends", "2099-12-31", "--by", "Fay"), 2),
        (("issue", "--amount", "5", "--ends", "2001-12-31", "--by", "Fay"), 2),
        (("issue", "--amount", "5", "--ends", "soon", "--by", "Fay"), 2),
        (("issue", "--amount", "5", "--ends", "2099-12-31", "--by", " "), 2),
        (("issue", "--amount", "5", "--by", "Fay"), 64),
        (("void", "--by", "Fay", "--reason", "lost"), 64),
        (("list", "--by", "Fay"), 64),
        (("give",), 64),
    ],
    ids=str,
)
def test_a_wrong_coupon_is_refused_in_one_line(
    ledger: str, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], status: int
) -> None:
    do, *rest = options
    left, out, err = said(capsys, "coupon", do, ledger, *rest)
    assert (left, out) == (status, "")
    assert err.strip()
