"""One cell of a chart: a letter, perhaps a number of cards, perhaps a mark; and the legend that explains them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

__all__ = ["DECISIONS", "LETTERS", "MARKS", "OFFERS", "Cell", "legend"]

DECISIONS: Mapping[str, tuple[str, ...]] = {
    "H": ("hit", "stand"),
    "S": ("stand",),
    "D": ("double", "hit", "stand"),
    "Ds": ("double", "stand"),
    "P": ("split", "hit", "stand"),
    "R": ("surrender", "hit", "stand"),
    "Rh": ("surrender", "hit", "stand"),
    "Rs": ("surrender", "stand"),
}
"""On a turn: letter to the decisions it means, the first that is allowed."""

OFFERS: Mapping[str, tuple[str, ...]] = {
    "R": ("rescue", "surrender", "decline"),
    "C": ("second_chance", "decline"),
    "D": ("double", "decline"),
    "N": ("decline",),
}
"""In answer to an offer (rescue, second chance, surrender before the reader): letter to the answers it means."""

LETTERS: Mapping[str, str] = {
    "H": "hit",
    "S": "stand",
    "D": "double, or hit where doubling is not allowed",
    "Ds": "double, or stand where doubling is not allowed",
    "P": "split",
    "R": "surrender (in the chart after a double: rescue)",
    "Rh": "surrender, or hit where surrender is not allowed",
    "Rs": "surrender, or stand where surrender is not allowed",
    "C": "take the second chance",
    "N": "decline",
}
"""What each letter means, for the legend."""

MARKS: Mapping[str, tuple[str, ...]] = {
    "*": ("any", "suited", "spades"),
    "†": ("suited", "spades"),
    "‡": ("spades",),
}
"""Mark to the special hands that make the player hit instead."""

MARK_WORDS: Mapping[str, str] = {
    "*": "hit instead while {} is possible",
    "†": "hit instead while {} of one suit is possible",
    "‡": "hit instead while {} of {} is possible",
}

FORM = re.compile(r"(Rh|Rs|Ds|[HSDPRCN])([0-9]{1,3})?([*†‡])?")


class Cell(NamedTuple):
    """What to do in one cell of a chart.

    >>> Cell.parse("D4*")
    Cell(letter='D', number=4, mark='*')
    >>> str(Cell("S", 6))
    'S6'
    """

    letter: str
    """One of `LETTERS`."""
    number: int | None = None
    """Hit instead with this many cards or more."""
    mark: str = ""
    """Hit instead while such a special hand is possible (see `MARKS`)."""

    @classmethod
    def parse(cls, text: str) -> Cell:
        """A cell as charts write it; `ValueError` where it is none."""
        match = FORM.fullmatch(text)
        if match is None:
            raise ValueError(
                f"{text!r} is no cell: a letter of {' '.join(LETTERS)}, then perhaps a number, then a mark"
            )
        letter, number, mark = match.groups()
        return cls(letter, int(number) if number else None, mark or "")

    def __str__(self) -> str:
        return f"{self.letter}{self.number or ''}{self.mark}"

    def hits_instead(self, cards: int, bonus: str) -> bool:
        """Whether the number of cards or a possible special hand makes this a hit."""
        return (self.number is not None and cards >= self.number) or bonus in MARKS.get(self.mark, ())


def legend(
    cells: Iterable[Cell], special: str = "a special hand", suit: str = "the best-paid suit"
) -> tuple[tuple[str, str], ...]:
    """What the letters, numbers and marks of some cells mean, in a fixed order; with the names of special hands."""
    used = set(cells)
    letters = [(letter, words) for letter, words in LETTERS.items() if any(cell.letter == letter for cell in used)]
    number = [("4", "after a letter: hit instead with that many cards or more")] if any(c.number for c in used) else []
    marks = [
        (mark, words.format(special, suit)) for mark, words in MARK_WORDS.items() if any(c.mark == mark for c in used)
    ]
    return (*letters, *number, *marks)
