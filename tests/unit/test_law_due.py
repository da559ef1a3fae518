"""`twentyone law due`: what begins, what ends, and which tables, signs and charts it touches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.amending import put_shelf, write_amendment

from twentyone.cli import DONE, REFUSED, USAGE, main

BOOK, DAY = "pa-spanish-21", "2026-01-02"


def _run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    try:
        status = main(["law", *words])
    except SystemExit as left:
        status = int(str(left.code))
    return (status, *capsys.readouterr())


def _shift(tmp_path: Path, decks: int) -> Path:
    """A ledger with a table that was closed before the amendment."""
    submission, ledger = tmp_path / "ours.toml", tmp_path / f"{decks}.db"
    submission.write_text(f'rulebook = "{BOOK}"\ndecks = {decks}\n', encoding="utf-8")
    words = ["--rounds", "1", "--seed", "3", "--ledger", str(ledger), "--submission", str(submission)]
    assert main(["shift", BOOK, *words]) == DONE
    return ledger


def test_nothing_is_due_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = _run(capsys, "due", "--at", "2026-01-01")
    assert (status, "Nothing is due" in out, "no date: Section 13 states neither" in out) == (DONE, True, True)
    assert "the text of 2019-11-02 (49 Pa.B. 6676), held" in out


def test_what_was_due_is_told_of_any_day(capsys: pytest.CaptureFixture[str]) -> None:
    body: dict[str, Any] = json.loads(_run(capsys, "due", BOOK, "--at", "2013-01-01", "--json")[1])
    assert body["texts"][0]["law"]["held"] is False
    told = [(row["begins"], row["ends"]["begins"], row["paragraphs"]) for row in body["due"]]
    assert told == [
        ("2014-02-01", "2012-05-12", ["635a.8", "635a.10"]),
        ("2019-11-02", "2014-02-01", ["635a.3", "635a.4", "635a.5"]),
    ]


def test_an_amendment_names_its_tables_signs_and_charts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    six, eight = _shift(tmp_path, 6), _shift(tmp_path, 8)
    shelf = put_shelf(tmp_path, monkeypatch)
    shelf(lambda folder: write_amendment(folder / BOOK, DAY, "choices = [6, 8]", "choices = [6]"))
    shelf(lambda folder: write_amendment(folder / BOOK, "2027-01-01", 'odds = "3:2"', 'odds = "6:5"'))
    body: dict[str, Any] = json.loads(_run(capsys, "due", "--ledger", str(six), "--at", "2026-01-01", "--json")[1])
    first, second = body["due"]
    assert (first["begins"], first["ends"]["begins"], first["chart"], first["signs"]) == (DAY, "2019-11-02", False, [])
    assert first["changes"] == [{"cite": "58 Pa. Code § 635a.3(a)", "change": "substituted"}]
    assert second["chart"] is True
    new = {sign["text"] for sign in second["signs"] if sign["shown"] == "new"}
    assert "Blackjack pays 6 to 5" in new
    assert [(row["table"], row["allowed"]) for row in first["tables"]] == [(f"{BOOK}-1", True)]
    status, out, _ = _run(capsys, "due", BOOK, "--ledger", str(eight), "--at", "2026-06-01")
    assert status == DONE
    assert f"table {BOOK}-1: closes, because" in out
    assert "(58 Pa. Code § 635a.3(a))" in out


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("due", "--at", "2026-02-30"), REFUSED, "not a date"),
        (("due", "no-such-book"), REFUSED, "there is no such rulebook"),
        (("due", "--ledger", "/nowhere/t.db"), USAGE, "/nowhere/t.db"),
        ((BOOK, "--ledger", "t.db"), USAGE, "--ledger belongs to `twentyone law due`"),
        (("coverage", "--at", "2026-01-01"), USAGE, "--at belongs to a rulebook"),
        ((BOOK, "635a.8", "--at", "2013-06-01"), REFUSED, "2014-02-01 (44 Pa.B. 619: 635a.8, 635a.10)"),
        ((BOOK, "635a.8", "--at", "2011-01-01"), REFUSED, "not yet law"),
    ],
)
def test_bad_questions_are_one_sentence(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], status: int, said: str
) -> None:
    found, out, err = _run(capsys, *words)
    assert (found, out, said in err) == (status, "", True), err
