"""Laws that go with a question: a worker has the rulebooks of this software, and not those that only a ledger keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from twentyone.errors import NotAScript
from twentyone.ledger.kept_law import packed, unpacked
from twentyone.rulebook import Rulebook

__all__ = ["law_of", "sent_laws"]


def sent_laws(books: Iterable[Rulebook]) -> dict[str, list[str]]:
    """Those of some rulebooks that are not on the shelf, by their hash: id, edition and files."""
    return {book.known_as: [book.id, book.edition, packed(book)] for book in books if book.known_as}


def law_of(asked: Mapping[str, Any], known_as: str) -> Rulebook | None:
    """The rulebook with a hash that went with a question; none where the script's own is meant, from the shelf."""
    if not known_as:
        return None
    if known_as not in asked.get("laws", {}):
        raise NotAScript("law", f"no law with the hash {known_as[:16]} came with the question")
    name, edition, files = asked["laws"][known_as]
    return unpacked(name, files, known_as, edition)
