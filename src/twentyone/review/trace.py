"""One player followed through a round: the value of his wagers event by event, split into luck and decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from twentyone.cards import UNKNOWN, Card
from twentyone.money import ZERO, Amount
from twentyone.odds.model import FloatArray
from twentyone.review.choices import Choices, boxes_asked
from twentyone.review.first_deal import FirstDeal, Games
from twentyone.review.model import DecisionReview, Luck, PlayerReview
from twentyone.review.positions import Position, dollars_of
from twentyone.review.seen import after_reload
from twentyone.review.sides import insurance_value
from twentyone.round import events as e
from twentyone.round.commands import Decision, Offer
from twentyone.round.effects import DEALER
from twentyone.round.evolve import evolve
from twentyone.round.state import State

__all__ = ["Trace"]

VALUED = (
    "main", "split", "double", "second_chance", "insurance", "even_money", "match_the_dealer", "super_bonus",
)  # fmt: skip
"""Wagers and bonuses whose value is known before they are settled; the others are luck when they are."""
NOTHING = 1e-12
"""A change below this is rounding."""
TELLING = e.HoleCardRead | e.RangeAnnounced | e.HoleCardExposed | e.HoleCardRevealed
"""What tells something of the dealer's hand."""
IRREGULAR = (
    e.BoxMissed, e.CardDrawnInError, e.CardRefused, e.CardSetAside, e.DealerCardMissed, e.HandCalledDead,
    e.RackShuffled, e.ReaderFailed, e.RequestedCardMissed, e.RoundVoided, e.SettlementUndone, e.WrongRangeFound,
)  # fmt: skip
"""What happens in no round in which everything goes right: values do not foresee it."""
OTHERS, CALLER, IRREGULARITY = "other boxes", "caller", "irregularity"
"""Luck that is no card of one's own: what others show, what the caller of a shared box decides, what goes wrong."""


@dataclass
class Trace:
    """A player's value through a round, dollars throughout."""

    player: str
    """Who."""
    games: Games
    """Who values his wagers."""
    before: Mapping[Card, int]
    """The cards that he could know to be in the shoe before the round."""
    state: State = field(default_factory=State)
    """What lies on the layout: the fold of the events so far."""
    steps: list[Luck | DecisionReview] = field(default_factory=list)
    """What cards did and what was decided."""
    at: list[int] = field(default_factory=list)
    """The event with which each step came, counted from 1."""
    seen: int = 0
    """Events so far."""
    dealing: bool = True
    """Whether the first cards are coming."""
    around: bool = False
    """Whether the cards of other boxes are looked at although the first cards are coming."""
    fresh: str = ""
    """What has happened that was not looked at; nothing: everything was."""
    offered: bool = False
    """Whether insurance was offered."""
    value: float = 0.0
    """The value now."""
    deal: float | None = None
    """The value before the first card."""
    wagered: Amount = ZERO
    """The main wagers before the deal."""
    kept: dict[int, dict[Any, FloatArray]] = field(default_factory=dict)
    """What hands that draw no more bring, by the game that values them."""

    # -- what happens

    def decide(self, offer: Offer, decision: Decision) -> None:
        """A decision is about to be taken; looked at where it is this player's."""
        for box, hand in boxes_asked(self.state, offer, decision, self.player):
            self._look_at_others()
            if self.dealing:
                made: DecisionReview | None = self._first_deal.decided(box, offer, decision)
            else:
                made = Choices(self._position(), self.player, box, hand).of(offer).review(offer, decision)
            if made is not None:
                self._add(made, self.seen + 1)
                self.value -= made.dollars

    def see(self, event: e.Event) -> None:
        """An event has happened."""
        if self.deal is None and isinstance(event, e.CardDealt):
            self.deal = self.value = float(self._now())
        first = bool(self.state.due)
        self._look_around(event, first)
        evolve(self.state, event)
        self.seen += 1
        self._note(event)
        if isinstance(event, e.WagerSettled) and event.player == self.player and event.wager not in VALUED:
            self._add(Luck(event.wager.replace("_", " "), "", event.box, dollars_of(event.net)), self.seen)
            self.value += dollars_of(event.net)
        what = self._told(event, first)
        if what:
            self._look(what, _card(event), event.box if isinstance(event, e.CardDealt) else None)

    def review(self) -> PlayerReview:
        """The round, once it is over."""
        if self.fresh == IRREGULARITY:
            self._look_at_others()
        net = ZERO
        for row in self.state.rows:
            net = net + row.net if row.player == self.player else net
        deal = self.deal if self.deal is not None else 0.0
        return PlayerReview(self.player, self.wagered, net, deal, tuple(self.steps), tuple(self.at))

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
        return hole is UNKNOWN or self.games.rules.hole_card_exposed(up, hole) is not None

    def _note(self, event: e.Event) -> None:
        """Keep in mind what is to be looked at before anything else is told."""
        if isinstance(event, e.WagerPlaced) and event.player == self.player and event.wager == "main":
            self.wagered = self.wagered + event.amount
        if isinstance(event, e.InsuranceOffered):
            self.offered = True
        if isinstance(event, e.RackShuffled):
            self.before = after_reload(self.games.rules, self.state)
        if isinstance(event, e.CardDealt) and not self._is_mine(event):
            self.fresh = self.fresh or OTHERS
        elif isinstance(event, e.DecisionTaken) and event.player != self.player and event.box in self._boxes:
            self.fresh = IRREGULARITY if event.player == DEALER else CALLER
        elif self._is_irregular(event):
            self.fresh = IRREGULARITY

    def _is_irregular(self, event: e.Event) -> bool:
        """Whether something went wrong in the round; what is found once it is over changes nothing."""
        if self.state.over or self.deal is None:
            return False
        asked = isinstance(event, e.Asked) and event.offer in ("late_card", "exposed_card")
        passed = isinstance(event, e.HandClosed) and self.state.held is not None
        return asked or passed or isinstance(event, IRREGULAR)

    def _look_around(self, event: e.Event, first: bool) -> None:
        """Before something is told of the dealer's hand or a card comes to a box: what was not looked at."""
        if isinstance(event, e.CardDealt):
            due = self._due(event) and self.fresh in ("", OTHERS)
            told = not first and self._is_mine(event) and not due and not event.face_down
        else:
            told = isinstance(event, TELLING)
        if told or (isinstance(event, e.WagerSettled) and self.fresh in (CALLER, IRREGULARITY)):
            self._look_at_others()

    def _look_at_others(self) -> None:
        """Look at the cards of other boxes and at what went wrong, where there is something new."""
        if self.dealing or self.fresh:
            what, self.fresh = self.fresh or OTHERS, ""
            self.dealing = self.dealing and self._in_deal
            self.around = self.dealing
            self._look(what, "", None)

    @property
    def _in_deal(self) -> bool:
        return self.games.rules.steps[self.state.step].name == "deal"

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
        if abs(now - self.value) > NOTHING or (card and what != OTHERS):
            self._add(Luck(what, card, box, now - self.value), self.seen)
        self.value = now

    def _add(self, step: Luck | DecisionReview, at: int) -> None:
        self.steps.append(step)
        self.at.append(at)

    def _now(self) -> float:
        settled = sum(dollars_of(row.net) for row in self.state.rows if row.player == self.player)
        if self.state.void or self.state.over:
            return settled
        return settled + (self._first_deal.value(self._boxes) if self.dealing else self._played())

    @property
    def _boxes(self) -> list[int]:
        return [
            box
            for box, hands in self.state.hands.items()
            if any(wager.player == self.player for hand in hands for wager in hand.wagers)
        ]

    def _position(self) -> Position:
        shoes = self.games.shoes_of(self.state)
        kept = self.kept.setdefault(id(shoes), {})
        return Position(shoes, self.before, self.state.copy(), kept)

    @property
    def _first_deal(self) -> FirstDeal:
        """While the first cards come."""
        return FirstDeal(self.games, self.player, self.before, self.state, self.around)

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
