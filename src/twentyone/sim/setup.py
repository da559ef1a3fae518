"""What is simulated: the rules, who sits on which box with which strategy and wagers, how the shoe is dealt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from twentyone.cards import RANKS
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import CoverCard
from twentyone.sim.chart import Decider
from twentyone.strategy import Situation, default_strategy

__all__ = ["HILO", "Box", "Count", "Departure", "Setup"]

TEN = Amount("10")
"""The wager of a player of whom nothing else is said."""


@dataclass(frozen=True)
class Departure:
    """A decision that a counting player takes from some true count on."""

    where: Mapping[str, object]
    """Fields of a situation and what they must be."""
    decision: str
    """What is decided there, where it is allowed ..."""
    least: int
    """... from this true count on ..."""
    most: int = 1_000
    """... up to this one."""

    def holds(self, asked: Situation, count: int) -> bool:
        """Whether the departure applies to a situation at a true count."""
        return (
            self.least <= count <= self.most
            and self.decision in asked.may
            and all(getattr(asked, name) == value for name, value in self.where.items())
        )


@dataclass(frozen=True)
class Count:
    """A counting system as data."""

    name: str
    tags: Mapping[str, int]
    """Rank to what is added when it is seen."""
    start: int = 0
    """The running count of a new shoe."""
    lowest: int = -6
    """True counts at or below this are one."""
    highest: int = 8
    """True counts at or above this are one."""
    departures: tuple[Departure, ...] = ()
    """Where the count changes a decision."""
    spread: Mapping[int, int] = field(default_factory=dict)
    """True count to wagers of so many units from there on; below the first, one."""

    @property
    def buckets(self) -> range:
        """The true counts that are told apart."""
        return range(self.lowest, self.highest + 1)

    def units(self, count: int) -> int:
        """How many units are wagered at a true count."""
        steps = [units for least, units in sorted(self.spread.items()) if least <= count]
        return steps[-1] if steps else 1


HILO = Count(
    "hilo",
    {rank: 1 if rank in "23456" else -1 if rank in ("10", "J", "Q", "K", "A") else 0 for rank in RANKS},
)
"""Small cards up, tens and aces down."""


@dataclass(frozen=True)
class Box:
    """A player on a box."""

    strategy: Decider
    main: Amount = TEN
    """The main wager (with a spread: one unit)."""
    sides: Mapping[str, Amount] = field(default_factory=dict)
    """Side wagers by kind."""


@dataclass(frozen=True)
class Setup:
    """Everything a simulation depends on but its seed."""

    rules: Rules
    boxes: tuple[Box, ...]
    mode: str = "fresh"
    """`fresh`: a new shoe each round; `shoe`: a real shoe with its cover card and burn."""
    penetration: Fraction | None = None
    """The share of the shoe before the cover card; absent: as deep as the text allows."""
    count: Count | None = None
    """The counting system of the players; needs a real shoe."""
    error_rate: Fraction = Fraction(0)
    """How often a player decides at random among what he may."""
    meters: Mapping[str, Amount] = field(default_factory=dict)
    """What the progressive meters show; one that is not named shows its reset amount."""
    weights: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Wheel to symbol to weight; empty: as the submission says."""

    @classmethod
    def of(cls, rules: Rules, boxes: int = 1, main: Amount = TEN, **rest: object) -> Setup:
        """So many players with the rulebook's own chart."""
        strategy = default_strategy(rules)
        return cls(rules, (Box(strategy, main),) * boxes, **rest)  # type: ignore[arg-type]

    @property
    def shoe_cards(self) -> int:
        """The cards of the shoe."""
        return int(self.rules.cards.per_deck * self.rules.submission["decks"])

    @property
    def cover(self) -> int:
        """How many cards lie before the cover card."""
        clause = self.rules.maybe(CoverCard)
        deepest = 1 - clause.share if clause is not None else Fraction(3, 4)
        wanted = self.penetration if self.penetration is not None else deepest
        if not 0 < wanted <= deepest:
            why = f"a cover card after {wanted} of the shoe lies deeper than {deepest}, or nowhere"
            raise Refused(why, clause.cite if clause is not None else self.rules.rulebook.submission_cite)
        return int(wanted * self.shoe_cards)
