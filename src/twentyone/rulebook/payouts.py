"""How hands compare and what they are paid."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, TypeVar

from twentyone.errors import RulebookError
from twentyone.law import carries
from twentyone.money import Amount
from twentyone.rulebook import clauses as c
from twentyone.rulebook.hand_answers import HandAnswers
from twentyone.rulebook.patterns import HandFacts
from twentyone.rulebook.rows import compares, prevailing, stands_under
from twentyone.rulebook.totals import HandTotals

__all__ = ["ChanceOutcome", "Payouts"]


N = TypeVar("N", Amount, int, Fraction)


class ChanceOutcome(NamedTuple):
    """How the wagers on a hand with a second chance fare."""

    main: str
    """The original wager and the double: `push` or `lose`."""
    chance: str
    """The Second Chance Wager: `win`, `push` or `lose`."""
    cite: str
    """The paragraph that says so."""


class Payouts(HandTotals):
    """What wagers win, lose and are paid."""

    @cached_property
    def _outcomes(self) -> HandAnswers[tuple[object, ...], c.Outcome]:
        return HandAnswers()

    @carries("outcome")
    def outcome(self, player: HandFacts, dealer: HandFacts) -> c.Outcome:
        """The row of the comparison that decides."""
        key = (
            player.points, len(player.cards), player.blackjack, player.split, player.ranges,
            dealer.points, len(dealer.cards), dealer.blackjack,
        )  # fmt: skip
        row = self._outcomes.get(key)
        if row is None:
            rows = [row for row in self._outcome_rows if compares(row, player, dealer)]
            row = prevailing(rows, player.cards, "against", dealer.cards)
            self._outcomes.keep(key, row)
        return row

    @cached_property
    def _outcome_rows(self) -> tuple[c.Outcome, ...]:
        return self.all(c.Outcome)

    @carries("pay")
    def pay(self, wager: str, hand: HandFacts, dealer: HandFacts, barred: Iterable[c.NotPayable] = ()) -> c.Pay:
        """The payout row of a winning wager; `barred` are the payouts this hand does not earn."""
        closed = tuple(paragraph for clause in barred for paragraph in clause.rows)
        rows = [
            row
            for row in self._pays
            if wager in row.wagers
            and row.hand.matches(hand)
            and row.dealer.matches(dealer)
            and not stands_under(row, closed)
        ]
        return prevailing(rows, "a", wager, "wager on", hand.cards)

    @cached_property
    def _pays(self) -> tuple[c.Pay, ...]:
        return self.all(c.Pay)

    @carries("not_payable")
    def barred(self, split: bool, doubled_by_player: bool, doubled_hand: bool) -> tuple[c.NotPayable, ...]:
        """The payouts that a hand with this history does not earn."""
        holds = {
            ("split", "player"): split,
            ("split", "hand"): split,
            ("doubled", "player"): doubled_by_player,
            ("doubled", "hand"): doubled_hand,
        }
        return tuple(clause for clause in self._not_payable if holds[clause.on, clause.whose])

    @cached_property
    def _not_payable(self) -> tuple[c.NotPayable, ...]:
        return self.all(c.NotPayable)

    @cached_property
    def spared(self) -> tuple[c.Spared, ...]:
        """The wagers that a dealer's Blackjack does not take."""
        return self.all(c.Spared)

    @carries("spared")
    def spares(self, wager: str, bust: bool = False, rescued: bool = False) -> c.Spared | None:
        """The clause by which a dealer's Blackjack does not take a wager on a lost, a busted or a rescued hand."""
        for clause in self.spared:
            if clause.wager == wager and (clause.bust or not bust) and (clause.rescued or not rescued):
                return clause
        return None

    # -- second chances

    def chance_wager(self, wager: N, double: N) -> N:
        """The Second Chance Wager on a hand with this wager and this Double Down Wager (zero: not doubled)."""
        return wager + double if self.decisions["second_chance"].with_double else wager

    @carries("chance_settled")
    def chance_settled(self, hand: HandFacts) -> ChanceOutcome | None:
        """How a hand with a second chance fares whose reduced total is settled at once; any other plays on."""
        for clause in self.all(c.ChanceSettled):
            if clause.total.matches(hand):
                return ChanceOutcome("push" if clause.result == "win" else "lose", clause.result, clause.cite)
        return None

    @carries("chance_result")
    def chance_outcome(self, hand: HandFacts, dealer: HandFacts) -> ChanceOutcome:
        """How a hand with a second chance fares against the dealer's."""
        row = self.outcome(hand, dealer)
        for clause in self.all(c.ChanceResult):
            if clause.outcome == row.result:
                return ChanceOutcome(clause.main, clause.chance, clause.cite if row.result == "win" else row.cite)
        raise RulebookError(self.rulebook.id, f"no chance_result says what {row.result} means for a second chance")
