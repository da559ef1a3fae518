"""A book without one of its clauses does not load, or plays a day: what the table needs is asked for at load."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from tests.contracts.mutants import on_the_shelf
from tests.golden.day import day_log
from tests.unit.own_books import OUR_OWN

from twentyone.errors import Refused, RulebookError
from twentyone.rulebook import Entry, Rulebook
from twentyone.rulebook.checks import NEEDED, check_book, check_playable

KEYS = sorted({clause.key for clause in Rulebook.load(OUR_OWN).clauses})
OF_THE_DAY = ("device.card_reader",)
"""What the day itself is about: it is told of a device that fails."""


def without(book: Rulebook, key: str) -> Rulebook:
    """The book without the clauses of one key, and without what speaks of them."""

    def less(entry: Entry) -> Entry:
        clauses = tuple(clause for clause in entry.clauses if clause.key != key)
        return replace(entry, clauses=clauses, notes=tuple(note for note in entry.notes if f"`{key}`" not in note.text))

    order = tuple(step for step in book.order if f"step.{step}" != key)
    return replace(book, order=order, entries={name: less(entry) for name, entry in book.entries.items()})


@pytest.mark.parametrize("key", [key for key in KEYS if key not in OF_THE_DAY])
def test_what_the_table_needs_is_asked_at_load(key: str) -> None:
    """Refused at load, played, or refused to the person who asks for what the text does not have."""
    book = without(Rulebook.load(OUR_OWN), key)
    fault = fault_of(book)
    assert fault or key not in NEEDED
    if not fault:
        with on_the_shelf(book), suppress(Refused):
            assert day_log(OUR_OWN)


def fault_of(book: Rulebook) -> str:
    """Why a book is refused at load; empty if it is not."""
    try:
        check_book(book)
        check_playable(book)
    except RulebookError as fault:
        return str(fault)
    return ""
