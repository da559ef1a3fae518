"""Every paragraph of a regulation says what an inspector who stands at the table sees of it, in one line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.reader import SEEN, Entry

REGULATIONS = [book for book in rulebook_ids() if Rulebook.load(book).regulation]


def faults_of(entry: Entry) -> list[str]:
    """What is wrong with the inspector's line of an entry."""
    lines = [note.text for note in entry.notes if note.kind == SEEN]
    if len(lines) != 1:
        return [f"{entry.paragraph} ({entry.place}) has {len(lines)} lines of what an inspector sees"]
    if entry.notes[-1].kind != SEEN:
        return [f"{entry.paragraph} ({entry.place}): what an inspector sees is the last note"]
    return (
        [] if len(lines[0].split()) > 2 else [f"{entry.paragraph} ({entry.place}) says next to nothing: {lines[0]!r}"]
    )


@pytest.mark.parametrize("book", REGULATIONS)
def test_every_paragraph_says_what_an_inspector_sees(book: str) -> None:
    assert [fault for entry in Rulebook.load(book).entries.values() for fault in faults_of(entry)] == []


def test_a_paragraph_without_that_line_is_found() -> None:
    entry = next(iter(Rulebook.load(REGULATIONS[0]).entries.values()))
    unseen = replace(entry, notes=tuple(note for note in entry.notes if note.kind != SEEN))
    assert len(faults_of(unseen)) == len(faults_of(replace(entry, notes=(*entry.notes, entry.notes[-1])))) == 1
