"""A player's wagers while the first cards come; and a card of the deal that his box was not dealt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from twentyone.cards import UNKNOWN, Card
from twentyone.odds.cards_left import LeftShoes
from twentyone.review.deal_values import DealValues
from twentyone.review.hand_values import dollars_of
from twentyone.review.model import DecisionReview
from twentyone.review.sides import match_value
from twentyone.round.commands import Decision, Offer
from twentyone.round.state import Hand, State
from twentyone.rulebook import Rules

__all__ = ["FirstDeal", "Games"]


class Games(Protocol):
    """Who values what comes in a round."""

    rules: Rules
    """The rules of the round."""

    def shoes_of(self, state: State) -> LeftShoes:
        """The game as it goes on from here: without its card reader, where that failed before it told anything."""

    def deals_of(self, state: State, cards: Mapping[Card, int]) -> DealValues:
        """The values of first deals of that game from some cards."""


@dataclass(frozen=True)
class FirstDeal:
    """A round while its first cards come."""

    games: Games
    """Who values it."""
    player: str
    """Whose wagers."""
    before: Mapping[Card, int]
    """The cards that he could know to be in the shoe before the round."""
    state: State
    """What lies on the layout."""
    around: bool
    """Whether the cards of other boxes are looked at."""

    def value(self, boxes: list[int]) -> float:
        """What the wagers of these boxes are worth, in dollars."""
        return sum(self._box(box) for box in boxes)

    def decided(self, box: int, offer: Offer, decision: Decision) -> DecisionReview:
        """The answer of a player whose box was not dealt its second card: the card late, or his wagers back."""
        hand, up, ask = self.state.hands[box][0], self.state.dealer[:1], self.state.ask
        assert ask is not None
        wager = next(wager for wager in hand.wagers if wager.player == self.player)
        values = {"late_card": self._box(box) / dollars_of(wager.amount), "call_dead": 0.0}
        return DecisionReview(
            box, 1, tuple(card.name for card in hand.cards), "".join(card.name for card in up), "", offer.kind,
            decision.action, None, values, wager.amount, ask.cite,
        )  # fmt: skip

    # -- one box

    def _box(self, box: int) -> float:
        hand, up = self.state.hands[box][0], self.state.dealer[0] if self.state.dealer else None
        if hand.status == "dead":
            return 0.0
        cards = self._cards(hand)
        total = 0.0
        for wager in hand.wagers:
            if wager.player == self.player and not wager.settled:
                deals = self.games.deals_of(self.state, cards)
                total += deals.value(wager.amount, hand.cards, up) * dollars_of(wager.amount)
        for side in self.state.sides:
            mine = side.player == self.player and side.box == box and not side.settled
            if mine and side.wager == "match_the_dealer":
                total += match_value(self.games.rules, cards, hand.cards, up) * dollars_of(side.amount)
        return total

    def _cards(self, own: Hand) -> Mapping[Card, int]:
        """The cards from which a box is dealt, its own and the up card among them."""
        if not self.around:
            return self.before
        others = [hands[0].cards for hands in self.state.hands.values() if hands[0] is not own]
        gone = [card for cards in (*others, self.state.set_aside) for card in cards if card is not UNKNOWN]
        return {card: many - gone.count(card) for card, many in self.before.items()}
