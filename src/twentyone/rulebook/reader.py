"""Reads a literate rulebook: headings give the paragraph, words say it to people, fences to the machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, Field, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

from twentyone.errors import RulebookError
from twentyone.rulebook.clauses import TYPES, Clause
from twentyone.rulebook.folders import book_files
from twentyone.rulebook.toml import read_toml
from twentyone.rulebook.values import HEAD, UnknownWord, none_of, readers_of

__all__ = ["INSERTED", "KINDS", "REPEALED", "SEEN", "Entry", "Note", "is_under", "read_book", "read_entries"]

KINDS = ("clause", "procedure", "submission", "equipment", "reading", "heading", "not modelled")
"""What a paragraph can be; each is exactly one."""
SEEN = "seen"
"""The note that says what an inspector who stands at the table sees of a paragraph."""
INSERTED, REPEALED = "inserted", "repealed"
"""The notes of an edition: an entry that the text did not have, one that it has no more."""

_CHOICE_TYPES = (
    "submission", "reading", "layout", "task", "cut", "cut_offer", "cut_passed", "cover_card", "change", "burn",
    "device", "batches", "idle", "loads_shoe", "no_effect", "off", "waiting_batch", "verbal", "coupon", "several_boxes",
)  # fmt: skip
"""Types that the operator's choices and the table read; they do not make a paragraph one of the round."""


class Note(NamedTuple):
    """A `> kind: text` line of an entry."""

    kind: str
    """One of `KINDS`, or `SEEN`."""
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
        kinds = {note.kind for note in self.notes} - {SEEN} or {clause.type_key for clause in self.clauses}
        for kind in ("reading", *KINDS):
            if kind in kinds:
                return kind
        raise RulebookError(self.paragraph, "the entry has neither a fence nor a note", self.place)


def is_under(paragraph: str, over: str) -> bool:
    """Whether a paragraph is another, or stands under it."""
    return paragraph == over or paragraph.startswith((f"{over}(", f"{over}."))


def read_book(folder: Path, prefix: str) -> tuple[Entry, ...]:
    """All entries of a rulebook, file after file."""
    return tuple(entry for file in book_files(folder) for entry in read_entries(file, prefix))


class _Draft:
    """An entry while its lines come in."""

    def __init__(self, paragraph: str, title: str, place: str) -> None:
        self.paragraph, self.title, self.place = paragraph, title, place
        self.words: list[str] = []
        self.notes: list[Note] = []
        self.fences: list[_Fence] = []

    @property
    def says_nothing(self) -> bool:
        """Whether it is only a heading: in an edition, the way to the entries under it."""
        return not (self.words or self.notes or self.fences)

    def finish(self, prefix: str, words_needed: bool = True) -> Entry:
        cite = prefix + self.paragraph
        clauses = tuple(clause for fence in self.fences for clause in _clauses(fence, self.paragraph, cite))
        words = " ".join(self.words)
        if not words and words_needed and not any(note.kind == REPEALED for note in self.notes):
            raise RulebookError(self.paragraph, "the entry says nothing in words", self.place)
        if any(note.kind == "clause" and "`" not in note.text for note in self.notes):
            raise RulebookError(self.paragraph, "a clause note names the clause that carries the paragraph", self.place)
        written = "\n".join(fence.text for fence in self.fences)
        return Entry(self.paragraph, self.title, words, tuple(self.notes), clauses, written, self.place)


def read_entries(file: Path, prefix: str, amending: bool = False, words_needed: bool = True) -> Iterator[Entry]:
    """The entries of one file; in that of an edition, only those that say something, be it in words or not."""
    name = "/".join(file.parts[-3 if amending else -2 :])
    known = (*KINDS, SEEN, INSERTED, REPEALED) if amending else (*KINDS, SEEN)
    lines = iter(enumerate(_text_of(file, name).splitlines(), 1))
    path: list[str] = []
    draft: _Draft | None = None
    for number, line in lines:
        place = f"{name}:{number}"
        if line.startswith("#"):
            if draft is not None and not (amending and draft.says_nothing):
                yield draft.finish(prefix, words_needed)
            title = _descend(path, line, place)
            draft = _Draft(path[-1], title, place)
        elif draft is None:
            if line.strip():
                raise RulebookError(file.name, "text before the first heading", place)
        elif line.startswith("```"):
            draft.fences.append(_Fence(name, number + 1, _fence(lines, draft.paragraph, place)))
        elif line.startswith(">"):
            draft.notes.append(_note(draft.paragraph, line, place, known))
        elif line.strip():
            draft.words.append(line.strip())
    if draft is not None and not (amending and draft.says_nothing):
        yield draft.finish(prefix, words_needed)


def _text_of(file: Path, name: str) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (UnicodeDecodeError, OSError) as wrong:
        why = getattr(wrong, "strerror", None) or wrong
        raise RulebookError(file.name, f"the file cannot be read as text: {why}", name) from None


def _descend(path: list[str], heading: str, place: str) -> str:
    """Move `path` to the heading's paragraph; return its title."""
    marks, _, text = heading.partition(" ")
    words = text.split()
    if not words or set(marks) != {"#"}:
        raise RulebookError(heading.strip(), "a heading is `#`, a space and the paragraph's number", place)
    depth = len(marks)
    del path[depth - 1 :]
    if depth == 1:
        label = 2 if words[0] == "Ch." else 1
        path.append(" ".join(words[:label]))
        return " ".join(words[label:])
    if len(path) != depth - 1:
        raise RulebookError(words[0], "a heading skips a level", place)
    path.append(path[-1] + (words[0] if words[0].startswith("(") else f".{words[0]}"))
    return " ".join(words[1:])


def _fence(lines: Iterator[tuple[int, str]], paragraph: str, place: str) -> str:
    body: list[str] = []
    for _, line in lines:
        if line.startswith("```"):
            return "\n".join(body)
        body.append(line)
    raise RulebookError(paragraph, "the fence does not end", place)


def _note(paragraph: str, line: str, place: str, known: tuple[str, ...]) -> Note:
    kind, colon, text = line[1:].strip().partition(":")
    if not colon or kind not in known:
        raise RulebookError(paragraph, f"a note begins with one of {', '.join(known)}, not {kind!r}", place)
    return Note(kind, text.strip())


class _Fence(NamedTuple):
    """A fence, and where its text begins."""

    file: str
    line: int
    text: str

    def place(self, *wanted: str) -> str:
        """The file and the line of the first line that begins with one of these, or of the fence."""
        for offset, line in enumerate(self.text.splitlines()):
            if line.strip().startswith(wanted):
                return f"{self.file}:{self.line + offset}"
        return f"{self.file}:{self.line}"


def _clauses(fence: _Fence, paragraph: str, cite: str) -> Iterator[Clause]:
    try:
        tables = read_toml(fence.text)
    except ValueError as wrong:
        raise RulebookError(paragraph, f"the fence is not TOML: {wrong}", fence.place()) from None
    for key, value in tables.items():
        if key not in TYPES:
            why = f"clause type {none_of(key, tuple(TYPES))}"
            raise RulebookError(paragraph, why, fence.place(f"[{key}", f"[[{key}", key))
        for row in _rows(key, value, paragraph, fence):
            yield _make(TYPES[key], row, paragraph, cite, fence)


def _rows(key: str, value: Any, paragraph: str, fence: _Fence) -> Iterator[dict[str, Any]]:
    named = value.items() if TYPES[key].named and isinstance(value, dict) else ((None, value),)
    for name, rows in named:
        for row in rows if isinstance(rows, list) else [rows]:
            if not isinstance(row, dict) or (name is None and TYPES[key].named):
                form = f"[{key}.name]" if TYPES[key].named else f"[{key}]"
                raise RulebookError(paragraph, f"{key} is a table: {form}", fence.place(f"[{key}", key))
            yield row if name is None else {"name": name, **row}


def _make(kind: type[Clause], row: dict[str, Any], paragraph: str, cite: str, fence: _Fence) -> Clause:
    readers = readers_of(kind)
    own = (f"[{kind.type_key}.{row.get('name')}]", f"[[{kind.type_key}.{row.get('name')}]]") if kind.named else ()
    place = fence.place(*own, f"[{kind.type_key}]", f"[[{kind.type_key}]]")
    values: dict[str, Any] = {}
    for name, value in row.items():
        if name not in readers:
            why = f"{kind.type_key}: field {none_of(name, tuple(readers))}"
            raise RulebookError(paragraph, why, fence.place(name))
        try:
            values[name] = readers[name](value)
        except UnknownWord as wrong:
            raise RulebookError(paragraph, f"{kind.type_key}.{name}: {wrong}", _where(fence, name, value)) from None
    missing = [field.name for field in fields(kind) if _needed(field) and field.name not in (*values, *HEAD)]
    if missing:
        raise RulebookError(paragraph, f"{kind.type_key} needs {', '.join(missing)}", place)
    return kind(paragraph=paragraph, cite=cite, place=place, **values)


def _where(fence: _Fence, name: str, value: Any) -> str:
    """The line that writes this value: the first of the field's lines where it stands."""
    lines = fence.text.splitlines()
    written = str(value) if not isinstance(value, bool) else str(value).lower()
    for offset, line in enumerate(lines):
        key, _, rest = line.partition("=")
        if key.strip() == name and (written in rest or isinstance(value, list | dict)):
            return f"{fence.file}:{fence.line + offset}"
    return fence.place(name, f"[{name}")


def _needed(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING
