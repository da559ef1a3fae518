"""A whole round reviewed: every player, whatever went wrong in it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.odds.cache import key_of
from twentyone.odds.cards_left import LeftShoes
from twentyone.review.deal_values import DealValues
from twentyone.review.model import RoundReview
from twentyone.review.seen import full_shoe
from twentyone.review.trace import Trace
from twentyone.round import Decision, Offer, Round
from twentyone.round.retelling import Entered, begin_again, retold
from twentyone.round.state import State
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Device

__all__ = ["Reviewer", "Reviewers", "full_shoe"]

KEPT = 4
"""Sets of cards whose first deals are kept."""


class Reviewers:
    """A reviewer for each game that is met."""

    def __init__(self) -> None:
        self._known: dict[str, Reviewer] = {}

    def of(self, rules: Rules) -> Reviewer:
        """The reviewer of a law under a submission."""
        key = key_of(rules)
        if key not in self._known:
            self._known[key] = Reviewer(rules)
        return self._known[key]


class Reviewer:
    """Reviews rounds of one game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.shoes = LeftShoes(rules)
        self._deals: OrderedDict[tuple[Any, ...], DealValues] = OrderedDict()

    def review(
        self, round_: Round, name: str = "", before: Mapping[Card, int] | None = None, player: str | None = None
    ) -> RoundReview:
        """A round that is over; `before`: the cards that its players could know to be in the shoe before it.

        Where a `player` is named, only he is reviewed.
        """
        try:
            begun, entries = begin_again(round_), retold(round_)
        except Refused as refused:
            return RoundReview(name, (), {"": str(refused)})
        cards = dict(before) if before is not None else full_shoe(self.rules)
        traces = [Trace(one, self, cards) for one in round_.state.players if player in (None, one)]
        _follow(begun, entries, traces)
        return RoundReview(name, tuple(trace.review() for trace in traces))

    # -- the game as it goes on

    def shoes_of(self, state: State) -> LeftShoes:
        """The game as it goes on from here: without its card reader, where that failed before it told anything."""
        return self._unread if state.reader_failed and state.told is None else self.shoes

    @cached_property
    def _unread(self) -> LeftShoes:
        return LeftShoes(without_reader(self.rules))

    def deals_of(self, state: State, cards: Mapping[Card, int]) -> DealValues:
        """The values of first deals of that game from some cards."""
        return self._deals_under(self.shoes_of(state).tables.rules, cards)

    def deal_values(self, cards: Mapping[Card, int]) -> DealValues:
        """The values of first deals from these cards."""
        return self._deals_under(self.rules, cards)

    def _deals_under(self, rules: Rules, cards: Mapping[Card, int]) -> DealValues:
        key = rules is self.rules, *sorted((card.name, many) for card, many in cards.items())
        if key not in self._deals:
            self._deals[key] = DealValues(rules, cards)
            if len(self._deals) > KEPT:
                self._deals.popitem(last=False)
        self._deals.move_to_end(key)
        return self._deals[key]


def without_reader(rules: Rules) -> Rules:
    """The rules by which a round goes on whose card reader has failed."""
    instead = next(clause.instead for clause in rules.all(Device) if clause.out_of_order == "without")
    given = {choice.key: choice.value for choice in rules.submission.choices if choice.given}
    return rules.rulebook.under({**given, "readings": dict(rules.submission.readings), **instead})


def _follow(begun: Round, entries: list[Entered], traces: list[Trace]) -> None:
    for trace in traces:
        for event in begun.events:
            trace.see(event)
    again = begun
    for entry in entries:
        then, again = again, again.apply(entry.command)
        for trace in traces:
            if isinstance(entry.command, Decision) and isinstance(entry.need, Offer):
                trace.decide(entry.need, entry.command)
            for event in again.events[len(then.events) :]:
                trace.see(event)
