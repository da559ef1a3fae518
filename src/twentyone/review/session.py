"""A session: many rounds reviewed, summed up player by player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from twentyone.money import ZERO, Amount
from twentyone.review.model import DecisionReview, PlayerReview, RoundReview

__all__ = ["PlayerSession", "SessionReview", "session_of"]

WORST = 10
"""Mistakes that are listed."""


@dataclass
class PlayerSession:
    """All reviewed rounds of one player."""

    player: str
    """Who."""
    rounds: int = 0
    """Rounds."""
    wagered: Amount = ZERO
    """Main wagers before the deals."""
    net: Amount = ZERO
    """What they brought."""
    deal: float = 0.0
    """What they were worth before the first card, in dollars."""
    luck: float = 0.0
    """The luck of all cards, in dollars."""
    mistakes: float = 0.0
    """What decisions gave away, in dollars."""
    decisions: int = 0
    """Decisions taken."""
    wrong: int = 0
    """Decisions that gave something away."""
    worst: list[tuple[str, DecisionReview]] = field(default_factory=list)
    """The costliest mistakes, with their rounds."""

    def add(self, name: str, review: PlayerReview) -> None:
        """Add a round."""
        self.rounds += 1
        self.wagered, self.net = self.wagered + review.wagered, self.net + review.net
        self.deal += review.deal
        self.luck += review.total_luck
        self.mistakes += review.mistakes
        self.decisions += len(review.decisions)
        wrong = [(name, decision) for decision in review.decisions if decision.cost > 0]
        self.wrong += len(wrong)
        self.worst = sorted([*self.worst, *wrong], key=lambda row: -row[1].dollars)[:WORST]

    def body(self) -> dict[str, Any]:
        """The player as JSON."""
        plain = ("player", "rounds", "deal", "luck", "mistakes", "decisions", "wrong")
        said: dict[str, Any] = {name: getattr(self, name) for name in plain}
        said |= {"wagered": str(self.wagered), "net": str(self.net)}
        return said | {"worst": [{"round": name, **decision.body()} for name, decision in self.worst]}


@dataclass
class SessionReview:
    """The players of many rounds, and what was left out."""

    rounds: int = 0
    """Rounds looked at."""
    players: dict[str, PlayerSession] = field(default_factory=dict)
    """By name."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Why rounds or players' rounds were not reviewed, and how many."""

    def body(self) -> dict[str, Any]:
        """The session as JSON."""
        players = [player.body() for player in self.players.values()]
        return {"rounds": self.rounds, "players": players, "left_out": dict(self.left_out)}


def session_of(reviews: Iterable[RoundReview], player: str | None = None) -> SessionReview:
    """Sum up reviews; of one player, where one is named."""
    session = SessionReview()
    for review in reviews:
        session.rounds += 1
        for name, why in review.left_out.items():
            if player in (None, name) or not name:
                session.left_out[why] += 1
        for one in review.players:
            if player in (None, one.player):
                session.players.setdefault(one.player, PlayerSession(one.player)).add(review.name, one)
    return session
