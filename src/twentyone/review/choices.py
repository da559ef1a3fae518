"""What a player may choose at an offer, and what each choice is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from twentyone.money import Amount
from twentyone.review.model import DecisionReview
from twentyone.review.positions import Position, dollars_of
from twentyone.review.sides import insurance_value
from twentyone.round.commands import Decision, Offer
from twentyone.round.events import DecisionTaken, HandRef
from twentyone.round.play import UNSEEN, Speaker
from twentyone.round.state import HandWager, State

__all__ = ["Choices", "boxes_asked"]


def boxes_asked(state: State, offer: Offer, decision: Decision, player: str) -> Iterator[tuple[int, int]]:
    """The boxes and hands for which a decision is this player's answer."""
    if offer.kind == "turn":
        option = offer.options[0]
        if option.player == player:
            yield option.box, option.hand or 1
        return
    ask = state.ask
    if ask is None:
        return
    for box, name in ask.players:
        meant = decision.box in (None, box) and decision.player in (None, name, "dealer")
        if name == player and meant:
            yield box, ask.hand or 1


@dataclass
class Choices:
    """The choices of one hand, in dollars, what lies on the other hands left aside."""

    position: Position
    """The round as it stands."""
    player: str
    """Who decides."""
    number: int
    """The box."""
    hand: int
    """The hand of it."""
    values: dict[str, float] = field(default_factory=dict)
    """Choice to expected net result of this hand."""
    rest: float = 0.0
    """What the other hands of the box are worth, as far as it is left out of the values."""

    @property
    def ref(self) -> HandRef:
        """The hand."""
        return HandRef(self.number, self.hand)

    @property
    def wager(self) -> HandWager:
        """The player's chips on it."""
        return self.position.play.wager_of(Speaker(self.ref, self.player))

    # -- an offer

    def of(self, offer: Offer) -> Choices:
        """What may be answered to an offer."""
        if offer.kind == "insurance":
            self.values = self._insurance()
        elif offer.kind == "surrender":
            base = self.position.box_value(self.number, self.player)
            self.values = {"surrender": self._surrendered(), "decline": base}
        else:
            self.values = self._turn(offer)
        return self

    def _turn(self, offer: Offer) -> dict[str, float]:
        all_ = self._of_box(self.position)
        if "stand" not in all_:
            return all_
        position = self.position
        stood = sum(position.stood(self.ref, self.wager, k) for k in position.conditions) / position.chance
        self.rest = all_["stand"] - stood
        asked = {option.action for option in offer.options if option.box == self.number}
        taken = {name: value - self.rest for name, value in all_.items() if name in asked}
        return taken if offer.kind == "turn" else {**taken, "decline": stood}

    def _of_box(self, position: Position) -> dict[str, float]:
        """What the box is worth with each choice."""
        values: dict[str, float] = {}
        for k in position.conditions:
            for name, value in position.box_values(self.number, self.player, k).items():
                values[name] = values.get(name, 0.0) + value / position.chance
        return values

    def review(self, offer: Offer, decision: Decision) -> DecisionReview | None:
        """The decision with its choices; none where there was nothing to choose."""
        position, wager = self.position, self.wager
        unit = dollars_of(wager.amount)
        values = {name: float(value) / unit for name, value in self.values.items()}
        chosen = f"designate {decision.hand}" if decision.action == "designate" else decision.action
        if chosen not in values:
            return None
        if decision.amount is not None:
            chosen = self._for_less(chosen, decision.amount, values)
        told = position.told if position.told is not None else ""
        cards = tuple(card.name for card in position.state.hand(self.ref).cards)
        return DecisionReview(
            self.number, self.hand, cards, position.up.name, told, offer.kind,
            chosen, decision.amount, values, wager.amount, self._cite(offer, decision),
        )  # fmt: skip

    def _for_less(self, chosen: str, amount: Amount, values: dict[str, float]) -> str:
        """The name of a choice made with less than the most, its value put among the others."""
        position, wager = self.position, self.wager
        if chosen == "insure" and amount != (most := position.rules.most_insurance(self._original)):
            share = float(Fraction(int(amount), int(most)))
            values[f"insure {amount}"] = values["decline"] + (values["insure"] - values["decline"]) * share
            return f"insure {amount}"
        if chosen == "double" and amount < wager.amount:
            values[f"double {amount}"] = self._lesser(amount) / dollars_of(wager.amount)
            return f"double {amount}"
        return chosen

    def _cite(self, offer: Offer, decision: Decision) -> str:
        """The paragraph of the decision, or of what was asked."""
        position = self.position
        option = next((row for row in offer.options if row.action == decision.action), offer.options[0])
        known, ask = position.rules.decisions.get(option.action), position.state.ask
        return known.cite if known is not None else ask.cite if ask is not None else ""

    # -- before the reader

    def _insurance(self) -> dict[str, float]:
        position, wager = self.position, self.wager
        base = position.box_value(self.number, self.player)
        gain = insurance_value(position) * dollars_of(position.rules.most_insurance(self._original))
        values = {"decline": base, "insure": base + gain}
        if position.rules.refusal("even_money", position.play.facts(self.ref)) is None and not wager.settled:
            pay = position.rules.pay("even_money", position.play.facts(self.ref), UNSEEN).odds
            values["even_money"] = dollars_of(wager.amount) * pay.win / pay.lay
        if "insure" not in position.rules.decisions or (
            wager.settled and not position.rules.decisions["insure"].paid_hands
        ):
            del values["insure"]
        return values

    @property
    def _original(self) -> Amount:
        return self.position.play.original(self.number, self.player)

    def _surrendered(self) -> float:
        """Surrender, before the hole card is read or after it."""
        position = self.position
        wager = self.wager._replace(surrendered=True)
        parts = sum(position.stood(self.ref, wager, k) for k in position.conditions)
        return (parts + position.beaten(self.ref, wager)) / position.chance

    def box(self, offered: bool) -> float:
        """The box with what may still be taken before the hole card is read."""
        position = self.position
        value = position.box_value(self.number, self.player)
        if position.final is not None or position.is_read or not self._is_open:
            return value
        if self._may_still("surrender"):
            value = max(value, self._surrendered())
        if position.rules.insurable(position.up) and (not offered or self._is_asked("insurance")):
            values = self._insurance()
            value += max(values.values()) - values["decline"]
        return value

    @property
    def _is_open(self) -> bool:
        """Whether the box may still be insured or given up: its hand lies there, in a round that goes on."""
        state = self.position.state
        owns = any(wager.player == self.player for wager in state.hand(self.ref).wagers)
        return owns and not state.void and not state.over and state.hand(self.ref).status != "dead"

    def _is_asked(self, offer: str) -> bool:
        ask = self.position.state.ask
        return ask is not None and ask.offer == offer and (self.number, self.player) in ask.players

    def _may_still(self, surrender: str) -> bool:
        """Whether surrender is offered before the reader, and this box has not answered yet."""
        position = self.position
        if not position.rules.surrender_before_reader(position.up) or self.wager.surrendered or self.wager.settled:
            return False
        if position.rules.refusal(surrender, position.play.facts(self.ref)) is not None:
            return False
        return position.state.asked_box < self.number or self._is_asked(surrender)

    # -- a double for less

    def _lesser(self, amount: Amount) -> float:
        """A double for less than the wager: every card that may come, then whatever is best."""
        position = self.position
        then = position.after(DecisionTaken("", *self.ref, self.player, "double", amount))
        if position.state.ask is not None or position.state.held is not None:
            return max(self._of_box(then).values()) - self.rest
        return sum(then.drawn(self.ref, self.player, k) for k in position.conditions) / position.chance
