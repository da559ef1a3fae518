"""A rulebook under a submission: the clauses in force, and the questions the readers ask of them.

What a clause means for one hand is answered here and nowhere else: its total, whether it is a Blackjack, whether
it may draw, how it compares, what it pays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from twentyone.cards import Card
from twentyone.errors import RulebookError, SubmissionRefused
from twentyone.hands import Ace, total_of
from twentyone.law import carries
from twentyone.money import Amount, Odds
from twentyone.rulebook import clauses as c
from twentyone.rulebook.decisions import Refusal, refusal
from twentyone.rulebook.patterns import HandFacts
from twentyone.rulebook.rows import compares, in_force, prevailing, stands_under
from twentyone.rulebook.submission import Submission
from twentyone.rulebook.wheels import meters_of, weights_of

if TYPE_CHECKING:
    from twentyone.rulebook.rulebook import Rulebook

__all__ = ["Rules"]

T = TypeVar("T", bound=c.Clause)


class Rules:
    """What a rulebook demands under one submission."""

    def __init__(self, rulebook: Rulebook, submission: Submission) -> None:
        self.rulebook = rulebook
        """The book."""
        self.submission = submission
        """The operator's choices in force."""
        self.clauses = tuple(clause for clause in rulebook.clauses if in_force(clause, submission))
        """The clauses in force."""
        self._by_type: dict[type[c.Clause], tuple[c.Clause, ...]] = {}
        self._outcomes: dict[tuple[object, ...], c.Outcome] = {}
        self._facts: dict[tuple[object, ...], HandFacts] = {}
        self._refusals: dict[tuple[object, ...], Refusal | None] = {}
        self._check_submission()

    def __repr__(self) -> str:
        given = {choice.key: choice.value for choice in self.submission.choices if choice.given}
        return f"<Rules {self.rulebook.id} {given}>"

    # -- clauses

    def all(self, kind: type[T]) -> tuple[T, ...]:
        """The clauses of a type in force, in the order of the book."""
        found = self._by_type.get(kind)
        if found is None:
            found = self._by_type[kind] = tuple(clause for clause in self.clauses if isinstance(clause, kind))
        return found  # type: ignore[return-value]

    def one(self, kind: type[T]) -> T:
        """The only clause of a type."""
        found = self.all(kind)
        if len(found) != 1:
            raise RulebookError(self.rulebook.id, f"{len(found)} clauses {kind.type_key} are in force, not one")
        return found[0]

    def maybe(self, kind: type[T]) -> T | None:
        """The only clause of a type, where there is one."""
        return self.one(kind) if self.all(kind) else None

    def named(self, kind: type[T]) -> dict[str, T]:
        """The clauses of a named type by name."""
        found: dict[str, T] = {}
        for clause in self.all(kind):
            name = str(getattr(clause, "name", ""))
            if name in found:
                raise RulebookError(clause.paragraph, f"two clauses {clause.key} are in force")
            found[name] = clause
        return found

    @cached_property
    def cards(self) -> c.Cards:
        """The decks."""
        return self.one(c.Cards)

    @cached_property
    def decisions(self) -> dict[str, c.Decision]:
        """The decisions this game has."""
        return self.named(c.Decision)

    @cached_property
    def may_nots(self) -> tuple[c.MayNot, ...]:
        """What a text forbids in so many words."""
        return self.all(c.MayNot)

    @cached_property
    def steps(self) -> tuple[c.Step, ...]:
        """The steps of a round in the rulebook's order."""
        fences = self.named(c.Step)
        return tuple(fences[name] for name in self.rulebook.order if name in fences)

    @cached_property
    def wagers(self) -> dict[str, c.Wager]:
        """The wagers that may be placed before the first card."""
        return self.named(c.Wager)

    @cached_property
    def irregularities(self) -> dict[str, c.Irregularity]:
        """The irregularities this text knows."""
        return self.named(c.Irregularity)

    @cached_property
    def tasks(self) -> dict[str, c.Task]:
        """The tasks of the table by command; where several paragraphs give one, the first."""
        found: dict[str, c.Task] = {}
        for task in self.all(c.Task):
            found.setdefault(task.name, task)
        return found

    @cached_property
    def announcements(self) -> tuple[c.Announce, ...]:
        """What the dealer says aloud."""
        return self.all(c.Announce)

    @cached_property
    def shared(self) -> dict[str, c.SharedBox]:
        """The rights of several players on one box."""
        return self.named(c.SharedBox)

    # -- cards and totals

    @cached_property
    @carries("value")
    def values(self) -> Mapping[str, int]:
        """Rank to value, the ace left out."""
        return {
            rank: row.value if row.value is not None else int(rank) for row in self.all(c.Value) for rank in row.ranks
        }

    @cached_property
    @carries("ace")
    def aces(self) -> tuple[Ace, Ace]:
        """How an ace counts for a player and for the dealer."""
        ace = self.one(c.Ace)
        return Ace(ace.high, ace.low, ace.player), Ace(ace.high, ace.low, ace.dealer)

    @cached_property
    def limit(self) -> int:
        """The total over which a player's hand is out."""
        return self.one(c.Ace).player

    def hand(self, cards: tuple[Card, ...], split: bool = False, doubled: bool = False, hands: int = 1) -> HandFacts:
        """What the rules see in a player's cards."""
        key = (cards, split, doubled, hands)
        facts = self._facts.get(key)
        if facts is None:
            total = total_of(cards, self.values, self.aces[0])
            blackjack = not split and self.is_blackjack(cards)
            ranges = self.ranges_of(cards[:1] * 2 if split else cards[:2])
            facts = HandFacts(cards, total.points, total.soft, blackjack, split, doubled, hands, ranges)
            self._facts[key] = facts
        return facts

    def dealer_hand(self, cards: tuple[Card, ...]) -> HandFacts:
        """What the rules see in the dealer's cards."""
        total = total_of(cards, self.values, self.aces[1])
        return HandFacts(cards, total.points, total.soft, self.is_blackjack(cards))

    def value_of(self, card: Card) -> int:
        """What one card counts by itself (an ace: high)."""
        return self.values.get(card.rank, self.aces[0].high)

    @carries("blackjack")
    def is_blackjack(self, cards: tuple[Card, ...]) -> bool:
        """Whether these cards, if dealt as the initial two, are a Blackjack."""
        if len(cards) != 2:
            return False
        clause = self._blackjack
        first, second = cards
        return (first.rank in clause.ace and self.values.get(second.rank) == clause.value) or (
            second.rank in clause.ace and self.values.get(first.rank) == clause.value
        )

    @cached_property
    def _blackjack(self) -> c.Blackjack:
        return self.one(c.Blackjack)

    @cached_property
    @carries("range")
    def ranges(self) -> dict[str, c.Range]:
        """Rank to its value range, where the game has ranges."""
        return {rank: row for row in self.all(c.Range) for rank in row.ranks}

    def ranges_of(self, cards: Iterable[Card]) -> tuple[str, ...]:
        """The value ranges of some cards."""
        return tuple(self.ranges[card.rank].name for card in cards) if self.ranges else ()

    # -- decisions

    def refusal(self, decision: str, hand: HandFacts) -> Refusal | None:
        """Why the decision may not be taken on this hand, or nothing."""
        key = (decision, hand)
        if key not in self._refusals:
            self._refusals[key] = refusal(self, decision, hand)
        return self._refusals[key]

    # -- the dealer

    @cached_property
    def dealer(self) -> c.Dealer:
        """Where the dealer stops."""
        return self.one(c.Dealer)

    @carries("dealer")
    def dealer_draws(self, hand: HandFacts) -> bool:
        """Whether the dealer's total makes him draw."""
        if hand.soft and hand.points in self.dealer.hits_soft:
            return True
        return hand.points < min(self.dealer.stands)

    @cached_property
    @carries("dealer_stops")
    def dealer_stops(self) -> c.DealerStops | None:
        """The exception for a dealer whose count changes nothing."""
        return self.maybe(c.DealerStops)

    # -- comparing and paying

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
            row = prevailing(rows, f"{player.cards} against {dealer.cards}")
            self._outcomes[key] = row
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
        return prevailing(rows, f"a {wager} wager on {hand.cards}")

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
    @carries("spared")
    def spared(self) -> tuple[c.Spared, ...]:
        """The wagers that a dealer's Blackjack does not take."""
        return self.all(c.Spared)

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

    def _check_submission(self) -> None:
        own: Mapping[str, Odds] = self.submission.get("match_the_dealer_odds") or {}
        for name, odds in own.items():
            row = self._match_row("same" if name == "suited" else "other")
            if odds.win * row.odds.lay < row.odds.win * odds.lay:
                why = f"{odds} for a {name} match is less than {row.odds}"
                raise SubmissionRefused("match_the_dealer_odds", why, row.cite)
            if self.submission["chip_unit"] * odds.win % odds.lay:
                why = f"{odds} on a chip of {self.submission['chip_unit']} cannot be paid exactly"
                raise SubmissionRefused("match_the_dealer_odds", why, row.cite)
        low, high = self.submission.get("table_minimum"), self.submission.get("table_maximum")
        if low is not None and high is not None and low > high:
            cite = next(choice.cite for choice in self.submission.choices if choice.key == "table_minimum")
            raise SubmissionRefused("table_minimum", f"{low} is above the table maximum of {high}", cite)
        meters_of(self)
        weights_of(self)
