"""A rulebook in time: `editions.toml` says since when each text is law, and whether it is held.

The first edition that is held is the text of the book's own files. Each later one that is held is a folder, named by
its date, with only what it changes: entries in the same literate form, substituted, inserted or repealed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from twentyone.errors import NoSuchEdition, RulebookError
from twentyone.rulebook.folders import HEAD_FILE, book_files
from twentyone.rulebook.head import read_changes
from twentyone.rulebook.reader import INSERTED, REPEALED, Entry, is_under, read_entries
from twentyone.rulebook.toml import read_toml
from twentyone.rulebook.values import none_of

__all__ = ["EDITIONS_FILE", "Edition", "Editions", "amend", "day_of", "edition_files", "read_editions"]

EDITIONS_FILE = "editions.toml"
"""The editions of a rulebook, beside its head."""
DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
KEYS = {"begins": "date", "adopted": "date", "source": "str", "paragraphs": "list", "held": "bool"}
"""The keys of an edition, with the types that TOML gives them."""
NEEDED = ("begins", "source", "held")
"""Those that every edition has."""
WORDS = {
    "date": "a date without quotation marks",
    "str": "words in quotation marks",
    "list": "a list",
    "bool": "true or false",
}
"""What each type is, for a person."""


@dataclass(frozen=True)
class Edition:
    """A text that is law from a date on."""

    begins: str
    """The first day on which it is law, as in 2019-11-02: what names it in scripts, ledgers and folders."""
    source: str
    """Where it was published."""
    held: bool
    """Whether we have its text."""
    paragraphs: tuple[str, ...] = ()
    """The paragraphs that it touches; none named: all of the text."""
    adopted: str | None = None
    """When it was adopted, where the text says so."""

    def __str__(self) -> str:
        touched = f": {', '.join(self.paragraphs)}" if self.paragraphs else ""
        return f"{self.begins} ({self.source}{touched})"

    def to_json(self) -> dict[str, Any]:
        """The edition as JSON."""
        return {
            "begins": self.begins,
            "adopted": self.adopted,
            "source": self.source,
            "paragraphs": list(self.paragraphs),
            "held": self.held,
        }


@dataclass(frozen=True)
class Editions:
    """The editions of one rulebook, in order."""

    book: str
    """The rulebook."""
    all: tuple[Edition, ...] = ()
    """Those that have a date."""
    undated: str = ""
    """Why the text of the book's own files has no date; empty: the first edition that is held is its date."""

    @property
    def first(self) -> Edition | None:
        """The edition of the book's own files, where it has a date."""
        return None if self.undated else next((edition for edition in self.all if edition.held), None)

    def at(self, day: str) -> Edition:
        """The edition that is law on a day; refused where there is none, or its text is not held."""
        edition = self.latest(day)
        if edition is None:
            raise NoSuchEdition(self.book, self._before(day))
        if not edition.held:
            raise NoSuchEdition(self.book, f"on {day} the law was {self._not_held(edition)}")
        return edition

    def latest(self, day: str) -> Edition | None:
        """The last edition that has begun on a day, held or not."""
        return next((edition for edition in reversed(self.all) if edition.begins <= day), None)

    def amendments(self, until: str) -> tuple[Edition, ...]:
        """The editions that changed the book's own files, up to one of them; each must be held."""
        first = self.first
        changes = [edition for edition in self.all if first is None or edition.begins > first.begins]
        due = tuple(edition for edition in changes if edition.begins <= until)
        for edition in due:
            if not edition.held:
                raise NoSuchEdition(self.book, f"the text of {until} is not known without {self._not_held(edition)}")
        return due

    def _before(self, day: str) -> str:
        """Why nothing is law on a day."""
        if self.undated or not self.all:
            why = self.undated or f"no {EDITIONS_FILE} says when it came into force"
            return f"whether its text was law on {day} cannot be said: {why}"
        return f"on {day} it was not yet law; it came into force on {self.all[0]}"

    def _not_held(self, edition: Edition) -> str:
        """An edition whose text we lack, and the amendments since which leave it unknown."""
        first = self.first
        if first is None or edition.begins > first.begins:
            return f"the text of {edition}, which is not held"
        since = "; ".join(map(str, (other for other in self.all if edition.begins < other.begins <= first.begins)))
        held = f"held is the text since {first.begins}"
        return f"the text of {edition}, which is not held: it was amended on {since}; {held}"


def day_of(written: str) -> str:
    """A day as it is written; refused where it is none."""
    try:
        if DAY.fullmatch(written) and read_toml(f"day = {written}"):
            return written
    except ValueError:
        pass
    raise NoSuchEdition(written[:40], "is not a date; one is written like 2019-11-02")


# -- reading


def read_editions(folder: Path) -> Editions:
    """The editions of a rulebook's folder; none where it has no list of them."""
    file = folder / EDITIONS_FILE
    where = f"{folder.name}/{EDITIONS_FILE}"
    if not file.exists():
        return Editions(folder.name)
    try:
        body = read_toml(file.read_text(encoding="utf-8"))
    except (ValueError, OSError) as wrong:
        why = getattr(wrong, "strerror", None) or wrong
        raise RulebookError(folder.name, f"its editions cannot be read: {why}", where) from None
    _check_keys(body, {"edition": "list", "undated": "str"}, ("edition",) if "undated" not in body else (), where)
    rows = [_edition(row, f"{where}: edition {number}") for number, row in enumerate(body.get("edition", ()), 1)]
    rows.sort(key=lambda edition: edition.begins)
    for one, other in itertools.pairwise(rows):
        if one.begins == other.begins:
            raise RulebookError(one.begins, "two editions begin on this date", where)
    editions = Editions(folder.name, tuple(rows), body.get("undated", ""))
    if not editions.undated and editions.first is None:
        raise RulebookError(
            folder.name, "no edition is held, so the book's own files have no date: write `undated`", where
        )
    return editions


def _edition(row: Any, where: str) -> Edition:
    _check_keys(row, KEYS, NEEDED, where)
    days = {key: row[key].isoformat() for key in ("begins", "adopted") if key in row}
    return Edition(**{**row, **days, "paragraphs": tuple(row.get("paragraphs", ()))})


def _check_keys(body: Any, known: Mapping[str, str], needed: tuple[str, ...], where: str) -> None:
    """Every key is known and of its type, and none that is needed is missing."""
    if not isinstance(body, dict):
        raise RulebookError("edition", "an edition is a table: [[edition]]", where)
    for key, value in body.items():
        if key not in known:
            raise RulebookError(key, f"key {none_of(key, tuple(known))}", where)
        if type(value).__name__ != known[key]:
            raise RulebookError(key, f"{value!r} is not {WORDS[known[key]]}", where)
        if isinstance(value, list) and key == "paragraphs" and not all(isinstance(item, str) for item in value):
            raise RulebookError(key, "a list of paragraphs is wanted", where)
    missing = [key for key in needed if key not in body]
    if missing:
        raise RulebookError(missing[0], f"an edition needs {', '.join(missing)}", where)


def edition_files(folder: Path, amendments: tuple[Edition, ...]) -> dict[str, Path]:
    """What the law of an edition is written in beside the book's own files, each by its name under the book."""
    if not amendments:
        return {}
    files = {EDITIONS_FILE: folder / EDITIONS_FILE}
    for edition in amendments:
        own = folder / edition.begins
        changed = [*book_files(own), *([own / HEAD_FILE] if (own / HEAD_FILE).exists() else [])]
        files |= {f"{edition.begins}/{file.name}": file for file in changed}
    return files


# -- amending

Text = tuple[dict[str, Any], tuple[Entry, ...]]
"""The head and the entries of a book."""


def amend(text: Text, folder: Path, edition: Edition) -> Text:
    """A book's head and entries after an edition: the entries that its folder substitutes, inserts and repeals."""
    head, entries = text
    own, where = folder / edition.begins, f"{folder.name}/{edition.begins}"
    if not own.is_dir():
        raise RulebookError(
            edition.begins, "the edition is said to be held, and there is no folder with its text", where
        )
    files = book_files(own)
    strange = sorted({file.name for file in own.iterdir()} - {file.name for file in files} - {HEAD_FILE})
    if strange:
        raise RulebookError(strange[0], f"it is no file of an edition: those are NN-heading.md and {HEAD_FILE}", where)
    changed, done = list(entries), 0
    for file in files:
        for change in read_entries(file, head["prefix"], amending=True):
            _check_touched(change, edition)
            _change(changed, change)
            done += 1
    if not done:
        raise RulebookError(edition.begins, "the folder of the edition changes no entry", where)
    head = {**head, **(read_changes(own / HEAD_FILE) if (own / HEAD_FILE).exists() else {})}
    return {**head, "paragraphs": [entry.paragraph for entry in changed]}, tuple(changed)


def _check_touched(change: Entry, edition: Edition) -> None:
    if edition.paragraphs and not any(is_under(change.paragraph, over) for over in edition.paragraphs):
        listed = ", ".join(edition.paragraphs)
        why = f"the edition of {edition.begins} does not touch it: its `paragraphs` are {listed}"
        raise RulebookError(change.paragraph, why, change.place)


def _change(entries: list[Entry], change: Entry) -> None:
    marks = {note.kind: note.text for note in change.notes if note.kind in (INSERTED, REPEALED)}
    paragraph = change.paragraph
    place = next((index for index, entry in enumerate(entries) if entry.paragraph == paragraph), None)
    if INSERTED in marks:
        if place is not None:
            raise RulebookError(paragraph, "it is inserted, and the text has it already", change.place)
        own = replace(change, notes=tuple(note for note in change.notes if note.kind != INSERTED))
        entries.insert(_place_after(entries, change, marks[INSERTED].removeprefix("after ").strip()), own)
    elif place is None:
        done = "repealed" if REPEALED in marks else "substituted"
        raise RulebookError(paragraph, f"it is {done}, and the text has no such paragraph", change.place)
    elif REPEALED in marks:
        entries[:] = [entry for entry in entries if not is_under(entry.paragraph, paragraph)]
    else:
        entries[place] = change


def _place_after(entries: list[Entry], change: Entry, other: str) -> int:
    """Where an entry is inserted: first under the paragraph over it, or behind another and all that is under that."""
    places = [index for index, entry in enumerate(entries) if is_under(entry.paragraph, other)]
    if not places:
        why = f"it is inserted after {other!r}, and the text has no such paragraph"
        raise RulebookError(change.paragraph, why, change.place)
    return (places[0] if is_under(change.paragraph, other) else places[-1]) + 1
