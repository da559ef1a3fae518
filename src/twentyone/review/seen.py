"""The cards that players could know to be in the shoe before a round: the decks less what they have seen leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from twentyone.cards import RANKS, SUITS, UNKNOWN, Card
from twentyone.errors import Refused
from twentyone.odds.decks import decks_of
from twentyone.round import Round
from twentyone.round.state import State
from twentyone.rulebook import Rules

__all__ = ["after_reload", "cards_left", "full_shoe", "shown_in"]


def full_shoe(rules: Rules) -> dict[Card, int]:
    """Every card of the decks."""
    decks = decks_of(rules)
    return {Card(rank + suit): decks for rank in RANKS if rank not in rules.cards.without for suit in SUITS}


def after_reload(rules: Rules, state: State) -> dict[Card, int]:
    """The cards once the discard rack is the shoe: the decks, and once more what lay in this round and is in it now."""
    cards = full_shoe(rules)
    kept = rules.irregularities["insufficient_cards"].keeps_face_up
    away = [hand for hands in state.hands.values() for hand in hands if hand.away]
    again = [card for hand in away for card in (*hand.cards, hand.chance)]
    for card in (*again, *(() if kept else state.set_aside)):
        if card in cards:
            cards[card] += 1
    return cards


def cards_left(rules: Rules, gone: Iterable[Card]) -> dict[Card, int]:
    """The decks without some cards; refused where a card has left more often than the decks hold it."""
    left = full_shoe(rules)
    for card, many in Counter(gone).items():
        if left.get(card, 0) < many:
            raise Refused(f"{many} of {card} were named, but the shoe holds {left.get(card, 0)}", rules.cards.cite)
        left[card] -= many
    return left


def shown_in(round_: Round) -> list[Card]:
    """The cards that lay face up in a round."""
    state = round_.state
    hands = [hand for hands in state.hands.values() for hand in hands]
    cards = [card for hand in hands for card in (*hand.cards, *((hand.chance,) if hand.chance is not None else ()))]
    dealer = state.dealer if state.shown else state.dealer[:1]
    strange = round_.rules.cards.without
    seen = (*cards, *dealer, *state.set_aside)
    return [card for card in seen if card is not UNKNOWN and card.rank not in strange]
