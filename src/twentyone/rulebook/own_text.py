"""The reader's own copy of a regulation, paragraph by paragraph: which words of it stand under which number.

The words themselves are kept nowhere; what is remembered of a paragraph is a digest of its words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from hashlib import sha256
from typing import NamedTuple

from twentyone.errors import TwentyoneError
from twentyone.rulebook.text_marks import INSIDE, NOTES, SECTION, Mark, PlainText, label_of, marks_in, read_plain

__all__ = ["NotAligned", "OwnText", "Passage", "align", "digest_of"]

SHOWN = 5
"""How many missing paragraphs are named."""
ABSENT = 1000 * 10**9
"""What a paragraph without a place costs: more than any doubt about all the places."""
DOUBT = 10**9
"""What one doubt costs: more than all the places together, by which ties are decided."""


class NotAligned(TwentyoneError):
    """A copy in which paragraphs of the rulebook are missing, or that is no text."""


class Passage(NamedTuple):
    """The words of one paragraph."""

    text: str
    """As they stand in the copy, with its lines."""
    line: int
    """The line in which it begins."""

    @property
    def digest(self) -> str:
        """What is remembered of it."""
        return digest_of(self.text)


class OwnText(NamedTuple):
    """A copy, aligned with the paragraphs of a rulebook."""

    passages: dict[str, Passage]
    """Paragraph to its words; of a section also what an editor adds under it."""
    unknown: list[str]
    """Marks that no paragraph of the rulebook has, each with its line: read as part of the paragraph before."""


def align(copy: str, paragraphs: Sequence[str], name: str = "the text") -> OwnText:
    """Find every paragraph in a copy; refused where one is missing.

    >>> align("§ 1. Cards. (a) Six decks.\\n(b) No tens.", ["1", "1(a)", "1(b)"]).passages["1(b)"]
    Passage(text='No tens.', line=2)
    """
    page = read_plain(copy)
    found = _found(page, paragraphs)
    placed = {paragraph: mark for paragraph, mark in found.items() if mark is not None}
    if len(placed) < len(found) and _flows(placed.values()):
        again = _found(page, paragraphs, flowing=True)
        placed = {paragraph: mark for paragraph, mark in again.items() if mark is not None}
    if len(placed) < len(found):
        raise NotAligned(f"{name}: {_lacking(found, page)}")
    return OwnText(_passages(page, placed), _unknown(page, placed.values()))


def digest_of(text: str) -> str:
    """SHA-256 of the words of a passage, whatever its lines, spaces, quotation marks, dashes and hyphens.

    >>> digest_of("A “cover  card” is op-\\naque.") == digest_of('A "cover card" is opaque.')
    True
    >>> digest_of("two cards") == digest_of("three cards")
    False
    """
    spaced = re.sub(r"\s+", " ", text)  # first: below, many blanks would be looked through again from each of them
    plain = re.sub("[“”„«»]", '"', re.sub("[‘’‚`´]", "'", re.sub("[‐‑‒–—―−]", "-", spaced)))
    joined = re.sub("(?<=[^\\W\\d])- ?(?=[^\\W\\d])", "", re.sub(" -+ ?", " ", plain))
    return sha256(" ".join(joined.replace("- ", "-").split()).encode()).hexdigest()


# -- which mark is which paragraph

Found = dict[str, Mark | None]
"""Paragraph to its mark; none: it is missing."""


def _found(page: PlainText, paragraphs: Sequence[str], flowing: bool = False) -> Found:
    labels = {paragraph: label_of(paragraph) for paragraph in paragraphs}
    sought = [paragraph if label == SECTION else label for paragraph, label in labels.items()]
    marks = marks_in(page, [paragraph for paragraph, label in labels.items() if label == SECTION], flowing)
    return dict(zip(paragraphs, _chosen(sought, marks), strict=True))


def _flows(placed: Collection[Mark]) -> bool:
    """Whether the lines of a copy were run together: many of its paragraphs begin inside a line."""
    return 4 * sum(mark.doubt >= INSIDE for mark in placed) > len(placed)


def _chosen(sought: Sequence[str], marks: Sequence[Mark]) -> list[Mark | None]:
    """A mark for each label in their order, with the fewest missing, then the least doubt.

    `costs[k]` is the least cost of the paragraphs so far with the first `k` marks, `taken[k]` the mark of the last.
    """
    costs, steps = [0] * (len(marks) + 1), []
    for label in sought:
        row, taken = [costs[0] + ABSENT], [-1]
        for place, mark in enumerate(marks):
            least, last = min((row[place], taken[place]), (costs[place + 1] + ABSENT, -1))
            if mark.label == label:
                least, last = min((least, last), (costs[place] + _cost(mark), place))
            row.append(least)
            taken.append(last)
        costs = row
        steps.append(taken)
    return _back(steps, marks)


def _cost(mark: Mark) -> int:
    """Doubt first; of two equals the nearer: the last heading of a section, the first mark under it."""
    return mark.doubt * DOUBT + (mark.start if mark.label[0] in "(." else -mark.start)


def _back(steps: Sequence[Sequence[int]], marks: Sequence[Mark]) -> list[Mark | None]:
    found: list[Mark | None] = []
    reached = len(marks)
    for taken in reversed(steps):
        last = taken[reached]
        found.append(None if last < 0 else marks[last])
        reached = reached if last < 0 else last
    return found[::-1]


def _lacking(found: Found, page: PlainText) -> str:
    """Which paragraphs are missing, and between which lines the first should stand."""
    missing = [paragraph for paragraph, mark in found.items() if mark is None]
    first = list(found).index(missing[0])
    before = [_place(page, *each) for each in list(found.items())[:first] if each[1]][-1:]
    after = [_place(page, *each) for each in list(found.items())[first:] if each[1]][:1]
    places = [*(f"after {place}" for place in before), *(f"before {place}" for place in after)]
    where = " and ".join(places) or "nothing in it looks like a paragraph of this rulebook"
    others = f"; missing too: {', '.join(missing[1:SHOWN])}" if len(missing) > 1 else ""
    more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
    return f"{missing[0]} is missing: {where}{others}{more}"


def _place(page: PlainText, paragraph: str, mark: Mark | None) -> str:
    return f"{paragraph} (line {page.line(mark.start)})" if mark else paragraph


# -- what stands under each


def _passages(page: PlainText, placed: dict[str, Mark]) -> dict[str, Passage]:
    ends = [*[mark.start for mark in placed.values()][1:], len(page.text)]
    told: dict[str, list[str]] = {paragraph: [] for paragraph in placed}
    section = ""
    for (paragraph, mark), end in zip(placed.items(), ends, strict=True):
        section = paragraph if label_of(paragraph) == SECTION else section
        words, notes = _parted(page.text[mark.end : end])
        told[paragraph].insert(0, words)
        told[section or paragraph].append(notes)
    return {
        paragraph: Passage("\n\n".join(filter(None, told[paragraph])), page.line(mark.start))
        for paragraph, mark in placed.items()
    }


def _parted(text: str) -> tuple[str, str]:
    """The words of a paragraph, and what an editor adds under them."""
    note = NOTES.search(text)
    words, notes = (text[: note.start()], text[note.start() :]) if note else (text, "")
    return words.strip(" \n-•"), notes.strip()


def _unknown(page: PlainText, placed: Collection[Mark]) -> list[str]:
    """Marks that begin a line like a paragraph, outside of what an editor adds, and are none of ours."""
    used = sorted(mark.start for mark in placed)
    notes = [match.start() for match in NOTES.finditer(page.text)]
    odd = []
    for mark in marks_in(page, ()):
        last = bisect_right(used, mark.start) - 1
        noted = last >= 0 and any(used[last] < note < mark.start for note in notes)
        if mark.doubt <= 1 and last >= 0 and used[last] != mark.start and not noted:
            odd.append(f"line {page.line(mark.start)}: {page.text[mark.start : mark.end]}")
    return odd
