"""How events change the progressive meters, exactly: no contribution is lost or cut."""

from __future__ import annotations

from fractions import Fraction

from twentyone.table import meter_events as e
from twentyone.table.model import Meter, TableState

__all__ = ["meter_contributed", "meter_paid", "meter_restored", "meter_set", "share_taken_back"]


def meter_set(state: TableState, event: e.MeterSet) -> None:
    """A meter starts at its base."""
    meter = Meter(Fraction(int(event.base)), event.base, event.rate, event.limit, unit=event.unit)
    state.writable("meters")[event.meter] = meter


def meter_contributed(state: TableState, event: e.MeterContributed) -> None:
    """A wager adds its share; what is over the limit waits for the next start."""
    meter, added = state.meters[event.meter], event.added
    _hold(state, event.meter, meter._replace(contributed=meter.contributed + added), meter.held + added)


def share_taken_back(state: TableState, event: e.MeterShareTakenBack) -> None:
    """The share of a wager that went back leaves the meter."""
    meter, taken = state.meters[event.meter], event.taken
    _hold(state, event.meter, meter._replace(contributed=meter.contributed - taken), meter.held - taken)


def meter_paid(state: TableState, event: e.JackpotPaid) -> None:
    """A jackpot takes what the meter showed; it starts again from its base, with fractions and with what waited."""
    meter, paid = state.meters[event.meter], event.paid
    again = meter._replace(hits=meter.hits + 1, paid=meter.paid + paid)
    _hold(state, event.meter, again, meter.held - int(paid - meter.base))


def meter_restored(state: TableState, event: e.JackpotTakenBack) -> None:
    """A jackpot that was undone was never won: the meter holds what it held before it."""
    meter, paid = state.meters[event.meter], event.paid
    before = meter._replace(hits=meter.hits - 1, paid=meter.paid - paid)
    _hold(state, event.meter, before, meter.held + int(paid - meter.base))


def _hold(state: TableState, name: str, meter: Meter, held: Fraction) -> None:
    """The meter holds this much: up to its limit, and what is above it waits."""
    amount = held if meter.limit is None else min(held, Fraction(int(meter.limit)))
    state.writable("meters")[name] = meter._replace(amount=amount, overflow=held - amount)
