"""What is simulated: the rules, who sits on which box with which strategy and wagers, how the shoe is dealt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from twentyone.cards import RANKS, SUITS
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Burn, CoverCard, InfiniteDeck
from twentyone.sim.chart import Decider
from twentyone.strategy import Situation, default_strategy

__all__ = ["HILO", "Box", "Count", "CountDeparture", "Counting", "Setup"]

TEN = Amount("10")
"""The wager of a player unless another is given."""

COVERED = "insert_cover_card"
"""The task of the table without which a shoe has no cover card."""

CHANCES = 1 << 32
"""Error rates are kept in parts of this."""


@dataclass(frozen=True)
class CountDeparture:
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
    start: int | None = None
    """The running count of a new shoe; absent: such that a whole shoe counts to zero."""
    lowest: int = -6
    """True counts at or below this are one."""
    highest: int = 8
    """True counts at or above this are one."""
    departures: tuple[CountDeparture, ...] = ()
    """Where the count changes a decision."""
    spread: Mapping[int, int] = field(default_factory=dict)
    """True count to wagers of this many units from there on; below the first, one."""

    @property
    def buckets(self) -> range:
        """The true counts that are told apart."""
        return range(self.lowest, self.highest + 1)

    def units(self, count: int) -> int:
        """How many units are wagered at a true count."""
        steps = [units for least, units in sorted(self.spread.items()) if least <= count]
        return steps[-1] if steps else 1


@dataclass(frozen=True)
class Counting:
    """A counting player at one true count: a chart, and the departures from it."""

    strategy: Decider
    """The chart."""
    count: Count
    """The system, with its departures."""
    bucket: int
    """The true count."""

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
ROOM = 8
"""Decks that have room for the cards of any round."""


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
    """How often a player decides at random on a turn, among what he may; in answer to an offer he never errs."""
    meters: Mapping[str, Amount] = field(default_factory=dict)
    """What the progressive meters show; one that is not named shows its reset amount."""
    weights: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Wheel to symbol to weight; empty: as the submission says."""

    @classmethod
    def of(cls, rules: Rules, boxes: int = 1, main: Amount = TEN, **rest: object) -> Setup:
        """This many players with the rulebook's own chart."""
        strategy = default_strategy(rules)
        return cls(rules, (Box(strategy, main),) * boxes, **rest)  # type: ignore[arg-type]

    @property
    def shoe_cards(self) -> int:
        """The cards of the shoe."""
        return self.rules.cards.per_deck * self.decks

    @property
    def decks(self) -> int:
        """The decks of the shoe; of an infinite deck, as many as one round's cards are drawn from."""
        return ROOM if self.rules.maybe(InfiniteDeck) is not None else int(self.rules.submission["decks"])

    @property
    def start_count(self) -> int:
        """The running count of a new shoe: the system's own, else minus the tags of all its cards."""
        if self.count is None:
            return 0
        if self.count.start is not None:
            return self.count.start
        held = [rank for rank in RANKS if rank not in self.rules.cards.without]
        deck = sum(self.count.tags.get(rank, 0) for rank in held) * len(SUITS)
        return -deck * self.decks

    @property
    def error_parts(self) -> int:
        """The error rate in parts of 2^32; refused where it is too small for one of them."""
        parts = int(self.error_rate * CHANCES)
        if self.error_rate and not parts:
            raise Refused(f"an error rate below 1/{CHANCES} never comes to pass", step="error_rate")
        return parts

    @property
    def cover(self) -> int:
        """How many cards lie before the cover card; refused where a real shoe has none."""
        clause, infinite = self.rules.maybe(CoverCard), self.rules.maybe(InfiniteDeck)
        if self.mode == "shoe" and infinite is not None:
            raise Refused(
                "an infinite deck is no shoe to play down: the game then is mode=fresh", infinite.cite, "mode"
            )
        laid = self.rules.rulebook.tasks.get(COVERED)
        if self.mode == "shoe" and laid is not None and COVERED not in self.rules.tasks:
            words = ", ".join(f"{key} = {self.rules.submission[key]!r}" for key in laid.when)
            why = f"with {words} there is no cover card and no shoe to play down: the game then is mode=fresh"
            raise Refused(why, laid.cite, "mode")
        deepest = 1 - clause.share if clause is not None else Fraction(3, 4)
        wanted = self.penetration if self.penetration is not None else deepest
        cite = clause.cite if clause is not None else self.rules.rulebook.submission_cite
        fewer = Fraction(clause.fewer, self.shoe_cards) if clause is not None else 0
        if not 0 < wanted <= deepest + fewer:
            raise Refused(f"a cover card after {wanted} of the shoe lies deeper than {deepest}, or nowhere", cite)
        cards = int(wanted * self.shoe_cards)
        if cards < self.burns:
            raise Refused(f"a cover card after {wanted} of the shoe comes out before the first round", cite)
        return cards

    @property
    def burns(self) -> bool:
        """Whether the first card of a shoe is drawn off unplayed."""
        return any("shoe" in clause.on for clause in self.rules.all(Burn))
