"""Tables and their games as the interface tells them: the schema for other programs."""

from __future__ import annotations

from pydantic import BaseModel

from twentyone.web.api.models import Limits

__all__ = ["GameShown", "TableLine"]


class SideShown(BaseModel):
    """A side wager in short: its title, and its house edge as a share of it."""

    title: str
    edge: float | None


class Seat(BaseModel):
    """Where you sit, and your chips there."""

    boxes: list[int]
    chips: str


class TableLine(BaseModel):
    """A table in the list of tables."""

    table: str
    title: str
    full_title: str
    rulebook: str
    source: str
    differs: str
    house_edge: float | None
    basis: str
    sides: list[SideShown]
    can_sit: bool
    says: str
    yours: Seat | None
    phase: str
    limits: Limits
    meters: dict[str, str]
    fixed_meters: list[str]
    round: int
    stopped: str
    boxes: int
    free: list[int]
    players: list[str]


class SidePriced(SideShown):
    """A side wager: how often it wins, its paragraph, what was counted, whether it is laid before the first card."""

    name: str
    cite: str
    wins: float
    says: str
    laid: bool


class FactShown(BaseModel):
    """Something about a game, in short and as a sentence."""

    short: str
    says: str
    cite: str


class PayShown(BaseModel):
    """What a hand is paid."""

    says: str
    pays: str
    cite: str


class GameShown(BaseModel):
    """How the game of a table is played; the house edge may still be worked out."""

    table: str
    rulebook: str
    title: str
    source: str
    line: str
    differences: list[FactShown]
    pays: list[PayShown]
    sides: list[SidePriced]
    house_edge: float | None
    basis: str
