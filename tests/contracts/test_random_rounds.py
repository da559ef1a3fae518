"""Some two thousand random rounds of every rulebook, with irregularities of every kind its text knows."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.daily import daily_books
from tests.property.simulate import A_SUBMISSION, play_number, rules_number

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.clauses import Irregularity

ROUNDS = 1_200
LEAST = 8
"""How often each kind of irregularity must have happened."""


@pytest.mark.parametrize("book", daily_books("md-spanish-21", "pa-double-back-jack"))
def test_random_rounds_keep_every_invariant(book: str) -> None:
    rulebook = Rulebook.load(book)
    fired: Counter[str] = Counter()
    rules = rules_number(rulebook, 0)
    for number in range(ROUNDS):
        if number % A_SUBMISSION == 0:
            rules = rules_number(rulebook, number)
        fired.update(play_number(rulebook, number, rules=rules).fired)
    known = {clause.name for clause in rulebook.clauses if isinstance(clause, Irregularity)}
    assert {name: fired[name] for name in known if fired[name] < LEAST} == {}


@pytest.mark.parametrize("book", rulebook_ids())
def test_a_round_of_the_same_number_is_the_same_round(book: str) -> None:
    rulebook = Rulebook.load(book)
    for number in range(0, 200, 7):
        one, other = play_number(rulebook, number), play_number(rulebook, number)
        assert one.commands == other.commands
        assert one.round.events == other.round.events
