"""How many decks are analysed."""

from __future__ import annotations

from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import InfiniteDeck

__all__ = ["decks_of"]

ENOUGH = 1 << 24
"""A card of so many decks is missed by less than one part in 10^8."""


def decks_of(rules: Rules) -> int:
    """Decks in the shoe; in place of an infinite deck so many that no figure shows the difference."""
    return ENOUGH if rules.maybe(InfiniteDeck) is not None else int(rules.submission["decks"])
