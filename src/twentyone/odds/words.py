"""Hand patterns in words."""

from __future__ import annotations

from twentyone.rulebook import HandPattern
from twentyone.strategy.situation import SUIT_NAMES

__all__ = ["hand_words"]


def hand_words(hand: HandPattern) -> str:
    """A hand pattern in a few words.

    >>> hand_words(HandPattern(ranks=("6", "7", "8"), suits="same"))
    '6-7-8 of one suit'
    >>> hand_words(HandPattern(total=21, cards_over=6))
    '21 in 7 cards or more'
    """
    if hand.blackjack:
        return "Blackjack"
    if hand.ranks:
        return "-".join(hand.ranks) + _suits(hand.suits)
    if hand.ranges:
        return f"two {hand.ranges[0]} cards"
    total = f"{hand.total}" if hand.total is not None else "any hand"
    if hand.cards_over is not None:
        return f"{total} in {hand.cards_over + 1} cards or more"
    return f"{total} in {hand.cards} cards" if hand.cards else total


def _suits(suits: str | None) -> str:
    if suits is None:
        return ""
    return " of " + {"same": "one suit", "mixed": "mixed suits", **SUIT_NAMES}[suits]
