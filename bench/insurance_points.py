"""From which cards left on insurance pays at a running count: published points, and ours by counting sets of cards."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from twentyone.cards import RANKS, SUITS, Card
from twentyone.odds.counted_shoe import Group, expected_cards
from twentyone.sim.counts import count_named

__all__ = ["Difference", "Table", "differences", "groups_of", "points", "published", "slips"]

FILE = Path("tests/vectors/insurance-points.json")
"""What was published."""
EVEN = 1e-10
"""Nearer to nothing than this is nothing: the sums are of floating numbers."""
PART = re.compile(r"(?P<always>always)|(?P<sign><=|>=)?(?P<low>\d+)(-(?P<high>\d+))?(?P<even>\*)?")
TENS = ("10", "J", "Q", "K")


class Table(NamedTuple):
    """The published points of one count and so many decks."""

    system: str
    """The counting system."""
    decks: int
    """The decks."""
    points: dict[str, dict[str, str]]
    """The hand against an ace, as in `L-T`, and the running count, to the cards left."""


class Point(NamedTuple):
    """A running count with so many cards left."""

    insured: bool
    """Whether insurance loses nothing."""
    even: bool
    """Whether it is worth nothing exactly."""


class Difference(NamedTuple):
    """Where we differ."""

    hand: str
    """The hand against an ace."""
    running: int
    """The running count."""
    left: int
    """The cards left."""
    published: Point
    """Theirs."""
    ours: Point
    """Ours."""

    @property
    def row(self) -> str:
        """The row of the table."""
        return f"{self.hand} {self.running}"


def published() -> list[Table]:
    """All tables."""
    return [Table(**table) for table in json.loads(FILE.read_text("utf-8"))["tables"]]


def slips(table: Table) -> set[str]:
    """The rows of a table that are wrong as published: hand and running count."""
    return set(json.loads(FILE.read_text("utf-8"))["slips"].get(f"{table.system} {table.decks}", []))


def points(text: str, left: int) -> Point:
    """What a published row says of so many cards left.

    >>> points("2, 4, >=6, 42*", 42), points("13-45, 48*", 47)
    (Point(insured=True, even=True), Point(insured=False, even=False))
    """
    insured = even = False
    for part in text.split(", "):
        found = PART.fullmatch(part)
        assert found, part
        low, high = int(found["low"] or 0), int(found["high"] or found["low"] or 0)
        within = low <= left <= high
        meant = {"<=": left <= high, ">=": left >= low}.get(found["sign"], within)
        insured = insured or bool(found["always"]) or meant
        even = even or bool(found["even"] and within)
    return Point(insured, even)


def differences(table: Table, hand: str, step: int = 1) -> Iterator[Difference | None]:
    """Every published row of a hand with every number of cards left, or none where we agree.

    With a step, numbers next to those that are named, and every so many of the others.
    """
    groups = groups_of(table, hand)
    whole, rows = sum(group.cards for group in groups.values()), table.points[hand]
    named = {int(number) + off for text in rows.values() for number in re.findall(r"\d+", text) for off in (-1, 0, 1)}
    lefts = [left for left in range(1, whole + 1) if left % step == 0 or left in named]
    for left in lefts:
        expected = expected_cards(list(groups.values()), left)
        for running, text in rows.items():
            ours = _point(expected, int(running), list(groups).index("T"), left)
            if ours is not None:
                told = points(text, left)
                yield None if ours == told else Difference(hand, int(running), left, told, ours)


def _point(expected: Any, running: int, tens: int, left: int) -> Point | None:
    """None: no cards left have this count."""
    try:
        chance = expected(-running)[tens] / left
    except ValueError:
        return None
    gain = 3 * chance - 1
    return Point(gain >= -EVEN, abs(gain) < EVEN)


def groups_of(table: Table, hand: str) -> dict[str, Group]:
    """The cards that the hand and the ace leave in the shoe, by their letters."""
    count, groups = count_named(table.system), dict[str, Group]()
    for card in (Card(rank + suit) for rank in RANKS for suit in SUITS):
        tag = count.tag(card)
        letter = {1: "L", 0: "M"}.get(tag) or ("T" if card.rank in TENS else "A")
        held = groups.setdefault(letter, Group(tag, 0))
        groups[letter] = held._replace(cards=held.cards + table.decks)
    for letter in [*hand.split("-"), "A"]:
        groups[letter] = groups[letter]._replace(cards=groups[letter].cards - 1)
    return groups
