"""Where a text of a regulation may begin a paragraph: `(a)`, `B.`, `§ 7.3`, `Chapter 4`, and how sure each looks."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

__all__ = ["INSIDE", "NOTES", "SECTION", "Mark", "PlainText", "label_of", "marks_in", "read_plain"]

SECTION = "section"
"""The label of a paragraph that is a whole section."""
HEADS_FROM = 3
"""So often a block must return to be a running head, which is no part of the text."""
BULLETS = "•·▪◦*–—-"
"""What a line may be set off with; the last is a hyphen, as a set of characters wants it."""
CONTENTS = 3
"""So many headings near one another make a table of contents."""
NEAR = 200
"""Characters from one of its headings to the next, at most."""
INSIDE = 4
"""From this doubt on a mark stands inside a line."""
LOOK_BACK = 80
"""Characters before a mark that tell whether a sentence ends there."""

_LABEL = r"\((?:[A-Za-z]{1,5}|\d{1,3})\)"
_LAST = re.compile(rf"({_LABEL}|\.[A-Z]{{1,2}})(?:\[\d+\])?$")
_CHAIN = re.compile(rf"(?<!\S){_LABEL}(?:\s*{_LABEL})*")
_LETTER = re.compile(r"(?<!\S)([A-Z]{1,2})\.(?=\s)")
_NUMBERED = re.compile(r"^(?:§|Sec\b|Section\b|Chapter\b|Ch\.)\W*\d", re.IGNORECASE)
_PAGE = re.compile(r"(?:page )?(?:\w+-)?\d+(?: of \d+)?(?: ?-)?|\[[^\]]*\bpage\b[^\]]*\]", re.IGNORECASE)
NOTES = re.compile(r"^(?:Authority|Source|Cross References?|Notes?|History)$", re.MULTILINE)
"""The lines above what an editor adds to a section."""
_QUOTES = "\"'“”‘’«»[$"
_OPENS = re.compile(rf"\s*[{re.escape(_QUOTES)}]*(?:[A-Z0-9$]|$)")
_GAP = re.compile(r"[\s.:–—-]*")
_ENDS = re.compile(r"(?:[.;:—!?][\"'”’)]*|[,;.]\s?(?:and|or)(?:\sthen)?)$")
_REFERS = re.compile(
    r"(?:\b(?:in|under|and|or|by|of|to|with|(?:sub)?sections?|paragraphs?|chapters?)|§)$", re.IGNORECASE
)
_NAMED = re.compile(r"(?:^|[\s(])[A-Z0-9$][\w'’,-]*$")


class Mark(NamedTuple):
    """A place where a paragraph may begin."""

    label: str
    """`(a)`, `.B`, or a section's id."""
    start: int
    """Where the mark begins."""
    end: int
    """Where the words after it begin."""
    doubt: int
    """0: after an empty line and before a capital letter; more: less like a beginning."""


class PlainText(NamedTuple):
    """A text without what is not its own: ornaments, running heads, the numbers of pages."""

    text: str
    """One string; an empty line before each block."""
    starts: tuple[int, ...]
    """Where each line begins in it."""
    numbers: tuple[int, ...]
    """The number of that line in the copy."""

    def line(self, place: int) -> int:
        """The line of the copy in which a place of the text stands."""
        return self.numbers[bisect_right(self.starts, place) - 1]


def label_of(paragraph: str) -> str:
    """The mark that a paragraph begins with: the last part of its id.

    >>> label_of("635a.2(b)(3)"), label_of("Ch. 12.D"), label_of("Ch. 12.D(3)(j)[2]"), label_of("635a.2")
    ('(3)', '.D', '(j)', 'section')
    """
    found = _LAST.search(paragraph)
    return found[1] if found else SECTION


# -- the page


def read_plain(copy: str) -> PlainText:
    """A copy as one string, without ornaments, running heads and page numbers."""
    blocks = list(_blocks(copy))
    times = Counter(_told(block) for block in blocks)
    kept = [block for block in blocks if not _is_head(block, times[_told(block)])]
    pieces: list[str] = []
    starts: list[int] = []
    numbers: list[int] = []
    length = 0
    for block in kept:
        for index, (number, line) in enumerate(block):
            gap = "" if not pieces else "\n" if index else "\n\n"
            length += len(gap)
            pieces += [gap, line]
            starts.append(length)
            numbers.append(number)
            length += len(line)
    return PlainText("".join(pieces), tuple(starts), tuple(numbers))


Block = list[tuple[int, str]]


def _blocks(copy: str) -> Iterator[Block]:
    """The lines between empty lines, with their numbers; a label that is set off begins a block of its own."""
    block: Block = []
    for number, line in enumerate(unicodedata.normalize("NFKC", copy).splitlines(), 1):
        plain = _plain(line)
        if block and (not line.strip() or _is_set_off(line, plain)):
            yield block
            block = []
        if plain:
            block.append((number, plain))
    if block:
        yield block


def _is_set_off(line: str, plain: str) -> bool:
    """Whether a line begins with a bullet and a label, or is nothing but a label."""
    begins = _CHAIN.match(plain) or _LETTER.match(f"{plain} ")
    return begins is not None and (begins.end() == len(plain) or line.lstrip()[0] in BULLETS)


def _plain(line: str) -> str:
    """A line without what sets it: tags, emphasis, bullets, cells."""
    bare = re.sub(r"<[^<>]*>|[*\\]", "", line).replace("|", " ")
    return re.sub(rf"^[ #>{BULLETS}]+", "", " ".join(bare.split())).rstrip(" #")


def _told(block: Block) -> str:
    return " ".join(" ".join(line for _, line in block).split())


def _is_head(block: Block, times: int) -> bool:
    told = _told(block)
    if _PAGE.fullmatch(told):
        return True
    begins = _CHAIN.match(told) or _LETTER.match(told) or _NUMBERED.match(told) or NOTES.match(told)
    return times >= HEADS_FROM and not begins


# -- the marks


def marks_in(page: PlainText, sections: Iterable[str], flowing: bool = False) -> list[Mark]:
    """Every place that looks like the beginning of a paragraph, in the order of the text.

    `flowing`: in a text whose paragraphs do not begin lines, whatever a capital letter follows may begin one.
    """
    headings = [mark for section in sections for mark in _headings(page.text, section, flowing)]
    found = [*_labels(page.text, flowing), *_letters(page.text, flowing), *_without_contents(headings)]
    return sorted(found, key=lambda mark: mark.start)


def _labels(text: str, flowing: bool) -> Iterator[Mark]:
    for chain in _CHAIN.finditer(text):
        doubt = _doubt(text, chain.start(), bool(_OPENS.match(text, chain.end())), flowing, after_title=True)
        if doubt is not None:
            for part in re.finditer(_LABEL, chain[0]):
                yield Mark(part[0], chain.start() + part.start(), chain.start() + part.end(), doubt)


def _letters(text: str, flowing: bool) -> Iterator[Mark]:
    for letter in _LETTER.finditer(text):
        doubt = _doubt(text, letter.start(), bool(_OPENS.match(text, letter.end())), flowing)
        if doubt is not None:
            yield Mark(f".{letter[1]}", letter.start(), letter.end(), doubt)


def _headings(text: str, section: str, flowing: bool) -> Iterator[Mark]:
    chapter = section.startswith("Ch.")
    number = re.escape(section.removeprefix("Ch.").strip())
    word = r"(?:Chapter|Ch\.)\s*" if chapter else r"(?:§+\s*|(?:Section|Sec\.)\s*)?"
    for found in re.finditer(rf"(?<!\S){word}{number}(?![\w(]|\.\w)", text, re.IGNORECASE):
        end = found.end() + len(_GAP.match(text, found.end())[0])  # type: ignore[index] # an empty gap matches, too
        opens = bool(_OPENS.match(text, end))
        doubt = _doubt(text, found.start(), opens, flowing)
        if doubt is not None and (opens or text[found.end() : end].strip()):
            yield Mark(section, found.start(), end, 0 if opens else doubt)


def _without_contents(headings: list[Mark]) -> list[Mark]:
    """Headings without those of a table of contents: near one another, and most sections stand elsewhere, too.

    They come section by section: where the order goes back, the text itself begins.
    """
    order = {label: index for index, label in enumerate(dict.fromkeys(mark.label for mark in headings))}
    runs: list[list[Mark]] = []
    for mark in sorted(headings, key=lambda mark: mark.start):
        last = runs[-1][-1] if runs else mark
        if mark.start - last.start < NEAR and order[mark.label] > order[last.label]:
            runs[-1].append(mark)
        else:
            runs.append([mark])
    times = Counter(mark.label for mark in headings)
    return [mark for run in runs if not _is_contents(run, times) for mark in run]


def _is_contents(run: list[Mark], times: Counter[str]) -> bool:
    return len(run) >= CONTENTS and 2 * sum(times[mark.label] > 1 for mark in run) > len(run)


def _doubt(text: str, start: int, opens: bool, flowing: bool, after_title: bool = False) -> int | None:
    """How little a place looks like a beginning; none: it is a reference inside a sentence."""
    before = text[max(0, start - LOOK_BACK) : start]
    if not before or before.endswith("\n\n"):
        return 0 if opens else 3
    bare = before.rstrip(" \n-•")
    ends = bool(_ENDS.search(bare))
    if before.endswith("\n"):
        return 1 if opens else 2 if ends else None
    if opens and ends:
        return INSIDE
    likely = flowing or (after_title and _NAMED.search(bare))
    return 2 * INSIDE if opens and likely and not _REFERS.search(bare) else None
