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
    meter = state.meters[event.data["meter"]]
    added = Fraction(event.data["added"])
    room = meter.limit - meter.amount if meter.limit is not None else added
    taken = min(added, max(Fraction(room), Fraction(0)))
    state.own("meters")[event.data["meter"]] = meter._replace(
        amount=meter.amount + taken,
        overflow=meter.overflow + added - taken,
        contributed=meter.contributed + added,
    )


def meter_paid(state: TableState, event: TableEvent) -> None:
    """A jackpot takes what the meter showed; it starts again from its base, fractions and overflow carried."""
    meter = state.meters[event.data["meter"]]
    paid = Amount(event.data["paid"])
    state.own("meters")[event.data["meter"]] = meter._replace(
        amount=meter.amount - paid + meter.base + meter.overflow,
        overflow=Fraction(0),
        hits=meter.hits + 1,
        paid=meter.paid + paid,
    )
