"""Hand patterns: the one way a fence describes hands, as in `{ranks = "6 7 8", suits = "same"}`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from twentyone.cards import SUITS, Card
from twentyone.rulebook.vocabulary import RangeName, Ranks, Suits

__all__ = ["ANY_HAND", "HandFacts", "HandPattern"]


class HandFacts(NamedTuple):
    """What the rules may ask about one hand."""

    cards: tuple[Card, ...]
    """The cards, in the order they were dealt."""
    points: int
    """The total point count it stands on."""
    soft: bool = False
    """Whether an ace counts high in it."""
    blackjack: bool = False
    """Whether it is a Blackjack."""
    split: bool = False
    """Whether it came out of a split."""
    doubled: bool = False
    """Whether a Double Down Wager was made on it."""
    hands: int = 1
    """How many hands its box holds."""
    ranges: tuple[str, ...] = ()
    """The value ranges of the original two cards (of a split hand: of the pair), where the rulebook has ranges."""


@dataclass(frozen=True, slots=True)
class HandPattern:
    """A condition on one hand; a field left out asks nothing."""

    ranks: Ranks | None = None
    """Exactly these ranks, in any order."""
    suits: Suits | None = None
    """`same`, `mixed`, or one suit that all cards have."""
    cards: int | None = None
    """Exactly this many cards."""
    cards_over: int | None = None
    """More cards than this."""
    total: int | None = None
    """Exactly this total."""
    most: int | None = None
    """This total or less."""
    over: int | None = None
    """A total in excess of this."""
    blackjack: bool | None = None
    """A Blackjack, or no Blackjack."""
    split: bool | None = None
    """Out of a split, or not."""
    ranges: tuple[RangeName, ...] | None = None
    """The value ranges of the original two cards."""

    def matches(self, hand: HandFacts) -> bool:
        """Whether the hand is of this pattern."""
        return self._total_fits(hand.points) and self._kind_fits(hand) and self._cards_fit(hand.cards)

    def _total_fits(self, points: int) -> bool:
        return (
            (self.total is None or points == self.total)
            and (self.most is None or points <= self.most)
            and (self.over is None or points > self.over)
        )

    def _kind_fits(self, hand: HandFacts) -> bool:
        return (
            (self.blackjack is None or hand.blackjack == self.blackjack)
            and (self.split is None or hand.split == self.split)
            and (self.ranges is None or hand.ranges == self.ranges)
        )

    def _cards_fit(self, cards: tuple[Card, ...]) -> bool:
        count = len(cards)
        return (
            (self.cards is None or count == self.cards)
            and (self.cards_over is None or count > self.cards_over)
            and (self.ranks is None or sorted(card.rank for card in cards) == sorted(self.ranks))
            and (self.suits is None or self._suits_fit({card.suit for card in cards}))
        )

    def _suits_fit(self, suits: set[str]) -> bool:
        if self.suits == "mixed":
            return len(suits) > 1
        return len(suits) == 1 and self.suits in ("same", *suits)

    @property
    def card_count(self) -> int | None:
        """The number of cards, where the pattern fixes it."""
        return len(self.ranks) if self.ranks is not None else self.cards

    @property
    def span(self) -> tuple[int, int]:
        """The least and the largest total that the pattern allows."""
        low = self.total if self.total is not None else 0 if self.over is None else self.over + 1
        high = self.total if self.total is not None else NO_LIMIT if self.most is None else self.most
        return low, high

    def overlaps(self, other: HandPattern) -> bool:
        """Whether some hand may be of both patterns (false only where two fields cannot both hold)."""
        return not (
            _differ(self.card_count, other.card_count)
            or max(self.span[0], other.span[0]) > min(self.span[1], other.span[1])
            or _differ(self.ranges, other.ranges)
            or _differ(self.blackjack, other.blackjack)
            or _differ(self.split, other.split)
            or _too_few(self, other)
            or _too_few(other, self)
            or _ranks_differ(self, other)
            or _suits_differ(self.suits, other.suits)
            or _no_blackjack(self, other)
            or _no_blackjack(other, self)
        )


ANY_HAND = HandPattern()
NO_LIMIT = 1 << 16
"""More than any total."""


def _differ(one: object, other: object) -> bool:
    return one is not None and other is not None and one != other


def _too_few(one: HandPattern, other: HandPattern) -> bool:
    return one.card_count is not None and other.cards_over is not None and one.card_count <= other.cards_over


def _ranks_differ(one: HandPattern, other: HandPattern) -> bool:
    return one.ranks is not None and other.ranks is not None and sorted(one.ranks) != sorted(other.ranks)


def _suits_differ(one: str | None, other: str | None) -> bool:
    if one is None or other is None or one == other:
        return False
    return "mixed" in (one, other) or (one in SUITS and other in SUITS)


def _no_blackjack(one: HandPattern, other: HandPattern) -> bool:
    """A Blackjack is two cards: a pattern that fixes another number of cards never meets one."""
    several = (other.card_count or 2) > 2 or (other.cards_over or 0) >= 2
    return one.blackjack is True and several
