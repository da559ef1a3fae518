"""The two-world test: shoes that differ only in cards nobody has seen look the same to everyone."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.property.simulate import Played

from twentyone.cards import RANKS, SUITS, Card
from twentyone.round import Draw, Drawn, Round
from twentyone.round import events as e
from twentyone.round.actions import ACTIONS
from twentyone.round.view import ROLES

__all__ = ["check_two_worlds", "hole_card_place"]

ANSWERS = (e.HoleCardRead, e.RangeAnnounced)
"""Events by which the hole card tells something without being shown."""


def check_two_worlds(played: Played, rng: Random) -> int:
    """Deal the round with another hole card beside it; answers how many steps were compared."""
    place = hole_card_place(played)
    if place is None:
        return 0
    mine = played.commands[place]
    assert isinstance(mine, Drawn)
    other = Drawn(_other_card(played, mine.card, rng), mine.face_up)
    before = played.rounds[place]
    return _compare(played, place, before.apply(other))


def hole_card_place(played: Played) -> int | None:
    """Which command dealt the hole card."""
    for place, (before, after) in enumerate(zip(played.rounds, played.rounds[1:], strict=False)):
        due = isinstance(before.next, Draw) and before.next.face_down
        if due and len(after.state.dealer) > len(before.state.dealer):
            return place if isinstance(played.commands[place], Drawn) else None
    return None


def _other_card(played: Played, card: Card, rng: Random) -> Card:
    without = played.rules.cards.without
    cards = [Card(rank + suit) for rank in RANKS if rank not in without for suit in SUITS]
    return rng.choice([other for other in cards if other is not card])


def _compare(played: Played, place: int, other: Round) -> int:
    """Bring the same commands to both worlds while the hole card is hidden and its answers agree."""
    compared = 0
    for number in range(place + 1, len(played.rounds)):
        mine = played.rounds[number]
        if mine.state.shown or other.state.shown or _answers(mine) != _answers(other):
            break
        _must_look_alike(mine, other)
        compared += 1
        if number < len(played.commands):
            other = other.apply(played.commands[number])
    return compared


def _answers(round_: Round) -> list[e.Event]:
    return [event for event in round_.events if isinstance(event, ANSWERS)]


def _must_look_alike(mine: Round, other: Round) -> None:
    for role in ROLES:
        assert mine.seen_by(role) == other.seen_by(role), f"a {role} sees the hole card: {mine.seen_by(role)}"
    assert repr(mine) == repr(other), f"the text tells the hole card: {mine!r}"
    assert mine.next == other.next, f"what is due tells the hole card: {mine.next}, {other.next}"
    assert mine.accounts == other.accounts, "chips tell the hole card"
    for action in ACTIONS:
        assert _refusal(mine, action) == _refusal(other, action), f"the refusal of {action} tells the hole card"


def _refusal(round_: Round, action: str) -> tuple[Any, ...]:
    refused = round_.refusal(action)
    return (refused.why, refused.cite) if refused is not None else ()
