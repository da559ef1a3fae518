"""What is simulated: the rules, who sits on which box with which strategy and wagers, how the shoe is dealt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from twentyone.cards import RANKS, SUITS, Card
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Burn, CoverCard, InfiniteDeck
from twentyone.sim.chart import Decider
from twentyone.sim.counting import HILO, Count, CountDeparture, Counting
from twentyone.strategy import default_strategy

__all__ = ["HILO", "Box", "Count", "CountDeparture", "Counting", "Setup"]

TEN = Amount("10")
"""The wager of a player unless another is given."""

COVERED = "insert_cover_card"
"""The task of the table without which a shoe has no cover card."""

CHANCES = 1 << 32
"""Error rates are kept in parts of this."""

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
    counts: bool = True
    """Whether its player follows the count of the simulation; another's cards are dealt, his money is not looked at."""

    def plays_like(self, other: Box) -> bool:
        """Whether both decide alike."""
        return self.strategy is other.strategy and self.counts == other.counts


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
    def deck(self) -> tuple[Card, ...]:
        """The cards of one deck."""
        held = [rank for rank in RANKS if rank not in self.rules.cards.without]
        return tuple(Card(rank + suit) for rank in held for suit in SUITS)

    @property
    def start_count(self) -> int:
        """The running count of a new shoe: the system's own, else minus the tags of all its cards."""
        if self.count is None:
            return 0
        decks = self.decks
        start = self.count.started(self.deck, decks)
        if start is None:
            raise Refused(
                f"{self.count.name} does not say the running count of a new shoe of {decks} decks", step="count"
            )
        return start

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
        cite = clause.cite if clause is not None else ""
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
