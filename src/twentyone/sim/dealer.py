"""The dealer's hands as states, and where he stops."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from twentyone.cards import RANKS, SUITS, Card
from twentyone.rulebook import HandFacts, Rules
from twentyone.rulebook.clauses import Outcome, Pay
from twentyone.sim.states import CannotCompile

__all__ = ["DealerHands"]

SUIT = SUITS[0]


class DealerHands:
    """The states of the dealer's hand; state 0 is no card yet."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.facts: list[HandFacts] = []
        """State to the hand that represents it."""
        self._most_cards = self._counted()
        self._numbers: dict[tuple[object, ...], int] = {}
        self._rows: dict[int, list[int]] = {}
        self._explore()

    def __len__(self) -> int:
        return len(self.facts)

    def number(self, cards: tuple[Card, ...]) -> int:
        """The state of the dealer's cards."""
        facts = self.rules.dealer_hand(cards) if cards else HandFacts((), 0)
        key = (facts.points, facts.soft, min(len(cards), self._most_cards), facts.blackjack)
        if key not in self._numbers:
            self._numbers[key] = len(self.facts)
            self.facts.append(facts)
        return self._numbers[key]

    @cached_property
    def step(self) -> NDArray[np.int16]:
        """State and rank to the next state."""
        table = np.zeros((len(self), len(RANKS)), np.int16)
        for state, row in self._rows.items():
            table[state] = row
        return table

    @cached_property
    def draws(self) -> NDArray[np.int8]:
        """State to whether his total makes him draw."""
        return np.array([self._draws(facts) for facts in self.facts], np.int8)

    @cached_property
    def finals(self) -> tuple[int, ...]:
        """The hands of three cards or more on which he stands or is out."""
        return tuple(state for state, facts in enumerate(self.facts) if len(facts.cards) > 2 and not self.draws[state])

    @cached_property
    def blackjacks(self) -> tuple[int, ...]:
        """The states that are a Blackjack."""
        return tuple(state for state, facts in enumerate(self.facts) if facts.blackjack)

    def _explore(self) -> None:
        self.number(())
        state = 0
        while state < len(self.facts):
            facts = self.facts[state]
            if len(facts.cards) < 2 or self._draws(facts):
                self._rows[state] = [self.number((*facts.cards, card)) for card in self.cards]
            state += 1

    def _draws(self, facts: HandFacts) -> bool:
        return len(facts.cards) > 1 and self.rules.dealer_draws(facts)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """A card of every rank; a removed rank is represented by another and never drawn."""
        known = [rank for rank in RANKS if rank == "A" or rank in self.rules.values]
        return tuple(Card((rank if rank in known else known[0]) + SUIT) for rank in RANKS)

    def _counted(self) -> int:
        most = 2
        rows: list[Outcome | Pay] = [*self.rules.all(Outcome), *self.rules.all(Pay)]
        for clause in rows:
            if clause.dealer.ranks is not None or clause.dealer.suits is not None:
                raise CannotCompile("a dealer's hand of certain ranks or suits is not simulated", clause.cite)
            most = max(most, clause.dealer.cards or 0, clause.dealer.cards_over or 0)
        return most + 1
