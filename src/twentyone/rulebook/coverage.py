"""How every paragraph is accounted for: its kind, the functions that carry it out, the tests that hold it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from twentyone.law import CARRIERS
from twentyone.rulebook.clauses import LayoutItem, Reading, Task
from twentyone.rulebook.folders import FOLDER, folders
from twentyone.rulebook.reader import KINDS, Entry
from twentyone.rulebook.rulebook import Rulebook, loaded_rulebooks

__all__ = [
    "carriers_of",
    "coverage",
    "holders",
    "in_full",
    "in_short",
    "law_folder",
    "not_held",
    "paragraphs_of_path",
    "readings_of",
    "script_name",
    "scripts_by_paragraph",
    "scripts_of",
    "tests_of",
]

TREE, PACKAGE = (Path(__file__).parents[above] / "tests" / "law" for above in (3, 1))
LAW = TREE if TREE.is_dir() else PACKAGE
"""The law scripts of the package's rulebooks: of the source tree, or as they were packed."""


def coverage() -> dict[str, Any]:
    """Per regulation: its paragraphs, how many of each kind, and those without an entry."""
    return {book.id: _book(book) for book in loaded_rulebooks()[0] if book.regulation}


def _book(book: Rulebook) -> dict[str, Any]:
    kinds = dict.fromkeys(KINDS, 0)
    for entry in book.entries.values():
        kinds[entry.kind] += 1
    missing = [paragraph for paragraph in book.paragraphs if paragraph not in book.entries]
    return {"paragraphs": list(book.paragraphs), "kinds": kinds, "missing": missing}


def carriers_of(entry: Entry) -> list[str]:
    """The functions that carry out the clauses of an entry."""
    carriers: list[str] = []
    for key in (*(clause.key for clause in entry.clauses), *entry.carried_by):
        carriers += CARRIERS.get(key) or CARRIERS.get(key.partition(".")[0], [])
    return list(dict.fromkeys(carriers))


# -- what holds a paragraph

Held = dict[str, list[str]]
"""What holds a paragraph: `scripts`, `layout` items, `steps` of the staff, paragraphs `under` a heading, `reason`."""


def scripts_by_paragraph(book: Rulebook) -> dict[str, list[str]]:
    """The law scripts of a rulebook under each paragraph that they are named by."""
    named: dict[str, list[str]] = {}
    for script in scripts_of(book):
        for paragraph in paragraphs_of_path(script):
            named.setdefault(paragraph, []).append(script_name(script))
    return named


def holders(book: Rulebook, scripts: Mapping[str, list[str]]) -> dict[str, Held]:
    """What holds each paragraph: scripts that play it, what the layout shows of it, what the staff does for it."""
    return {entry.paragraph: _held(book, entry, scripts) for entry in book.entries.values()}


def _held(book: Rulebook, entry: Entry, scripts: Mapping[str, list[str]]) -> Held:
    heading, under = entry.kind == "heading", (f"{entry.paragraph}(", f"{entry.paragraph}.")
    held = {
        "scripts": scripts.get(entry.paragraph, []),
        "layout": [_shown(clause) for clause in entry.clauses if isinstance(clause, LayoutItem)],
        "steps": [f"{clause.name} ({', '.join(clause.role)})" for clause in entry.clauses if isinstance(clause, Task)],
        "under": [paragraph for paragraph in book.entries if heading and paragraph.startswith(under)],
        "reason": [note.text for note in entry.notes if note.kind == entry.kind == "not modelled"],
    }
    return {name: rows for name, rows in held.items() if rows}


def _shown(clause: LayoutItem) -> str:
    return f"{clause.item.replace('_', ' ')}: {clause.text or (clause.wager or clause.device).replace('_', ' ')}"


def not_held(held: Mapping[str, Held]) -> list[str]:
    """The paragraphs that nothing holds; a heading is held by those under it, if one of them is held."""
    return [
        name
        for name, by in held.items()
        if not ({*by} - {"under"} or any(held[under] for under in by.get("under", ())))
    ]


# -- an entry as plain values


def in_short(entry: Entry) -> dict[str, Any]:
    """An entry's number, title, kind and words."""
    return {"paragraph": entry.paragraph, "title": entry.title, "kind": entry.kind, "words": entry.words}


def in_full(book: Rulebook, entry: Entry) -> dict[str, Any]:
    """Everything that is known of a paragraph: entry, clause, code, tests, readings."""
    return {
        "cite": book.cite(entry.paragraph),
        **in_short(entry),
        "notes": [{"kind": note.kind, "text": note.text} for note in entry.notes],
        "clause": entry.fence or None,
        "clauses": [clause.key for clause in entry.clauses] + list(entry.carried_by),
        "functions": carriers_of(entry),
        "tests": tests_of(book, entry.paragraph),
        "readings": [{"id": reading.name, "values": list(reading.values)} for reading in readings_of(book, entry)],
        "place": entry.place,
    }


def readings_of(book: Rulebook, entry: Entry) -> list[Reading]:
    """The readings that stand here, are spoken of here, or switch a clause that stands here."""
    names = {name for clause in entry.clauses for name in clause.reading}
    said = " ".join(note.text for note in entry.notes if note.kind == "reading")
    return [
        reading
        for reading in book.readings
        if reading in entry.clauses or reading.name in names or f"`{reading.name}`" in said
    ]


# -- law scripts


def law_folder(folder: Path) -> Path:
    """Where the law scripts of a rulebook lie: in the book's folder, or in the source tree for one of the package."""
    return LAW / folder.name if folder.parent == FOLDER else folder / "law"


def scripts_of(book: Rulebook) -> list[Path]:
    """The law scripts of a rulebook, where they are at hand."""
    return sorted(law_folder(folders()[book.id]).glob("*/*.json"))


def tests_of(book: Rulebook, paragraph: str) -> list[str]:
    """The law scripts named by a paragraph."""
    return [script_name(script) for script in scripts_of(book) if paragraph in paragraphs_of_path(script)]


def script_name(script: Path) -> str:
    """A law script as a person finds it: from the source tree's root, or from the folder of one's own rulebooks."""
    return script.relative_to(script.parents[4 if LAW in script.parents else 3]).as_posix()


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
