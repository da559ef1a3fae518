"""What a player's wagers are worth as the round stands: from what he has seen, every later decision the best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from twentyone.cards import Card
from twentyone.money import Amount
from twentyone.odds.left_values import Held, Waiting
from twentyone.odds.model import FloatArray
from twentyone.review.seen_cards import SeenCards
from twentyone.round.events import HandRef
from twentyone.round.payout import chance_rows, rows_of
from twentyone.round.play import UNSEEN, Speaker
from twentyone.round.state import Hand, HandWager
from twentyone.rulebook import HandFacts
from twentyone.rulebook.clauses import NotPayable

__all__ = ["Position", "dollars_of"]


def dollars_of(amount: Amount) -> float:
    """An amount as a number of dollars."""
    return int(amount) / int(Amount("1"))


@dataclass(frozen=True)
class Position(SeenCards):
    """A round as it stands, and what the wagers of its hands are worth."""

    # -- hands that are played out

    def settled(self, player: str) -> float:
        """What is settled already, in dollars."""
        return sum(dollars_of(row.net) for row in self.state.rows if row.player == player)

    def nets(self, ref: HandRef, wager: HandWager) -> FloatArray:
        """[columns]: what a hand that draws no more brings against each final hand of the dealer's, in dollars."""
        if (ref, wager) not in self._nets:
            kinds = self.shoes.tables.payoffs.dealers
            self._nets[ref, wager] = np.array([self._net(ref, wager, kinds[kind]) for kind in self.shoes.kinds])
        return self._nets[ref, wager]

    @cached_property
    def _nets(self) -> dict[tuple[HandRef, HandWager], FloatArray]:
        return {}

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
        against = self.unseen.against(condition)
        if self.play.facts(ref).blackjack and not wager.surrendered:
            row = self.shoes.core.game.rows[self.shoes.core.blackjack_rows[condition]]
            return float(against.dealer @ row) * dollars_of(wager.amount)
        return float(against.dealer @ self.nets(ref, wager))

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
        hand, wager = self.state.hand(ref), self.play.wager_of(Speaker(ref, player))
        facts = self.play.facts(ref)
        values = {"stand": self.stood(ref, wager, condition)}
        if wager.settled or hand.status not in ("open", "waiting") or facts.blackjack or hand.chance is not None:
            return values
        held = self._held(hand, wager)
        if hand.doubled or facts.points > self.rules.limit:
            offers = self.unseen.offers(held, condition, hand.doubled) if self._may_be_offered(wager) else {}
            worth = {name: value * dollars_of(wager.amount) for name, value in offers.items()}
            if "second_chance" in worth and wager.double not in (0, wager.amount):
                worth["second_chance"] = self._chance(ref, wager, condition)
            return values | worth
        for name, value in self.unseen.turn(held, condition).items():
            if name != "stand" and not (name == "surrender" and self._surrenders_early):
                values[name] = value * dollars_of(wager.amount)
        return values

    def _chance(self, ref: HandRef, wager: HandWager, condition: int) -> float:
        """A second chance on a hand doubled for less, card by card."""
        again = self.rules.chance_wager(wager.amount, wager.double)
        hand = self.state.hand(ref).changed(wager.player, chance=again)
        total = 0.0
        for card, chance in self.draws(condition):
            then = self.with_hand(ref, hand._replace(chance=card))
            total += chance * then.stood(ref, then._wager(ref, wager.player), condition)
        return total

    def draws(self, condition: int) -> Iterator[tuple[Card, float]]:
        """Every card that may come next, with its chance as joint values want it: the dealer's may come too."""
        shoe = self.unseen.against(condition).shoe
        of_class = self.unseen.left
        for card, many in self.unseen.cards.items():
            if many > 0:
                at = self.shoes.tables.classes.index(card.rank)
                yield card, float(shoe[at] / shoe.sum() * many / of_class[at])

    def with_hand(self, ref: HandRef, hand: Hand) -> Position:
        """The round with one hand changed."""
        state = self.state.copy()
        state.put(ref, hand)
        return Position(self.shoes, self.before, state)

    def _may_be_offered(self, wager: HandWager) -> bool:
        """Whether a rescue or a second chance is still to be answered."""
        return not (wager.rescued or wager.chance)

    @property
    def _surrenders_early(self) -> bool:
        return self.rules.surrender_before_reader(self.up)

    def _held(self, hand: Hand, wager: HandWager) -> Held:
        return Held(hand.cards, wager.amount, hand.split, wager.wager == "main")

    # -- a box

    def waiting(self, box: int, more: tuple[Card, ...] = (), original: bool = False) -> Waiting:
        """The hands of a box that wait for their second card; `more`: the cards of a hand that is split now."""
        hands = self.state.hands[box]
        mine = [hand for hand in hands if len(hand.cards) == 1 and hand.status == "open"]
        first = mine[0].wagers[0].wager == "main" if mine else False
        cards = (*more, *(hand.cards[0] for hand in mine))
        if not cards:
            return Waiting((), 0, False)
        start = self.shoes.tables.classes.index(cards[0].rank)
        others = len(hands) - len(mine) - bool(more)
        return Waiting(cards, self.shoes.tables.most_hands(start) - others, original or (not more and first))

    def box_values(self, box: int, player: str, condition: int) -> dict[str, float]:
        """Each decision that the hand in play may take, joint with a condition: what the whole box is then worth."""
        parts = [
            (HandRef(box, number), hand)
            for number, hand in enumerate(self.state.hands[box], 1)
            if len(hand.cards) > 1 and not self.play.wager_of(Speaker(HandRef(box, number), player)).settled
        ]
        open_ = [(ref, hand) for ref, hand in parts if hand.status in ("open", "waiting")]
        rest = sum(
            self.stood(ref, self._wager(ref, player), condition) for ref, hand in parts if (ref, hand) not in open_
        )
        amount = self.state.hands[box][0].wagers[0].amount
        waits = self.unseen.split(self.waiting(box), amount, condition) * dollars_of(amount)
        if not open_:
            return {"stand": rest + waits}
        ref, hand = open_[0]
        values = {name: rest + waits + value for name, value in self.hand_values(ref, player, condition).items()}
        if self._may_split(ref, hand):
            original = self._wager(ref, player).wager == "main"
            parted = self.waiting(box, hand.cards, original)
            values["split"] = rest + self.unseen.split(parted, amount, condition) * dollars_of(amount)
        return values

    def _wager(self, ref: HandRef, player: str) -> HandWager:
        return self.play.wager_of(Speaker(ref, player))

    def _may_split(self, ref: HandRef, hand: Hand) -> bool:
        facts = self.play.facts(ref)
        if len(hand.cards) != 2 or hand.doubled or facts.blackjack:
            return False
        return self.rules.refusal("split", facts) is None

    def box_value(self, box: int, player: str) -> float:
        """What the hands of a box are worth, every decision the best, in dollars; insurance left out."""
        refs = [HandRef(box, number) for number in range(1, len(self.state.hands[box]) + 1)]
        mine = [(ref, wager) for ref in refs if not (wager := self._wager(ref, player)).settled]
        if not mine:
            return 0.0
        if self.final is not None:
            return float(sum(self.final @ self.nets(ref, wager) for ref, wager in mine))
        best = sum(max(self.box_values(box, player, k).values()) for k in self.conditions)
        return (best + self._read_loss(box, player)) / self.chance

    def _read_loss(self, box: int, player: str) -> float:
        """What a Blackjack that the reader may still tell of costs, joint with it."""
        wager = self._wager(HandRef(box, 1), player)
        return self.beaten(HandRef(box, 1), wager) if not wager.settled else 0.0
