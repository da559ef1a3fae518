"""Small words of the sentences to players: amounts with their signs, cards with their articles, lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from twentyone.money import Amount, Odds, dollars, gained

__all__ = ["Said", "against", "begin", "cash", "listed", "odds_words", "plain", "rank_words", "signed"]

RANKS = {"A": "an ace", "8": "an 8", "J": "a jack", "Q": "a queen", "K": "a king"}
"""Ranks whose names need more than an `a` before them."""


class Said(NamedTuple):
    """A sentence to somebody, and its paragraph."""

    text: str
    """The sentence."""
    cite: str
    """The paragraph; empty where there is none."""
    part: bool = False
    """Whether it is one of several parts of a result."""


def cash(amount: Amount) -> str:
    """An amount without its sign, and without cents where there are none.

    >>> cash(Amount("12.5")), cash(Amount("-50"))
    ('$12.50', '$50')
    """
    return dollars(Amount(abs(amount))).removesuffix(".00")


def signed(amount: Amount) -> str:
    """A gain or a loss.

    >>> signed(Amount("37.5")), signed(Amount("-50")), signed(Amount(0))
    ('+$37.50', '−$50', '$0')
    """
    return gained(amount).removesuffix(".00")


def rank_words(rank: str) -> str:
    """A rank with its article.

    >>> rank_words("8"), rank_words("A"), rank_words("10")
    ('an 8', 'an ace', 'a 10')
    """
    return RANKS.get(rank, f"a {rank}")


def against(ranks: Iterable[str]) -> str:
    """The dealer's cards, as far as they are known."""
    return " and ".join(map(rank_words, ranks)) or "the dealer"


def odds_words(odds: Odds) -> str:
    """Odds as a text writes them."""
    return f"{odds.win} to {odds.lay}"


def plain(name: str) -> str:
    """A name of the rulebook in words."""
    return name.replace("_", " ")


def begin(text: str) -> str:
    """A sentence with its first letter large."""
    return text[:1].upper() + text[1:]


def listed(names: Iterable[str], last: str = "and") -> str:
    """Names in a row.

    >>> listed(["Ann", "Ben", "Cy"])
    'Ann, Ben and Cy'
    """
    *most, end = names
    return f"{', '.join(most)} {last} {end}" if most else end
