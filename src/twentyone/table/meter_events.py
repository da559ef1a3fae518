"""What happened to the progressive meters of a table."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from twentyone.money import THOUSANDTH, Amount
from twentyone.table.events import TableEvent, table_event

__all__ = ["JackpotPaid", "JackpotTakenBack", "MeterContributed", "MeterSet", "MeterShareTakenBack"]


@table_event
class MeterSet(TableEvent):
    """A progressive meter was set up."""

    meter: str
    """Which."""
    base: Amount
    """What it starts from."""
    rate: Fraction
    """The share of a wager that goes to it."""
    limit: Amount | None
    """The most that it shows."""
    unit: Amount = THOUSANDTH
    """It shows whole units of this."""


@table_event
class MeterContributed(TableEvent):
    """A wager added its share to a meter."""

    meter: str
    """Which."""
    added: Fraction
    """How much, in thousandths of a dollar."""


@table_event
class JackpotPaid(TableEvent):
    """A jackpot took what a meter showed."""

    kind: ClassVar[str] = "meter_paid"

    meter: str
    """Which."""
    paid: Amount
    """How much."""


@table_event
class JackpotTakenBack(TableEvent):
    """A jackpot was undone with its round: the meter has again what it paid."""

    kind: ClassVar[str] = "meter_restored"

    meter: str
    """Which."""
    paid: Amount
    """How much it had paid."""


@table_event
class MeterShareTakenBack(TableEvent):
    """A wager went back to its player, and its share left the meter."""

    meter: str
    """Which."""
    taken: Fraction
    """How much, in thousandths of a dollar."""
