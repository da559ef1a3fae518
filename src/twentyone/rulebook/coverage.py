"""How every paragraph is accounted for: its kind, the functions that carry it out, the tests that hold it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from twentyone.law import CARRIERS
from twentyone.rulebook.reader import KINDS, Entry
from twentyone.rulebook.rulebook import Rulebook, rulebook_ids

__all__ = ["carriers_of", "coverage", "paragraphs_of_path", "tests_folder", "tests_of"]


def coverage() -> dict[str, Any]:
    """Per regulation: its paragraphs, how many of each kind, and those without an entry."""
    books = [Rulebook.load(name) for name in rulebook_ids()]
    return {book.id: _book(book) for book in books if book.regulation}


def _book(book: Rulebook) -> dict[str, Any]:
    kinds = dict.fromkeys(KINDS, 0)
    for entry in book.entries.values():
        kinds[entry.kind] += 1
    missing = [paragraph for paragraph in book.paragraphs if paragraph not in book.entries]
    return {"paragraphs": list(book.paragraphs), "kinds": kinds, "missing": missing}


def carriers_of(entry: Entry) -> list[str]:
    """The functions that carry out the clauses of an entry."""
    found: list[str] = []
    for key in (*(clause.key for clause in entry.clauses), *entry.carried_by):
        found += CARRIERS.get(key) or CARRIERS.get(key.partition(".")[0], [])
    return list(dict.fromkeys(found))


# -- law scripts


def tests_folder() -> Path | None:
    """The folder of law scripts, where the source tree is at hand."""
    folder = Path(__file__).parents[3] / "tests" / "law"
    return folder if folder.is_dir() else None


def tests_of(book: Rulebook, paragraph: str) -> list[str]:
    """The law scripts named by a paragraph."""
    folder = tests_folder()
    if folder is None:
        return []
    scripts = sorted((folder / book.id).rglob("*.json"))
    return [f"tests/law/{script.relative_to(folder)}" for script in scripts if paragraph in paragraphs_of_path(script)]


def paragraphs_of_path(script: Path) -> list[str]:
    """The paragraphs a law script is named by: `635a.12/b.4+c.1-what-happens.json`.

    >>> paragraphs_of_path(Path("635a.12/b.4+c.1-what-happens.json"))
    ['635a.12(b)(4)', '635a.12(c)(1)']
    >>> paragraphs_of_path(Path("Ch.12/D.3.j[2]-40-symbol.json"))
    ['Ch. 12.D(3)(j)[2]']
    >>> paragraphs_of_path(Path("13.e/1.iii-blackjack-beats-21.json"))
    ['13(e)(1)(iii)']
    """
    labels = script.name.partition("-")[0]
    return [_paragraph(script.parent.name, label) for label in labels.split("+")]


def _paragraph(section: str, label: str) -> str:
    return "".join(_parts(section, label))


def _parts(section: str, label: str) -> Iterator[str]:
    chapter = section.startswith("Ch.")
    head, dot, tail = section.partition(".")
    if chapter:
        yield f"Ch. {tail}"
    elif dot and tail.isalpha():
        yield f"{head}({tail})"
    else:
        yield section
    if label == "0":
        return
    for index, part in enumerate(label.split(".")):
        name, bracket, rest = part.partition("[")
        yield f".{name}" if chapter and index == 0 else f"({name}){bracket}{rest}"
