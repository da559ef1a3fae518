"""What happened between people at the table before the deal: spoken wagers, who stands there, who may wager again."""

from __future__ import annotations

from twentyone.money import ZERO, Amount
from twentyone.table.events import TableEvent, table_event

__all__ = [
    "BurnCardAsked",
    "ConsentEnded",
    "CouponLaid",
    "CouponReturned",
    "CouponUsed",
    "LimitSet",
    "PlayerAdmitted",
    "PlayerStanding",
    "VerbalDeclined",
    "VerbalMade",
]


@table_event
class PlayerStanding(TableEvent):
    """A person stands at the table, without a box of his own."""

    player: str
    """Who."""


@table_event
class PlayerAdmitted(TableEvent):
    """The operator let one player wager again before the reshuffle."""

    player: str
    """Who."""


@table_event
class ConsentEnded(TableEvent):
    """The first player on a box let another wager there no longer; `by` is the first."""

    box: int
    """The box."""
    player: str
    """Who may wager there no longer."""


@table_event
class VerbalMade(TableEvent):
    """A wager was spoken, with cash: nothing is accepted yet."""

    box: int
    """For which box."""
    player: str
    """Whose it is."""
    wager: str
    """Which wager."""
    amount: Amount
    """How much."""
    coupon: Amount = ZERO
    """The match-play coupon that a player laid beside it himself, in ledgers of the first two forms."""


@table_event
class VerbalDeclined(TableEvent):
    """Spoken wagers of a player on a box were not accepted: the cash went back."""

    box: int
    """The box."""
    player: str
    """Whose they were."""
    wager: str = ""
    """Which one; empty: all on the box."""


@table_event
class CouponEvent(TableEvent):
    """Something happened to a match-play coupon of the house."""

    number: str
    """Which coupon."""
    amount: Amount
    """What it is worth."""
    box: int
    """The box of its wager."""
    player: str
    """Whose wager it is."""
    wager: str
    """Which wager."""


@table_event
class CouponLaid(CouponEvent):
    """Staff laid a coupon beside a wager."""


@table_event
class CouponReturned(CouponEvent):
    """A coupon went back with its wager: taken back before the deal, or neither won nor lost."""


@table_event
class CouponUsed(CouponEvent):
    """A coupon was collected: its wager was won or lost, and it counts for no other."""

    paid: Amount
    """What it won."""


@table_event
class LimitSet(TableEvent):
    """The operator set the most that one command may move at this table."""

    about: str
    """Which command."""
    most: Amount
    """The most."""


@table_event
class BurnCardAsked(TableEvent):
    """A player asked to see the burn card."""

    player: str
    """Who."""
