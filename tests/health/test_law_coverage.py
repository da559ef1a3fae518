"""Every paragraph is accounted for, every clause is carried out, every implemented paragraph has a script."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import twentyone.table.carriers  # noqa: F401 (registers what carries the clauses)
from twentyone.law import CARRIERS
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.coverage import coverage, holders, not_held, paragraphs_of_path, scripts_by_paragraph
from twentyone.rulebook.reader import KINDS

ROOT = Path(__file__).parents[2]
LAW = ROOT / "tests" / "law"
BOOKS = rulebook_ids()


def test_919_paragraphs_in_five_regulations() -> None:
    """The five texts have 919 numbered paragraphs; none is missing and each has exactly one kind."""
    books = coverage()
    assert len(books) == 5
    assert sum(len(book["paragraphs"]) for book in books.values()) == 919
    for book in books.values():
        assert book["missing"] == []
        assert sum(book["kinds"].values()) == len(book["paragraphs"])
        assert set(book["kinds"]) == set(KINDS)


@pytest.mark.parametrize("name", BOOKS)
def test_every_clause_is_carried_out(name: str) -> None:
    """A clause that no function carries out is a stub called done."""
    keys = {clause.key for clause in Rulebook.load(name).clauses}
    assert sorted(key for key in keys if not (CARRIERS.get(key) or CARRIERS.get(key.partition(".")[0]))) == []


def unknown_after(module: str) -> list[str]:
    """The modules with carriers that a fresh interpreter does not know when it has imported one module."""
    src = ROOT / "src"
    names = {".".join(path.relative_to(src).with_suffix("").parts) for path in _carrying(src)}
    code = f"import sys, {module}; print(*set({sorted(names)!r}) - set(sys.modules))"
    return sorted(subprocess.check_output([sys.executable, "-c", code], text=True).split())


def _carrying(src: Path) -> list[Path]:
    return [path for path in src.rglob("*.py") if '@carries("' in path.read_text() and path.name != "law.py"]


def test_one_import_knows_every_carrier() -> None:
    """What is said of a paragraph, and the digest that a review signs, must not hang on what else was imported."""
    assert len(_carrying(ROOT / "src")) > 30
    assert unknown_after("twentyone.table.carriers") == []
    assert "twentyone.script.deal" in unknown_after("twentyone.round")


def without_script(name: str, scripts: set[str], kind: str = "clause") -> list[str]:
    book = Rulebook.load(name)
    return [entry.paragraph for entry in book.entries.values() if entry.kind == kind and entry.paragraph not in scripts]


def scripts_of(name: str) -> set[str]:
    return {paragraph for path in (LAW / name).glob("*/*.json") for paragraph in paragraphs_of_path(path)}


@pytest.mark.parametrize("name", BOOKS)
def test_every_implemented_paragraph_has_a_script(name: str) -> None:
    """Each paragraph with a clause is held by at least one law script named by it."""
    assert without_script(name, scripts_of(name)) == []


@pytest.mark.parametrize("name", [name for name in BOOKS if Rulebook.load(name).regulation])
def test_every_procedure_has_a_script(name: str) -> None:
    """Each paragraph that the table enforces is held by a table script named by it."""
    assert without_script(name, scripts_of(name), "procedure") == []


@pytest.mark.parametrize("name", [name for name in BOOKS if Rulebook.load(name).regulation])
def test_every_equipment_paragraph_is_checked(name: str) -> None:
    """What the table must have stands on its layout (and is tested there), or is held by a script."""
    book, scripts = Rulebook.load(name), scripts_of(name)
    entries = [entry for entry in book.entries.values() if entry.kind == "equipment"]
    shown = {entry.paragraph for entry in entries if any(clause.type_key == "layout" for clause in entry.clauses)}
    assert [entry.paragraph for entry in entries if entry.paragraph not in shown | scripts] == []


@pytest.mark.parametrize("name", [name for name in BOOKS if Rulebook.load(name).regulation])
def test_every_paragraph_is_held_by_something(name: str) -> None:
    """A script, an item of the layout or a step of the staff holds it; or the entry says why nothing can."""
    book = Rulebook.load(name)
    assert not_held(holders(book, scripts_by_paragraph(book))) == []


def test_a_paragraph_that_nothing_holds_is_found() -> None:
    """The check can fail: without its scripts a paragraph is named, and with all under it a heading, too."""
    book = Rulebook.load("pa-spanish-21")
    scripts = scripts_by_paragraph(book)
    others = {name: rows for name, rows in scripts.items() if name != "635a.10(d)"}
    assert not_held(holders(book, others)) == ["635a.10(d)"]
    others = {name: rows for name, rows in scripts.items() if not name.startswith("635a.10")}
    assert {"635a.10", "635a.10(a)", "635a.10(d)"} <= set(not_held(holders(book, others)))


def test_a_missing_script_is_found() -> None:
    """The check can fail: without one paragraph's scripts it names that paragraph."""
    assert without_script("pa-spanish-21", scripts_of("pa-spanish-21") - {"635a.10(d)"}) == ["635a.10(d)"]


def test_every_reading_has_a_page() -> None:
    """Each reading is explained in docs/readings, and each page is a reading of some rulebook."""
    readings = {reading.name for name in BOOKS for reading in Rulebook.load(name).readings}
    pages = {page.stem for page in (ROOT / "docs" / "readings").glob("*.md")} - {"README"}
    assert readings == pages


READING = re.compile(r"`([a-z0-9-]+)`")


def wrong_defaults(text: str, book: Rulebook) -> list[str]:
    """The notes of readings whose first value is not the default, or that name a reading of no book."""
    values, wrong = {reading.name: reading.values for reading in book.readings}, []
    for line in text.splitlines():
        if line.startswith("> reading:"):
            name, *words = READING.findall(line)
            named = [word for word in words if word in values.get(name, ())]
            if name not in values or (named and named[0] != values[name][0]):
                wrong.append(name)
    return wrong


@pytest.mark.parametrize("name", BOOKS)
def test_a_note_of_a_reading_names_the_default_first(name: str) -> None:
    book = Rulebook.load(name)
    files = sorted((ROOT / "src" / "twentyone" / "rulebooks" / name).glob("*.md"))
    assert files
    assert [wrong for file in files for wrong in wrong_defaults(file.read_text(encoding="utf-8"), book)] == []


def test_a_note_with_the_wrong_default_is_found() -> None:
    """The check can fail."""
    book = Rulebook.load("pa-spanish-21")
    text = "> reading: `split-21` wins (`win`); or not (`push`)\n> reading: `split-21` a tie (`push`), or a win (`win`)"
    assert wrong_defaults(text, book) == ["split-21"]


@pytest.mark.parametrize("name", BOOKS)
def test_every_reading_changes_something_or_is_a_note(name: str) -> None:
    """A reading with two values switches a clause; one value is a note."""
    assert idle_readings(Rulebook.load(name)) == []


def idle_readings(book: Rulebook) -> list[str]:
    switched = {reading for clause in book.clauses for reading in clause.reading}
    return [reading.name for reading in book.readings if len(reading.values) > 1 and reading.name not in switched]


def test_an_idle_reading_is_found() -> None:
    """The check can fail: without the clauses that it switches, a reading is idle."""
    book = Rulebook.load("pa-spanish-21")
    entries = {
        paragraph: replace(entry, clauses=tuple(clause for clause in entry.clauses if "split-21" not in clause.reading))
        for paragraph, entry in book.entries.items()
    }
    assert idle_readings(replace(book, entries=entries)) == ["split-21"]
