"""Hand patterns in words."""

from __future__ import annotations

from twentyone.rulebook.patterns import HandPattern

__all__ = ["SUIT_NAMES", "hand_words"]

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_SUITS = {"same": "one suit", "mixed": "mixed suits", **SUIT_NAMES}


def hand_words(hand: HandPattern) -> str:
    """A hand pattern in a few words.

    >>> hand_words(HandPattern(ranks=("6", "7", "8"), suits="same"))
    '6-7-8 of one suit'
    >>> hand_words(HandPattern(total=21, cards_over=6))
    '21 in 7 cards or more'
    """
    if hand.blackjack:
        return "Blackjack"
    if hand.ranges:
        return f"two {hand.ranges[0]} cards"
    words = ["-".join(hand.ranks) if hand.ranks else "any hand" if hand.total is None else str(hand.total)]
    if hand.suits:
        words.append(f"of {_SUITS[hand.suits]}")
    if hand.cards is not None:
        words.append(f"in {hand.cards} cards")
    if hand.cards_over is not None:
        words.append(f"in {hand.cards_over + 1} cards or more")
    if hand.split:
        words.append("after a split")
    return " ".join(words)
