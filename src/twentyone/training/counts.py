"""Counting drills: a run of cards out of a shoe, and the count that it leaves, by a published system."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from twentyone.cards import RANKS, SUITS, Card
from twentyone.errors import NotAScript
from twentyone.rulebook import Rules
from twentyone.service.shift.chance import Chance

__all__ = ["MOST_CARDS", "SYSTEMS", "CountRun", "count_run"]

FOLDER = Path(__file__).parent.parent / "counts"
"""The published systems, one file each: data of the simulator, which is not loaded for a drill."""
SYSTEMS = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))
"""Their names."""
RED = "HD"
DECK = len(RANKS) * len(SUITS)
MOST_CARDS = DECK
"""Cards of the longest run."""


class CountRun(NamedTuple):
    """Some cards out of a full shoe, and what they count to."""

    cards: tuple[Card, ...]
    """The cards, in their order."""
    start: Fraction
    """The count of the full shoe."""
    running: Fraction
    """The running count after them, in points of the system as it is counted."""
    left: Fraction
    """Decks that are left, to the half deck."""
    true: Fraction | None
    """The running count for each of them; none where the system is read as it runs."""
    source: str
    """Where the system was published."""
    tags: Mapping[str, int | Mapping[str, int]]
    """What each card adds, as the system writes it."""


@cache
def _system(name: str) -> Mapping[str, Any]:
    if name not in SYSTEMS:
        raise NotAScript("count", f"there is no count {name[:40]!r}, only {', '.join(SYSTEMS)}")
    found: Mapping[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return found


def count_run(rules: Rules, name: str, cards: int, chance: Chance) -> CountRun:
    """A run of so many cards of a game's shoe, counted by a system."""
    if not 1 <= cards <= MOST_CARDS:
        raise NotAScript("cards", f"a run has 1 to {MOST_CARDS} cards, not {cards}")
    system, decks = _system(name), int(rules.submission["decks"])
    ranks = [rank for rank in RANKS if rank not in rules.cards.without]
    scale, shoe = system.get("scale", 1), [Card(rank + suit) for rank in ranks for suit in SUITS] * decks
    whole = sum(_tag(system["tags"], card) for card in shoe)
    start = Fraction(_start(system.get("start", -whole), decks), scale)
    drawn = tuple(shoe.pop(chance.below(len(shoe))) for _ in range(cards))
    running = start + Fraction(sum(_tag(system["tags"], card) for card in drawn), scale)
    left = Fraction(round(Fraction(2 * len(shoe), len(ranks) * len(SUITS))), 2)
    true = running / left if left and system.get("divisor") != "none" else None
    return CountRun(drawn, start, running, left, true, system.get("source", ""), system["tags"])


def _tag(tags: Mapping[str, int | Mapping[str, int]], card: Card) -> int:
    tag = tags.get(card.rank, 0)
    return tag if isinstance(tag, int) else tag.get("red" if card.suit in RED else "black", 0)


def _start(start: int | Mapping[str, int], decks: int) -> int:
    """The count of a new shoe in a file's points; the caller says what stands for none: a whole shoe counts to zero."""
    if isinstance(start, int):
        return start
    if "each_deck" in start:
        return start["each_deck"] * decks + start.get("plus", 0)
    if str(decks) not in start:
        raise NotAScript("count", f"this count is for a shoe of {', '.join(start)} decks, not of {decks}")
    return start[str(decks)]
