"""Which two cards are a pair: those that count the same, or those of one rank."""

from __future__ import annotations

from collections.abc import Iterable

from twentyone.cards import Card
from twentyone.rulebook.totals import HandTotals

__all__ = ["are_alike", "by_rank"]


def by_rank(rules: HandTotals) -> bool:
    """Whether only cards of one rank are a pair, and not all that count the same."""
    split = rules.decisions.get("split")
    return split is not None and split.alike == "rank"


def are_alike(rules: HandTotals, cards: Iterable[Card]) -> bool:
    """Whether cards are such as may be split."""
    ranks = by_rank(rules)
    return len({card.rank if ranks else rules.value_of(card) for card in cards}) == 1
