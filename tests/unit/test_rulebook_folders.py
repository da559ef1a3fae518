"""Rulebooks of one's own: found, made, tested, charted; and where one of them has a fault, the others work."""

from __future__ import annotations

import json
import random
import re
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from tests.unit.own_books import FAULTS, NAME, OUR_OWN, Fault, copy_of_our_own

from twentyone.cli import DONE, FOUND_WRONG, REFUSED, USAGE, main
from twentyone.errors import NoSuchRulebook, RulebookError, TwentyoneError
from twentyone.rulebook import Rulebook, loaded_rulebooks, rulebook_ids
from twentyone.rulebook.checks import NEEDED as CLAUSES
from twentyone.rulebook.folders import FOLDER, OWN_FOLDER
from twentyone.rulebook.head import NEEDED, OTHERS
from twentyone.strategy import Cell, CellKey, NoChart, Strategy, chart_file, default_strategy, to_json

ROOT = Path(__file__).parents[2]
PACKAGE = rulebook_ids()
ROUND: dict[str, Any] = {
    "format": "round-script/1",
    "rulebook": NAME,
    "wagers": [{"box": 1, "player": "p1", "main": "10"}],
    "cards": "9S 9H 9D KD",
    "decisions": [{"box": 1, "action": "stand"}],
    "expect": {"net": {"p1": "-10"}},
}


class Said(NamedTuple):
    """How a command left and what it said."""

    status: int
    out: str
    err: str


class Shelf:
    """A folder of one's own rulebooks, and commands that know of it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys

    def run(self, *words: str) -> Said:
        """What a command says."""
        self._capsys.readouterr()
        try:
            status = main(list(words))
        except SystemExit as left:
            status = int(left.code or 0)
        return Said(status, *self._capsys.readouterr())

    def write(self, name: str, body: Any) -> str:
        """A file beside the rulebooks."""
        path = self.folder.parent / name
        path.write_text(body if isinstance(body, str) else json.dumps(body), encoding="utf-8")
        return str(path)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shelf:
    folder = tmp_path / "books"
    folder.mkdir()
    monkeypatch.setenv(OWN_FOLDER, str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Shelf(folder, capsys)


def one_line(said: Said) -> str:
    """The one sentence on standard error."""
    assert said.err.count("\n") == 1, said.err
    return said.err


# -- a folder with a fault


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_faulty_book_is_named_and_the_others_work(shelf: Shelf, fault: Fault) -> None:
    """`law` lists the others; `law`, `check` and `replay` of the faulty one say one sentence and leave with 2."""
    fault.spoil(copy_of_our_own(shelf.folder))
    listed = shelf.run("law")
    assert listed.status == DONE
    assert [line.split()[0] for line in listed.out.splitlines()] == list(PACKAGE)
    assert fault.said in one_line(listed)
    submission = shelf.write("ours.toml", f'rulebook = "{NAME}"\n')
    script = shelf.write("round.json", ROUND)
    for words in (("law", NAME), ("law", "test", NAME), ("check", submission), ("replay", script), ("layout", NAME)):
        said = shelf.run(*words)
        assert said.status == REFUSED, words
        assert said.out == ""
        assert fault.said in one_line(said)
        assert NAME in said.err
    other = shelf.write("other.json", {**ROUND, "rulebook": OUR_OWN})
    assert shelf.run("replay", other).status == DONE
    assert shelf.run("law", OUR_OWN).err == ""


def test_a_book_without_a_fault_is_like_the_others(shelf: Shelf) -> None:
    """The control: the same copy, unspoilt, is listed, checked and dealt."""
    copy_of_our_own(shelf.folder)
    listed = shelf.run("law")
    assert (listed.status, listed.err) == (DONE, "")
    assert [line.split()[0] for line in listed.out.splitlines()] == sorted((*PACKAGE, NAME))
    assert shelf.run("check", shelf.write("ours.toml", f'rulebook = "{NAME}"\n')).status == DONE
    assert shelf.run("replay", shelf.write("round.json", ROUND)).status == DONE


def test_a_mended_book_loads_in_the_same_process(shelf: Shelf) -> None:
    folder = copy_of_our_own(shelf.folder)
    head = folder / "rulebook.toml"
    text = head.read_text(encoding="utf-8")
    head.write_text("half", encoding="utf-8")
    with pytest.raises(RulebookError):
        Rulebook.load(NAME)
    head.write_text(text, encoding="utf-8")
    assert Rulebook.load(NAME).id == NAME


@pytest.mark.parametrize("seed", range(24))
def test_noise_in_a_file_never_ends_in_a_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Bytes cut off, changed, doubled: the book loads all the same, or is refused as a rulebook."""
    monkeypatch.setenv(OWN_FOLDER, str(tmp_path))
    chance = random.Random(seed)
    file = chance.choice(sorted(copy_of_our_own(tmp_path).iterdir()))
    text = bytearray(file.read_bytes())
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(text))
        match chance.randrange(4):
            case 0:
                del text[at:]
            case 1:
                text[at] = chance.randrange(256)
            case 2:
                text[at:at] = text[at : at + chance.randrange(200)]
            case _:
                del text[at : at + chance.randrange(200)]
        text = text or bytearray(b"\n")
    file.write_bytes(text)
    said = fault_of(NAME)
    assert said == "" or (NAME in said and "\n" not in said)


def fault_of(name: str) -> str:
    """Why a rulebook does not load; empty if it does."""
    try:
        Rulebook.load(name)
    except RulebookError as fault:
        return str(fault)
    return ""


# -- the folder itself


def test_a_folder_that_is_not_there_is_told(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OWN_FOLDER, str(shelf.folder / "nowhere"))
    listed = shelf.run("law")
    assert listed.status == DONE
    assert f"{OWN_FOLDER}: what it names is no folder" in one_line(listed)
    with pytest.raises(NoSuchRulebook, match=OWN_FOLDER):
        Rulebook.load(NAME)


def test_a_book_of_the_package_is_not_shadowed_in_silence(shelf: Shelf) -> None:
    """Two folders with one id: the id is refused, everything else works."""
    copy_of_our_own(shelf.folder, OUR_OWN)
    listed = shelf.run("law")
    assert listed.status == DONE
    assert len(listed.out.splitlines()) == len(PACKAGE) - 1
    assert "the package has a rulebook with this id" in one_line(listed)
    assert shelf.run("law", OUR_OWN).status == REFUSED
    assert shelf.run("law", PACKAGE[-1]).status == DONE


@pytest.mark.parametrize("name", ["new", "test", "coverage", "My Game", "-x"])
def test_an_id_that_no_command_can_name_is_refused(shelf: Shelf, name: str) -> None:
    copy_of_our_own(shelf.folder, name)
    assert name in one_line(shelf.run("law"))
    with pytest.raises(RulebookError, match=re.escape(name)):
        Rulebook.load(name)


@pytest.mark.parametrize("name", ["", ".", "..", "../books", "a/b", "x" * 300, "nul\0", "\ud800"])
def test_a_name_that_is_no_id_is_no_rulebook(shelf: Shelf, name: str) -> None:
    copy_of_our_own(shelf.folder)
    with pytest.raises(NoSuchRulebook):
        Rulebook.load(name)


def test_other_folders_hold_other_books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A book is read once for each folder, not once for all."""
    for name, title in (("one", "One"), ("two", "Two")):
        head = copy_of_our_own(tmp_path / name) / "rulebook.toml"
        head.write_text(head.read_text(encoding="utf-8").replace('"Blackjack"', f'"{title}"'), encoding="utf-8")
        monkeypatch.setenv(OWN_FOLDER, str(tmp_path / name))
        assert Rulebook.load(NAME).title == title
    monkeypatch.delenv(OWN_FOLDER)
    assert NAME not in rulebook_ids()


# -- law new


def test_a_new_book_loads_and_plays_at_once(shelf: Shelf) -> None:
    made = shelf.run("law", "new", NAME, "--title", "My Game")
    assert (made.status, made.err) == (DONE, "")
    assert "export" not in made.out
    book = Rulebook.load(NAME)
    assert (book.title, book.prefix, book.regulation) == ("My Game", "My Game § ", False)
    assert book.paragraphs == Rulebook.load(OUR_OWN).paragraphs
    tested = shelf.run("law", "test", NAME)
    assert tested.status == DONE
    assert ", 0 failed; every paragraph with a clause has one" in tested.out
    assert shelf.run("play", NAME, "--auto", "--rounds", "1", "--seed", "1").status == DONE
    shown = shelf.run("law", NAME, "8(f)")
    assert f"{NAME}/law/8/f-blackjack-pays-3-to-2.json" in shown.out


@pytest.mark.parametrize("like", PACKAGE)
def test_every_book_can_be_copied(shelf: Shelf, like: str) -> None:
    assert shelf.run("law", "new", NAME, "--like", like).status == DONE
    assert Rulebook.load(NAME).clauses
    assert not Rulebook.load(NAME).regulation
    assert not [fault for fault in loaded_rulebooks()[1] if NAME in str(fault)]


def test_without_a_folder_it_goes_below_the_present_one(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And it is told how commands will find it."""
    monkeypatch.delenv(OWN_FOLDER)
    monkeypatch.chdir(tmp_path)
    made = shelf.run("law", "new", NAME)
    assert f"export {OWN_FOLDER}={tmp_path / 'rulebooks'}" in made.out
    monkeypatch.setenv(OWN_FOLDER, str(tmp_path / "rulebooks"))
    assert Rulebook.load(NAME).title == NAME


def test_a_book_is_made_without_the_source_tree(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the package alone is installed there are no scripts to copy."""
    monkeypatch.setattr("twentyone.rulebook.coverage.LAW", shelf.folder / "nowhere")
    assert shelf.run("law", "new", NAME).status == DONE
    tested = shelf.run("law", "test", NAME)
    assert tested.status == DONE
    assert f"{NAME}: 0 scripts, 0 failed" in tested.out
    assert "has no script" in one_line(tested)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ([OUR_OWN], REFUSED, "a rulebook with this id exists already"),
        (["new"], REFUSED, "is a command"),
        (["coverage"], REFUSED, "is a command"),
        (["test"], REFUSED, "is a command"),
        (["My Game"], REFUSED, "small letters"),
        (["../escape"], REFUSED, "small letters"),
        (["x" * 41], REFUSED, "at most 40"),
        ([NAME, "--title", "\x1b[31m"], REFUSED, "printable"),
        ([NAME, "--title", " "], REFUSED, "printable"),
        ([NAME, "--folder", "/dev/null"], REFUSED, "cannot be written"),
        ([NAME, "--like", "nothing"], USAGE, "there is no such rulebook"),
        ([], USAGE, "needs the id of a rulebook"),
    ],
)
def test_what_is_not_made(shelf: Shelf, words: list[str], status: int, said: str) -> None:
    refused = shelf.run("law", "new", *words)
    assert refused.status == status
    assert said in refused.err
    assert list(shelf.folder.iterdir()) == []


def test_a_folder_that_is_there_is_left_alone(shelf: Shelf) -> None:
    (shelf.folder / NAME).mkdir()
    assert "exists already" in one_line(shelf.run("law", "new", NAME))
    assert list((shelf.folder / NAME).iterdir()) == []


def test_options_of_a_new_book_belong_to_it(shelf: Shelf) -> None:
    assert shelf.run("law", OUR_OWN, "--title", "x").status == USAGE
    assert shelf.run("law", "test").status == USAGE


# -- law test


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("8/c.5-lower-total-loses.json", {**ROUND, "expect": {"net": {"p1": "10"}}}, "net.p1: expected 10, got -10"),
        ("8/c.5-refused.json", {**ROUND, "expect": {"refused": "8(c)(5)"}}, "but everything was allowed"),
        ("8/c.5-missing-card.json", {**ROUND, "cards": "9S 9H"}, "refused"),
        ("8/c.5-no-expectation.json", {**ROUND, "expect": {}}, "it expects nothing"),
        ("8/c.99-no-paragraph.json", ROUND, f"{NAME} has no paragraph 8(c)(99)"),
        ("8/c.5-other-book.json", {**ROUND, "rulebook": OUR_OWN}, f"it is a script of {OUR_OWN}"),
        ("8/c.5-half.json", json.dumps(ROUND)[:50], "cannot be read"),
        ("8/c.5-list.json", [], "this is no script"),
        ("8/c.5-format.json", {**ROUND, "format": "x/1"}, "this is no script"),
        (
            "8/c.5-table.json",
            {"format": "table-script/1", "rulebook": NAME, "expect": {"rounds": 1}},
            "this is no script",
        ),
    ],
)
def test_a_script_that_is_not_held_is_named(shelf: Shelf, name: str, body: Any, said: str) -> None:
    law = copy_of_our_own(shelf.folder) / "law" / name
    law.parent.mkdir(parents=True)
    law.write_text(body if isinstance(body, str) else json.dumps(body), encoding="utf-8")
    tested = shelf.run("law", "test", NAME)
    assert tested.status == FOUND_WRONG
    assert tested.out.startswith(f"{NAME}/law/{name}: ")
    assert said in tested.out
    assert json.loads(shelf.run("law", "test", NAME, "--json").out)["faults"].keys() == {f"{NAME}/law/{name}"}


def test_the_scripts_of_a_book_of_the_package_are_held(shelf: Shelf) -> None:
    tested = shelf.run("law", "test", OUR_OWN)
    assert (tested.status, tested.err) == (DONE, "")


# -- charts


@pytest.mark.parametrize("words", [["strategy"], ["simulate", "--rounds", "10"]])
def test_a_missing_chart_is_refused_with_the_command_that_makes_it(shelf: Shelf, words: list[str]) -> None:
    copy_of_our_own(shelf.folder)
    refused = shelf.run(words[0], NAME, *words[1:])
    assert refused.status == REFUSED
    assert f"`python -m twentyone.odds.generate {NAME}` makes it" in one_line(refused)


def chart_of_our_own() -> Strategy:
    return replace(default_strategy(Rulebook.load(OUR_OWN).under()), rulebook=NAME)


def test_the_chart_lies_in_the_folder_of_the_book(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is written it is found; what the package has stays as it is."""
    from twentyone.odds import generate

    folder = copy_of_our_own(shelf.folder)
    made = SimpleNamespace(strategy=chart_of_our_own(), cost=0.0)
    monkeypatch.setattr("twentyone.odds.charts.best_chart", lambda _: made)
    rules = Rulebook.load(NAME).under()
    with pytest.raises(NoChart):
        default_strategy(rules)
    assert generate.main([NAME, "nothing"]) == REFUSED
    assert chart_file(NAME) == folder / "chart.json"
    assert default_strategy(rules) == made.strategy
    assert shelf.run("simulate", NAME, "--rounds", "1000").status == DONE
    assert chart_file(OUR_OWN).parent.name == "strategies"


@pytest.mark.parametrize("content", [b"half {", bytes(range(256)), b"[]"])
def test_a_chart_that_is_none_is_refused(shelf: Shelf, content: bytes) -> None:
    (copy_of_our_own(shelf.folder) / "chart.json").write_bytes(content)
    assert "strategy" in one_line(shelf.run("simulate", NAME, "--rounds", "10"))
    with pytest.raises(TwentyoneError):
        default_strategy(Rulebook.load(NAME).under())


def test_a_chart_that_the_rules_have_left_behind_says_how_it_is_made_anew(shelf: Shelf) -> None:
    folder = copy_of_our_own(shelf.folder)
    illegal = chart_of_our_own().with_cell(CellKey("first", "", "hard", "16", "10"), Cell("Rh"))
    (folder / "chart.json").write_text(to_json(illegal), encoding="utf-8")
    refused = one_line(shelf.run("simulate", NAME, "--rounds", "10"))
    assert f"chart again: `python -m twentyone.odds.generate {NAME}`" in refused


def test_results_on_disk_are_kept_by_what_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed fence of an own book is another game; a script or a chart beside it is not."""
    from twentyone.odds.cache import rulebook_hash

    hashes = []
    for name, spoil in (("one", None), ("two", "chart.json"), ("three", "01-table-and-cards.md")):
        folder = copy_of_our_own(tmp_path / name)
        if spoil:
            with (folder / spoil).open("a", encoding="utf-8") as file:
                file.write("\n\n")
        monkeypatch.setenv(OWN_FOLDER, str(tmp_path / name))
        hashes.append(rulebook_hash(Rulebook.load(NAME)))
    assert hashes[0] == hashes[1] != hashes[2]


# -- the guide


def guide() -> str:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return text.partition("\n## Add a rulebook\n")[2].partition("\n## ")[0]


def test_the_guide_lists_every_head_key() -> None:
    keys = re.findall(r"^\| `(\w+)` \|", guide(), re.MULTILINE)
    assert keys == [*NEEDED, *OTHERS]
    assert len(NEEDED) == 5, "the guide says that the first five are required"


def test_the_guide_lists_every_clause_that_a_book_needs() -> None:
    listed = guide().partition("cannot deal a round and is refused: ")[2].partition(".\n")[0]
    assert re.findall(r"`([\w.]+)`", listed) == list(CLAUSES)


def test_every_clause_that_the_guide_lists_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a book without any of them is refused."""
    monkeypatch.setenv(OWN_FOLDER, str(tmp_path))
    for number, key in enumerate(CLAUSES):
        folder = copy_of_our_own(tmp_path, f"without-{number}")
        header = re.compile(rf"^\[\[?{re.escape(key)}\]\]?\n(?:[^\[`\n][^\n]*\n|\n)*", re.MULTILINE)
        for file in folder.glob("*.md"):
            file.write_text(header.sub("", file.read_text(encoding="utf-8")), encoding="utf-8")
        with pytest.raises(RulebookError):
            Rulebook.load(folder.name)
        shutil.rmtree(folder)


def test_the_guide_speaks_of_every_field_of_a_pattern() -> None:
    from dataclasses import fields

    from twentyone.rulebook import HandPattern

    assert [field.name for field in fields(HandPattern) if f"`{field.name}`" not in guide()] == []


def test_the_example_of_the_guide_is_an_entry() -> None:
    """The fence that the guide shows is one of a book of the package."""
    fence = re.search(r"```toml\n(.*?)```", guide(), re.DOTALL)
    assert fence is not None
    lines = [line.strip() for line in fence[1].splitlines() if line.strip()]
    books = " ".join(file.read_text(encoding="utf-8") for file in FOLDER.rglob("*.md"))
    assert "\n".join(lines) in books
