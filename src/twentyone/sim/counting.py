"""A counting system as data: what each card adds, how the count is read, what is wagered and decided by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

from twentyone.cards import RANKS, Card
from twentyone.sim.chart import Decider
from twentyone.strategy import Situation

__all__ = [
    "COLOURS",
    "DIVISORS",
    "HILO",
    "ROUNDINGS",
    "USES",
    "Count",
    "CountDeparture",
    "Counting",
    "SideCount",
    "Start",
    "Tags",
]

COLOURS = {"S": "black", "H": "red", "D": "red", "C": "black"}
"""Suit to colour."""

DIVISORS = {"cards": 0, "full": 1, "half": 2, "none": -1}
"""By what a running count is divided, and how the round function is told."""
ROUNDINGS = ("floor", "truncate", "round")
"""How a true count becomes whole."""
USES = ("wagers", "insurance")
"""What a side count may correct."""

Tags = Mapping[str, int | Mapping[str, int]]
"""Rank to what is added when it is seen, or to the same by colour."""

Start = int | Mapping[str, int] | None
"""The running count of a new shoe: a number, `each_deck` and `plus`, or decks to numbers; absent: counts to zero."""


def tag_of(tags: Tags, card: Card) -> int:
    """What a card adds."""
    tag = tags.get(card.rank, 0)
    return tag if isinstance(tag, int) else tag.get(COLOURS[card.suit], 0)


@dataclass(frozen=True)
class CountDeparture:
    """A decision that a counting player takes from some count on."""

    where: Mapping[str, object]
    """Fields of a situation and what they must be."""
    decision: str
    """What is decided there, where it is allowed ..."""
    least: int
    """... from this count on ..."""
    most: int = 1_000
    """... up to this one."""

    def holds(self, asked: Situation, count: int) -> bool:
        """Whether the departure applies to a situation at a count."""
        return (
            self.least <= count <= self.most
            and self.decision in asked.may
            and all(getattr(asked, name) == value for name, value in self.where.items())
        )


@dataclass(frozen=True)
class SideCount:
    """Some cards counted aside: what is left of them beyond their share of the shoe corrects the count."""

    tags: Tags
    """The cards that are counted, as `{"A": 1}`."""
    weight: Fraction
    """Points of the count for each of them left beyond its share."""
    uses: tuple[str, ...] = ("wagers",)
    """What the corrected count decides: `wagers`, `insurance`."""


@dataclass(frozen=True)
class Count:
    """A counting system."""

    name: str
    tags: Tags
    """Rank to what is added when it is seen."""
    start: Start = None
    """The running count of a new shoe; absent: such that a whole shoe counts to zero."""
    lowest: int = -6
    """Counts at or below this are one."""
    highest: int = 8
    """Counts at or above this are one."""
    departures: tuple[CountDeparture, ...] = ()
    """Where the count changes a decision."""
    spread: Mapping[int, int] = field(default_factory=dict)
    """Count to wagers of this many units from there on (0: the player sits out); below the first, one."""
    scale: int = 1
    """Points that the tags write for one point of the count (2 where they are doubled halves)."""
    divisor: str = "cards"
    """The decks that divide the count: from the `cards` left, to the nearest `half` or `full` deck; or `none`."""
    rounding: str = "floor"
    """How a true count becomes whole: `floor`, `truncate` (towards zero) or `round` (halves upwards)."""
    side: SideCount | None = None
    """Cards that are counted aside."""
    boxes: Mapping[int, int] = field(default_factory=dict)
    """Count to how many boxes the player takes from there on; below the first, one; empty: all that he has."""
    leave: int | None = None
    """The player leaves a shoe that has come to this count or below, for a new one."""
    source: str = ""
    """Where the system was published."""

    def told(self) -> dict[str, Any]:
        """The system as a file has it."""
        body = {name: value for name, value in asdict(self).items() if value is not None}
        if self.side is not None:
            body["side"] |= {"weight": str(self.side.weight)}
        return body

    @property
    def buckets(self) -> range:
        """The counts that are told apart."""
        return range(self.lowest, self.highest + 1)

    def units(self, count: int) -> int:
        """How many units are wagered at a count."""
        return _step(self.spread, count)

    def boxes_at(self, count: int, most: int) -> int:
        """How many boxes of `most` the player takes at a count."""
        return min(_step(self.boxes, count), most) if self.boxes else most

    def tag(self, card: Card) -> int:
        """What a card adds."""
        return tag_of(self.tags, card)

    def fineness(self, deck: tuple[Card, ...]) -> int:
        """Parts of a point in which the corrected count is a whole number; `deck`: the cards of one deck."""
        return self.side.weight.denominator * len(deck) if self.side is not None else 1

    def corrected_tag(self, card: Card, deck: tuple[Card, ...]) -> int:
        """What a card adds to the corrected count, in parts of a point."""
        if self.side is None:
            return self.tag(card)
        share = Fraction(sum(tag_of(self.side.tags, other) for other in deck), len(deck))
        fine = self.tag(card) + self.side.weight * self.scale * (share - tag_of(self.side.tags, card))
        return int(fine * self.fineness(deck))

    def started(self, deck: tuple[Card, ...], decks: int) -> int | None:
        """The running count of a new shoe of so many decks; none where the system does not say."""
        if self.start is None:
            return -sum(self.tag(card) for card in deck) * decks
        if isinstance(self.start, int):
            return self.start
        if "each_deck" in self.start:
            return self.start["each_deck"] * decks + self.start.get("plus", 0)
        return self.start.get(str(decks))


def _step(steps: Mapping[int, int], count: int) -> int:
    held = [number for least, number in sorted(steps.items()) if least <= count]
    return held[-1] if held else 1


@dataclass(frozen=True)
class Counting:
    """A counting player at one count: a chart, and the departures from it."""

    strategy: Decider
    """The chart."""
    count: Count
    """The system, with its departures."""
    bucket: int
    """The count."""

    def decide(self, asked: Situation) -> str:
        """The departure that holds, else the chart's decision."""
        for rule in self.count.departures:
            if rule.holds(asked, self.bucket):
                return rule.decision
        return self.strategy.decide(asked)


HILO = Count(
    "hilo",
    {rank: 1 if rank in "23456" else -1 if rank in ("10", "J", "Q", "K", "A") else 0 for rank in RANKS},
)
"""Small cards up, tens and aces down."""
