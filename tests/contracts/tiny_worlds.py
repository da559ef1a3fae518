"""A decision valued by brute force: every order of a tiny shoe, dealt by `round`, the hole card unknown to the player.

Shares nothing with `odds`: a set of worlds that look alike to the player is followed, his decision is the same in all
of them, and whatever he sees parts them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from twentyone.cards import Card
from twentyone.round import Decision, Draw, Drawn, Happened, Offer, Over, Round

__all__ = ["World", "after", "begin", "choices", "happened"]


class World(NamedTuple):
    """A round that may be the one in play, the cards left in its shoe, and how likely it is."""

    round: Round
    left: tuple[tuple[Card, int], ...]
    chance: float


def begin(round_: Round, shoe: Counter[Card], first: tuple[Card, ...]) -> list[World]:
    """The worlds after some cards that are seen, in which only the hole card is not: it is every card left."""
    worlds = [World(round_, tuple(shoe.items()), 1.0)]
    seen = list(first)
    while isinstance(need := worlds[0].round.next, Draw) and (seen or need.face_down):
        wanted = None if need.face_down and need.box is None else seen.pop(0)
        worlds = [next_ for world in worlds for next_ in _drawn(world, wanted)]
    parted = _parted(worlds)
    return max(parted, key=lambda some: sum(world.chance for world in some))


def happened(worlds: list[World], what: Happened) -> list[World]:
    """The worlds once something went wrong; a card that it names left the shoe."""
    kept = []
    for world in worlds:
        counts = dict(world.left)
        if what.card is None or counts[what.card]:
            left = tuple((card, many - (card is what.card)) for card, many in counts.items())
            kept.append(World(world.round.apply(what), left, world.chance))
    return kept


def choices(worlds: list[World], player: str) -> dict[str, float]:
    """Each answer to the offer to its value in dollars, given what is known."""
    need = worlds[0].round.next
    assert isinstance(need, Offer)
    whole = sum(world.chance for world in worlds)
    asked = player if any(option.player == player for option in need.options) else need.options[0].player
    answers = {option.action: option.decision() for option in need.options if option.player == asked}
    if need.optional:
        answers["decline"] = Decision("decline", need.options[0].box, asked)
    return {name: after(worlds, answer, player) / whole for name, answer in answers.items()}


def after(worlds: list[World], answer: Decision, player: str) -> float:
    """The value of worlds that look alike once an answer is given, times their chance."""
    taken = [world._replace(round=world.round.apply(answer)) for world in worlds]
    return sum(_value(some, player) for some in _parted(taken))


def _value(worlds: list[World], player: str) -> float:
    """The value of worlds that look alike, times their chance."""
    need = worlds[0].round.next
    if isinstance(need, Over):
        return sum(world.chance * int(world.round.net[player]) / 1000 for world in worlds)
    if isinstance(need, Draw):
        drawn = [next_ for world in worlds for next_ in _drawn(world, None)]
        return sum(_value(some, player) for some in _parted(drawn))
    return max(choices(worlds, player).values()) * sum(world.chance for world in worlds)


def _drawn(world: World, wanted: Card | None) -> Iterator[World]:
    whole = sum(many for _, many in world.left)
    assert whole, "the tiny shoe is too small"
    for card, many in world.left:
        if many and wanted in (None, card):
            left = tuple((other, count - (other is card)) for other, count in world.left)
            yield World(world.round.apply(Drawn(card)), left, world.chance * many / whole)


def _parted(worlds: list[World]) -> list[list[World]]:
    """Worlds by what the player sees."""
    groups: dict[str, list[World]] = {}
    for world in worlds:
        groups.setdefault(_looks(world.round), []).append(world)
    return list(groups.values())


def _looks(round_: Round) -> str:
    state = round_.state
    dealer = state.dealer if state.shown else state.dealer[:1]
    hands = [(hand.cards, hand.chance) for hands in state.hands.values() for hand in hands]
    over = isinstance(round_.next, Over)
    return f"{dealer} {hands} {state.told} {state.range} {state.held} {over}"
