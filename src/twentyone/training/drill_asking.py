"""A question of the drill: the engine's answer among others, and the scene that a dealer has before him."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from twentyone.money import dollars
from twentyone.round import Round, events
from twentyone.round.play import Play
from twentyone.round.words import in_words
from twentyone.service.shift.chance import Chance

__all__ = ["CHOICES", "STORY", "DrillQuestion", "RoundScene", "Scene", "ask", "begin"]

CHOICES = 4
"""Answers among which the right one stands."""
STORY = 6
"""The last events that are told."""
UNTOLD = (
    events.StepBegun,
    events.WagerPlaced,
    events.DealBegun,
    events.WagerSettled,
    events.HandTakenAway,
    events.TotalAnnounced,
    events.RangeAnnounced,
    events.BlackjackAnnounced,
    events.Announced,
    events.CardsCollected,
)
"""What a story of a round leaves out: it is on the layout, or would give an answer away."""


class Scene(Protocol):
    """What the trainee has before him; told in words only when somebody looks."""

    @property
    def table(self) -> tuple[str, ...]:
        """What lies and who is there, as the dealer sees it."""

    @property
    def story(self) -> tuple[str, ...]:
        """What happened last."""


class DrillQuestion(NamedTuple):
    """Something that a dealer must know at one moment."""

    kind: str
    """In a round `mishap`, `refuse`, `next`, `pay` or `say`; around it `upset`, `allow`, `offer` or `step`."""
    asks: str
    """The question."""
    scene: Scene
    """What he has before him."""
    choices: tuple[str, ...]
    """The answers among which the right one is."""
    right: int
    """Which one the engine gives."""
    cite: str
    """The paragraph under which it does."""
    because: str = ""
    """Why, where the engine says it; told with the mark."""

    @property
    def table(self) -> tuple[str, ...]:
        """What lies and who is there."""
        return self.scene.table

    @property
    def story(self) -> tuple[str, ...]:
        """What happened last."""
        return self.scene.story


def ask(
    kind: str, asks: str, scene: Scene, right: str, others: Sequence[str], cite: str, chance: Chance, because: str = ""
) -> DrillQuestion:
    """A question whose right answer stands somewhere among others."""
    wrong = [text for text in dict.fromkeys(others) if text != right]
    chosen: list[str] = []
    while wrong and len(chosen) < CHOICES - 1:
        chosen.append(wrong.pop(chance.below(len(wrong))))
    place = chance.below(len(chosen) + 1)
    choices = (*chosen[:place], right, *chosen[place:])
    return DrillQuestion(kind, asks, scene, choices, place, cite, because)


def begin(text: str) -> str:
    """A sentence begins with a capital.

    >>> begin("go on")
    'Go on'
    """
    return text[:1].upper() + text[1:]


class RoundScene(NamedTuple):
    """A round as its dealer sees it, without results."""

    round: Round
    """The round."""

    @property
    def table(self) -> tuple[str, ...]:
        """The cards and wagers on the layout."""
        state = self.round.state
        cards = [card.symbol for card in state.dealer]
        if not state.shown and len(cards) > 1:
            cards[-1] = "a card face down"
        lines = [f"dealer: {' '.join(cards) or '–'}"]
        for ref, hand in Play(self.round.rules, state).each_hand():
            name = f"box {ref.box}" + (f", hand {ref.number}" if len(state.hands[ref.box]) > 1 else "")
            wagers = ", ".join(f"{one.player} {dollars(one.amount)}" for one in hand.wagers)
            lines.append(f"{name}: {' '.join(card.symbol for card in hand.cards) or '–'}  [{wagers}]")
        return tuple(lines)

    @property
    def story(self) -> tuple[str, ...]:
        """The last cards and decisions."""
        told = [event for event in self.round.events if not isinstance(event, UNTOLD)]
        return tuple(map(in_words, told[-STORY:]))
