"""The table before, between and after rounds: tasks, cut, cover card, devices, batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from twentyone.rulebook.clauses.base import Clause

__all__ = [
    "Arrival",
    "Batches",
    "Burn",
    "CardChange",
    "Coupon",
    "CoverCard",
    "Cut",
    "CutOffer",
    "Device",
    "Idle",
    "Task",
    "Verbal",
]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Task(Clause):
    """A step of the table's procedure: who carries it out, and what is said."""

    type_key = "task"
    name: str
    """The table's command."""
    role: tuple[str, ...] = ("dealer",)
    """Who may give it."""
    says: str = ""
    """What is to be done, in a few words."""
    again: bool = False
    """Whether it is done again when a card shows."""
    until: str = ""
    """How long it may be done, where texts differ: a recut until the `shoe` is filled, or until the `deal`."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Cut(Clause):
    """How far from either end of the stack a cut is made."""

    type_key = "cut"
    least: int
    """So many cards at least."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CutOffer(Clause):
    """To whom the cut is offered first."""

    type_key = "cut_offer"
    on: str
    """`new_game`, `box` (the cover card came out there), `dealer`, `floorperson` or `any`."""
    to: str
    """`first_player`, `box` or `right` (the player farthest to the dealer's right)."""
    rotates: bool = False
    """Whether a refusal moves the offer counterclockwise."""
    turns: bool = False
    """Whether the first offer itself moves on from shoe to shoe."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CoverCard(Clause):
    """How far from the bottom of the stack the cover card is put."""

    type_key = "cover_card"
    share: Fraction
    """This share of the stack at least."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CardChange(Clause):
    """How long cards may stay in use."""

    type_key = "change"
    hours: int
    """So many hours."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Burn(Clause):
    """When a card is drawn off unplayed."""

    type_key = "burn"
    on: tuple[str, ...]
    """`shoe`: each new shoe; `dealer`: each new dealer."""
    shown: bool = False
    """Whether a player may ask to see it."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Device(Clause):
    """A device of the table."""

    type_key = "device"
    name: str
    """card_reader, masque_reader, shuffler or shoe."""
    inspected: str = ""
    """`day`: by the floorperson at the beginning of each gaming day."""
    out_of_order: str = ""
    """`stops`: no dealing until it is repaired; `without`: play goes on by the procedure without it;
    `covered` or `removed` before another method is used."""
    instead: Mapping[str, Any] = field(default_factory=dict)
    """The submission keys that stand in for it while the table goes on without it."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Batches(Clause):
    """How many batches of cards the table keeps."""

    type_key = "batches"
    count: int
    """So many, equal in decks, of different backs, taking turns."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Idle(Clause):
    """How the cards of an idle table lie."""

    type_key = "idle"
    face: tuple[str, ...]
    """`down`, `up`, or either; the first is the rule."""
    turned_up: bool = False
    """Whether cards spread face down are turned up when a player comes."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Arrival(Clause):
    """What is done with the spread cards when a player comes to the idle table; the shoe follows."""

    type_key = "arrival"
    tasks: tuple[str, ...]
    """The tasks, in order."""
    deals: str = "spread"
    """Which batch goes into the shoe: the `spread` one, or the `other`."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Verbal(Clause):
    """Verbal wagers with cash, and who confirms them."""

    type_key = "verbal"
    confirmed_by: tuple[str, ...]
    """The roles that must confirm."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Coupon(Clause):
    """Match-play coupons may accompany a wager."""

    type_key = "coupon"
    wagers: tuple[str, ...]
    """Beside these wagers."""
