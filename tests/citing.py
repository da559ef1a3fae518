"""A check over every test: a refusal cites a paragraph that some rulebook has, or nothing."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING
from unittest.mock import patch

from twentyone.errors import Refused
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.folders import OWN_FOLDER

if TYPE_CHECKING:
    from twentyone.table import TableEvent

__all__ = ["HOUSE", "NoCitation", "citations_checked", "cites_rightly", "known_cites"]

HOUSE = (
    "table_opened",
    "agenda_set",
    "player_seated",
    "player_standing",
    "player_left",
    "chips_moved",
    "limit_set",
    "table_closed",
)
"""Kinds of events of a table of which no text speaks."""

PLANTED = {"Classic § 9(z)"}
"""Paragraphs of clauses that tests plant."""


def cites_rightly(event: TableEvent, cites: Collection[str]) -> bool:
    """Whether an event of a table cites one of these paragraphs, or nothing where no text speaks of it."""
    return event.cite in cites or (not event.cite and event.kind in HOUSE)


class NoCitation(AssertionError):
    """A refusal that gives as its citation what no rulebook has."""


@cache
def known_cites() -> frozenset[str]:
    """Every citation that a rulebook can give."""
    books = [Rulebook.load(name) for name in rulebook_ids()]
    return frozenset({book.cite(paragraph) for book in books for paragraph in book.entries} | PLANTED)


@contextmanager
def citations_checked() -> Iterator[None]:
    """Every refusal made meanwhile has a citation that some rulebook has, or none; rulebooks of a test are its own."""
    make = Refused.__init__

    def checked(self: Refused, why: str, cite: str = "", step: str = "") -> None:
        if cite != "" and OWN_FOLDER not in os.environ and cite not in known_cites():
            raise NoCitation(f"{cite!r} is no paragraph of any rulebook: {why}")
        make(self, why, cite, step)

    with patch.object(Refused, "__init__", checked):
        yield
