"""A hand that wins by the number of its cards."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.rulebook.clauses import Charlie
from twentyone.rulebook.patterns import HandFacts
from twentyone.rulebook.totals import HandTotals

__all__ = ["charlie_of"]


@carries("charlie")
def charlie_of(rules: HandTotals, hand: HandFacts) -> Charlie | None:
    """The clause by which a hand wins at once for the number of its cards."""
    clause = rules.maybe(Charlie)
    return clause if clause is not None and len(hand.cards) >= clause.cards and hand.points <= rules.limit else None
