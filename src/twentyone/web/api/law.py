"""The law: contents, entries, search, coverage."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

import twentyone.table.carriers  # noqa: F401 (registers what implements the clauses)
from twentyone.errors import RulebookError
from twentyone.rulebook import Rulebook, loaded_rulebooks
from twentyone.rulebook.coverage import coverage, in_full, in_short
from twentyone.service.people import NotAllowed
from twentyone.web.api.common import ERRORS, Name, respond
from twentyone.web.api.models import Book, EntryShown, Found, FullEntry
from twentyone.web.rendering import rendering_of

__all__ = ["find", "full_entry", "load", "router"]

router = APIRouter(tags=["law"], responses=ERRORS)

MOST = 200
"""The most entries that a search returns."""


def load(rulebook: str) -> Rulebook:
    """A rulebook by its id; 404 if there is none."""
    try:
        return Rulebook.load(rulebook)
    except RulebookError as wrong:
        raise NotAllowed(str(wrong), 404) from None


@cache
def full_entry(rulebook: str, paragraph: str) -> dict[str, Any]:
    """Everything known of a paragraph."""
    book = load(rulebook)
    try:
        return in_full(book, book.entry(paragraph))
    except KeyError:
        raise NotAllowed(f"{rulebook} has no paragraph {paragraph!r}", 404) from None


def find(text: str, rulebook: str | None = None) -> list[dict[str, Any]]:
    """The entries that contain a text."""
    words = text.lower().split()
    books = [load(rulebook)] if rulebook else loaded_rulebooks()[0]
    return [
        {"rulebook": book.id, "cite": book.cite(entry.paragraph), **in_short(entry)}
        for book in books
        for entry in book.entries.values()
        if all(word in f"{entry.paragraph} {entry.title} {entry.words} {entry.fence}".lower() for word in words)
    ]


@router.get("/law", response_model=list[Book])
def books() -> Response:
    """The rulebooks."""
    return respond(
        [
            {"rulebook": book.id, "title": book.title, "source": book.source, "paragraphs": len(book.entries)}
            for book in loaded_rulebooks()[0]
        ]
    )


@router.get("/law/coverage")
def covered() -> dict[str, Any]:
    """How every paragraph is accounted for."""
    return coverage()


@router.get("/law/search", response_model=list[Found])
async def search(
    request: Request, q: Annotated[str, Query(min_length=1, max_length=100)], rulebook: Name | None = None
) -> Response:
    """Search the entries."""
    return await rendering_of(request).work(request, lambda: respond(find(q, rulebook)[:MOST]))


@router.get("/law/cite", response_model=FullEntry)
def cited(rulebook: Name, cite: Annotated[str, Query(max_length=120)]) -> Response:
    """The entry of a citation."""
    book = load(rulebook)
    entry = full_entry(rulebook, cite.removeprefix(book.prefix))
    return respond({**entry, "says": entry["words"]})


@router.get("/law/{rulebook}", response_model=list[EntryShown])
def one_book(rulebook: Name) -> Response:
    """The entries of a rulebook, in the order of the text."""
    return respond([in_short(entry) for entry in load(rulebook).entries.values()])


@router.get("/law/{rulebook}/{paragraph:path}", response_model=FullEntry)
def paragraph(rulebook: Name, paragraph: Annotated[str, Path(max_length=120)]) -> Response:
    """One paragraph: entry, clause, code, tests, readings."""
    return respond(full_entry(rulebook, paragraph))
