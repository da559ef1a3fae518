"""What a review says: decisions with the value of every choice, luck card by card, and how they add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from twentyone.money import Amount

__all__ = ["DecisionReview", "Luck", "PlayerReview", "RoundReview"]


@dataclass(frozen=True)
class DecisionReview:
    """One decision of a player."""

    box: int
    """The box."""
    hand: int
    """Which hand of it."""
    cards: tuple[str, ...]
    """The hand's cards then."""
    up: str
    """The dealer's up card."""
    hole: str
    """What was known of the hole card."""
    offer: str
    """What was asked: `turn`, `insurance`, `rescue` .."""
    chosen: str
    """What the player did."""
    amount: Amount | None
    """The wager that it made, where it made one."""
    values: Mapping[str, float]
    """Each choice to its expected net result, in wagers of the hand."""
    wager: Amount
    """The wager of the hand."""
    cite: str
    """The paragraph of the decision."""

    @property
    def best(self) -> str:
        """The best choice; the player's own where it is as good."""
        top = max(self.values, key=lambda name: self.values[name])
        return self.chosen if self.values[self.chosen] == self.values[top] else top

    @property
    def cost(self) -> float:
        """What was given away, in wagers of the hand."""
        return self.values[self.best] - self.values[self.chosen]

    @property
    def dollars(self) -> float:
        """What was given away, in dollars."""
        return self.cost * _dollars(self.wager)

    def body(self) -> dict[str, Any]:
        """The decision as JSON."""
        names = ("offer", "box", "hand", "up", "hole", "chosen", "best", "cite")
        said: dict[str, Any] = {name: getattr(self, name) for name in names}
        said |= {"cards": list(self.cards), "wager": str(self.wager), "values": dict(self.values)}
        said["amount"] = None if self.amount is None else str(self.amount)
        return said | {"cost": self.cost, "cost_dollars": self.dollars}


@dataclass(frozen=True)
class Luck:
    """What a card, or what was told of one, did to the value of a player's wagers."""

    what: str
    """`first card`, `up card`, `card`, `other boxes`, `reader`, `hole card`, `dealer's card`, `wheel` .."""
    card: str
    """The card; empty where it is none or several."""
    box: int | None
    """The box it came to."""
    dollars: float
    """The change of the expected net result."""

    def body(self) -> dict[str, Any]:
        """The luck as JSON."""
        return {"luck_of": self.what, "card": self.card, "box": self.box, "dollars": self.dollars}


@dataclass(frozen=True)
class PlayerReview:
    """A round of one player."""

    player: str
    """Who."""
    wagered: Amount
    """The main wagers before the deal."""
    net: Amount
    """What the round brought."""
    deal: float
    """The expected net result before the first card, in dollars."""
    steps: tuple[Luck | DecisionReview, ...]
    """What cards did and what was decided, in order."""
    at: tuple[int, ...] = ()
    """The event of the round with which each step came, counted from 1."""

    @property
    def luck(self) -> list[Luck]:
        """Card by card."""
        return [step for step in self.steps if isinstance(step, Luck)]

    @property
    def decisions(self) -> list[DecisionReview]:
        """Decision by decision."""
        return [step for step in self.steps if isinstance(step, DecisionReview)]

    @property
    def mistakes(self) -> float:
        """What all decisions gave away, in dollars."""
        return sum(decision.dollars for decision in self.decisions)

    @property
    def total_luck(self) -> float:
        """The luck of all cards, in dollars."""
        return sum(luck.dollars for luck in self.luck)

    @property
    def net_dollars(self) -> float:
        """The net as a number of dollars."""
        return _dollars(self.net)

    @property
    def gap(self) -> float:
        """Deal and luck less mistakes less net: nothing but rounding."""
        return self.deal + self.total_luck - self.mistakes - self.net_dollars

    def body(self) -> dict[str, Any]:
        """The review as JSON."""
        return {
            "player": self.player,
            "wagered": str(self.wagered),
            "net": str(self.net),
            "deal": self.deal,
            "luck": self.total_luck,
            "mistakes": self.mistakes,
            "steps": [step.body() for step in self.steps],
        }


@dataclass(frozen=True)
class RoundReview:
    """A round, or why it is not reviewed."""

    name: str
    """Which round."""
    players: tuple[PlayerReview, ...] = ()
    """Those whose decisions are reviewed."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Player to why he is not; `` is the whole round."""

    def body(self) -> dict[str, Any]:
        """The review as JSON."""
        players = [player.body() for player in self.players]
        return {"round": self.name, "players": players, "left_out": dict(self.left_out)}


def _dollars(amount: Amount) -> float:
    return int(amount) / int(Amount("1"))
