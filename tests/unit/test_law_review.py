"""`twentyone law review` and `law coverage --signed`: what is approved, what was changed since, and what is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.copies import copy_of, passages_of

from twentyone.cli import main
from twentyone.ledger.keys import Keyring
from twentyone.rulebook import Rulebook, reviewing, rulebook_ids
from twentyone.rulebook.coverage import paragraphs_of_path, script_name, scripts_of
from twentyone.rulebook.folders import OWN_FOLDER
from twentyone.rulebook.rulebook import rulebook_from
from twentyone.table.shoe import os_source

BOOK = "pa-spanish-21"
BOOKS = [name for name in rulebook_ids() if Rulebook.load(name).regulation]

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in an empty folder with Ann's key: status, output, messages."""
    monkeypatch.chdir(tmp_path)
    Keyring.create("ann.key", os_source())

    def command(*words: str) -> tuple[int, str, str]:
        try:
            status = main(["law", *words])
        except SystemExit as leaving:
            status = int(leaving.code or 0)
        told = capsys.readouterr()
        return status, told.out, told.err

    return command


def write_copy(name: str = BOOK, changes: dict[str, str] | None = None, file: str = "copy.txt", **how: Any) -> None:
    """A copy of a book's text that is none, with other words for some paragraphs."""
    passages = passages_of(Rulebook.load(name).paragraphs) | (changes or {})
    Path(file).write_text(copy_of(passages, **how), encoding="utf-8")


def sign(run: Run, *words: str, name: str = BOOK, by: str = "Ann", key: str = "ann.key") -> None:
    """Sign something into `me.jsonl`."""
    status, _, err = run(
        "review", name, *words, "--text", "copy.txt", "--reviews", "me.jsonl", "--key", key, "--by", by
    )
    assert status == 0, err


def stood(run: Run, *more: str, name: str = BOOK, text: str = "copy.txt") -> tuple[int, dict[str, Any]]:
    """Where the paragraphs of a book stand."""
    words = (
        "coverage",
        name,
        "--signed",
        "--reviews",
        "me.jsonl",
        "--json",
        *(("--text", text) if text else ()),
        *more,
    )
    status, out, err = run(*words)
    assert out, err
    rows: dict[str, Any] = json.loads(out)["rulebooks"][name]
    return status, rows


def of_state(rows: dict[str, Any], state: str) -> set[str]:
    return {paragraph for paragraph, row in rows.items() if row["state"] == state}


# -- what is approved, and what makes it stale


@pytest.mark.parametrize("name", BOOKS)
def test_twenty_altered_words_make_exactly_those_signatures_stale(run: Run, name: str) -> None:
    write_copy(name)
    sign(run, "all", "--approve", name=name)
    assert [stood(run, name=name)[0], of_state(stood(run, name=name)[1], "signed")] == [
        0,
        {*Rulebook.load(name).entries},
    ]
    rng, words = random.Random(name), passages_of(Rulebook.load(name).paragraphs)
    altered = rng.sample([paragraph for paragraph in words if paragraph.endswith(")")], 20)
    changes = {}
    for paragraph in altered:
        told = words[paragraph].split(" ")
        told[rng.randrange(1, 6)] = "altered"
        changes[paragraph] = " ".join(told)
    write_copy(name, changes)
    status, rows = stood(run, name=name)
    assert (status, of_state(rows, "stale")) == (1, {*altered})
    assert {change for each in altered for review in rows[each]["reviews"] for change in review["changed"]} == {"text"}


def test_without_a_copy_the_text_is_not_compared_and_that_is_said(run: Run) -> None:
    write_copy()
    sign(run, "635a.1", "--approve")
    assert stood(run, text="")[0] == 0
    assert "Without --text FILE the text is not compared" in run("coverage", "--signed", "--reviews", "me.jsonl")[1]


Sides = dict[str, reviewing.Side]


def since(before: Sides, after: Sides) -> dict[str, list[str]]:
    """What changed of each paragraph, if anything."""
    return {name: told for name, side in before.items() if (told := reviewing.changed(side.parts, after[name].parts))}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('odds = "2:1"', 'odds = "3:1"', {"635a.12(d)": ["clause"], "635a.8(c)": ["clause"]}),
        ('odds = "2:1"', 'odds = "2:1" # a remark', {}),
        ("\n\n```toml", " Or so.\n\n```toml", {"635a.12(d)": ["words"]}),
    ],
)
def test_another_term_or_word_of_ours_is_named(old: str, new: str, said: dict[str, list[str]]) -> None:
    """635a.8(c) is carried by the clause of 635a.12(d)."""
    book = Rulebook.load(BOOK)
    file = next(name for name in book.texts if name.startswith("12"))
    above, under = book.texts[file].split("\n## (d)\n")
    assert old in under
    other = rulebook_from(BOOK, {**book.texts, file: "\n## (d)\n".join((above, under.replace(old, new, 1)))})
    assert since(reviewing.sides(book, None), reviewing.sides(other, None)) == said


def test_a_changed_script_or_function_is_named(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OWN_FOLDER, str(tmp_path / "books"))
    assert run("new", "mine")[0] == 0
    book = Rulebook.load("mine")
    before = reviewing.sides(book, None)
    script = scripts_of(book)[0]
    named, name = paragraphs_of_path(script), script_name(script)
    assert since(before, reviewing.sides(book, None)) == {}
    script.write_text(script.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert since(before, reviewing.sides(book, None)) == {each: [f"script {name}"] for each in named}
    script.unlink()
    assert since(before, reviewing.sides(book, None)) == {each: [f"script {name} (gone)"] for each in named}
    monkeypatch.setattr(reviewing, "_source", "changed: {}".format)
    after = since(before, reviewing.sides(book, None))
    for paragraph, side in before.items():
        told = [each for each in after.get(paragraph, ()) if each.startswith("function")]
        assert told == [f"function {each}" for each in side.functions]


def test_a_function_is_known_by_its_own_lines() -> None:
    written = reviewing._written(Path(reviewing.__file__))
    assert {"changed", "sides", "Standing"} <= {*written}
    assert len({*written.values()}) == len(written)


# -- verdicts


def test_an_objection_stands_until_its_reviewer_approves_and_a_comment_decides_nothing(run: Run) -> None:
    write_copy()
    sign(run, "635a.8(a)", "--approve")
    sign(run, "635a.8(a)", "--object", "--comment", "not so", by="Bob")
    status, rows = stood(run)
    assert (status, rows["635a.8(a)"]["state"]) == (1, "objected")
    assert [review["comment"] for review in rows["635a.8(a)"]["reviews"]] == ["", "not so"]
    sign(run, "635a.8(a)", "--comment", "still thinking", by="Bob")
    assert stood(run)[1]["635a.8(a)"]["state"] == "objected"
    sign(run, "635a.8(a)", "--approve", by="Bob")
    assert stood(run)[1]["635a.8(a)"]["state"] == "signed"


def test_only_the_reviews_of_the_named_key_count(run: Run) -> None:
    write_copy()
    Keyring.create("eve.key", os_source())
    sign(run, "635a.8(a)", "--approve", key="eve.key", by="Ann")
    Path("ann.pub").write_text(_public(run, "ann"), encoding="ascii")
    assert stood(run)[1]["635a.8(a)"]["state"] == "signed"
    assert stood(run, "--public-key", "ann.pub")[1]["635a.8(a)"]["state"] == "none"


def _public(run: Run, name: str) -> str:
    from twentyone.ledger.public_keys import PublicKey

    return json.dumps(PublicKey.of(Keyring.load(f"{name}.key")).to_json())


def test_the_file_of_reviews_has_no_word_of_the_text(run: Run) -> None:
    write_copy(changes={"635a.8(a)": "Quetzalcoatl shuffles."})
    sign(run, "635a.8(a)", "--approve")
    assert "quetzalcoatl" not in Path("me.jsonl").read_text().lower()
    assert "Quetzalcoatl" in run("review", BOOK, "635a.8(a)", "--text", "copy.txt")[1]


def test_a_paragraph_is_shown_beside_our_words_clause_functions_and_rounds(run: Run) -> None:
    write_copy()
    shown = run("review", BOOK, "635a.10(d)", "--text", "copy.txt")[1]
    for part in ("your copy, line", "our words", "total_most = 21", "double_down.rescue", "635a.10/d-", "review: none"):
        assert part in shown
    body = json.loads(run("review", BOOK, "635a.10(d)", "--text", "copy.txt", "--json")[1])["paragraphs"][0]
    assert body["clauses"] == [
        {"paragraph": "635a.10(d)", "clause": "decision.rescue", "terms": {"name": "rescue", "total_most": "21"}}
    ]
    assert body["text"] == passages_of(Rulebook.load(BOOK).paragraphs)["635a.10(d)"]


# -- refused


def test_a_text_with_a_missing_paragraph_is_refused_and_nothing_changes(run: Run) -> None:
    write_copy()
    sign(run, "635a.8(a)", "--approve")
    before = Path("me.jsonl").read_bytes()
    write_copy(without=["635a.8(c)"])
    words = ("--approve", "--reviews", "me.jsonl", "--key", "ann.key", "--by", "Ann")
    for asked in (("review", BOOK), ("review", BOOK, "all", *words), ("coverage", BOOK, "--signed", *words[1:3])):
        status, out, err = run(*asked, "--text", "copy.txt")
        assert (status, out) == (2, "")
        assert err.startswith("twentyone law: copy.txt: 635a.8(c) is missing: after 635a.8(b) (line ")
        assert err.count("\n") == 1
    assert Path("me.jsonl").read_bytes() == before


def test_a_review_that_was_changed_is_refused_with_its_line(run: Run) -> None:
    write_copy()
    sign(run, "635a.8(a)", "635a.8(b)", "--approve")
    whole = Path("me.jsonl").read_text()
    for old, new, why in (
        ("635a.8(b)", "635a.8(c)", "me.jsonl:2: the signature does not fit"),
        ('"format"', '"form"', "me.jsonl:1: this is not a signed review"),
    ):
        Path("me.jsonl").write_text(whole.replace(old, new, 1))
        status, out, err = run("coverage", "--signed", "--reviews", "me.jsonl")
        assert (status, out) == (2, "")
        assert why in err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("review", BOOK), "needs --text FILE"),
        (("review", BOOK, "--text", "none.txt"), "none.txt"),
        (("review", BOOK, "635a.99", "--text", "copy.txt"), "has no paragraph '635a.99'"),
        (("review", BOOK, "635a.1", "--text", "copy.txt", "--approve"), "--reviews is missing"),
        (("review", BOOK, "635a.1", "--text", "copy.txt", "--reviews", "none.jsonl"), "none.jsonl"),
        (("coverage", "--signed"), "--signed needs --reviews"),
        (("coverage", "--signed", "--reviews", "me.jsonl", "--text", "copy.txt"), "name the rulebook"),
        (("coverage", "--reviews", "me.jsonl"), "belong to `twentyone law coverage --signed`"),
        ((BOOK, "635a.1", "635a.2"), "'635a.2' belongs to `twentyone law"),
        ((BOOK, "--approve"), "--approve belongs to"),
        ((BOOK, "--signed"), "--signed belongs to"),
    ],
)
def test_what_cannot_be_asked_is_a_matter_of_usage(run: Run, words: tuple[str, ...], why: str) -> None:
    write_copy()
    status, out, err = run(*words)
    assert (status, out) == (64, "")
    assert why in err


def test_an_objection_says_why(run: Run) -> None:
    write_copy()
    words = ("--text", "copy.txt", "--object", "--reviews", "me.jsonl", "--key", "ann.key", "--by", "Ann")
    assert run("review", BOOK, "635a.1", *words)[0] == 64
    assert not Path("me.jsonl").exists()


def test_a_copy_that_is_no_text_is_refused_with_its_line(run: Run) -> None:
    Path("copy.txt").write_bytes(b"one\ntwo\xff")
    status, out, err = run("review", BOOK, "--text", "copy.txt")
    assert (status, out) == (2, "")
    assert "copy.txt: line 2 is not text" in err


def test_a_reviewer_makes_a_key_once(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", "new", "bob"]) == 0
    public = json.loads(capsys.readouterr().out)
    assert main(["key", "public", "bob"]) == 0
    assert json.loads(capsys.readouterr().out) == public
    assert main(["key", "new", "bob"]) == 2
