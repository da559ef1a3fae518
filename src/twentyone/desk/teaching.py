"""Rounds to learn a game by: dealt by seeds, played best, and chosen for what they show together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from twentyone.desk.answers import Asked, Tell, rules_asked
from twentyone.review.rounds import Reviewer
from twentyone.review.seen import full_shoe
from twentyone.review.what_if import play_best
from twentyone.round import Round
from twentyone.round.events import DecisionTaken
from twentyone.rulebook import Rules
from twentyone.script.export import export

__all__ = ["lesson"]

DEALT, SHOWN = 80, 5
"""Rounds that are dealt, and those that are shown."""
BOX, PLAYER, WAGER = 1, "You", "10"


def lesson(asked: Asked, tell: Tell, _: str) -> dict[str, Any]:
    """Five rounds, the shortest first, that together apply as many paragraphs as five of those dealt can show."""
    rounds = list(_dealt(rules_asked(asked), tell))
    return {"rounds": [_told(round_) for round_ in sorted(_chosen(rounds), key=lambda round_: len(round_.events))]}


def _dealt(rules: Rules, tell: Tell) -> Iterator[Round]:
    games, cards = Reviewer(rules), full_shoe(rules)
    begun = Round.start(rules, [{"box": BOX, "player": PLAYER, "main": WAGER}])
    for seed in range(DEALT):
        yield play_best(games, begun, cards, seed)
        tell((seed + 1) / DEALT)


def _chosen(rounds: list[Round]) -> Iterator[Round]:
    """One after the other the round that shows most of what was not shown yet, the shorter one of two."""
    seen: set[str] = set()
    left = list(rounds)
    for _ in range(SHOWN):
        best = max(left, key=lambda round_: (len(_shows(round_) - seen), -len(round_.events)))
        left.remove(best)
        seen |= _shows(best)
        yield best


def _shows(round_: Round) -> set[str]:
    """The paragraphs that a round applies, what is decided in it and how its wagers end."""
    return {event.cite for event in round_.events} | set(_decisions(round_)) | set(_outcomes(round_))


def _decisions(round_: Round) -> list[str]:
    return [event.action for event in round_.events if isinstance(event, DecisionTaken)]


def _outcomes(round_: Round) -> list[str]:
    return [f"{row.wager} {row.outcome}" for row in round_.state.rows]


def _told(round_: Round) -> dict[str, Any]:
    hands = round_.state.hands[BOX]
    return {
        "cards": [[card.symbol for card in hand.cards] for hand in hands],
        "dealer": [card.symbol for card in round_.state.dealer] if round_.state.shown else [],
        "decisions": _decisions(round_),
        "net": str(round_.net[PLAYER]),
        "script": json.dumps(export(round_)),
    }
