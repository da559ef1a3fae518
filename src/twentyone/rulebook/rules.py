"""A rulebook under a submission: the clauses in force, and the questions the readers ask of them.

What a clause means is answered here and nowhere else, subject by subject: what cards count (`totals`), when something
happens (`timing`), how hands compare and what they are paid (`payouts`), what is paid beside the main wager
(`bonuses`), which decisions a hand may take (`decisions`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any

from twentyone.cards import Card
from twentyone.errors import SubmissionRefused
from twentyone.law import carries
from twentyone.money import Amount, Odds
from twentyone.rulebook import clauses as c
from twentyone.rulebook.bonuses import Bonuses
from twentyone.rulebook.decisions import Refusal, refusal
from twentyone.rulebook.hand_answers import HandAnswers
from twentyone.rulebook.patterns import HandFacts
from twentyone.rulebook.payouts import Payouts
from twentyone.rulebook.submission import CENT, Submission
from twentyone.rulebook.timing import Timing
from twentyone.rulebook.wheels import check_paytables, meters_of, weights_of

if TYPE_CHECKING:
    from twentyone.rulebook.rulebook import Rulebook

__all__ = ["Rules"]


class Rules(Timing, Payouts, Bonuses):
    """What a rulebook demands under one submission."""

    known_as: str = ""
    """The hash of the rules that these stand for, where they only read a ledger of an earlier form."""

    def __init__(self, rulebook: Rulebook, submission: Submission) -> None:
        super().__init__(rulebook, submission)
        self._refusals: HandAnswers[tuple[object, ...], Refusal | None] = HandAnswers()
        self._check_submission()

    def __repr__(self) -> str:
        return f"<Rules {self.brief}>"

    @property
    def brief(self) -> str:
        """The book and what its submission names: which game this is, in a few words."""
        given = {choice.key: choice.value for choice in self.submission.choices if choice.given}
        return f"{self.rulebook.id} {given}" if given else self.rulebook.id

    def __eq__(self, other: object) -> bool:
        """Whether the same clauses of the same book are in force under the same submission."""
        return self is other or (isinstance(other, Rules) and self._said == other._said)

    def __hash__(self) -> int:
        return self._hash

    @property
    def _said(self) -> tuple[object, ...]:
        return self.known_as, self.rulebook, self.clauses, self.submission

    @cached_property
    def _hash(self) -> int:
        return hash((self.rulebook, repr(self.submission)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Rules travel as their book and submission; clauses that were taken away or changed are named."""
        given, number = self.submission.given, {id(clause): at for at, clause in enumerate(self.rulebook.clauses)}
        own = self.rulebook.under(given).clauses == self.clauses
        clauses = None if own else tuple(number.get(id(clause), clause) for clause in self.clauses)
        return _arrived, (self.rulebook, given, clauses, self.known_as)

    def __copy__(self) -> Rules:
        twin = object.__new__(Rules)
        twin.__dict__.update(self.__dict__)
        return twin

    def __deepcopy__(self, _: object) -> Rules:
        return self

    def with_clauses(self, clauses: Iterable[c.Clause]) -> Rules:
        """What the game would be with these clauses in force: so a rule is priced by taking it away."""
        twin = Rules(self.rulebook, self.submission)
        twin.clauses = tuple(clauses)
        twin._by_type.clear()
        return twin

    def refusal(self, decision: str, hand: HandFacts) -> Refusal | None:
        """Why the decision may not be taken on this hand, or None."""
        key = (decision, hand)
        if key not in self._refusals:
            return self._refusals.keep(key, refusal(self, decision, hand))
        return self._refusals[key]

    @cached_property
    def tasks(self) -> dict[str, c.Task]:
        """The tasks of the table by command; where several paragraphs give one, the first."""
        tasks: dict[str, c.Task] = {}
        for task in self.all(c.Task):
            tasks.setdefault(task.name, task)
        return tasks

    def stranger(self, card: Card) -> c.Irregularity | None:
        """The paragraph on a card that was taken out of the decks and is found in the shoe, if this is one."""
        return self.irregularities.get("ten") if card.rank in self.cards.without else None

    @cached_property
    @carries("boxes")
    def boxes(self) -> int:
        """How many boxes the table has: as many as the submission says, and at most what the text allows."""
        most: int = self.one(c.Boxes).most
        return int(self.submission.get("boxes") or most)

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

    def dealer_draws_for(self, hand: HandFacts) -> bool:
        """Whether a player's hand makes the dealer draw although its outcome is certain."""
        stops = self.dealer_stops
        return stops is not None and stops.draws_for == hand.points and len(hand.cards) > 2

    def _check_submission(self) -> None:
        own: Mapping[str, Odds] = self.submission.get("match_the_dealer_odds") or {}
        for name, odds in own.items():
            row = self._match_row("same" if name == "suited" else "other")
            if odds.win * row.odds.lay < row.odds.win * odds.lay:
                why = f"{odds} for a {name} match is less than {row.odds}"
                raise SubmissionRefused("match_the_dealer_odds", why, row.cite)
        self._check_chip_unit()
        boxes = self.one(c.Boxes)
        if self.boxes > boxes.most:
            raise SubmissionRefused("boxes", f"a table has at most {boxes.most}, not {self.boxes}", boxes.counted)
        low, high = self.submission.get("table_minimum"), self.submission.get("table_maximum")
        if low is not None and high is not None and low > high:
            cite = next(choice.cite for choice in self.submission.choices if choice.key == "table_minimum")
            raise SubmissionRefused("table_minimum", f"{low} is above the table maximum of {high}", cite)
        check_paytables(self)
        meters_of(self)
        weights_of(self)

    def _check_chip_unit(self) -> None:
        """Refuse a chip on which something is paid or given up that is no whole number of cents: no text rounds."""
        unit = self.submission["chip_unit"]
        for key, share, cite in self._shares():
            if int(unit) * share % int(CENT):
                fits = Amount.from_thousandths(lcm(*(int(CENT) * share.denominator for _, share, _ in self._shares())))
                why = f"{share} of a chip of {unit} is no whole number of cents: take a multiple of {fits}"
                raise SubmissionRefused(key, why, cite)

    def _shares(self) -> Iterator[tuple[str, Fraction, str]]:
        """Every share of a wager that is paid or given up: the submission's key for it, how much, its paragraph."""
        for pay in self.all(c.Pay):
            yield "chip_unit", Fraction(*pay.odds), pay.cite
        for side in self.all(c.SidePay):
            yield "chip_unit", Fraction(*side.odds), side.cite
        for decision in self.all(c.Decision):
            if decision.share is not None:
                yield "chip_unit", decision.share, decision.cite
        own: Mapping[str, Odds] = self.submission.get("match_the_dealer_odds") or {}
        for name, odds in own.items():
            row = self._match_row("same" if name == "suited" else "other")
            yield "match_the_dealer_odds", Fraction(*odds), row.cite

    def may_earn(self, cards: tuple[Card, ...], up: Card, split: bool = False) -> c.SuperBonus | None:
        """The super bonus clause that a hand, or one out of its split, may still meet."""
        bonus = self.maybe(c.SuperBonus)
        if bonus is None or not cards:
            return None
        parts = len(cards) == 2 and cards[0].rank == cards[1].rank and not split
        for held, parted in ((cards, split), *([((card,), True) for card in cards] if parts else ())):
            missing = Counter(bonus.hand.ranks)
            missing.subtract(card.rank for card in held)
            if min(missing.values()) >= 0 and len({card.suit for card in held}) == 1:
                whole = (*held, *(Card(rank + held[0].suit) for rank in missing.elements()))
                if self.super_bonus(self.hand(whole, parted), up, self.barred(parted, False, False)) is not None:
                    return bonus
        return None


def _arrived(book: Rulebook, given: Mapping[str, Any], clauses: tuple[Any, ...] | None, known_as: str) -> Rules:
    """The rules of a pickle."""
    rules = book.under(given)
    if clauses is not None:
        rules = rules.with_clauses(book.clauses[one] if isinstance(one, int) else one for one in clauses)
    if known_as:
        rules = copy(rules)
        rules.known_as = known_as
    return rules
