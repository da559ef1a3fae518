"""What happened at a table: frozen, in the past tense, each with the paragraph, the moment and the person.

Those of the cards on their way to the shoe and back stand in `card_events`, those of the meters in `meter_events`.
"""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any, ClassVar, NamedTuple, TypeVar, dataclass_transform

from twentyone.cards import Card
from twentyone.money import ZERO, Amount
from twentyone.round import Round
from twentyone.round.event_base import Frozen, fields_only, frozen, plain
from twentyone.round.events import Event
from twentyone.round.steps import STEPS, Step, as_step, snake

__all__ = [
    "AgendaSet",
    "BarSet",
    "ChipsMoved",
    "ConsentGiven",
    "CouponSettled",
    "DealerChanged",
    "DeviceInspected",
    "DeviceInspectedAgain",
    "DeviceReported",
    "FloorpersonAssigned",
    "HandlingRefused",
    "HandsReconstructed",
    "PlayerLeft",
    "PlayerSeated",
    "RecordField",
    "RoundBegun",
    "RoundEnded",
    "RoundEvent",
    "RoundResumed",
    "TableClosed",
    "TableEvent",
    "TableOpened",
    "Todo",
    "WagerConfirmed",
    "WagerLaid",
    "WagerTakenBack",
    "columns",
    "snake",
    "table_event",
]

KEY = "key"
"""Metadata of a field: the name it has in records, where that is not its own; none: no record has it."""


class Todo(NamedTuple):
    """A task the procedure asks for next, of one batch of cards or one device where it is about one."""

    do: str
    about: str = ""


@frozen
class TableEvent(Frozen):
    """Something that happened at the table."""

    cite: str
    """The full citation of the paragraph it happened under."""
    at: int
    """When."""
    by: str
    """By whom."""

    kind: ClassVar[str]
    """What happened, as records name it."""

    def __init_subclass__(cls) -> None:
        if "kind" not in vars(cls):
            cls.kind = snake(cls.__name__)

    def to_json(self) -> dict[str, Any]:
        """The event as plain JSON values."""
        values = ((column, getattr(self, column.name)) for column in columns(type(self)))
        data = {column.key: _plain(value) for column, value in values if value is not column.default}
        return {"kind": self.kind, "cite": self.cite, "at": self.at, "by": self.by, **({"data": data} if data else {})}


T = TypeVar("T", bound=TableEvent)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def table_event(kind: type[T]) -> type[T]:
    """An event of a table: what it adds to the head is given by name."""
    return fields_only(kind, kw_only=True)


def _plain(value: Any) -> Any:
    return as_step(value) if type(value) in STEPS.values() else plain(value)


class RecordField(NamedTuple):
    """A field of an event as records have it."""

    name: str
    """The field."""
    key: str
    """What records call it."""
    default: object
    """The value with which records leave it out."""


def columns(kind: type[Any]) -> tuple[RecordField, ...]:
    """What records hold of an event beside its head; a field with a default is left out while it has that value."""
    own = fields(kind)[len(fields(TableEvent)) :]
    named = [(item.name, item.metadata.get(KEY, item.name), item.default) for item in own]
    return tuple(RecordField(name, key, default) for name, key, default in named if key is not None)


# -- opening, closing, people


@table_event
class TableOpened(TableEvent):
    """The table was opened for the gaming day."""

    day: int
    """The gaming day."""
    dealer: str
    """The dealer on duty."""
    floorperson: str = ""
    """The floorperson assigned to the table; empty: nobody yet."""


@table_event
class FloorpersonAssigned(TableEvent):
    """A floorperson was assigned to the table."""

    floorperson: str
    """Who."""


@table_event
class TableClosed(TableEvent):
    """The table was closed."""


@table_event
class AgendaSet(TableEvent):
    """The procedure asks for other tasks now."""

    todo: tuple[Todo, ...]
    """What is to be done before the next deal, in order."""


@table_event
class DealerChanged(TableEvent):
    """Another dealer came."""

    dealer: str
    """Who deals now."""


@table_event
class PlayerSeated(TableEvent):
    """A player took boxes."""

    player: str
    """Who."""
    boxes: tuple[int, ...]
    """All boxes he has now."""
    device: bool = True
    """Whether he gives his commands himself; if not, the dealer enters what he signals."""


@table_event
class PlayerLeft(TableEvent):
    """A player left the table."""

    player: str
    """Who."""


@table_event
class BarSet(TableEvent):
    """It was decided whether those who sit out may enter before the reshuffle."""

    on: bool
    """Whether they are barred."""


@table_event
class HandlingRefused(TableEvent):
    """Somebody was kept from handling the cards."""

    who: str
    """Who tried."""


# -- devices


@table_event
class DeviceInspected(TableEvent):
    """A device was inspected, as the agenda asked."""

    device: str
    """Which."""
    day: int
    """The gaming day of the inspection."""


@table_event
class DeviceInspectedAgain(DeviceInspected):
    """A device was inspected because a day had passed at an open table."""


@table_event
class DeviceReported(TableEvent):
    """A device failed, was put away, or works again."""

    device: str
    """Which."""
    state: str
    """`working`, `out_of_order`, `covered` or `removed`."""
    stopped: str
    """Why the table may not deal now; empty where it may."""


# -- wagers


@table_event
class ConsentGiven(TableEvent):
    """The first player on a box let another wager there; `by` is the first."""

    box: int
    """The box."""
    player: str
    """Who may join."""


@table_event
class WagerLaid(TableEvent):
    """A wager was laid."""

    box: int
    """On which box."""
    player: str
    """Whose it is."""
    wager: str
    """Which wager."""
    amount: Amount
    """The wager."""
    cash: bool
    """Whether it was made verbally, with cash."""
    coupon: Amount = ZERO
    """The match-play coupon that a player laid beside it himself, in ledgers of the first two forms."""


@table_event
class WagerTakenBack(TableEvent):
    """The wagers of a player on a box went back to him."""

    box: int
    """The box."""
    player: str
    """Whose they are."""
    wager: str = ""
    """Which one; empty: all of his on the box."""


@table_event
class WagerConfirmed(TableEvent):
    """A verbal wager was confirmed."""

    box: int
    """The box."""
    player: str
    """Whose wager it is."""
    role: str
    """The role that confirmed it."""
    wager: str = ""
    """Which one; empty: all that he spoke for the box."""


# -- rounds


@table_event
class RoundBegun(TableEvent):
    """The wagers were closed and a round began."""

    number: int
    """Its number at this table."""
    events: tuple[Event, ...]
    """What happened in the round so far."""
    round: Round | None = field(default=None, repr=False, metadata={KEY: None})
    """The round after them; none where an event is only read, not followed."""


@table_event
class RoundEvent(TableEvent):
    """A card, a decision, a spin or an irregularity carried the round on."""

    events: tuple[Event, ...]
    """What happened in the round."""
    cards: tuple[Card, ...]
    """The cards that left the shoe for it."""
    chips: tuple[tuple[str, Amount], ...]
    """By how much each account changed."""
    round: Round | None = field(default=None, repr=False, metadata={KEY: None})
    """The round after them; none where an event is only read, not followed."""
    named: tuple[Card, Card] | None = None
    """A card that left the shoe earlier: what the record called it, and what it is."""
    step: Step | None = None
    """What the round was brought; none in ledgers of the first form."""
    rack: tuple[tuple[Card, ...], ...] | None = None
    """What of the round lies in the discard rack from now on; none: what lay there before."""


@table_event
class RoundEnded(TableEvent):
    """Every wager of the round was settled, or the round was void."""

    void: bool
    """Whether it was void."""
    effects: tuple[str, ...]
    """What follows for the cards of a void round."""


@table_event
class RoundResumed(TableEvent):
    """Something was noticed in a settled round that is still to be decided."""


@table_event
class HandsReconstructed(TableEvent):
    """The hands in the discard rack were rebuilt."""

    rounds: tuple[tuple[tuple[Card, ...], ...], ...]
    """Round by round, hand by hand."""
    aside: tuple[tuple[Card, ...], ...] = ()
    """Round by round the cards that were set aside and played in no hand; empty where there are none."""


# -- chips


@table_event
class ChipsMoved(TableEvent):
    """Chips went from one account to another."""

    source: str
    """The account they left."""
    target: str
    """The account they came to."""
    amount: Amount
    """How much."""
    cash: Amount | None = None
    """The cash that went into the drop box for them."""
    why: str
    """The reason."""


@table_event
class CouponSettled(ChipsMoved):
    """A match-play coupon was paid, or its payment taken back."""

    number: str = ""
    """Which coupon; empty in ledgers of the first two forms."""
    box: int = 0
    """The box of its wager."""
    wager: str = ""
    """Which wager."""
