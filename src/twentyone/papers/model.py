"""What papers are made of: parts with headings, words, tables, charts and a picture; every renderer reads only this.

In any text, what stands between backticks is a name that a machine reads.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = [
    "Block",
    "ChartGrid",
    "Charts",
    "Code",
    "Grid",
    "Heading",
    "Paper",
    "PaperPart",
    "Picture",
    "Run",
    "Words",
    "runs",
]


@dataclass(frozen=True)
class Heading:
    """A heading within a part."""

    text: str
    """Its words."""


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    text: str
    """Its words."""


@dataclass(frozen=True)
class Code:
    """Lines as they stand in a file."""

    text: str
    """The lines."""


@dataclass(frozen=True)
class Grid:
    """A table; its head is repeated on every page."""

    head: tuple[str, ...]
    """The titles of its columns."""
    rows: tuple[tuple[str, ...], ...]
    """Its cells, row by row."""
    widths: tuple[int, ...]
    """How the columns share the width; 0 is as wide as its longest cell."""
    numbers: tuple[int, ...] = ()
    """The columns of figures, set to the right."""


@dataclass(frozen=True)
class ChartGrid:
    """One chart of decisions: a letter for each hand and up card, with its colours."""

    title: str
    """Hard totals, soft totals or pairs."""
    head: tuple[str, ...]
    """The up cards."""
    rows: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]
    """A hand and its cells: letters, ground, ink."""


@dataclass(frozen=True)
class Charts:
    """Charts that belong together, side by side where there is room."""

    grids: tuple[ChartGrid, ...]
    """The charts."""


@dataclass(frozen=True)
class Picture:
    """A drawing."""

    svg: str
    """The drawing, without anything that lies elsewhere."""
    says: str
    """What it shows, for those who cannot see it."""


Block = Heading | Words | Code | Grid | Charts | Picture


@dataclass(frozen=True)
class PaperPart:
    """One part of the papers; it begins on a page of its own."""

    name: str
    """Its anchor."""
    title: str
    """Its title."""
    blocks: tuple[Block, ...]
    """What stands in it."""


@dataclass(frozen=True)
class Paper:
    """The papers of one submission."""

    title: str
    """The game."""
    kind: str
    """What the papers are."""
    source: str
    """The text that it is played under."""
    cover: tuple[tuple[str, str], ...]
    """What the title page says: name and value."""
    signed: tuple[str, ...]
    """Lines that a person fills in."""
    foot: str
    """What stands at the foot of every page."""
    parts: tuple[PaperPart, ...]
    """The parts, in order."""


Run = tuple[str, bool]
"""A stretch of text, and whether a machine reads it."""


def runs(text: str) -> Iterable[Run]:
    """A text as stretches of words and of names between backticks.

    >>> list(runs("key `decks` here"))
    [('key ', False), ('decks', True), (' here', False)]
    """
    for index, part in enumerate(text.split("`")):
        if part:
            yield part, bool(index % 2)
