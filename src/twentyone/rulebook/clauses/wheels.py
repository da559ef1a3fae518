"""Prize wheels and progressive meters."""

from __future__ import annotations

from dataclasses import dataclass

from twentyone.money import Amount
from twentyone.rulebook.clauses.base import Clause

__all__ = [
    "Community",
    "CommunityPay",
    "MeterFloor",
    "MeterPaid",
    "Symbol",
]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Symbol(Clause):
    """A symbol of a prize wheel."""

    type_key = "symbol"
    wheel: str
    """bonus_spin or xtreme_16."""
    table: str
    """The paytable's letter."""
    name: str
    """As a round script writes it."""
    pays: Amount | None = None
    """To the player who spun; absent: the meter."""
    meter: str | None = None
    """The meter it pays in full."""
    others: Amount | None = None
    """To each other player with the wager (Community Pay)."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Community(Clause):
    """A Community Pay that may stand beside any symbol of a wheel."""

    type_key = "community"
    wheel: str
    """The wheel."""
    pays: Amount
    """To each other player with the wager."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CommunityPay(Clause):
    """Which Community Pay amounts a wheel may show."""

    type_key = "community_pay"
    wheel: str
    """The wheel."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MeterFloor(Clause):
    """The least initial and reset amount of a progressive meter."""

    type_key = "meter"
    name: str
    """The meter."""
    table: str
    """Under which paytable."""
    least: Amount
    """Its least initial and reset amount."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MeterPaid(Clause):
    """A jackpot pays what its meter shows at that moment."""

    type_key = "meter_paid"
    wheel: str
    """The wheel."""
