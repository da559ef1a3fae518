"""Reads a literate rulebook: headings give the paragraph, words say it to people, fences to the machine."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from twentyone.cards import RANKS
from twentyone.errors import RulebookError
from twentyone.money import Amount, Odds
from twentyone.rulebook.clauses import NAMED, TYPES, Clause
from twentyone.rulebook.patterns import HandPattern

__all__ = ["KINDS", "Entry", "Note", "read_book"]

KINDS = ("clause", "procedure", "submission", "equipment", "reading", "heading", "not modelled")
"""What a paragraph can be; each is exactly one."""

_CHOICE_TYPES = (
    "submission", "reading", "layout", "task", "cut", "cut_offer", "cover_card", "change", "burn", "device", "batches",
    "idle", "verbal", "coupon",
)  # fmt: skip
"""Types that the operator's choices and the table read; they do not make a paragraph one of the round."""


class Note(NamedTuple):
    """A `> kind: text` line of an entry."""

    kind: str
    """One of `KINDS`."""
    text: str
    """What it says."""


@dataclass(frozen=True)
class Entry:
    """The entry of one paragraph."""

    paragraph: str
    """Its id, computed from the headings."""
    title: str
    """The heading's title, if it has one."""
    words: str
    """What it demands, in our own words."""
    notes: tuple[Note, ...]
    """Its notes."""
    clauses: tuple[Clause, ...]
    """The clauses of its fences."""
    fence: str
    """Its fences as written."""
    place: str
    """File and line."""

    @property
    def carried_by(self) -> tuple[str, ...]:
        """Keys of clauses under other paragraphs that carry this one too."""
        return tuple(key for note in self.notes if note.kind == "clause" for key in note.text.split("`")[1:2])

    @property
    def kind(self) -> str:
        """Clause first, then reading, then what its note says."""
        if any(clause.type_key not in _CHOICE_TYPES for clause in self.clauses) or self.carried_by:
            return "clause"
        if any(clause.type_key == "reading" for clause in self.clauses):
            return "reading"
        kinds = {note.kind for note in self.notes} or {clause.type_key for clause in self.clauses}
        for kind in ("reading", *KINDS):
            if kind in kinds:
                return kind
        raise RulebookError(self.paragraph, "the entry has neither a fence nor a note")


def read_book(folder: Path, prefix: str) -> tuple[Entry, ...]:
    """All entries of a rulebook, file after file."""
    return tuple(entry for file in sorted(folder.glob("[0-9]*.md")) for entry in _read_file(file, prefix))


class _Draft:
    """An entry while its lines come in."""

    def __init__(self, paragraph: str, title: str, place: str) -> None:
        self.paragraph, self.title, self.place = paragraph, title, place
        self.words: list[str] = []
        self.notes: list[Note] = []
        self.fences: list[str] = []

    def finish(self, prefix: str) -> Entry:
        cite = prefix + self.paragraph
        clauses = tuple(clause for fence in self.fences for clause in _clauses(fence, self.paragraph, cite))
        words = " ".join(self.words)
        if not words:
            raise RulebookError(self.paragraph, "the entry says nothing in words")
        if any(note.kind == "clause" and "`" not in note.text for note in self.notes):
            raise RulebookError(self.paragraph, "a clause note names the clause that carries the paragraph")
        return Entry(self.paragraph, self.title, words, tuple(self.notes), clauses, "\n".join(self.fences), self.place)


def _read_file(file: Path, prefix: str) -> Iterator[Entry]:
    lines = iter(enumerate(file.read_text(encoding="utf-8").splitlines(), 1))
    path: list[str] = []
    draft: _Draft | None = None
    for number, line in lines:
        if line.startswith("#"):
            if draft is not None:
                yield draft.finish(prefix)
            title = _descend(path, line)
            draft = _Draft(path[-1], title, f"{file.parent.name}/{file.name}:{number}")
        elif draft is None:
            raise RulebookError(f"{file.name}:{number}", "text before the first heading")
        elif line.startswith("```"):
            draft.fences.append(_fence(lines))
        elif line.startswith(">"):
            draft.notes.append(_note(draft.paragraph, line))
        elif line.strip():
            draft.words.append(line.strip())
    if draft is not None:
        yield draft.finish(prefix)


def _descend(path: list[str], heading: str) -> str:
    """Move `path` to the heading's paragraph; answer its title."""
    marks, _, text = heading.partition(" ")
    depth = len(marks)
    del path[depth - 1 :]
    if depth == 1:
        words = text.split()
        label = 2 if words[0] == "Ch." else 1
        path.append(" ".join(words[:label]))
        return " ".join(words[label:])
    label_text, _, title = text.partition(" ")
    if len(path) != depth - 1:
        raise RulebookError(label_text, "a heading skips a level")
    path.append(path[-1] + (label_text if label_text.startswith("(") else f".{label_text}"))
    return title


def _fence(lines: Iterator[tuple[int, str]]) -> str:
    body = []
    for _, line in lines:
        if line.startswith("```"):
            break
        body.append(line)
    return "\n".join(body)


def _note(paragraph: str, line: str) -> Note:
    kind, colon, text = line[1:].strip().partition(":")
    if not colon or kind not in KINDS:
        raise RulebookError(paragraph, f"a note begins with one of {', '.join(KINDS)}, not {kind!r}")
    return Note(kind, text.strip())


def _clauses(fence: str, paragraph: str, cite: str) -> Iterator[Clause]:
    try:
        tables = tomllib.loads(fence)
    except tomllib.TOMLDecodeError as wrong:
        raise RulebookError(paragraph, f"the fence is not TOML: {wrong}") from None
    for key, value in tables.items():
        if key not in TYPES:
            raise RulebookError(paragraph, f"there is no clause type {key!r}")
        for row in _rows(key, value):
            yield _make(TYPES[key], row, paragraph, cite)


def _rows(key: str, value: Any) -> Iterator[dict[str, Any]]:
    named = value.items() if key in NAMED else ((None, value),)
    for name, rows in named:
        for row in rows if isinstance(rows, list) else [rows]:
            yield row if name is None else {"name": name, **row}


def _make(kind: type[Clause], row: dict[str, Any], paragraph: str, cite: str) -> Clause:
    converters = _converters(kind)
    unknown = sorted(set(row) - set(converters))
    if unknown:
        raise RulebookError(paragraph, f"{kind.type_key} has no field {', '.join(unknown)}")
    try:
        values = {name: converters[name](value) for name, value in row.items()}
        return kind(paragraph=paragraph, cite=cite, **values)
    except (TypeError, ValueError, AttributeError) as wrong:
        raise RulebookError(paragraph, f"{kind.type_key}: {wrong}") from None


_KNOWN: dict[type[Clause], dict[str, Callable[[Any], Any]]] = {}


def _converters(kind: type[Clause]) -> dict[str, Callable[[Any], Any]]:
    """Field name to the function that reads its TOML value."""
    if kind in _KNOWN:
        return _KNOWN[kind]
    given = [field for field in fields(kind) if field.name not in ("paragraph", "cite")]
    found = {field.name: _BY_ANNOTATION.get(str(field.type).split(" |")[0], _as_is) for field in given}
    _KNOWN[kind] = found
    return found


def _as_is(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _ranks(text: str) -> tuple[str, ...]:
    ranks = tuple(text.split())
    strangers = [rank for rank in ranks if rank not in RANKS]
    if strangers:
        raise ValueError(f"there is no rank {', '.join(strangers)}")
    return ranks


def _words(value: str | list[str]) -> tuple[str, ...]:
    return tuple(value.split()) if isinstance(value, str) else tuple(value)


def _pattern(row: dict[str, Any]) -> HandPattern:
    readers: dict[str, Callable[[Any], Any]] = {"ranks": _ranks, "ranges": _words}
    return HandPattern(**{name: readers.get(name, _as_is)(value) for name, value in row.items()})


_BY_ANNOTATION: dict[str, Callable[[Any], Any]] = {
    "Amount": Amount,
    "Odds": Odds.parse,
    "Fraction": Fraction,
    "Ranks": _ranks,
    "HandPattern": _pattern,
    "tuple[str, ...]": _words,
}
