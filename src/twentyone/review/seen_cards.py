"""What a player has seen as the round stands: the dealer's cards, what is told of the hole card, the cards left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from twentyone.cards import UNKNOWN, Card
from twentyone.odds.cards_left import LeftShoes
from twentyone.odds.dealer_finish import finish
from twentyone.odds.left_values import Unseen
from twentyone.odds.model import FloatArray
from twentyone.round.play import Play
from twentyone.round.state import State
from twentyone.rulebook import Rules
from twentyone.strategy import hole_told

__all__ = ["SeenCards"]


@dataclass(frozen=True)
class SeenCards:
    """A round as it stands once the first cards are dealt, and what has been seen of its cards and before it."""

    shoes: LeftShoes
    """The game."""
    before: Mapping[Card, int]
    """How many of each card were in the shoe before the round, as far as the player could know."""
    state: State
    """What lies on the layout."""

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.shoes.tables.rules

    @cached_property
    def play(self) -> Play:
        """The round as its own settlement reads it."""
        return Play(self.rules, self.state)

    @cached_property
    def unseen(self) -> Unseen:
        """The cards that were not seen, and the dealer's that tell the condition."""
        seen = Counter(card for hands in self.state.hands.values() for hand in hands for card in hand.cards)
        seen.update(hand.chance for hands in self.state.hands.values() for hand in hands if hand.chance is not None)
        seen.update(self.shown)
        held = () if self.state.held is None else (self.state.held,)
        seen.update(card for card in (*self.state.set_aside, *held) if card in self.before)
        left = {card: many - seen[card] for card, many in self.before.items()}
        return Unseen(self.shoes, left, self.shown)

    @cached_property
    def shown(self) -> tuple[Card, ...]:
        """The dealer's cards that lie face up."""
        cards = self.state.dealer if self.state.shown else self.state.dealer[:1]
        return tuple(card for card in cards if card is not UNKNOWN)

    @property
    def up(self) -> Card:
        """The up card."""
        return self.state.dealer[0]

    @cached_property
    def is_read(self) -> bool:
        """Whether the reader has told what it tells."""
        return self.state.told is not None or self.state.range is not None

    @cached_property
    def told(self) -> str | None:
        """What is known of the hole card; none: it is not told yet."""
        if self.state.range is None:
            return None
        if len(self.shown) > 1:
            return hole_told(self.rules, self.up, self.shown[1])
        return self.state.range

    @cached_property
    def conditions(self) -> list[int]:
        """What the dealer's hand may be told to be."""
        ranged = any(step.name == "announce_range" for step in self.rules.steps)
        return self.shoes.conditions(self.up, self.told if ranged else "")

    @cached_property
    def final(self) -> FloatArray | None:
        """[columns]: the dealer's final hand once his cards lie face up; none: players still decide before that."""
        if len(self.shown) < 2 or (self._open and not self.rules.is_blackjack(self.shown)):
            return None
        return self._finish(self.shown)

    def dealer(self, condition: int) -> FloatArray:
        """[columns]: the chance of a condition and each final hand of the dealer's, a Blackjack that was read left out.

        A card that lies exposed and that no player can take any more is the dealer's next.
        """
        against = self.unseen.against(condition)
        if self.state.held is None or self._open:
            return against.dealer
        hands = [(1, self.shown)] if len(self.state.dealer) < 2 else self._hole_cards(condition)
        ways = sum(many for many, _ in hands)
        if not ways:
            return against.dealer
        parts: FloatArray = np.sum([many / ways * self._finish(cards) for many, cards in hands], axis=0)
        return parts * against.chance

    def _hole_cards(self, condition: int) -> list[tuple[int, tuple[Card, ...]]]:
        """The dealer's first two cards that a condition allows, and how many hole cards make each."""
        if len(self.shown) > 1:
            return [(1, self.shown)]
        finals, classes = self.shoes.tables.finals, self.shoes.tables.classes
        read, up = self.shoes.tables.read[condition], classes.index(self.up.rank)
        return [
            (many, (self.up, card))
            for card, many in self.unseen.cards.items()
            if many > 0 and int(finals.told[up, classes.index(card.rank)]) == condition
            if not (read and self.rules.is_blackjack((self.up, card)))
        ]

    def _finish(self, cards: tuple[Card, ...]) -> FloatArray:
        """[columns]: what the dealer ends with from these cards, one that lies exposed being his next."""
        left = dict(self.unseen.cards)
        for card in cards[len(self.shown) :]:
            left[card] -= 1
        counts = self.shoes.classes_of({card: cards.count(card) for card in cards})
        if self.state.held is not None and self.shoes.final_column(tuple(counts.tolist())) is None:
            cards = (*cards, self.state.held)
        return finish(self.shoes, cards, self.shoes.classes_of(left))

    @cached_property
    def _open(self) -> bool:
        return any(hand.status in ("open", "waiting") for hands in self.state.hands.values() for hand in hands)

    @cached_property
    def chance(self) -> float:
        """The chance of what is known of the dealer's hand."""
        parts = (self.unseen.against(k) for k in self.conditions)
        return sum(part.chance + (0.0 if self.is_read else part.seen) for part in parts)
