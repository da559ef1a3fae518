"""Hands as somebody writes them, suits named or not, looked up in an analysis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from twentyone.cards import SUITS, Card, Face, faces_of
from twentyone.errors import Refused
from twentyone.odds.core import Core
from twentyone.odds.decks import decks_of
from twentyone.odds.lookup import decisions_on
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Pay
from twentyone.strategy import Strategy, situation, value_class
from twentyone.strategy.situation import ranks_of

__all__ = ["Written", "WrittenHand", "chosen_by", "values_of"]

Written = str | Card | Iterable[str | Card]


class WrittenHand(NamedTuple):
    """A hand somebody asks about."""

    cards: Written
    """Its cards, the one that was split first."""
    up: str | Card
    """The dealer's up card."""
    hole: str = ""
    """What is known of the hole card."""
    split: bool = False
    """Whether the hand came out of a split."""
    doubled: bool = False
    """Whether it was doubled."""


def values_of(core: Core, hand: WrittenHand) -> dict[str, float]:
    """The value of each decision; refused where the suits that are not named make a difference.

    An up card without a suit may be of any, and so may a pair that is split: those values are means.
    """
    rules = core.tables.rules
    faces, shown = _faces(hand.cards, rules), _up(hand.up, rules)
    known = {"any_suit": not shown.suit, "any_pair": not all(face.suit for face in faces)}
    found: dict[tuple[Card, ...], dict[str, float]] = {}
    for cards, up in _dealt(rules, faces, shown):
        found[cards] = decisions_on(core, cards, up, hand.hole, hand.split, hand.doubled, **known)
    values = next(iter(found.values()))
    if any(other != values for other in found.values()):
        why = f"the suits of {' '.join(map(str, faces))} make a difference here: name them"
        raise Refused(why, next(row.cite for row in rules.all(Pay) if row.hand.ranks and row.hand.suits))
    return values


def chosen_by(strategy: Strategy | None, rules: Rules, hand: WrittenHand, values: dict[str, float]) -> str:
    """The decision that a strategy takes; without one, the best."""
    if strategy is None:
        return max(values, key=lambda name: values[name])
    cards, up = next(_dealt(rules, _faces(hand.cards, rules), _up(hand.up, rules)))
    phase = "busted" if "second_chance" in values else "doubled" if "decline" in values else ""
    facts = rules.hand(cards, hand.split, hand.doubled)
    return strategy.decide(situation(rules, facts, value_class(rules, up), values, phase=phase, hole=hand.hole))


def _faces(cards: Written, rules: Rules) -> tuple[Face, ...]:
    try:
        return tuple(_held(face, rules) for face in faces_of(cards))
    except ValueError as wrong:
        raise Refused(str(wrong), rules.cards.cite) from None


def _held(face: Face, rules: Rules) -> Face:
    """A ten without a suit is any card that counts ten, where the decks hold no ten."""
    alike = ranks_of(rules, face.rank) if not face.suit and face.rank in rules.cards.without else ()
    return face._replace(rank=alike[0]) if alike else face


def _up(up: str | Card, rules: Rules) -> Face:
    faces = _faces(up, rules)
    if len(faces) != 1:
        raise Refused(f"{up!r} is no up card: it is one card", rules.rulebook.decide_cite)
    return faces[0]


def _dealt(rules: Rules, faces: tuple[Face, ...], up: Face) -> Iterator[tuple[tuple[Card, ...], Card]]:
    """Cards that are meant by what is written: of several suits, and all of one, where both can be."""
    decks = decks_of(rules)
    first = [_mixed(faces, decks), *(_suited(faces, suit) for suit in SUITS if any(not face.suit for face in faces))]
    hands = [cards for cards in dict.fromkeys(first) if cards and all(cards.count(card) <= decks for card in cards)]
    for cards in hands or first[:1]:
        free = (suit for suit in reversed(SUITS) if cards.count(Card(up.rank + suit)) < decks)
        yield cards, Card(up.rank + (up.suit or next(free, SUITS[0])))


def _mixed(faces: tuple[Face, ...], decks: int) -> tuple[Card, ...]:
    """Suits for those that are not named: others than there are already, as far as that goes."""
    cards: list[Card] = []
    named = [face.suit for face in faces if face.suit]
    for face in faces:
        used = [card.suit for card in cards] + named
        suits = sorted(SUITS, key=lambda suit: (used.count(suit), SUITS.index(suit)))
        free = [suit for suit in suits if cards.count(Card(face.rank + suit)) < decks]
        cards.append(Card(face.rank + (face.suit or (free or suits)[0])))
    return tuple(cards)


def _suited(faces: tuple[Face, ...], suit: str) -> tuple[Card, ...]:
    """All of one suit; nothing where another one is named."""
    return tuple(Card(face.rank + suit) for face in faces) if all(face.suit in ("", suit) for face in faces) else ()
