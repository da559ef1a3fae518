"""What the cards of a side wager are: a pair, or a hand of three cards."""

from __future__ import annotations

from twentyone.cards import RANKS, Card

__all__ = ["pair_of", "three_of"]

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
