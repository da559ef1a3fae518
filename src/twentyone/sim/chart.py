"""A strategy as an array: what is decided for every column (up card, what is known of the hole card) and hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from twentyone.cards import RANKS, SUITS, Card
from twentyone.rulebook import HandFacts, Rules
from twentyone.sim import layout as at
from twentyone.sim.layout import Channel, DecisionCode
from twentyone.sim.states import Hands
from twentyone.strategy import Situation, hole_told, situation, value_class

__all__ = ["Columns", "Decider", "asked_of", "chart", "legal", "may"]

TURN = ("stand", "hit", "double", "split", "surrender")
"""What may be decided on a turn, by the number of the decision."""


class Decider(Protocol):
    """Whoever decides."""

    def decide(self, asked: Situation) -> str:
        """The decision in a situation."""


class Column(NamedTuple):
    """What the players know of the dealer's cards when they act."""

    up: str
    """The value class of the up card."""
    hole: str
    """What is known of the hole card."""
    early: bool
    """Whether surrender was offered before the hole card was read."""
    ends: bool
    """Whether an exposed Blackjack leaves them nothing to decide."""


class Columns:
    """The columns of a chart: value class of the up card, and what is known of the hole card when the players act."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.all: list[Column] = []
        """The columns by number."""
        self.table = np.zeros((len(RANKS), len(RANKS)), np.int16)
        """Ranks of the up card and the second card to the column."""
        for up, hole, shown, hidden in self._pairs():
            self.table[up, hole] = self._number(shown, hidden)

    def _pairs(self) -> Iterator[tuple[int, int, Card, Card]]:
        held = [rank for rank in RANKS if rank not in self.rules.cards.without]
        for up in held:
            for hole in held:
                yield RANKS.index(up), RANKS.index(hole), Card(up + SUITS[0]), Card(hole + SUITS[0])

    def _number(self, shown: Card, hidden: Card) -> int:
        exposed = self.rules.hole_card_exposed(shown, hidden) is not None
        ends = exposed and self.rules.is_blackjack((shown, hidden))
        up, told = value_class(self.rules, shown), hole_told(self.rules, shown, hidden)
        column = Column(up, told, self.rules.surrender_before_reader(shown), ends)
        if column not in self.all:
            self.all.append(column)
        return self.all.index(column)


def may(rules: Rules, hand: HandFacts) -> frozenset[str]:
    """What the hand may decide on a turn."""
    return frozenset(name for name in TURN if rules.refusal(name, hand) is None)


def chart(rules: Rules, hands: Hands, columns: Columns, decider: Decider) -> NDArray[np.int8]:
    """Column, state, channel to the decision."""
    table = np.full((len(columns.all), len(hands), at.CHANNELS), DecisionCode.STAND, np.int8)
    table[:, :, (Channel.OFFER, Channel.OFFER_DOUBLED, Channel.INSURANCE, Channel.EARLY)] = DecisionCode.DECLINE
    for state, hand in enumerate(hands.facts):
        if len(hand.cards) < 2:
            continue
        for number, column in enumerate(columns.all):
            for channel, asked in asked_of(rules, hand, column):
                table[number, state, channel] = at.DECISIONS.index(decider.decide(asked))
    return table


def asked_of(rules: Rules, hand: HandFacts, column: Column) -> Iterator[tuple[int, Situation]]:
    """Everything that a hand of this kind may be asked against the dealer's cards."""
    up, hole, early, ends = column
    if not hand.split and len(hand.cards) == 2:
        yield from _before(rules, hand, up, early)
    if hand.blackjack or ends:
        return
    if hand.points <= rules.limit:
        allowed = may(rules, hand) - ({"surrender"} if early else set())
        without = allowed - {"split"} if hand.split else allowed
        for channel, now in ((Channel.TURN, without), (Channel.TURN_SPLIT, allowed)):
            if now - {"stand"}:
                yield channel, situation(rules, hand, up, now, hole=hole)
    yield from _offers(rules, hand, up, hole)


def _offers(rules: Rules, hand: HandFacts, up: str, hole: str) -> Iterator[tuple[int, Situation]]:
    for channel, doubled in ((Channel.OFFER, False), (Channel.OFFER_DOUBLED, True)):
        drawn = hand._replace(doubled=doubled)
        for offer, phase in (("rescue", "doubled"), ("second_chance", "busted")):
            if (doubled or offer != "rescue") and len(hand.cards) > 2 and rules.refusal(offer, drawn) is None:
                yield channel, situation(rules, drawn, up, {offer, "decline"}, phase=phase, hole=hole)


def _before(rules: Rules, hand: HandFacts, up: str, early: bool) -> Iterator[tuple[int, Situation]]:
    """Insurance, and surrender before the reader: nothing is known of the hole card."""
    wanted = {name for name in ("insure", "even_money") if rules.refusal(name, hand) is None}
    if wanted:
        yield Channel.INSURANCE, situation(rules, hand, up, wanted | {"decline"}, phase="insurance")
    if early and rules.refusal("surrender", hand) is None:
        yield Channel.EARLY, situation(rules, hand, up, {"surrender", "decline"}, phase="early")


def legal(rules: Rules, hands: Hands) -> NDArray[np.int8]:
    """State to the decisions that are allowed on a turn, one bit each."""
    table = np.zeros(len(hands), np.int8)
    for state, hand in enumerate(hands.facts):
        if len(hand.cards) > 1 and not hand.blackjack and hand.points <= rules.limit:
            table[state] = sum(1 << TURN.index(name) for name in may(rules, hand))
    return table
