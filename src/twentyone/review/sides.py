"""What Match-the-Dealer and insurance are worth, from the cards that were not seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

from twentyone.cards import Card
from twentyone.review.positions import Position
from twentyone.round.play import UNSEEN
from twentyone.rulebook import Rules

__all__ = ["insurance_value", "match_value"]


def insurance_value(position: Position) -> float:
    """The expected net result of one unit of insurance."""
    wins = _insurance_wins(position)
    odds = position.rules.pay("insurance", UNSEEN, UNSEEN).odds
    return wins * odds.win / odds.lay - (1 - wins)


def _insurance_wins(position: Position) -> float:
    """The chance that the second card wins it, by what is known of it."""
    rules, tables = position.rules, position.shoes.tables
    if len(position.shown) > 1:
        return float(rules.insurance_wins(position.shown[1]))
    up = tables.classes.index(position.up.rank)
    met = all_ = 0
    for card, many in position.unseen.cards.items():
        k = int(tables.finals.told[up, tables.classes.index(card.rank)])
        out = position.is_read and tables.read[k] and rules.is_blackjack((position.up, card))
        if k in position.conditions and not out:
            all_ += many
            met += many * rules.insurance_wins(card)
    return met / all_ if all_ else 0.0


def match_value(rules: Rules, cards: Mapping[Card, int], own: tuple[Card, ...], up: Card | None) -> float:
    """The expected net result of one unit of Match-the-Dealer with these first cards and this up card."""
    left = dict(cards)
    for card in own:
        left[card] -= 1
    if up is not None:
        return _against(rules, left, own, up)
    whole = sum(left.values())
    return sum(many / whole * _against(rules, left, own, card) for card, many in left.items() if many > 0)


def _against(rules: Rules, cards: Mapping[Card, int], own: tuple[Card, ...], up: Card) -> float:
    kinds = _kinds({**cards, up: cards[up] - 1}, up)
    total = 0.0
    for drawn in product(kinds, repeat=2 - len(own)):
        chance, gone = 1.0, dict.fromkeys(kinds, 0)
        for card in drawn:
            chance *= (kinds[card] - gone[card]) / (sum(kinds.values()) - sum(gone.values()))
            gone[card] += 1
        won = rules.match((*own, *drawn), up) if chance else None
        total += chance * (float(Fraction(won[0].win, won[0].lay)) if won is not None else -1.0)
    return total


def _kinds(cards: Mapping[Card, int], up: Card) -> dict[Card, int]:
    """A card like the up card, one of its rank in another suit, one of neither: how many there are of each kind."""
    kinds: dict[Card, int] = {}
    for name, many in _of_kinds(cards, up):
        kinds[name] = kinds.get(name, 0) + many
    return kinds


def _of_kinds(cards: Mapping[Card, int], up: Card) -> Iterator[tuple[Card, int]]:
    other = next(card for card in cards if card.rank == up.rank and card.suit != up.suit)
    neither = next(card for card in cards if card.rank != up.rank)
    for card, many in cards.items():
        yield (up if card == up else other if card.rank == up.rank else neither), many
