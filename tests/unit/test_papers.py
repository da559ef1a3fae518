"""Papers of a submission: all of it is there, nothing is clipped, and twice built they are the same bytes."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from tests.papers import REGULATIONS, figures, ink_in_margins, sketch, texts

from twentyone.cli import COMMANDS, Parser, UsageError, main
from twentyone.cli.submission import folder_for
from twentyone.errors import TwentyoneError
from twentyone.ledger.identity import rulebook_hash, rules_hash
from twentyone.odds.generate import Worth
from twentyone.papers.html import to_html
from twentyone.papers.making import check_operator
from twentyone.papers.model import Charts, Grid, Paper, PaperPart, Picture, Words, runs
from twentyone.papers.pdf import to_pdf
from twentyone.papers.required import commands_of
from twentyone.rulebook import Rulebook
from twentyone.rulebook.declared import keys_of, to_toml
from twentyone.strategy import default_strategy
from twentyone.table.layout import layout
from twentyone.version import __version__

OPERATOR = "Golden Gate & Sons"


@cache
def paper(book: str) -> Paper:
    rules = Rulebook.load(book)
    return sketch(rules.under(rules.showcase), OPERATOR)


@cache
def pdf(book: str) -> bytes:
    return to_pdf(paper(book))


def squeezed(text: str) -> str:
    """A text without what a line break changes."""
    return re.sub(r"[\s\u200b\ufffe\ufffd-]|\u00ad", "", text)


def all_words(paper: Paper) -> set[str]:
    """Every stretch of text of the papers' tables and paragraphs."""
    cells = {cell for part in paper.parts for block in part.blocks if isinstance(block, Grid) for cell in
             (*block.head, *(cell for row in block.rows for cell in row))}  # fmt: skip
    said = {block.text for part in paper.parts for block in part.blocks if isinstance(block, Words)}
    return {part for text in cells | said for part, _ in runs(text)}


@pytest.mark.parametrize("book", REGULATIONS)
def test_every_word_is_on_a_page_and_none_in_a_margin(book: str) -> None:
    pages = texts(pdf(book))
    shown = squeezed("".join(pages))
    assert [words for words in all_words(paper(book)) if squeezed(words) not in shown] == []
    assert ink_in_margins(pdf(book)) == []
    assert all(f"page {number} of {len(pages)}" in page for number, page in enumerate(pages, 1) if number > 1)


def test_a_word_that_does_not_fit_is_found() -> None:
    wide = PaperPart("wide", "Wide", (Grid(("A",), (("x" * 400,),), (0,)),))
    assert ink_in_margins(to_pdf(replace(paper(REGULATIONS[0]), parts=(wide,)))) != []


def test_built_twice_they_are_the_same_bytes() -> None:
    book = "md-spanish-21"
    rules = Rulebook.load(book)
    again = sketch(rules.under(rules.showcase), OPERATOR)
    assert to_pdf(again) == pdf(book)
    assert to_html(again) == to_html(paper(book))


def test_the_head_of_a_table_is_repeated_on_its_pages() -> None:
    pages = [page for page in texts(pdf("md-spanish-21")) if re.search(r"Ch\. \d+\.\w+\(?", page) and "Seen" in page]
    assert len(pages) > 10
    assert all("Shown by" in page for page in pages)


def test_the_title_page_says_what_it_is_the_page_of() -> None:
    book = Rulebook.load("pa-spanish-21")
    rules = book.under(book.showcase)
    first = squeezed(texts(pdf(book.id))[0])
    written = hashlib.sha256(to_toml(rules).encode()).hexdigest()
    for words in (
        book.title,
        book.source,
        "in force since 2019-11-02 (49 Pa.B. 6676",
        OPERATOR,
        rulebook_hash(book),
        rules_hash(rules),
        written,
        __version__,
    ):
        assert squeezed(words) in first


@pytest.mark.parametrize("book", REGULATIONS)
def test_both_renderings_tell_the_same(book: str) -> None:
    page = to_html(paper(book)).decode()
    plain = squeezed(re.sub(r"<[^>]+>", "", page).replace("&amp;", "&").replace("&#x27;", "'").replace("&quot;", '"')
                     .replace("&gt;", ">"))  # fmt: skip
    assert [words for words in all_words(paper(book)) if squeezed(words) not in plain] == []
    assert not re.search(r"(?:src|href)=[\"']?(?:http|//|/)|url\((?!#)", page)


@pytest.mark.parametrize("book", REGULATIONS)
def test_what_is_asked_of_papers_is_in_them(book: str) -> None:
    rules = Rulebook.load(book).under(Rulebook.load(book).showcase)
    shown = {part.name: all_words(replace(paper(book), parts=(part,))) for part in paper(book).parts}
    assert all(any(choice.key in words for words in shown["choices"]) for choice in rules.submission.choices)
    assert {reading.name for reading in rules.rulebook.readings} <= shown["readings"]
    assert all(any(item.text in words for words in shown["layout"]) for item in layout(rules).inscriptions)
    staff = [task.says.lower() for task in rules.tasks.values() if {"dealer", "floorperson"} & {*task.role}]
    assert all(any(says in words.lower() for words in shown["procedures"]) for says in staff)
    told = shown["paragraphs"]
    assert all(name in told for name, entry in rules.rulebook.entries.items() if entry.kind != "heading")
    blocks = [block for part in paper(book).parts for block in part.blocks]
    assert any(isinstance(block, Picture) and "var(" not in block.svg for block in blocks)
    assert any(isinstance(block, Charts) for block in blocks)


@pytest.mark.parametrize("book", REGULATIONS)
def test_every_command_that_the_papers_name_can_be_typed(book: str) -> None:
    from importlib import import_module
    from shlex import split

    for name, _, typed in commands_of(Rulebook.load(book)):
        words = split(typed)[1:]
        assert words[0] == name.split()[0] in COMMANDS
        parser = Parser(prog="twentyone")
        import_module(f"twentyone.cli.{words[0]}").add_parser(parser.add_subparsers(dest="command"))
        parser.parse_args(words)


# -- the file


@pytest.mark.parametrize("book", REGULATIONS)
def test_the_file_of_a_submission_makes_the_same_rules(book: str) -> None:
    law = Rulebook.load(book)
    given = {**law.showcase, "readings": {reading.name: reading.values[-1] for reading in law.readings}}
    rules = law.under(given)
    read = tomllib.loads(to_toml(rules))
    assert read.pop("rulebook") == book
    assert law.under(read) == rules
    named = [choice.key for choice in law.under(read).submission.choices if choice.given]
    assert named == [choice.key for choice in rules.submission.choices if choice.given]


def test_the_file_tells_the_defaults_as_comments() -> None:
    law = Rulebook.load("pa-spanish-21")
    lines = to_toml(law.under({"decks": 8, "match_the_dealer": False})).splitlines()
    assert {"decks = 8", "match_the_dealer = false", '# settlement = "collect-then-pay"'} <= set(lines)
    taken = tomllib.loads("\n".join(line.removeprefix("# ") for line in lines[2:] if " = " in line))
    assert set(taken) <= set(keys_of(law))


# -- the command


def test_papers_that_the_text_forbids_are_refused_with_the_paragraph(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('rulebook = "pa-spanish-21"\ndecks = 7\n')
    status = main(["submission", "pa-spanish-21", "--submission", str(file), "--out", str(tmp_path / "papers")])
    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert "635a.3(a)" in said.err
    assert "6 or 8" in said.err
    assert not (tmp_path / "papers").exists()


def test_papers_for_a_submission_of_another_book_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('rulebook = "md-spanish-21"\n')
    assert main(["submission", "pa-spanish-21", "--submission", str(file), "--out", str(tmp_path)]) == 2
    assert "md-spanish-21" in capsys.readouterr().err


def test_a_name_that_no_title_page_can_bear_is_refused() -> None:
    assert check_operator("  Golden   Gate ") == "Golden Gate"
    for name in ("x" * 81, "a\x07b"):
        with pytest.raises(TwentyoneError, match="80"):
            check_operator(name)


def test_the_command_writes_what_it_lists(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = Rulebook.load("pa-spanish-21").under({"decks": 8})
    chart = Worth(default_strategy(rules), 0.004, 0.0)
    monkeypatch.setattr("twentyone.odds.report.odds_of", lambda asked, **_: (figures(asked), True))
    monkeypatch.setattr("twentyone.odds.generate.chart_of", lambda *_: chart)
    file = tmp_path / "ours.toml"
    file.write_text("decks = 8\n")
    given = ["submission", "pa-spanish-21", "--submission", str(file), "--out", str(tmp_path / "a" / "b"), "--json"]
    assert main(given) == 0
    listed = {row["file"]: row["sha256"] for row in json.loads(capsys.readouterr().out)["files"]}
    written = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (tmp_path / "a" / "b").iterdir()}
    assert listed == written
    assert (tmp_path / "a" / "b" / "submission.toml").read_text() == to_toml(rules)


def test_a_folder_that_cannot_be_made_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(UsageError):
        folder_for(str(tmp_path / "taken" / "papers"))
