"""A player's hands as states: one lookup per card leads from hand to hand; each state has a hand that represents it.

Two hands share a state when no clause in force and no chart can tell them apart: the same total, the same number of
cards as far as anything depends on it, the same chance of a special hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from twentyone.cards import RANKS, SUITS, Card
from twentyone.errors import Refused
from twentyone.rulebook import HandFacts, Rules
from twentyone.rulebook.clauses import Charlie, Clause, Decision, MayNot, Outcome, Pay, SuperBonus
from twentyone.rulebook.pairs import are_alike, by_rank
from twentyone.rulebook.patterns import HandPattern
from twentyone.rulebook.rows import stands_under

__all__ = ["DECK", "CannotCompile", "Hands", "card_number"]

DECK = tuple(Card(rank + suit) for rank in RANKS for suit in SUITS)
"""Every card by its number: rank by rank, the suits of a rank together."""

MOST_STATES = 1 << 14

Signature = tuple[object, ...]


class CannotCompile(Refused):
    """A rule that the simulator's arrays cannot express, with its paragraph."""


def card_number(card: Card) -> int:
    """The number of a card in `DECK`."""
    return RANKS.index(card.rank) * len(SUITS) + SUITS.index(card.suit)


class Hands:
    """The states of a player's hand under some rules."""

    def __init__(self, rules: Rules, most_cards: int = 0) -> None:
        self.rules = rules
        self.most_cards = max(most_cards, _most_cards(rules))
        """From this many cards on their number makes no difference."""
        self.facts: list[HandFacts] = []
        """State to the hand that represents it."""
        self._numbers: dict[Signature, int] = {}
        self._rows: dict[int, list[int]] = {}
        self._explore()

    def __len__(self) -> int:
        return len(self.facts)

    @cached_property
    def step(self) -> NDArray[np.int16]:
        """State and card to the next state; a hand that draws no more stays."""
        table = np.zeros((len(self), len(DECK)), np.int16)
        for state in range(len(self)):
            table[state] = self._rows.get(state, state)
        return table

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """`DECK`, where a rank that this game does not know is represented by another: it is never drawn."""
        known = [card for card in DECK if card.rank == "A" or card.rank in self.rules.values]
        return tuple(card if card in known else known[0] for card in DECK)

    def number(self, cards: tuple[Card, ...], split: bool = False) -> int:
        """The state of a hand."""
        facts = self._hand(cards, split)
        key = self._signature(facts)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.facts)
            self.facts.append(facts)
            if number >= MOST_STATES:
                raise CannotCompile("the hands of this game have too many kinds", self.rules.rulebook.decide_cite)
        return number

    def _explore(self) -> None:
        self.number(())
        for card in self.cards:
            self.number((card,), True)
        state = 0
        while state < len(self.facts):
            facts = self.facts[state]
            if self._draws(facts):
                self._rows[state] = [self.number((*facts.cards, card), facts.split) for card in self.cards]
            state += 1

    def _hand(self, cards: tuple[Card, ...], split: bool) -> HandFacts:
        return self.rules.hand(cards, split, hands=1 + split) if cards else HandFacts((), 0)

    def _draws(self, facts: HandFacts) -> bool:
        """Whether a card may still come to the hand."""
        if len(facts.cards) < 2:
            return True
        if facts.blackjack or facts.points > self.rules.limit:
            return False
        return any(self.rules.refusal(name, facts) is None for name in ("hit", "double"))

    # -- what tells hands apart

    def _signature(self, facts: HandFacts) -> Signature:
        cards = facts.cards
        count = min(len(cards), self.most_cards)
        pair = len(cards) == 2 and are_alike(self.rules, cards)
        return (
            count, facts.points, facts.soft, facts.blackjack, facts.split, pair, self._pair_rank(cards),
            self._first_rank(facts), self._ranges(facts), self._special(cards, facts.split),
        )  # fmt: skip

    def _pair_rank(self, cards: tuple[Card, ...]) -> str:
        """The rank of a single card, where the next one makes a pair by its rank."""
        return cards[0].rank if len(cards) == 1 and by_rank(self.rules) else ""

    def _first_rank(self, facts: HandFacts) -> tuple[bool, ...]:
        if not (facts.split and facts.cards):
            return ()
        return tuple(facts.cards[0].rank in clause.ranks for clause in self.rules.may_nots if clause.ranks)

    def _ranges(self, facts: HandFacts) -> tuple[object, ...]:
        if not self._range_patterns:
            return ()
        if len(facts.cards) < 2 and not facts.split:
            return facts.ranges
        return tuple(facts.ranges == ranges for ranges in self._range_patterns)

    def _special(self, cards: tuple[Card, ...], split: bool) -> tuple[object, ...]:
        """Ranks and suit of a hand that is, or can become, one of the hands of named ranks and would be paid for it."""
        if not cards or not any(_within(pattern, cards) for pattern in self._special_patterns[split]):
            return ()
        suits = {card.suit for card in cards}
        return tuple(sorted(card.rank for card in cards)), suits.pop() if len(suits) == 1 else ""

    @cached_property
    def _special_patterns(self) -> tuple[tuple[HandPattern, ...], tuple[HandPattern, ...]]:
        """The hands of named ranks, for hands that were not split and for those that were."""
        return self._patterns_of(False), self._patterns_of(True)

    def _patterns_of(self, split: bool) -> tuple[HandPattern, ...]:
        closed = [row for clause in self.rules.barred(split, False, False) for row in clause.rows]
        return tuple(
            pattern
            for clause, pattern in _patterns(self.rules)
            if _named_ranks(clause, pattern) and not stands_under(clause, closed)
        )

    @cached_property
    def _range_patterns(self) -> tuple[tuple[str, ...], ...]:
        return tuple({pattern.ranges for _, pattern in _patterns(self.rules) if pattern.ranges is not None})


def _patterns(rules: Rules) -> Iterator[tuple[Clause, HandPattern]]:
    """Every pattern that a clause in force lays on a player's hand."""
    for outcome in rules.all(Outcome):
        yield outcome, outcome.player
    for pay in rules.all(Pay):
        yield pay, pay.hand
    for bonus in rules.all(SuperBonus):
        yield bonus, bonus.hand


def _named_ranks(clause: Clause, pattern: HandPattern) -> bool:
    if pattern.suits is not None and pattern.ranks is None:
        raise CannotCompile("a hand of certain suits and any ranks is not simulated", clause.cite)
    return pattern.ranks is not None


def _within(pattern: HandPattern, cards: tuple[Card, ...]) -> bool:
    """Whether the cards are part of the pattern's ranks, or all of them."""
    left = list(pattern.ranks or ())
    for card in cards:
        if card.rank not in left:
            return False
        left.remove(card.rank)
    return True


def _most_cards(rules: Rules) -> int:
    """The number of cards above which no clause counts them."""
    counts = [2]
    for _, pattern in _patterns(rules):
        counts += [count for count in (pattern.cards, pattern.cards_over) if count is not None]
    for clause in (*rules.all(Decision), *rules.all(MayNot), *rules.all(Charlie)):
        counts += [count for count in (getattr(clause, "cards", None), getattr(clause, "cards_least", None)) if count]
    return max(counts) + 1
