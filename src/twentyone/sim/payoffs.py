"""What a hand that draws no more gains: its payoff, a row of gains by the dealer's hand.

Every question is put to `Rules`; hands with the same answers against every hand of the dealer's share a payoff.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from twentyone.errors import RulebookError
from twentyone.rulebook import HandFacts, Rules
from twentyone.rulebook.clauses import Pay
from twentyone.rulebook.payouts import ChanceOutcome
from twentyone.sim.dealer import DealerHands

__all__ = [
    "FORFEIT_PENDING",
    "MATTERS",
    "MATTERS_FIRST",
    "MATTERS_TO_BLACKJACK",
    "UNDECIDED",
    "HandPayoffs",
    "Payoff",
    "WagerKind",
]

UNSEEN = HandFacts((), 0)
"""The dealer's hand as far as a payment before its reveal may know it."""

MATTERS, MATTERS_FIRST, MATTERS_TO_BLACKJACK, FORFEIT_PENDING = 1, 2, 4, 8
"""Marks of a payoff: the dealer's further cards can change it; so can his second card (if his up card cannot make a
Blackjack, if it can); it was surrendered or rescued and waits for his second card."""

UNDECIDED = "undecided"
"""The tally of pairs of hands that no row decides: they never meet."""


@dataclass(frozen=True)
class WagerKind:
    """Which wagers lie on a hand."""

    wager: str = "main"
    """`main`, or `split` for a wager added by splitting."""
    doubled: bool = False
    """Whether a Double Down Wager of the same size lies beside it."""

    @property
    def wagers(self) -> tuple[str, ...]:
        """Each wager of one unit."""
        return (self.wager, "double") if self.doubled else (self.wager,)


@dataclass(frozen=True)
class Payoff:
    """What a closed hand gains against each hand of the dealer's."""

    gains: tuple[Fraction, ...]
    """By the dealer's state, in units of the original wager."""
    tallies: tuple[str, ...]
    """What it is counted as, by the dealer's state."""
    prizes: tuple[bool, ...]
    """Whether a super bonus is due against a fitting up card, by the dealer's state."""
    marks: int = 0
    """Whether the dealer's cards matter to it."""


@dataclass
class HandPayoffs:
    """All payoffs of a game, each once."""

    rules: Rules
    dealer: DealerHands
    all: list[Payoff] = field(default_factory=list)

    def number(self, payoff: Payoff) -> int:
        """The number of a payoff; payoffs that are alike are one."""
        if payoff not in self._numbers:
            self._numbers[payoff] = len(self.all)
            self.all.append(payoff)
        return self._numbers[payoff]

    _numbers: dict[Payoff, int] = field(default_factory=dict)
    _told_apart: dict[HandFacts, tuple[bool, ...]] = field(default_factory=dict)
    _wins: dict[tuple[HandFacts, WagerKind, tuple[bool, ...]], tuple[Fraction, str, bool]] = field(default_factory=dict)

    @property
    def unit(self) -> int:
        """The parts of a wager in which every gain is a whole number."""
        return lcm(*(gain.denominator for payoff in self.all for gain in payoff.gains))

    # -- hands that are compared with the dealer's

    def closed(self, hand: HandFacts, kind: WagerKind) -> int:
        """The payoff of a hand that draws no more."""
        if self.rules.paid_at_once(hand):
            return self.paid(hand, kind)
        rows = [self._row(hand, kind, dealer) for dealer in self.dealer.facts]
        gains, tallies, prizes = zip(*rows, strict=True)
        return self.number(Payoff(gains, tallies, prizes, self._marks(hand, gains, tallies)))

    def _row(self, hand: HandFacts, kind: WagerKind, dealer: HandFacts) -> tuple[Fraction, str, bool]:
        try:
            outcome = self.rules.outcome(hand, dealer)
            if outcome.result == "win":
                return self._won(hand, kind, dealer)
        except RulebookError:
            return Fraction(0), UNDECIDED, False
        if outcome.result == "push":
            return Fraction(0), _tally("push", kind, outcome.cite), False
        bust = hand.points > self.rules.limit
        lost = sum(not (dealer.blackjack and self.rules.spares(wager, bust)) for wager in kind.wagers)
        return Fraction(-lost), _tally("lose", kind, outcome.cite), False

    def _won(self, hand: HandFacts, kind: WagerKind, dealer: HandFacts) -> tuple[Fraction, str, bool]:
        """What a winning hand is paid; dealers' hands that no payout row tells apart are asked about once."""
        if dealer not in self._told_apart:
            self._told_apart[dealer] = tuple(row.dealer.matches(dealer) for row in self.rules.all(Pay))
        key = (hand, kind, self._told_apart[dealer])
        if key not in self._wins:
            self._wins[key] = self._paid(hand, kind, dealer)
        return self._wins[key]

    def _paid(self, hand: HandFacts, kind: WagerKind, dealer: HandFacts) -> tuple[Fraction, str, bool]:
        barred = self.rules.barred(hand.split, kind.doubled, kind.doubled)
        pays = [self.rules.pay(wager, hand, dealer, barred) for wager in kind.wagers]
        gain = sum((Fraction(pay.odds.win, pay.odds.lay) for pay in pays), Fraction(0))
        prize = any(self.rules.super_bonus(hand, up, barred) is not None for up in self.dealer.cards)
        return gain, _tally(f"win {pays[0].odds}", kind, pays[0].cite), prize

    def _marks(self, hand: HandFacts, gains: tuple[Fraction, ...], tallies: tuple[str, ...]) -> int:
        finals = {(gains[state], tallies[state]) for state in self.dealer.finals}
        blackjacks = {(gains[state], tallies[state]) for state in self.dealer.blackjacks}
        matters = self.rules.dealer_draws_for(hand) or len({gain for gain, _ in finals}) > 1
        to_blackjack = matters or len({gain for gain, _ in finals | blackjacks}) > 1
        return MATTERS * matters | MATTERS_FIRST * matters | MATTERS_TO_BLACKJACK * to_blackjack

    # -- hands that are settled before, or given up

    def paid(self, hand: HandFacts, kind: WagerKind) -> int:
        """The payoff of a hand that is paid before the dealer's hand is known."""
        return self._certain(*self._won(hand, kind, UNSEEN))

    def even_money(self, hand: HandFacts) -> int:
        """The payoff of a Blackjack that takes even money."""
        pay = self.rules.pay("even_money", hand, UNSEEN)
        return self._certain(Fraction(pay.odds.win, pay.odds.lay), f"even money ({pay.cite})")

    def surrendered(self, waits: bool) -> int:
        """The payoff of a surrendered hand; if it waits for the dealer's second card, his Blackjack takes all of it."""
        decision = self.rules.decisions["surrender"]
        share = decision.share
        assert share is not None
        tally = f"surrender ({decision.cite})"
        gains = tuple(Fraction(-1) if waits and dealer.blackjack else Fraction(-share) for dealer in self.dealer.facts)
        none = (False,) * len(gains)
        return self.number(Payoff(gains, (tally,) * len(gains), none, FORFEIT_PENDING * waits))

    def rescued(self, wager: str) -> int:
        """The payoff of a rescued hand: the double goes back, the wager is forfeited unless a Blackjack spares it."""
        waits = self.rules.spares(wager, rescued=True) is not None
        tally = f"rescue ({self.rules.decisions['rescue'].cite})"
        gains = tuple(Fraction(0 if waits and dealer.blackjack else -1) for dealer in self.dealer.facts)
        none = (False,) * len(gains)
        return self.number(Payoff(gains, (tally,) * len(gains), none, FORFEIT_PENDING * waits))

    def _certain(self, gain: Fraction, tally: str, prize: bool = False) -> int:
        count = len(self.dealer.facts)
        return self.number(Payoff((gain,) * count, (tally,) * count, (prize,) * count))

    # -- second chances

    def chance(self, hand: HandFacts, kind: WagerKind, card_value: int) -> int:
        """The payoff of a busted hand from whose total a second chance card was taken."""
        reduced = self.rules.reduced(hand, card_value)
        units = len(kind.wagers)
        again = self.rules.chance_wager(1, units - 1)
        settled = self.rules.chance_settled(reduced)
        if settled is not None:
            return self._certain(*self._chance_gain(settled, units, again))
        rows = list(self._chance_rows(reduced, units, again))
        gains, tallies = zip(*rows, strict=True)
        return self.number(Payoff(gains, tallies, (False,) * len(gains), self._marks(reduced, gains, tallies)))

    def _chance_rows(self, hand: HandFacts, units: int, again: int) -> Iterator[tuple[Fraction, str]]:
        for dealer in self.dealer.facts:
            try:
                outcome = self.rules.chance_outcome(hand, dealer)
            except RulebookError:
                yield Fraction(0), UNDECIDED
            else:
                yield self._chance_gain(outcome, units, again)

    def _chance_gain(self, outcome: ChanceOutcome, units: int, again: int) -> tuple[Fraction, str]:
        main, chance, _ = outcome
        gain = Fraction(-units if main == "lose" else 0)
        pay: Pay = self.rules.pay("second_chance", UNSEEN, UNSEEN)
        if chance == "win":
            gain += Fraction(pay.odds.win, pay.odds.lay) * again
        elif chance == "lose":
            gain -= again
        return gain, f"second chance {chance} ({self.rules.decisions['second_chance'].cite})"


def _tally(what: str, kind: WagerKind, cite: str) -> str:
    return f"{'doubled, ' if kind.doubled else ''}{what} ({cite})"
