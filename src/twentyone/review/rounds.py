"""A whole round reviewed: every player who decides for himself."""

from __future__ import annotations

import json
from collections.abc import Mapping

from twentyone.cards import RANKS, SUITS, Card
from twentyone.errors import Refused
from twentyone.odds.cache import submission_json
from twentyone.odds.cards_left import LeftShoes
from twentyone.odds.decks import decks_of
from twentyone.review.deal_values import DealValues
from twentyone.review.model import RoundReview
from twentyone.review.trace import Trace
from twentyone.round import Decision, Drawn, Offer, Round, Spun
from twentyone.round.commands import ReaderTold, TurnedUp
from twentyone.round.retelling import Entered, begin_again, retold
from twentyone.rulebook import Rules

__all__ = ["Reviewer", "Reviewers", "full_shoe"]

USUAL = Decision | Drawn | Spun | ReaderTold | TurnedUp
"""What a round is brought in which nothing goes wrong."""


def full_shoe(rules: Rules) -> dict[Card, int]:
    """Every card of the decks."""
    decks = decks_of(rules)
    return {Card(rank + suit): decks for rank in RANKS if rank not in rules.cards.without for suit in SUITS}


class Reviewers:
    """A reviewer for each game that is met."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Reviewer] = {}

    def of(self, rules: Rules) -> Reviewer:
        """The reviewer of a game under its submission."""
        key = rules.rulebook.id, json.dumps(submission_json(rules), sort_keys=True)
        if key not in self._known:
            self._known[key] = Reviewer(rules)
        return self._known[key]


class Reviewer:
    """Reviews rounds of one game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.shoes = LeftShoes(rules)
        self._deals: dict[tuple[tuple[Card, int], ...], DealValues] = {}

    def review(self, round_: Round, name: str = "", before: Mapping[Card, int] | None = None) -> RoundReview:
        """A round that is over; `before`: the cards that its players could know to be in the shoe before it."""
        try:
            begun, entries = begin_again(round_), retold(round_)
        except Refused as refused:
            return RoundReview(name, (), {"": str(refused)})
        why = _unusual(round_, entries)
        if why:
            return RoundReview(name, (), {"": why})
        cards = dict(before) if before is not None else full_shoe(self.rules)
        left_out = _sharers(begun)
        traces = [
            Trace(player, self.shoes, self.deal_values(cards), cards)
            for player in round_.state.players
            if player not in left_out
        ]
        _follow(begun, entries, traces)
        return RoundReview(name, tuple(trace.review() for trace in traces), left_out)

    def deal_values(self, cards: Mapping[Card, int]) -> DealValues:
        """The values of first deals from these cards."""
        key = tuple(sorted(cards.items(), key=lambda item: item[0].name))
        if key not in self._deals:
            self._deals = {key: DealValues(self.rules, cards)}
        return self._deals[key]


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


def _unusual(round_: Round, entries: list[Entered]) -> str:
    """Why a round cannot be reviewed."""
    if round_.state.void:
        return "the round is void"
    odd = next((entry.command for entry in entries if not isinstance(entry.command, USUAL)), None)
    if odd is not None:
        return f"an irregularity is not valued: {getattr(odd, 'name', type(odd).__name__)}"
    return "a card was set aside" if round_.state.set_aside else ""


def _sharers(begun: Round) -> dict[str, str]:
    left_out: dict[str, str] = {}
    for box, hands in begun.state.hands.items():
        if len(hands[0].wagers) > 1:
            left_out |= {wager.player: f"shares box {box} with others" for wager in hands[0].wagers}
    return left_out
