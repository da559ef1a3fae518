"""What happened to the cards between rounds: their receipt, shuffle, cut, shoe, burn, pick-up."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

from twentyone.cards import Card
from twentyone.table.events import KEY, TableEvent, table_event

__all__ = [
    "BatchSpreadAsked",
    "BurnCardShown",
    "CardBurned",
    "CardsCounted",
    "CardsInspected",
    "CardsMiscounted",
    "CardsPickedUp",
    "CardsReceived",
    "CardsRemixed",
    "CardsReturned",
    "CardsShown",
    "CardsShuffled",
    "CardsSpread",
    "CardsStacked",
    "CardsTurnedUp",
    "CardsWashed",
    "CoverCardInserted",
    "CoverCardSeen",
    "CutDeclined",
    "CutMade",
    "CutOffered",
    "FaceUpAsked",
    "FoundTensDestroyed",
    "InspectionVerified",
    "PlayResumed",
    "RackReloaded",
    "RecountOrdered",
    "RecutOrdered",
    "ReshuffleOrdered",
    "ShoeLoaded",
    "ShoeReplaced",
    "ShuffleFailed",
    "TableIdle",
    "TenFound",
    "TensRemoved",
    "TensTakenOut",
]


@table_event
class BatchEvent(TableEvent):
    """Something was done with one batch of cards."""

    batch: str
    """Which, by the colour of its backs."""


# -- to the stack


@table_event
class CardsReceived(BatchEvent):
    """Decks came to the table."""

    decks: int
    """How many."""
    cards: int
    """How many cards they hold."""
    first: bool
    """Whether it is the first batch: all older cards have left."""
    whole: bool = True
    """Whether every rank is in them; not: they came without those that are removed."""
    preshuffled: bool = False
    """Whether they came shuffled: they go to their first cut as they are."""


@table_event
class CardsInspected(BatchEvent):
    """The dealer inspected the cards."""


@table_event
class InspectionVerified(BatchEvent):
    """The floorperson verified the inspection."""


@table_event
class TensTakenOut(BatchEvent):
    """The dealer took the removed ranks out of the decks."""

    cards: int
    """How many cards came out."""


@table_event
class TensRemoved(BatchEvent):
    """The removed ranks left the decks: the floorperson saw to it and destroyed them."""

    left: int
    """Cards that are left."""
    floorperson: str
    """Who destroyed them."""


@table_event
class CardsSpread(BatchEvent):
    """The cards were spread face up."""


@table_event
class CardsTurnedUp(BatchEvent):
    """Cards that lay face down were turned up."""


@table_event
class CardsShown(BatchEvent):
    """The first player to arrive looked at the cards."""

    player: str
    """Who."""


@table_event
class CardsWashed(BatchEvent):
    """The cards were turned down and mixed."""


@table_event
class CardsStacked(BatchEvent):
    """The cards were stacked."""


@table_event
class CardsRemixed(BatchEvent):
    """A card showed: the mixing begins again."""


@table_event
class CardsCounted(BatchEvent):
    """The cards were collected and counted: none is missing."""

    cards: int = 0
    """How many they are."""


@table_event
class CardsMiscounted(BatchEvent):
    """The count gave another number than the batch has: the floorperson is called."""

    counted: int
    """The number that was counted."""
    cards: int
    """How many there should be."""


@table_event
class RecountOrdered(BatchEvent):
    """The floorperson has the cards counted again."""


@table_event
class CardsShuffled(BatchEvent):
    """A batch was shuffled into one stack."""

    commitment: str
    """The commitment to its order."""


@table_event
class ShuffleFailed(BatchEvent):
    """A device did not complete the shuffle."""


# -- to the shoe


@table_event
class CutOffered(TableEvent):
    """The cut was offered to a player."""

    player: str
    """To whom."""
    then: tuple[str, ...]
    """Who is asked after him."""
    box: int | None = None
    """His box, where the next first offer moves on from it; none: it does not."""


@table_event
class CutDeclined(TableEvent):
    """A player did not cut."""

    player: str
    """Who."""


@table_event
class CutMade(TableEvent):
    """A stack was cut."""

    cutter: str = field(metadata={KEY: "by"})
    """Who cut."""
    place: int
    """Cards above the cut."""
    batch: str
    """The batch."""
    turned: bool
    """Whether the first offer moves on to another player next time."""


@table_event
class RecutOrdered(TableEvent):
    """The floorperson had the cards cut again."""

    order: tuple[str, ...]
    """Whom the cut is offered to, in order."""
    batch: str
    """The batch."""
    loaded: bool
    """Whether it comes out of the shoe for it."""
    cutter: str = ""
    """Who was to cut: the `last` cutter, or the `next` one entitled; empty where it was not said."""


@table_event
class CoverCardInserted(TableEvent):
    """The cover card was put into the stack."""

    from_bottom: int
    """Cards below it."""
    batch: str
    """The batch."""


@table_event
class ShoeLoaded(BatchEvent):
    """A stack went into the shoe."""

    size: int
    """Cards in it."""
    cover: int | None
    """Cards below the cover card; none: a device without one."""
    commitment: str
    """The commitment to its order."""
    continuous: bool = False
    """Whether the shoe is a device that takes the cards of each round back and shuffles them."""
    device: str = ""
    """The device that put it in; empty: the dealer did."""


@table_event
class ShoeReplaced(BatchEvent):
    """An automated dealing shoe was put away: its cards went into another shoe as they stood."""

    left: int
    """How many."""


@table_event
class CardBurned(TableEvent):
    """A card went from the shoe to the discard rack, face down."""

    card: Card
    """Which; nobody at the table sees it."""


@table_event
class TenFound(TableEvent):
    """A card that is not of this game came out of the shoe at the burn: it lies aside, and another is burned."""

    card: Card
    """Which."""


@table_event
class FoundTensDestroyed(TableEvent):
    """The floorperson destroyed what was found in the shoe and is not of this game."""

    cards: tuple[Card, ...]
    """The cards."""


@table_event
class BurnCardShown(TableEvent):
    """A player saw the burn card."""

    card: Card
    """Which."""
    player: str = ""
    """Who had asked for it."""
    strange: bool = False
    """Whether nobody had seen it and it is not of this game: it does not stay in the rack."""


# -- from the shoe


@table_event
class CoverCardSeen(TableEvent):
    """The cover card came out."""

    box: int | None
    """On which box; none: on the dealer's hand, or between rounds."""
    player: str
    """Who has the first wager on that box; empty where nobody has."""


@table_event
class ReshuffleOrdered(TableEvent):
    """A reshuffle is due."""

    why: str
    """The reason: `floorperson` or `irregularity`; `box` or `dealer` where the cover card came out before."""


@table_event
class RackReloaded(TableEvent):
    """The shoe ran out in a round: the discard rack, shuffled, became the shoe; its cut and its burn follow."""

    commitment: str
    """The commitment to its order."""
    cards: tuple[Card, ...]
    """The cards of the rack, the oldest first."""
    size: int
    """How many they are."""
    cut: int
    """Cards above a cut that was made at once; 0: it has an event of its own."""
    burn: Card | None
    """A card that was drawn off at once; none: the burn has an event of its own."""
    lying: tuple[Card, ...]
    """The cards that are in neither shoe nor shuffle: on the layout, or kept."""
    kept: tuple[Card, ...] = ()
    """The cards that stay in the rack until the round is over."""


@table_event
class CardsPickedUp(TableEvent):
    """The cards of a settled round were picked up."""

    kind: ClassVar[str] = "cards_collected"

    hands: tuple[tuple[Card, ...], ...]
    """Hand by hand in the order of the pick-up, the dealer's last."""
    removed: tuple[Card, ...]
    """Cards that left their batch with the pick-up, in an earlier form: those that are not of the game."""
    returned: bool
    """Whether they went back into a continuous shuffler at once."""


@table_event
class CardsReturned(BatchEvent):
    """The cards of the discard rack went back into a device that shuffles them: an order of its own for each round."""

    cards: int
    """How many the device holds now."""


# -- idle table


@table_event
class TableIdle(TableEvent):
    """Nobody plays: the cards were spread on the table."""

    face: str
    """`up` or `down`."""
    asked_by: str = ""
    """The player who had asked for it; empty where nobody had."""


@table_event
class FaceUpAsked(TableEvent):
    """A player asked that the cards of the idle table lie face up."""

    player: str
    """Who."""


@table_event
class BatchSpreadAsked(BatchEvent):
    """A player asked that the batch out of the device is spread and shuffled before it is dealt."""

    player: str
    """Who."""


@table_event
class PlayResumed(TableEvent):
    """The table is idle no longer."""

    arrival: bool
    """Whether a player came."""
