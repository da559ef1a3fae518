"""The table before, between and after rounds: tasks, cut, cover card, devices, batches."""

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any, Literal

from twentyone.rulebook.clauses.base import Clause, clause
from twentyone.rulebook.vocabulary import DeviceName, Face, Role, SubmissionName, TaskName, Text, WagerName

__all__ = [
    "Arrival",
    "Batches",
    "Burn",
    "CardChange",
    "Coupon",
    "CoverCard",
    "CoverCardOut",
    "Cut",
    "CutGoesRound",
    "CutOffer",
    "CutPassed",
    "Device",
    "Idle",
    "IdleWhenEmpty",
    "LoadsShoe",
    "MadeWhenLaid",
    "NoEffect",
    "OneBurn",
    "ReliefBetweenRounds",
    "SwitchedOff",
    "Task",
    "Verbal",
    "WaitingBatch",
]


@clause("task", named=True)
class Task(Clause):
    """A step of the table's procedure: who carries it out, and what is said."""

    name: TaskName
    """The table's command."""
    role: tuple[Role, ...] = ("dealer",)
    """Who may give it."""
    says: Text = ""
    """What is to be done, in a few words."""
    again: bool = False
    """Whether it is done again when a card shows."""
    assigned: bool = False
    """Whether the text leaves it to the floorperson who is assigned to the table."""
    until: Literal["", "shoe", "deal"] = ""
    """How long it may be done, where texts differ: a recut until the `shoe` is filled, or until the `deal`."""


@clause("cut")
class Cut(Clause):
    """How far from either end of the stack a cut is made."""

    least: int
    """The least number of cards."""


@clause("cut_offer")
class CutOffer(Clause):
    """To whom the cut is offered first."""

    on: Literal["new_game", "box", "dealer", "floorperson", "irregularity", "any"]
    """`new_game`, `box` (the cover card came out there), `dealer`, `floorperson`, `irregularity` or `any`."""
    to: Literal["first_player", "box", "right", "nobody"]
    """`first_player`, `box`, `right` (the player farthest to the dealer's right), or `nobody`: the dealer cuts."""
    rotates: bool = False
    """Whether a refusal moves the offer counterclockwise."""
    turns: bool = False
    """Whether the first offer itself moves on from shoe to shoe."""


@clause("cut_passed")
class CutPassed(Clause):
    """An offer of the cut that is declined moves counterclockwise, where a paragraph of its own says so."""

    on: Literal["new_game", "box", "dealer", "floorperson", "any"]
    """The occasion of the `cut_offer` that is passed on."""


@clause("cut_goes_round")
class CutGoesRound(Clause):
    """The cut of a player who has gone is offered to the others, from the dealer's right."""


@clause("cover_card")
class CoverCard(Clause):
    """How far from the bottom of the stack the cover card is put."""

    share: Fraction
    """This share of the stack at least."""
    fewer: int = 0
    """So many cards fewer are accepted, where the text says "about"."""


@clause("cover_card_out")
class CoverCardOut(Clause):
    """The cover card comes out in a round with any card, a burn card or one drawn in error too; a void round changes
    nothing of what follows from it."""


@clause("change")
class CardChange(Clause):
    """How long cards may stay in use."""

    hours: int
    """The number of hours."""


@clause("burn")
class Burn(Clause):
    """When a card is drawn off unplayed."""

    on: tuple[Literal["shoe", "dealer"], ...]
    """`shoe`: each new shoe; `dealer`: each new dealer."""
    shown: bool = False
    """Whether a player may ask to see it."""


@clause("one_burn")
class OneBurn(Clause):
    """One card serves for both where a new shoe and a new dealer come together."""


@clause("relief_between_rounds")
class ReliefBetweenRounds(Clause):
    """Dealers change between rounds only."""


@clause("made_when_laid")
class MadeWhenLaid(Clause):
    """A wager is made as soon as it lies there: its player neither takes it back nor raises it."""


@clause("device", named=True)
class Device(Clause):
    """A device of the table."""

    name: DeviceName
    """card_reader, masque_reader, shuffler or shoe."""
    inspected: Literal["", "day"] = ""
    """`day`: by the floorperson at the beginning of each gaming day."""
    out_of_order: Literal["", "stops", "without", "covered", "removed"] = ""
    """`stops`: no dealing until it is repaired; `without`: play goes on by the procedure without it;
    `covered` or `removed` before another method is used."""
    instead: Mapping[str, Any] = field(default_factory=dict)
    """The submission keys that stand in for it while the table goes on without it."""


@clause("off")
class SwitchedOff(Clause):
    """Tasks that a device makes needless: whoever gives one is refused under this paragraph."""

    tasks: tuple[TaskName, ...]
    """The tasks."""


@clause("no_effect")
class NoEffect(Clause):
    """A choice of the operator's that changes nothing."""

    choice: SubmissionName
    """The key of the submission."""
    says: Text = ""
    """Why."""


@clause("loads_shoe")
class LoadsShoe(Clause):
    """A device that puts the stack into the shoe itself."""

    device: DeviceName
    """Which."""


@clause("batches")
class Batches(Clause):
    """How many batches of cards the table keeps."""

    count: int
    """The number of batches: equal in decks, with different backs, used in turn."""


@clause("idle")
class Idle(Clause):
    """How the cards of an idle table lie."""

    face: tuple[Face, ...]
    """`down`, `up`, or either; the first is the rule."""
    turned_up: bool = False
    """Whether cards spread face down are turned up when a player comes."""


@clause("idle_when_empty")
class IdleWhenEmpty(Clause):
    """A table at which somebody is, whether he wagers or not, is not idle."""


@clause("arrival")
class Arrival(Clause):
    """What is done with the spread cards when a player comes to the idle table; the shoe follows."""

    tasks: tuple[TaskName, ...]
    """The tasks, in order."""
    deals: Literal["spread", "other"] = "spread"
    """Which batch goes into the shoe: the `spread` one, or the `other`."""


@clause("waiting_batch")
class WaitingBatch(Clause):
    """What is done with a batch that waited in the device, when it comes into play at a table that was idle."""

    tasks: tuple[TaskName, ...]
    """The tasks before its cut, in order."""
    on: Literal["request", "always"]
    """When: at a player's `request`, or `always`."""


@clause("verbal")
class Verbal(Clause):
    """Verbal wagers with cash, and who confirms them."""

    confirmed_by: tuple[Role, ...]
    """The roles that must confirm."""


@clause("coupon")
class Coupon(Clause):
    """Match-play coupons may accompany a wager."""

    wagers: tuple[WagerName, ...]
    """Beside these wagers."""
