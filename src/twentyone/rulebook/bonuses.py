"""What wagers beside the main one win: insurance, super bonus, Match-the-Dealer, prize wheels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from twentyone.cards import Card
from twentyone.errors import RulebookError
from twentyone.law import carries
from twentyone.money import Amount, Odds
from twentyone.rulebook import clauses as c
from twentyone.rulebook.patterns import HandFacts
from twentyone.rulebook.rows import stands_under
from twentyone.rulebook.totals import HandTotals

__all__ = ["Bonuses"]

W = TypeVar("W", c.WheelSpin, c.WheelPrize, c.CommunityTo, c.MeterPaid, c.Contribution)


class Bonuses(HandTotals):
    """What is paid beside the main wager."""

    @carries("insurance_limit")
    def most_insurance(self, original: Amount) -> Amount:
        """The largest Insurance Wager beside an original wager, in amounts that can be laid in chips."""
        return original.part(self.one(c.InsuranceLimit).share).up_to_unit(self.submission["chip_unit"])

    def insurance_wins(self, second: Card) -> bool:
        """Whether insurance wins on this second card of the dealer's."""
        insure = self.decisions.get("insure")
        return insure is not None and second.rank in insure.wins_on

    # -- the super bonus

    @carries("super_bonus", "band")
    def super_bonus(self, hand: HandFacts, up: Card, barred: Iterable[c.NotPayable]) -> c.SuperBonus | None:
        """The super bonus clause that a winning hand meets."""
        bonus = self.maybe(c.SuperBonus)
        if bonus is None or up.rank not in bonus.up or not bonus.hand.matches(hand):
            return None
        return None if stands_under(bonus, [row for clause in barred for row in clause.rows]) else bonus

    def band(self, original: Amount) -> c.Band | None:
        """What a super bonus pays for this original wager."""
        for band in self.all(c.Band):
            if band.least <= original and (band.below is None or original < band.below):
                return band
        return None

    @carries("envy")
    def envy(self, paid: bool) -> c.Envy | None:
        """What the others are paid for a hand that meets the super bonus; `paid`: its wager was paid one."""
        clause = self.maybe(c.Envy)
        return clause if clause is not None and (paid or clause.on == "hand") else None

    # -- Match-the-Dealer

    @carries("match", "both_match")
    def match(self, cards: Iterable[Card], up: Card) -> tuple[Odds, str] | None:
        """What Match-the-Dealer pays for the initial two cards, and under which paragraph."""
        won = [self.match_odds("same" if card.suit == up.suit else "other") for card in cards if card.rank == up.rank]
        if not won:
            return None
        won.sort(reverse=True)
        if not self.one(c.BothMatch).each:
            return won[0]
        total = won[0][0]
        for odds, _ in won[1:]:
            total = total.plus(odds)
        return total, won[0][1]

    def match_odds(self, suit: str) -> tuple[Odds, str]:
        """What one matching card pays, and under which paragraph."""
        row = self._match_row(suit)
        own = self.submission.get("match_the_dealer_odds") or {}
        return own.get("suited" if suit == "same" else "unsuited", row.odds), row.cite

    def _match_row(self, suit: str) -> c.Match:
        decks = self.submission["decks"]
        rows = [row for row in self.all(c.Match) if (row.decks, row.suit) == (decks, suit)]
        if len(rows) != 1:
            raise RulebookError(self.rulebook.id, f"{len(rows)} Match-the-Dealer rows for {decks} decks")
        return rows[0]

    # -- wheels

    @carries("spin")
    def each_spins(self, wheel: str) -> bool:
        """Whether a wheel is spun for each player whose wager wins, and not for one of them, the hot spot."""
        return self.of_wheel(c.WheelSpin, wheel).spins == "each"

    @carries("prize")
    def wager_returned(self, wheel: str) -> bool:
        """Whether a wager goes back beside the prize that a wheel pays on it."""
        return self.of_wheel(c.WheelPrize, wheel).wager == "returned"

    @carries("community_to")
    def community_due(self, wheel: str) -> bool:
        """Whether every other wager on a wheel wins when it turns, so that no symbol goes without a Community Pay."""
        return self.of_wheel(c.CommunityTo, wheel).each == "wager"

    def of_wheel(self, kind: type[W], wheel: str) -> W:
        """The only clause of a type that speaks of a wheel."""
        clauses = [clause for clause in self.all(kind) if clause.wheel == wheel]
        if len(clauses) != 1:
            many = f"{len(clauses)} clauses {kind.type_key}"
            raise RulebookError(self.rulebook.id, f"{many} are in force for {wheel}, not one")
        return clauses[0]

    def wheel_triggered(self, wheel: str, up: Card, second: Card) -> bool:
        """Whether the dealer's first two cards turn a prize wheel."""
        clause = self.wagers.get(wheel)
        if clause is None:
            return False
        values = self.value_of(up), self.value_of(second)
        return values == clause.trigger or (clause.either_order and values[::-1] == clause.trigger)
