"""Which text of a rulebook is law on a day, and which has begun since another one."""

from __future__ import annotations

from twentyone.rulebook.editions import Edition, Editions
from twentyone.rulebook.folders import folder_of
from twentyone.rulebook.rulebook import Rulebook, editions_of

__all__ = ["later_editions", "latest_text", "text_on"]


def text_on(name: str, day: str) -> Rulebook:
    """The text under which a table is opened on a day, by its date; the book's own files where it has none."""
    editions = editions_of(name)
    edition, first = editions.latest(day), editions.first
    if edition is None or (first is not None and edition.begins < first.begins):
        return Rulebook.load(name)
    return Rulebook.load(name, at=day)


def later_editions(book: Rulebook, day: str) -> tuple[Edition, ...]:
    """The editions of a book that have begun by a day and after its text, held or not."""
    editions = editions_of(book.id) if folder_of(book.id) is not None else Editions(book.id)
    since = book.edition or ("" if editions.first is None else editions.first.begins)
    return tuple(edition for edition in editions.all if since < edition.begins <= day)


def latest_text(book: Rulebook, day: str) -> Rulebook:
    """The text of the last edition that has begun by a day, the book itself where none has since its own."""
    return Rulebook.load(book.id, at=day) if later_editions(book, day) else book
