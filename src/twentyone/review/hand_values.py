"""What a player's wagers on one hand are worth as the round stands: every later decision the best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from twentyone.cards import Card
from twentyone.money import Amount
from twentyone.odds.left_values import Held
from twentyone.odds.model import FloatArray
from twentyone.review.seen_cards import SeenCards
from twentyone.round import events as e
from twentyone.round.events import HandRef
from twentyone.round.evolve import evolve
from twentyone.round.payout import chance_rows, rows_of
from twentyone.round.play import UNSEEN, Speaker
from twentyone.round.state import Hand, HandWager
from twentyone.rulebook import HandFacts
from twentyone.rulebook.clauses import NotPayable

__all__ = ["HandValues", "dollars_of"]


DOLLAR = int(Amount("1"))


def dollars_of(amount: Amount) -> float:
    """An amount as a number of dollars."""
    return int(amount) / DOLLAR


@dataclass(frozen=True)
class HandValues(SeenCards):
    """A round as it stands, and what the wagers of its hands are worth, one by one."""

    kept: dict[Any, FloatArray] = field(default_factory=dict, compare=False, repr=False)
    """What hands that draw no more bring: worked out once, however often the round is looked at."""

    # -- hands that are played out

    def nets(self, ref: HandRef, wager: HandWager) -> FloatArray:
        """[columns]: what a hand that draws no more brings against each final hand of the dealer's, in dollars."""
        hand, dealer = self.state.hand(ref), self.state.dealer if self.state.shown else self.state.dealer[:1]
        key = hand.cards, hand.split, hand.doubled, hand.chance, len(self.state.hands[ref.box]), wager, dealer
        if key not in self.kept:
            kinds = self.shoes.tables.payoffs.dealers
            self.kept[key] = np.array([self._net(ref, wager, kinds[kind]) for kind in self.shoes.kinds])
        return self.kept[key]

    def _net(self, ref: HandRef, wager: HandWager, dealer: HandFacts) -> float:
        if wager.surrendered:
            share = self.rules.decisions["surrender"].share
            assert share is not None
            whole = dealer.blackjack and self.rules.surrender_waits(self.up)
            return -dollars_of(wager.amount if whole else wager.amount.part(share))
        hand, facts = self.state.hand(ref), self.play.facts(ref)
        if self.rules.paid_at_once(facts, hand.chance is not None):
            return self._paid(wager, facts, self.rules.barred(hand.split, bool(wager.double), hand.doubled))
        reduced = self.rules.chance_settled(facts) if hand.chance is not None else None
        settle = chance_rows(self.play, ref, wager, reduced) if reduced else rows_of(self.play, ref, wager, dealer)
        rows = list(settle)
        net = sum(dollars_of(row.net) for row in rows)
        if any(row.outcome == "win" and row.wager == wager.wager for row in rows):
            net += self._super_bonus(ref, wager)
        return net

    def _paid(self, wager: HandWager, facts: HandFacts, barred: tuple[NotPayable, ...]) -> float:
        """A hand that is paid whatever the dealer holds."""
        pays = [(self.rules.pay(name, facts, UNSEEN, barred).odds, amount) for name, amount in wager.played]
        return sum(dollars_of(odds.pays(amount)) for odds, amount in pays)

    def _super_bonus(self, ref: HandRef, wager: HandWager) -> float:
        hand, band = self.state.hand(ref), self.rules.band(wager.amount)
        barred = self.rules.barred(hand.split, bool(wager.double), hand.doubled)
        if band is None or self.rules.super_bonus(self.play.facts(ref), self.up, barred) is None:
            return 0.0
        return dollars_of(band.pays)

    def stood(self, ref: HandRef, wager: HandWager, condition: int) -> float:
        """A hand that draws no more, joint with a condition, in dollars."""
        dealer = self.dealer(condition)
        if self.play.facts(ref).blackjack and not wager.surrendered:
            row = self.shoes.core.game.rows[self.shoes.core.blackjack_rows[condition]]
            return float(dealer @ row) * dollars_of(wager.amount)
        return float(dealer @ self.nets(ref, wager))

    def beaten(self, ref: HandRef, wager: HandWager) -> float:
        """A hand against a Blackjack that is read, joint with it, in dollars; before the reader told."""
        blackjack = self.shoes.core.game.blackjack
        seen = [(k, self.unseen.against(k).seen) for k in self.conditions] if not self.is_read else []
        if self.play.facts(ref).blackjack and not wager.surrendered:
            rows, mine = self.shoes.core.game.rows, self.shoes.core.blackjack_rows
            return float(sum(chance * rows[mine[k], blackjack] for k, chance in seen)) * dollars_of(wager.amount)
        return sum(chance for _, chance in seen) * float(self.nets(ref, wager)[blackjack]) if seen else 0.0

    # -- hands that are still played

    def hand_values(self, ref: HandRef, player: str, condition: int) -> dict[str, float]:
        """Each decision that a hand may take now, joint with a condition, in dollars; waiting hands left out.

        A hand that may take none has the one value `stand`.
        """
        hand, wager = self.state.hand(ref), self.wager(ref, player)
        if hand.due:
            return {"stand": self.drawn(ref, player, condition)}
        values = {"stand": self.stood(ref, wager, condition)}
        if not self.is_played(hand, wager) or hand.chance is not None:
            return values
        if self.play.facts(ref).blackjack or self.draws_no_more(hand):
            return values | self._given_up(ref, wager, condition)
        if hand.doubled or self.play.facts(ref).points > self.rules.limit:
            return values | self._offers(ref, wager, condition)
        for name, value in self.unseen.turn(self._held(hand, wager), condition).items():
            if name != "stand" and not (name == "surrender" and self._surrenders_early):
                values[name] = value * dollars_of(wager.amount)
        return values

    def is_played(self, hand: Hand, wager: HandWager) -> bool:
        """Whether a wager of a hand is open and its player has not given it up."""
        open_ = hand.status in ("open", "waiting")
        return open_ and not (wager.settled or wager.surrendered or wager.rescued)

    def draws_no_more(self, hand: Hand) -> bool:
        """Whether the one who calls a hand has refused a card, for it or for all."""
        return hand.refused or hand.caller.player in self.state.refused

    def _given_up(self, ref: HandRef, wager: HandWager, condition: int) -> dict[str, float]:
        """What a hand that draws no card may still do."""
        if self.state.hand(ref).doubled:
            return self._offers(ref, wager, condition)
        if self._surrenders_early or self.rules.refusal("surrender", self.play.facts(ref)) is not None:
            return {}
        return {"surrender": self.stood(ref, wager._replace(surrendered=True), condition)}

    def _offers(self, ref: HandRef, wager: HandWager, condition: int) -> dict[str, float]:
        """What a doubled hand, or one that went over, may still be offered."""
        hand = self.state.hand(ref)
        if wager.chance or (hand.doubled and not wager.double):
            return {}
        offers, facts = self.unseen.offers(self._held(hand, wager), condition, hand.doubled), self.play.facts(ref)
        allowed = [name for name in offers if self.rules.refusal(name, facts) is None]
        worth = {name: offers[name] * dollars_of(wager.amount) for name in allowed}
        if "second_chance" in worth and self.draws_no_more(hand):
            del worth["second_chance"]
        if "second_chance" in worth and wager.double not in (0, wager.amount):
            again = self.rules.chance_wager(wager.amount, wager.double)
            then = self.after(e.DecisionTaken("", *ref, wager.player, "second_chance", again))
            worth["second_chance"] = then.drawn(ref, wager.player, condition)
        return worth

    def drawn(self, ref: HandRef, player: str, condition: int) -> float:
        """A hand to which a card is due: every card that may come, then whatever is best."""
        hand, wager = self.state.hand(ref), self.wager(ref, player)
        whole = wager.double == (wager.amount if hand.due == "double" else 0)
        if hand.due in ("hit", "double") and whole and self.is_played(hand, wager):
            return self.unseen.turn(self._held(hand, wager), condition)[hand.due] * dollars_of(wager.amount)
        total = 0.0
        for card, chance in self._draws(condition):
            then = self.after(e.CardDealt("", card, *ref, False))
            total += chance * max(then.hand_values(ref, player, condition).values())
        return total

    def _draws(self, condition: int) -> Iterator[tuple[Card, float]]:
        """Every card that may come next, with its chance as joint values want it: the dealer's may come too."""
        shoe = self.unseen.against(condition).shoe
        of_class = self.unseen.left
        for card, many in self.unseen.cards.items():
            if many > 0:
                at = self.shoes.tables.classes.index(card.rank)
                yield card, float(shoe[at] / shoe.sum() * many / of_class[at])

    def after(self, *events: e.Event) -> Self:
        """The round once this has happened."""
        state = self.state.copy()
        for event in events:
            evolve(state, event)
        return type(self)(self.shoes, self.before, state, self.kept)

    @property
    def _surrenders_early(self) -> bool:
        return self.state.early_surrender or self.rules.surrender_before_reader(self.up)

    def _held(self, hand: Hand, wager: HandWager) -> Held:
        return Held(hand.cards, wager.amount, hand.split, wager.wager == "main")

    def wager(self, ref: HandRef, player: str) -> HandWager:
        """A player's chips on a hand."""
        return self.play.wager_of(Speaker(ref, player))
