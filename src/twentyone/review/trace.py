"""One player followed through a round: the value of his wagers event by event, split into luck and decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from twentyone.cards import UNKNOWN, Card
from twentyone.money import ZERO
from twentyone.odds.cards_left import LeftShoes
from twentyone.review.choices import Choices, boxes_asked
from twentyone.review.deal_values import DealValues
from twentyone.review.model import DecisionReview, Luck, PlayerReview
from twentyone.review.positions import Position, dollars_of
from twentyone.review.sides import insurance_value, match_value
from twentyone.round import events as e
from twentyone.round.commands import Decision, Offer
from twentyone.round.evolve import evolve
from twentyone.round.state import State

__all__ = ["Trace"]

VALUED = (
    "main", "split", "double", "second_chance", "insurance", "even_money", "match_the_dealer", "super_bonus",
)  # fmt: skip
"""Wagers and bonuses whose value is known before they are settled; the others are luck when they are."""
NOTHING = 1e-12
"""A change below this is rounding."""


@dataclass
class Trace:
    """A player's value through a round, dollars throughout."""

    player: str
    """Who."""
    shoes: LeftShoes
    """The game."""
    deals: DealValues
    """The values of first deals from the cards before the round."""
    before: Mapping[Card, int]
    """Those cards."""
    state: State = field(default_factory=State)
    """What lies on the layout: the fold of the events so far."""
    steps: list[Luck | DecisionReview] = field(default_factory=list)
    """What cards did and what was decided."""
    dealing: bool = True
    """Whether the first cards are coming."""
    fresh: bool = False
    """Whether other boxes show cards that were not looked at."""
    offered: bool = False
    """Whether insurance was offered."""
    value: float = 0.0
    """The value now."""
    deal: float | None = None
    """The value before the first card."""

    # -- what happens

    def decide(self, offer: Offer, decision: Decision) -> None:
        """A decision is about to be taken; looked at where it is this player's."""
        for box, hand in boxes_asked(self.state, offer, decision, self.player):
            self._others()
            choices = Choices(self._position(), self.player, box, hand).of(offer)
            made = choices.review(offer, decision)
            if made is not None:
                self.steps.append(made)
                self.value -= made.dollars

    def see(self, event: e.Event) -> None:
        """An event has happened."""
        if self.deal is None and isinstance(event, e.CardDealt):
            self.deal = self.value = float(self._now())
        first = bool(self.state.due)
        self._look_around(event, first)
        evolve(self.state, event)
        if isinstance(event, e.InsuranceOffered):
            self.offered = True
        if isinstance(event, e.WagerSettled) and event.player == self.player and event.wager not in VALUED:
            self.steps.append(Luck(event.wager.replace("_", " "), "", event.box, dollars_of(event.net)))
            self.value += dollars_of(event.net)
        what = self._told(event, first)
        if what:
            self._look(what, _card(event), event.box if isinstance(event, e.CardDealt) else None)

    def review(self) -> PlayerReview:
        """The round, once it is over."""
        wagered, net = ZERO, ZERO
        for row in self.state.rows:
            net = net + row.net if row.player == self.player else net
        for box in self._boxes:
            wagered = wagered + self.state.hands[box][0].wagers[0].amount
        assert self.deal is not None
        return PlayerReview(self.player, wagered, net, self.deal, tuple(self.steps))

    # -- what an event tells

    def _told(self, event: e.Event, first: bool) -> str:
        """What an event tells this player of; nothing where it tells nothing, or more follows at once."""
        if isinstance(event, e.CardDealt):
            if event.face_down and event.box is None:
                return ""
            if first and self.dealing:
                return self._first(event)
            return "" if not self._is_mine(event) else "dealer's card" if event.box is None else "card"
        if isinstance(event, e.HoleCardRead):
            return "" if event.blackjack else "reader"
        if isinstance(event, e.RangeAnnounced):
            return "" if self._is_exposed else "range"
        return "hole card" if isinstance(event, e.HoleCardExposed | e.HoleCardRevealed) else ""

    @property
    def _is_exposed(self) -> bool:
        """Whether the hole card is about to be shown, so that its range alone is not looked at."""
        up, hole = self.state.dealer[:2]
        return hole is UNKNOWN or self.shoes.tables.rules.hole_card_exposed(up, hole) is not None

    def _look_around(self, event: e.Event, first: bool) -> None:
        """Before something is told of the dealer's hand or a card comes to a box: what other boxes show."""
        if isinstance(event, e.CardDealt):
            told = not first and self._is_mine(event) and not self._due(event) and not event.face_down
        else:
            told = isinstance(event, e.HoleCardRead | e.RangeAnnounced | e.HoleCardExposed | e.HoleCardRevealed)
        if told:
            self._others()
        if isinstance(event, e.CardDealt) and not self._is_mine(event):
            self.fresh = True

    def _others(self) -> None:
        """Look at the cards of other boxes, where there are new ones."""
        if self.dealing or self.fresh:
            self.dealing = self.fresh = False
            self._look("other boxes", "", None)

    def _first(self, event: e.CardDealt) -> str:
        if event.box is None:
            return "up card"
        if event.box not in self._boxes:
            return ""
        return "first card" if len(self.state.hands[event.box][0].cards) == 1 else "second card"

    def _is_mine(self, event: e.CardDealt) -> bool:
        return event.box is None or event.box in self._boxes

    def _due(self, event: e.CardDealt) -> bool:
        """Whether a card comes at once after the decision that asked for it."""
        if event.box is None or event.hand is None:
            return False
        return bool(self.state.hands[event.box][event.hand - 1].due)

    # -- values

    def _look(self, what: str, card: str, box: int | None) -> None:
        now = float(self._now())
        if abs(now - self.value) > NOTHING or (card and what != "other boxes"):
            self.steps.append(Luck(what, card, box, now - self.value))
        self.value = now

    def _now(self) -> float:
        settled = sum(dollars_of(row.net) for row in self.state.rows if row.player == self.player)
        return settled + (self._dealt() if self.dealing else self._played())

    @property
    def _boxes(self) -> list[int]:
        return [box for box, hands in self.state.hands.items() if hands[0].wagers[0].player == self.player]

    def _position(self) -> Position:
        return Position(self.shoes, self.before, self.state.copy())

    def _dealt(self) -> float:
        """While the first cards come."""
        up = self.state.dealer[0] if self.state.dealer else None
        total = self._matches(up)
        for box in self._boxes:
            hand = self.state.hands[box][0]
            wager = hand.wagers[0]
            if not wager.settled:
                total += self.deals.value(wager.amount, hand.cards, up) * dollars_of(wager.amount)
        return total

    def _matches(self, up: Card | None) -> float:
        total = 0.0
        for side in self.state.sides:
            if side.player == self.player and side.wager == "match_the_dealer" and not side.settled:
                own = self.state.hands[side.box][0].cards
                worth = match_value(self.shoes.tables.rules, self.before, own, up)
                total += worth * dollars_of(side.amount)
        return total

    def _played(self) -> float:
        """Once the first cards lie there."""
        position = self._position()
        total = sum(Choices(position, self.player, box, 1).box(self.offered) for box in self._boxes)
        for side in self.state.sides:
            if side.player == self.player and side.wager == "insurance" and not side.settled:
                total += insurance_value(position) * dollars_of(side.amount)
        return total


def _card(event: e.Event) -> str:
    card = getattr(event, "card", None)
    return card.name if isinstance(card, Card) else ""
