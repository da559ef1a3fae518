"""The first decision on two cards: hands told apart by suit only where a special hand can still come of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from twentyone.cards import SUITS, Card
from twentyone.errors import Refused
from twentyone.odds.kernels import DOUBLE, HIT
from twentyone.odds.model import FloatArray
from twentyone.odds.payoffs import Kind
from twentyone.odds.player import HandsAndShoe
from twentyone.odds.tables import Tables
from twentyone.strategy import special_hand

__all__ = ["Goal", "HandState", "gains", "states_of"]


class Goal(NamedTuple):
    """A special hand that one more card can make."""

    card: int
    """The class of that card."""
    hand: int
    """The hand it makes."""
    rows: tuple[int, int]
    """Its rows of pay when all cards are of the suit, undoubled and doubled."""
    chance: Any
    """The chance that such a card is of the suit."""


class HandState(NamedTuple):
    """Two cards, and what is known of their suits."""

    hand: int
    """Which hand."""
    bonus: str
    """The special hand they can still become, in the words of a `Situation`."""
    suits: tuple[str, ...]
    """The suits that both cards may have (one of them); none: it does not matter, or they are mixed."""
    share: Any
    """The share of the hand's chance."""
    goals: tuple[Goal, ...]
    """What a third card of the same suit makes of them."""


def states_of(tables: Tables, kind: Kind, ranges: tuple[str, ...] = ()) -> tuple[HandState, ...]:
    """The states of all hands of two cards."""
    hands = tables.hands
    return tuple(
        state for hand in np.flatnonzero(hands.size == 2) for state in _states(tables, kind, int(hand), ranges)
    )


def _states(tables: Tables, kind: Kind, hand: int, ranges: tuple[str, ...]) -> Iterator[HandState]:
    one = tables.number(1)
    groups: dict[tuple[Any, ...], list[str]] = {}
    goals: dict[str, tuple[Goal, ...]] = {}
    for suit in SUITS if _targets(tables, hand) else ():
        goals[suit] = tuple(_goals(tables, kind, hand, suit, ranges))
        paid = tuple(tables.rows[row].pays for goal in goals[suit] for row in goal.rows)
        chances = tuple(goal.chance for goal in goals[suit])
        groups.setdefault((paid, chances, _same_suit(tables, hand, suit)), []).append(suit)
    mixed = one
    for (_, _, same), suits in groups.items():
        share = len(suits) * same
        cards = tuple(Card(card.rank + suits[0]) for card in tables.cards(hand))
        mixed = mixed - share
        yield HandState(hand, special_hand(tables.rules, cards, kind.split), tuple(suits), share, goals[suits[0]])
    yield HandState(hand, special_hand(tables.rules, tables.cards(hand), kind.split), (), mixed, ())


def _targets(tables: Tables, hand: int) -> list[tuple[int, tuple[int, ...]]]:
    """The special hands that one card makes of two, and the class of that card."""
    missing = [(np.array(counts) - tables.hands.counts[hand], counts) for counts in tables.special]
    return [(int(left.argmax()), counts) for left, counts in missing if left.min() >= 0]


def _goals(tables: Tables, kind: Kind, hand: int, suit: str, ranges: tuple[str, ...]) -> Iterator[Goal]:
    counts = tables.hands.counts[hand]
    may = tables.permissions(None)
    for card, target in _targets(tables, hand):
        at = int(tables.hands.find(np.array([target]))[0])
        if may[at] >> HIT & 1 or may[at] >> DOUBLE & 1:
            raise Refused("a special hand that may still draw is not represented", tables.special[target])
        chance = tables.share_of_suit(card, suit, int(counts[card]))
        yield Goal(card, at, tables.suited(kind, target, suit, ranges), chance)


def _same_suit(tables: Tables, hand: int, suit: str) -> Any:
    """The chance that two cards of these ranks are both of one given suit."""
    held = np.flatnonzero(tables.hands.counts[hand])
    return tables.share_of_suit(held[0], suit) * tables.share_of_suit(held[-1], suit, int(len(held) == 1))


def gains(state: HandState, held: HandsAndShoe, rows: FloatArray, played: Any) -> tuple[FloatArray, FloatArray]:
    """[conditions]: what a hit and a double gain on the mixed hand because a third card may be of the suit."""
    hit = held.dealer[state.hand, :, 0] * 0
    double = hit.copy()
    for goal in state.goals:
        chance = held.left[state.hand, goal.card] * goal.chance
        for doubled, total in ((0, hit), (1, double)):
            more = rows[goal.rows[doubled]] - rows[played[doubled, goal.hand]]
            total += chance * (held.dealer[goal.hand] * more).sum(axis=1)
    return hit, double
