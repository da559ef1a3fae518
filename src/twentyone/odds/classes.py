"""Value classes and the shoe: cards that count the same are one class, and how many of each the decks hold.

Where only cards of one rank are a pair, each rank is a class of its own, and several have one name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from twentyone.cards import RANKS, SUITS, Card
from twentyone.errors import Refused
from twentyone.odds.decks import decks_of
from twentyone.odds.model import IntArray
from twentyone.rulebook import Rules
from twentyone.rulebook.pairs import by_rank

__all__ = ["Classes", "alike"]


@dataclass(frozen=True)
class Classes:
    """The value classes of a game, lowest first, and what its shoe holds of them."""

    names: tuple[str, ...]
    """`A`, `2` .. `10`."""
    ranks: tuple[tuple[str, ...], ...]
    """The ranks of each class."""
    low: tuple[int, ...]
    """What a card of each class counts, an ace low."""
    decks: int
    """Decks in the shoe, and so cards of one rank and suit."""

    @classmethod
    def of(cls, rules: Rules) -> Classes:
        """The classes of a game under its submission."""
        low = {rank: rules.low_value_of(Card(rank + SUITS[0])) for rank in RANKS if rank not in rules.cards.without}
        together: dict[tuple[int, str], list[str]] = {}
        for rank, value in low.items():
            together.setdefault((value, rank if by_rank(rules) else ""), []).append(rank)
        ranks = tuple(tuple(together[key]) for key in sorted(together, key=lambda key: key[0]))
        values = tuple(low[held[0]] for held in ranks)
        names = tuple(_name(rules, held[0], value) for held, value in zip(ranks, values, strict=True))
        return cls(names, ranks, values, decks_of(rules))

    @property
    def shoe(self) -> IntArray:
        """How many cards of each class a full shoe holds."""
        return np.array([len(ranks) * len(SUITS) * self.decks for ranks in self.ranks], dtype=np.int64)

    def index(self, rank: str) -> int:
        """The class of a rank."""
        return next(i for i, ranks in enumerate(self.ranks) if rank in ranks)

    def cards(self, counts: Iterable[int]) -> tuple[Card, ...]:
        """Some cards of these classes, not all of one suit where there are several."""
        many = counts.tolist() if isinstance(counts, np.ndarray) else counts
        held = [ranks[-1] for ranks, count in zip(self.ranks, many, strict=True) for _ in range(count)]
        return tuple(Card(rank + suit) for rank, suit in zip(held, cycle(SUITS), strict=False))


def _name(rules: Rules, rank: str, value: int) -> str:
    return str(value) if rank in rules.values else rank


def alike(answers: Iterable[object], what: str, cite: str) -> None:
    """Refuse to go on where cards of one value class are treated differently."""
    if len(set(answers)) > 1:
        raise Refused(f"{what} tells cards of equal value apart, which the analysis by value cannot represent", cite)
