"""What the cards of a side wager are: a pair, or a hand of three cards."""

from __future__ import annotations

from twentyone.cards import RANKS, Card
from twentyone.law import carries
from twentyone.rulebook.clauses import SidePay
from twentyone.rulebook.in_force import ClausesInForce

__all__ = ["paid_by_cards", "pair_of", "side_pay", "three_of"]

RED = ("H", "D")
"""The red suits; the others are black."""
IN_A_ROW = frozenset(frozenset((*RANKS, RANKS[0])[low : low + 3]) for low in range(len(RANKS) - 1))
"""Ranks that are a straight: an ace begins one and ends one."""


def pair_of(one: Card, two: Card) -> str:
    """What two cards are, in the words of `SideHand`; nothing where they are no pair.

    >>> pair_of(Card("KS"), Card("KC"))
    'coloured_pair'
    """
    if one.rank != two.rank:
        return ""
    if one.suit == two.suit:
        return "perfect_pair"
    return "coloured_pair" if (one.suit in RED) == (two.suit in RED) else "mixed_pair"


def three_of(cards: tuple[Card, Card, Card]) -> str:
    """What three cards are, in the words of `SideHand`; nothing where they are none of them.

    >>> three_of((Card("AS"), Card("KD"), Card("QC")))
    'straight'
    """
    ranks = frozenset(card.rank for card in cards)
    suited = len({card.suit for card in cards}) == 1
    if len(ranks) == 1:
        return "suited_trips" if suited else "trips"
    if ranks in IN_A_ROW:
        return "straight_flush" if suited else "straight"
    return "flush" if suited else ""


@carries("side_pay")
def side_pay(rules: ClausesInForce, wager: str, cards: tuple[Card, Card], up: Card) -> SidePay | None:
    """The row that pays a side wager for the first two cards and the up card, where it wins."""
    kinds = pair_of(*cards), three_of((*cards, up))
    return next((row for row in rules.all(SidePay) if row.wager == wager and row.cards in kinds), None)


def paid_by_cards(rules: ClausesInForce) -> tuple[str, ...]:
    """The side wagers that are offered and paid by the kind of their cards."""
    paid = {row.wager for row in rules.all(SidePay)}
    return tuple(name for name in rules.wagers if name in paid)
