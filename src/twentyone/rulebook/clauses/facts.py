"""What the game is played with: cards, values, boxes, wagers."""

from __future__ import annotations

from dataclasses import dataclass

from twentyone.money import Amount
from twentyone.rulebook.clauses.base import Clause, Ranks

__all__ = [
    "Ace",
    "Blackjack",
    "Boxes",
    "Cards",
    "FixedStake",
    "LayoutItem",
    "Range",
    "SharedBox",
    "Value",
    "Wager",
    "WagerLimit",
]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Cards(Clause):
    """The cards of a deck."""

    type_key = "cards"
    per_deck: int
    """Cards in a deck."""
    without: Ranks = ()
    """Ranks removed from each deck."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Value(Clause):
    """What cards other than the ace count."""

    type_key = "value"
    ranks: Ranks
    """The ranks it speaks of."""
    value: int | None = None
    """Their value; absent: the number on the card."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Ace(Clause):
    """What an ace counts."""

    type_key = "ace"
    high: int
    """Its value ..."""
    low: int
    """... and its value where the high one would take the hand over the limit."""
    player: int
    """The player's limit."""
    dealer: int
    """The dealer's limit."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Range(Clause):
    """A value range that the Masque reader tells."""

    type_key = "range"
    name: str
    """small, medium or large."""
    ranks: Ranks
    """The ranks in it."""
    light: str
    """The colour of its light."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Blackjack(Clause):
    """Which two cards are a Blackjack."""

    type_key = "blackjack"
    ace: Ranks
    """One card of these ranks ..."""
    value: int
    """... and one of this value, as the initial two cards."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Boxes(Clause):
    """How many boxes the layout has."""

    type_key = "boxes"
    most: int
    """The number of the last box."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SharedBox(Clause):
    """Several players on one box: who calls, who follows, and with what right."""

    type_key = "shared"
    name: str
    """call, double, split, insure, surrender, rescue."""
    binds: bool = False
    """Whether the caller's decision binds the followers."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Wager(Clause):
    """A wager placed before the first card."""

    type_key = "wager"
    name: str
    """Its kind."""
    title: str
    """What the text calls it."""
    least: Amount | None = None
    """The smallest."""
    trigger: tuple[int, ...] = ()
    """The values of the dealer's two initial cards that make it win."""
    either_order: bool = True
    """... in whichever order they came."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class WagerLimit(Clause):
    """A side wager that may not exceed the main wager."""

    type_key = "wager_limit"
    wager: str
    """The wager it limits."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FixedStake(Clause):
    """A wager that has one size."""

    type_key = "stake"
    wager: str
    """The wager."""
    amount: Amount
    """Its size."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LayoutItem(Clause):
    """Something that the layout or the table shows."""

    type_key = "layout"
    item: str
    """`approval`, `name`, `area`, `dealer_area`, `inscription`, `sign_or_inscription`, `odds`, `sign` or `device`."""
    text: str = ""
    """The words that the text orders, without their full stop; where it orders none, our own."""
    wager: str = ""
    """The wager that an area or a device is for."""
    range: str = ""
    """The value range that an area of the dealer's is for."""
    device: str = ""
    """Which device."""
    side: str = ""
    """The dealer's side it stands on, where the text says it."""
    each: str = "table"
    """`box` or `table`: one for each of them."""
    alternative: str = ""
    """What may stand instead."""
    shows: str = ""
    """The submission key whose value it tells; without a value there is nothing to tell."""
