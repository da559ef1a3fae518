"""A rulebook with some fences changed by hand, without touching its folder: what an amendment would make of it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from twentyone.errors import RulebookError
from twentyone.rulebook.reader import Entry, read_entries
from twentyone.rulebook.rulebook import Rulebook, rulebook_from
from twentyone.rulebook.values import none_of

__all__ = ["amended"]


def amended(book: Rulebook, text: str, name: str) -> Rulebook:
    """The book as a text amends it: headings with paragraphs (`# 635a.12(a)`), each with its fences as they shall be.

    Words and notes of a paragraph stay where the text has none. `name` is the file's, for messages.
    """
    changes, lines = _read(book, text, name), text.splitlines()
    texts = dict(book.texts)
    for paragraph in sorted(changes, key=list(book.entries).index, reverse=True):
        change = changes[paragraph]
        _substitute(texts, book.entries[paragraph], change, _body(lines, _line(change)))
    try:
        return rulebook_from(book.id, texts, edition=book.edition)
    except RulebookError as wrong:
        raise RulebookError(wrong.paragraph, f"as amended by {name}: {_why(wrong)}") from None


def _why(wrong: RulebookError) -> str:
    return str(wrong).partition(f"{wrong.paragraph}: ")[2] or str(wrong)


def _read(book: Rulebook, text: str, name: str) -> dict[str, Entry]:
    """Paragraph to its entry as the text writes it."""
    with TemporaryDirectory(prefix="twentyone-amend-") as place:
        file = Path(place) / Path(name).name
        file.write_text(text, encoding="utf-8")
        try:
            entries = list(read_entries(file, book.prefix, words_needed=False))
        except RulebookError as wrong:
            at = wrong.place.rpartition(":")[2]
            raise RulebookError(wrong.paragraph, _why(wrong), f"{name}:{at}") from None
    entries = [entry for entry in entries if entry.words or entry.notes or entry.fence]
    if not entries:
        raise RulebookError(name, "it changes nothing: an amendment is a heading with a paragraph, and its fence")
    for number, entry in enumerate(entries):
        if entry.paragraph not in book.entries:
            why = f"paragraph {none_of(entry.paragraph, _near(book, entry.paragraph))}"
            raise RulebookError(book.id, why, f"{name}:{_line(entry) + 1}")
        if any(entry.paragraph == other.paragraph for other in entries[:number]):
            raise RulebookError(entry.paragraph, "it is amended twice", f"{name}:{_line(entry) + 1}")
    return {entry.paragraph: entry for entry in entries}


def _near(book: Rulebook, paragraph: str) -> tuple[str, ...]:
    """The paragraphs of the same section, or else the sections."""
    section = paragraph.partition("(")[0]
    return tuple(name for name in book.entries if name.startswith(section)) or tuple(
        name for name in book.entries if "(" not in name
    )


def _line(entry: Entry) -> int:
    """The line of an entry's heading, counted from nought."""
    return int(entry.place.rpartition(":")[2]) - 1


def _body(lines: list[str], heading: int) -> list[str]:
    """What stands under a heading, to the next one; a line within a fence is none, whatever it begins with."""
    body: list[str] = []
    fenced = False
    for line in lines[heading + 1 :]:
        fenced ^= line.startswith("```")
        if line.startswith("#") and not fenced:
            break
        body.append(line)
    return body


def _substitute(texts: dict[str, str], old: Entry, change: Entry, body: list[str]) -> None:
    """Write the changed entry in the place of the old one, under its own heading."""
    file = old.place.partition("/")[2].rpartition(":")[0]
    lines = texts[file].splitlines()
    first = _line(old) + 1
    words = [] if change.words else [old.words, ""]
    notes = [] if change.notes else ["", *(f"> {note.kind}: {note.text}" for note in old.notes)]
    lines[first : first + len(_body(lines, _line(old)))] = [*words, *body, *notes, ""]
    texts[file] = "\n".join(lines) + "\n"
