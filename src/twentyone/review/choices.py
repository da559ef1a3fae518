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
from twentyone.round.events import HandRef
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
        position, chance = self.position, self.position.chance
        all_: dict[str, float] = {}
        for k in position.conditions:
            for name, value in position.box_values(self.number, self.player, k).items():
                all_[name] = all_.get(name, 0.0) + value / chance
        stood = sum(position.stood(self.ref, self.wager, k) for k in position.conditions) / chance
        rest = all_["stand"] - stood
        asked = {option.action for option in offer.options if option.box == self.number}
        if offer.kind == "turn":
            return {name: value - rest for name, value in all_.items() if name in asked}
        taken = {name: value - rest for name, value in all_.items() if name in asked}
        return {**taken, "decline": stood}

    def review(self, offer: Offer, decision: Decision) -> DecisionReview | None:
        """The decision with its choices; none where there was nothing to choose."""
        position, wager = self.position, self.wager
        unit = dollars_of(wager.amount)
        hand = position.state.hand(self.ref)
        values = {name: float(value) / unit for name, value in self.values.items()}
        chosen = decision.action
        if chosen not in values:
            return None
        amount = decision.amount
        if chosen == "insure" and amount is not None:
            most = position.rules.most_insurance(wager.amount)
            if amount != most:
                chosen = f"insure {amount}"
                values[chosen] = values["decline"] + (values["insure"] - values["decline"]) * float(
                    Fraction(int(amount), int(most))
                )
        if chosen == "double" and amount is not None and amount < wager.amount:
            chosen = f"double {amount}"
            values[chosen] = self._lesser(amount) / unit
        told = position.told if position.told is not None else ""
        option = next((row for row in offer.options if row.action == decision.action), offer.options[0])
        cite = position.rules.decisions[option.action].cite
        return DecisionReview(
            self.number, self.hand, tuple(card.name for card in hand.cards), position.up.name, told, offer.kind,
            chosen, amount, values, wager.amount, cite,
        )  # fmt: skip

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
        """Surrender before the hole card is read."""
        position = self.position
        nets = position.nets(self.ref, self.wager._replace(surrendered=True))
        parts = [position.unseen.against(k) for k in position.conditions]
        lost = sum(float(part.dealer @ nets) + part.seen * nets[position.shoes.core.game.blackjack] for part in parts)
        return float(lost) / position.chance

    def box(self, offered: bool) -> float:
        """The box with what may still be taken before the hole card is read."""
        position = self.position
        if position.final is not None or position.is_read:
            return position.box_value(self.number, self.player)
        value = position.box_value(self.number, self.player)
        if self._may_still("surrender"):
            value = max(value, self._surrendered())
        if position.rules.insurable(position.up) and (not offered or self._is_asked("insurance")):
            values = self._insurance()
            value += max(values.values()) - values["decline"]
        return value

    def _is_asked(self, offer: str) -> bool:
        ask = self.position.state.ask
        return ask is not None and ask.offer == offer and (self.number, self.player) in ask.players

    def _may_still(self, surrender: str) -> bool:
        """Whether surrender is offered before the reader, and this box has not answered yet."""
        position = self.position
        if not position.rules.surrender_before_reader(position.up) or self.wager.surrendered:
            return False
        if position.rules.refusal(surrender, position.play.facts(self.ref)) is not None:
            return False
        return position.state.asked_box < self.number or self._is_asked(surrender)

    # -- a double for less

    def _lesser(self, amount: Amount) -> float:
        """A double for less than the wager: every card that may come, then whatever is best."""
        position = self.position
        hand = position.state.hand(self.ref).changed(self.player, double=amount)._replace(doubled=True)
        total = 0.0
        for k in position.conditions:
            for card, chance in position.draws(k):
                then = position.with_hand(self.ref, hand._replace(cards=(*hand.cards, card)))
                total += chance * max(then.hand_values(self.ref, self.player, k).values())
        return total / position.chance
