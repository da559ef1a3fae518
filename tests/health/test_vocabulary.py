"""Every word of a fence is known: an unknown one in any value of any book is refused, with file, line and paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import copytree
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

import pytest
from tests.daily import daily_books

import twentyone.table.table  # noqa: F401 (registers the commands)
from twentyone.errors import RulebookError
from twentyone.round.procedure import STEPS
from twentyone.rulebook.clauses import TYPES
from twentyone.rulebook.folders import FOLDER, book_files
from twentyone.rulebook.head import read_head
from twentyone.rulebook.reader import Entry, read_entries
from twentyone.rulebook.rulebook import build
from twentyone.rulebook.values import hints_of
from twentyone.rulebook.vocabulary import KNOWN_KEYS, StepName, TaskName, Text, TomlValue
from twentyone.table.play import COMMANDS

UNKNOWN = "wrod"
"""A word that no vocabulary has."""
LINE = re.compile(r"(?P<key>[\w-]+)\s*=\s*(?P<value>.+)")
WRITTEN = re.compile(r'"(?:[^"\\]|\\.)*"|\b(?:true|false)\b|(?<![\w"-])\d+(?![\w":-])')
"""A value as TOML writes it: words, a truth value, a number."""
FREE = {field for kind in TYPES.values() for field, hint in hints_of(kind).items() if hint == Text}
"""Fields that speak to people only."""


class Value(NamedTuple):
    """A value in a fence of a file."""

    file: str
    line: int
    start: int
    end: int
    field: str


def values_of(text: str, file: str) -> Iterator[Value]:
    """Every value that the fences of a file write, the conditions and the names of tables included."""
    inside = False
    for number, line in enumerate(text.splitlines()):
        if line.startswith("```"):
            inside = line.startswith("```toml")
        elif inside and (header := re.match(r"\[\[?(\w+)(?:\.([\w-]+))?\]", line)):
            group = 2 if header.group(2) else 1
            yield Value(file, number, header.start(group), header.end(group), "name")
        elif inside and (match := LINE.match(line)):
            for written in WRITTEN.finditer(line, match.start("value")):
                yield Value(file, number, written.start(), written.end(), match.group("key"))


def with_unknown(text: str, value: Value) -> str:
    """The file with an unknown word in place of a value; free text becomes a number, which no words are."""
    lines = text.splitlines()
    old = lines[value.line]
    words = "7" if value.field in FREE else f'"{UNKNOWN}"'
    new = UNKNOWN if old.startswith("[") else words
    lines[value.line] = old[: value.start] + new + old[value.end :]
    return "\n".join(lines) + "\n"


@cache
def head_of(folder: Path) -> dict[str, Any]:
    return read_head(folder / "rulebook.toml")


def load(folder: Path, changed: Path | None = None, before: dict[Path, list[Entry]] | None = None) -> dict[Path, Any]:
    """Load a book; files that did not change are not read again."""
    head = head_of(folder)
    entries = {
        file: before[file] if before and file != changed else list(read_entries(file, head["prefix"]))
        for file in book_files(folder)
    }
    build(folder.name, head, tuple(entry for rows in entries.values() for entry in rows))
    return entries


@pytest.mark.parametrize("book", daily_books("s13-spanish-21", "pa-double-back-jack"))
def test_an_unknown_word_in_any_value_is_refused_with_file_and_paragraph(book: str, tmp_path: Path) -> None:
    """One value at a time, in every fence of the book."""
    folder = tmp_path / book
    copytree(FOLDER / book, folder)
    before = load(folder)
    refusals, silent = [], []
    for file in before:
        text = file.read_text(encoding="utf-8")
        for value in values_of(text, file.name):
            file.write_text(with_unknown(text, value), encoding="utf-8")
            try:
                load(folder, file, before)
                silent.append(f"{file.name}:{value.line + 1} {value.field}")
            except RulebookError as refused:
                refusals.append(refused)
        file.write_text(text, encoding="utf-8")
    assert silent == []
    assert len(refusals) > 200
    assert [str(refused) for refused in refusals if not refused.place.startswith(f"{book}/")] == []
    assert [str(refused) for refused in refusals if refused.paragraph not in str(refused)] == []


def plain_words(hint: Any) -> bool:
    """Whether a type has a part that takes any text without saying what it is for."""
    if get_origin(hint) in (Annotated, Literal) or hint is TomlValue:
        return False
    return hint is str or any(plain_words(part) for part in get_args(hint))


def test_every_field_of_a_clause_says_which_words_it_takes() -> None:
    """No field takes any text: words are a `Literal`, a name, or free text that is marked as such."""
    conditions = ("when", "reading", "only_with", "instead")
    plain = [
        f"{key}.{field}"
        for key, kind in TYPES.items()
        for field, hint in hints_of(kind).items()
        if field not in conditions and plain_words(hint)
    ]
    assert plain == []
    assert plain_words(str)
    assert plain_words(tuple[str, ...])


def test_the_steps_and_tasks_of_the_vocabulary_are_those_that_are_carried_out() -> None:
    """A word that no function carries out would load and do nothing."""
    assert set(get_args(StepName)) == set(STEPS)
    assert set(get_args(TaskName)) <= set(COMMANDS)


def test_the_keys_that_code_asks_for_are_known() -> None:
    """`submission["decks"]` in Python and the vocabulary speak of the same keys."""
    source = FOLDER.parent
    asked = re.compile(r"""submission(?:\.get\(|\[)["'](\w+)["']""")
    texts = [path.read_text(encoding="utf-8") for path in source.rglob("*.py")]
    keys = {key for text in texts for key in asked.findall(text)}
    assert len(keys) > 5
    assert keys <= set(KNOWN_KEYS)
