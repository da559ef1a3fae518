"""What rules remember of hands does not grow with the rounds that are played."""

from __future__ import annotations

from itertools import islice, permutations

from twentyone.cards import RANKS, SUITS, Card
from twentyone.rulebook import Rulebook
from twentyone.rulebook.hand_answers import MOST


def test_any_number_of_hands_takes_no_more_memory_and_is_answered_alike() -> None:
    rules = Rulebook.load("pa-spanish-21").under({})
    deck = [Card(rank + suit) for rank in RANKS for suit in SUITS if rank not in rules.cards.without]
    hands = list(islice(permutations(deck, 3), 2 * MOST + 100))
    first = [rules.hand(cards) for cards in hands]
    refusals = [rules.refusal("double", hand) for hand in first]
    assert 0 < len(rules._facts) <= MOST
    assert 0 < len(rules._refusals) <= MOST
    assert [rules.hand(cards) for cards in hands] == first
    assert [rules.refusal("double", hand) for hand in first] == refusals
