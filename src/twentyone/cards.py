"""Cards: a rank and a suit, nothing more. What a card counts for is the rulebook's business."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

__all__ = ["RANKS", "SUITS", "UNKNOWN", "Card", "Face", "card_named", "card_of", "faces_of", "parse_cards"]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


class Card:
    """One of the fifty-two cards; there is one object for each.

    >>> Card("10H").rank, Card("10H").suit
    ('10', 'H')
    >>> Card("8S") is Card("8S")
    True
    """

    __slots__ = ("name", "rank", "suit")

    name: str
    """Rank and suit as a round script writes them: `10H`."""
    rank: str
    """One of `RANKS`."""
    suit: str
    """One of `SUITS`."""

    _ALL: dict[str, Card] = {}

    def __new__(cls, name: str) -> Card:
        try:
            return cls._ALL[name]
        except (KeyError, TypeError):
            raise ValueError(f"there is no card {name!r}") from None

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Callable[[str], Card], tuple[str]]:
        return card_named, (self.name,)

    @property
    def symbol(self) -> str:
        """The card as a person reads it: `8♠`."""
        return self.rank + SYMBOLS.get(self.suit, "")


def _make(rank: str, suit: str) -> Card:
    card = object.__new__(Card)
    card.name, card.rank, card.suit = rank + suit, rank, suit
    return card


Card._ALL.update({rank + suit: _make(rank, suit) for rank in RANKS for suit in SUITS})

UNKNOWN = _make("unknown", "")
"""A card of a real shoe that lies face down: nobody has seen it. It counts for nothing until it is named."""


def card_named(name: str) -> Card:
    """The card of a name in a record, also one that nobody has seen.

    >>> card_named("8S"), card_named("unknown") is UNKNOWN
    (8S, True)
    """
    return UNKNOWN if name == UNKNOWN.name else Card(name)


def parse_cards(text: str | Iterable[str]) -> tuple[Card, ...]:
    """Cards from a line of text.

    >>> parse_cards("8S 10H")
    (8S, 10H)
    """
    names = text.split() if isinstance(text, str) else text
    return tuple(Card(name) for name in names)


# -- as a person writes them


class Face(NamedTuple):
    """A card as somebody writes it, perhaps without its suit."""

    rank: str
    """One of `RANKS`."""
    suit: str = ""
    """One of `SUITS`; empty: any."""

    def __str__(self) -> str:
        return self.rank + self.suit


_RANKS = {rank: rank for rank in RANKS} | {"T": "10"}
_SUITS = {suit: suit for suit in ("", *SUITS)} | {symbol: suit for suit, symbol in SYMBOLS.items()}


def faces_of(cards: str | Card | Iterable[str | Card]) -> tuple[Face, ...]:
    """Cards in small or capital letters, `T` for a ten, with or without suits.

    >>> faces_of("6s 7S T♥ a")
    (Face(rank='6', suit='S'), Face(rank='7', suit='S'), Face(rank='10', suit='H'), Face(rank='A', suit=''))
    """
    if isinstance(cards, Card):
        return (Face(cards.rank, cards.suit),)
    return tuple(_face(card) for card in (cards.split() if isinstance(cards, str) else cards))


def _face(card: str | Card) -> Face:
    if isinstance(card, Card):
        return Face(card.rank, card.suit)
    text = card.strip().upper()
    bare = text in _RANKS
    rank, suit = _RANKS.get(text if bare else text[:-1]), _SUITS.get("" if bare else text[-1:])
    if rank is None or suit is None:
        raise ValueError(f"there is no card {card!r}")
    return Face(rank, suit)


def card_of(text: str) -> Card:
    """One card, its suit named.

    >>> card_of("ts")
    10S
    """
    faces = faces_of(text)
    if len(faces) != 1 or not faces[0].suit:
        raise ValueError(f"there is no card {text!r}: a rank and a suit belong here, like 8S")
    return Card(str(faces[0]))
