"""What the dealer ends with once some of his cards lie there: card by card, from the cards left."""

from __future__ import annotations

import numpy as np

from twentyone.cards import Card
from twentyone.odds.cards_left import LeftShoes
from twentyone.odds.model import FloatArray, IntArray

__all__ = ["finish"]

Counts = tuple[int, ...]


def finish(shoes: LeftShoes, cards: tuple[Card, ...], left: IntArray) -> FloatArray:
    """[columns]: the chance of each final hand that begins with these cards; `left`: the cards not seen."""
    own = shoes.classes_of({card: cards.count(card) for card in cards})
    return _Drawing(shoes, tuple((left + own).tolist())).chances(tuple(own.tolist()))


class _Drawing:
    """The dealer's drawing from one shoe, by the multiset of his cards."""

    def __init__(self, shoes: LeftShoes, shoe: Counts) -> None:
        self.shoes, self.shoe = shoes, shoe
        self.known: dict[Counts, FloatArray] = {}

    def chances(self, held: Counts) -> FloatArray:
        """[columns]: from this multiset on."""
        if held not in self.known:
            self.known[held] = self._chances(held)
        return self.known[held]

    def _chances(self, held: Counts) -> FloatArray:
        chances = np.zeros(self.shoes.core.walk.columns)
        end = self.shoes.final_column(held)
        if end is not None:
            chances[end] = 1.0
            return chances
        left = [all_ - own for all_, own in zip(self.shoe, held, strict=True)]
        whole = sum(left)
        for card, many in enumerate(left):
            if many > 0:
                more = (*held[:card], held[card] + 1, *held[card + 1 :])
                chances += many / whole * self.chances(more)
        return chances
