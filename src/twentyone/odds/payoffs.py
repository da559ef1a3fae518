"""What a settled hand is worth against each final hand of the dealer's: the rules asked, results as fractions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from twentyone.cards import SUITS, Card
from twentyone.errors import Refused
from twentyone.money import Odds
from twentyone.odds.dealer import Final
from twentyone.rulebook import HandFacts, Rules
from twentyone.rulebook import clauses as c
from twentyone.rulebook.payouts import ChanceOutcome

__all__ = ["FIRST", "SPLIT_MAIN", "SPLIT_MORE", "UNSEEN", "Kind", "Payoffs"]

UNSEEN = HandFacts((), 0)
"""The dealer's hand as far as a payment before its reveal may know it."""


class Kind(NamedTuple):
    """What lies on a hand."""

    split: bool
    """Whether it came out of a split."""
    wager: str
    """`main`: the original wager lies on it; `split`: the one that the split added."""


FIRST, SPLIT_MAIN, SPLIT_MORE = Kind(False, "main"), Kind(True, "main"), Kind(True, "split")


class Payoffs:
    """The net results of hands, in units of the wager that lies on them."""

    def __init__(self, rules: Rules, kinds: tuple[Final, ...]) -> None:
        self.rules = rules
        self.dealers = tuple(kind.hand for kind in kinds)
        self._won: dict[tuple[object, ...], Fraction] = {}
        self._results: dict[tuple[object, ...], tuple[str, ...]] = {}
        self._paid_by_dealer = any(row.dealer != c.Pay.dealer for row in rules.all(c.Pay))

    # -- a hand that is played out

    def row(self, hand: HandFacts, wager: str) -> tuple[Fraction, ...]:
        """A hand's result against each final hand of the dealer's."""
        if self.rules.paid_at_once(hand):
            return self.early(hand, wager)
        worth: dict[tuple[object, ...], Fraction] = {}
        row = []
        for dealer, result in zip(self.dealers, self._compared(hand), strict=True):
            key = (result, dealer if self._paid_by_dealer else dealer.blackjack)
            if key not in worth:
                worth[key] = self._settled(result, hand, wager, dealer)
            row.append(worth[key])
        return tuple(row)

    def _compared(self, hand: HandFacts) -> tuple[str, ...]:
        """How a hand compares with each final hand of the dealer's, whatever lies on it."""
        key = (hand.points, len(hand.cards), hand.blackjack, hand.split, hand.ranges)
        if key not in self._results:
            self._results[key] = tuple(self.rules.outcome(hand, dealer).result for dealer in self.dealers)
        return self._results[key]

    def early(self, hand: HandFacts, wager: str) -> tuple[Fraction, ...]:
        """A hand that is paid before the dealer's hand is known."""
        return (self.won(hand, wager, UNSEEN),) * len(self.dealers)

    def against(self, hand: HandFacts, wager: str, dealer: HandFacts) -> Fraction:
        """A hand's result against one hand of the dealer's."""
        return self._settled(self.rules.outcome(hand, dealer).result, hand, wager, dealer)

    def _settled(self, result: str, hand: HandFacts, wager: str, dealer: HandFacts) -> Fraction:
        if result == "win":
            return self.won(hand, wager, dealer)
        if result == "push":
            return Fraction(0)
        wagers = (wager, "double") if hand.doubled else (wager,)
        bust = hand.points > self.rules.limit
        return Fraction(-sum(not (dealer.blackjack and self.rules.spares(name, bust)) for name in wagers))

    def won(self, hand: HandFacts, wager: str, dealer: HandFacts) -> Fraction:
        """What the wagers on a winning hand earn."""
        key = (hand, wager, dealer if self._paid_by_dealer else None)
        if key not in self._won:
            wagers = (wager, "double") if hand.doubled else (wager,)
            self._won[key] = sum((_ratio(self.pay(name, hand, dealer).odds) for name in wagers), Fraction(0))
        return self._won[key]

    def pay(self, wager: str, hand: HandFacts, dealer: HandFacts) -> c.Pay:
        """The pay row of a winning wager."""
        return self.rules.pay(wager, hand, dealer, self.rules.barred(hand.split, hand.doubled, hand.doubled))

    # -- a hand that is given up

    def rescued(self, wager: str) -> tuple[Fraction, ...]:
        """A doubled hand that is rescued: the wager is forfeited unless a dealer's Blackjack spares it."""
        waits = self.rules.spares(wager, rescued=True) is not None
        return tuple(Fraction(0 if waits and dealer.blackjack else -1) for dealer in self.dealers)

    def surrendered(self, ranks: Iterable[str]) -> tuple[Fraction, ...]:
        """A surrendered hand against up cards of these ranks: settled at once, or lost to a dealer's Blackjack."""
        decision = self.rules.decisions.get("surrender")
        if decision is None or decision.share is None:
            return (Fraction(0),) * len(self.dealers)
        waits = {self.rules.surrender_waits(Card(rank + SUITS[0])) for rank in ranks}
        if len(waits) != 1:
            raise Refused("up cards of equal value settle a surrender at different times", decision.cite)
        return tuple(
            Fraction(-1) if waits == {True} and dealer.blackjack else -decision.share for dealer in self.dealers
        )

    # -- a hand with a second chance

    def chance(self, hand: HandFacts, points: int) -> tuple[Fraction, ...]:
        """A busted hand whose second chance card leaves it with these points."""
        reduced = self.rules.reduced(hand, hand.points - points)
        wagered = Fraction(2 if hand.doubled else 1)
        again = self.rules.chance_wager(Fraction(1), wagered - 1)
        settled = self.rules.chance_settled(reduced)
        if settled is not None:
            return (self._chance(settled, wagered, again),) * len(self.dealers)
        outcomes = (self.rules.chance_outcome(reduced, dealer) for dealer in self.dealers)
        return tuple(self._chance(outcome, wagered, again) for outcome in outcomes)

    def _chance(self, outcome: ChanceOutcome, wagered: Fraction, again: Fraction) -> Fraction:
        main, chance, _ = outcome
        if chance == "win":
            return again * _ratio(self.rules.pay("second_chance", UNSEEN, UNSEEN).odds) - wagered * (main == "lose")
        return -wagered * (main == "lose") - again * (chance == "lose")


def _ratio(odds: Odds) -> Fraction:
    return Fraction(odds.win, odds.lay)
