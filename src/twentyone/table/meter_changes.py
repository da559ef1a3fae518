"""How events change the progressive meters, exactly: no contribution is lost or cut."""

from __future__ import annotations

from fractions import Fraction

from twentyone.money import Amount
from twentyone.table.model import Meter, TableEvent, TableState

__all__ = ["meter_contributed", "meter_paid", "meter_set"]


def meter_set(state: TableState, event: TableEvent) -> None:
    """A meter starts at its base."""
    data = event.data
    limit = Amount(data["limit"]) if data["limit"] is not None else None
    base = Amount(data["base"])
    state.own("meters")[data["meter"]] = Meter(Fraction(base), base, Fraction(data["rate"]), limit)


def meter_contributed(state: TableState, event: TableEvent) -> None:
    """A wager adds its share; what is over the limit waits for the next start."""
    meter, added = state.meters[event.data["meter"]], Fraction(event.data["added"])
    filled = _fill(meter._replace(overflow=meter.overflow + added, contributed=meter.contributed + added))
    state.own("meters")[event.data["meter"]] = filled


def meter_paid(state: TableState, event: TableEvent) -> None:
    """A jackpot takes what the meter showed; it starts again from its base, with fractions and with what waited."""
    meter, paid = state.meters[event.data["meter"]], Amount(event.data["paid"])
    again = meter._replace(amount=meter.amount - paid + meter.base, hits=meter.hits + 1, paid=meter.paid + paid)
    state.own("meters")[event.data["meter"]] = _fill(again)


def _fill(meter: Meter) -> Meter:
    """The meter with as much of what waits as its limit leaves room for."""
    room = meter.overflow if meter.limit is None else max(meter.limit - meter.amount, Fraction(0))
    taken = min(meter.overflow, room)
    return meter._replace(amount=meter.amount + taken, overflow=meter.overflow - taken)
