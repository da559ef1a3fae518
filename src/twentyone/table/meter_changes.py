"""How events change the progressive meters, exactly: no contribution is lost or cut."""

from __future__ import annotations

from fractions import Fraction

from twentyone.table import events as e
from twentyone.table.model import Meter, TableState

__all__ = ["meter_contributed", "meter_paid", "meter_set"]


def meter_set(state: TableState, event: e.MeterSet) -> None:
    """A meter starts at its base."""
    state.writable("meters")[event.meter] = Meter(Fraction(event.base), event.base, event.rate, event.limit)


def meter_contributed(state: TableState, event: e.MeterContributed) -> None:
    """A wager adds its share; what is over the limit waits for the next start."""
    meter, added = state.meters[event.meter], event.added
    filled = _fill(meter._replace(overflow=meter.overflow + added, contributed=meter.contributed + added))
    state.writable("meters")[event.meter] = filled


def meter_paid(state: TableState, event: e.JackpotPaid) -> None:
    """A jackpot takes what the meter showed; it starts again from its base, with fractions and with what waited."""
    meter, paid = state.meters[event.meter], event.paid
    again = meter._replace(amount=meter.amount - paid + meter.base, hits=meter.hits + 1, paid=meter.paid + paid)
    state.writable("meters")[event.meter] = _fill(again)


def _fill(meter: Meter) -> Meter:
    """The meter with as much of what waits as its limit leaves room for."""
    room = meter.overflow if meter.limit is None else max(meter.limit - meter.amount, Fraction(0))
    taken = min(meter.overflow, room)
    return meter._replace(amount=meter.amount + taken, overflow=meter.overflow - taken)
