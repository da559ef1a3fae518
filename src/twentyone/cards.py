"""Cards: a rank and a suit, nothing more. What a card counts for is the rulebook's business."""

from __future__ import annotations

from collections.abc import Callable, Iterable

__all__ = ["RANKS", "SUITS", "UNKNOWN", "Card", "card_named", "parse_cards"]

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
