"""How well a count follows a game: the correlation of its tags with what each card is worth to the player."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import sqrt

from twentyone.cards import SUITS, Card
from twentyone.errors import Refused
from twentyone.odds.classes import Classes
from twentyone.odds.effects import house_edge, removals
from twentyone.rulebook import Rules

__all__ = ["Worth", "betting_worth", "correlation", "insurance_worth"]

Worth = dict[str, float]
"""Rank to what the player gains when a card of it leaves the shoe."""


def betting_worth(rules: Rules, tell: Callable[[float], None] = lambda _: None) -> Worth:
    """What the removal of one card is worth to the player of a round."""
    rows = removals(rules, house_edge(rules), tell)
    return {rank: -row["effect"] for row in rows for rank in row["ranks"]}


def insurance_worth(rules: Rules) -> Worth:
    """What the removal of one card is worth to an Insurance Wager, but for a factor."""
    if "insure" not in rules.decisions:
        raise Refused("there is no Insurance Wager in this game", rules.rulebook.options_cite)
    ranks = [rank for held in Classes.of(rules).ranks for rank in held]
    wins = {rank: rules.insurance_wins(Card(rank + SUITS[0])) for rank in ranks}
    share = sum(wins.values()) / len(wins)
    return {rank: share - won for rank, won in wins.items()}


def correlation(worth: Worth, tag: Callable[[Card], float]) -> float:
    """Of the worth of cards and their tags, over the cards of a deck; both taken from their means."""
    cards = [Card(rank + suit) for rank in worth for suit in SUITS]
    one, two = _centred(worth[card.rank] for card in cards), _centred(tag(card) for card in cards)
    both = sum(a * b for a, b in zip(one, two, strict=True))
    return both / sqrt(sum(a * a for a in one) * sum(b * b for b in two))


def _centred(numbers: Iterable[float]) -> list[float]:
    held = list(numbers)
    mean = sum(held) / len(held)
    return [number - mean for number in held]
