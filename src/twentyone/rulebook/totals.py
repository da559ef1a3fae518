"""What cards count: values, totals, Blackjacks and value ranges, for a player and for the dealer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from twentyone.cards import Card
from twentyone.hands import AceValues, total_of
from twentyone.law import carries
from twentyone.rulebook import clauses as c
from twentyone.rulebook.hand_answers import HandAnswers
from twentyone.rulebook.in_force import ClausesInForce
from twentyone.rulebook.patterns import HandFacts

__all__ = ["HandTotals", "dealer_limit"]


class HandTotals(ClausesInForce):
    """What the rules see in cards."""

    @cached_property
    def _facts(self) -> HandAnswers[tuple[object, ...], HandFacts]:
        return HandAnswers()

    @cached_property
    @carries("value")
    def values(self) -> Mapping[str, int]:
        """Rank to value, the ace left out."""
        return {
            rank: row.value if row.value is not None else int(rank) for row in self.all(c.Value) for rank in row.ranks
        }

    @cached_property
    @carries("ace")
    def aces(self) -> tuple[AceValues, AceValues]:
        """How an ace counts for a player and for the dealer."""
        ace = self.one(c.Ace)
        return AceValues(ace.high, ace.low, ace.player), AceValues(ace.high, ace.low, ace.dealer)

    @cached_property
    def limit(self) -> int:
        """The total over which a player's hand is out."""
        return self.one(c.Ace).player

    def hand(self, cards: tuple[Card, ...], split: bool = False, doubled: bool = False, hands: int = 1) -> HandFacts:
        """What the rules see in a player's cards."""
        key = (cards, split, doubled, hands)
        facts = self._facts.get(key)
        if facts is None:
            total = total_of(cards, self.values, self.aces[0])
            blackjack = not split and self.is_blackjack(cards)
            ranges = self.ranges_of(cards[:1] * 2 if split else cards[:2])
            facts = HandFacts(cards, total.points, total.soft, blackjack, split, doubled, hands, ranges)
            self._facts.keep(key, facts)
        return facts

    def dealer_hand(self, cards: tuple[Card, ...]) -> HandFacts:
        """What the rules see in the dealer's cards."""
        total = total_of(cards, self.values, self.aces[1])
        return HandFacts(cards, total.points, total.soft, self.is_blackjack(cards))

    def value_of(self, card: Card) -> int:
        """What one card counts by itself (an ace: high)."""
        return self.values.get(card.rank, self.aces[0].high)

    def low_value_of(self, card: Card) -> int:
        """What one card counts by itself (an ace: low)."""
        return self.values.get(card.rank, self.aces[0].low)

    def reduced(self, hand: HandFacts, card_value: int) -> HandFacts:
        """A busted hand from whose total a second chance card of this (low) value was taken."""
        return hand._replace(points=hand.points - card_value, soft=False)

    @carries("blackjack")
    def is_blackjack(self, cards: tuple[Card, ...]) -> bool:
        """Whether these cards, if dealt as the initial two, are a Blackjack."""
        if len(cards) != 2:
            return False
        clause = self._blackjack
        first, second = cards
        return (first.rank in clause.ace and self.values.get(second.rank) == clause.value) or (
            second.rank in clause.ace and self.values.get(first.rank) == clause.value
        )

    def can_be_blackjack(self, up: Card) -> bool:
        """Whether a second card can make a Blackjack of the dealer's up card."""
        return up.rank in self._blackjack.ace or self.values.get(up.rank) == self._blackjack.value

    @cached_property
    def _blackjack(self) -> c.Blackjack:
        return self.one(c.Blackjack)

    @cached_property
    @carries("range")
    def ranges(self) -> dict[str, c.Range]:
        """Rank to its value range, where the game has ranges."""
        return {rank: row for row in self.all(c.Range) for rank in row.ranks}

    def ranges_of(self, cards: Iterable[Card]) -> tuple[str, ...]:
        """The value ranges of some cards."""
        return tuple(self.ranges[card.rank].name for card in cards) if self.ranges else ()


def dealer_limit(rules: HandTotals) -> int:
    """The total over which the dealer is out: the last one to stand on."""
    return max(rules.one(c.Dealer).stands)
