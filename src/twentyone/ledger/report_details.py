"""The rows of a shift report in detail: by table, dealer and hour, irregularities by dealer, what to look at."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from twentyone.ledger.shift_details import DetailedTally, Significant, Slice, added
from twentyone.ledger.timestamps import moment

__all__ = ["by_dealer", "by_hour", "details_json", "mishaps_by_dealer", "noted", "share"]

CLOSED = "table closed"
"""Who dealt where nobody did: chips can move at a closed table."""


def by_dealer(tables: Iterable[DetailedTally]) -> dict[str, Slice]:
    """What was counted at each dealer's hands, at all these tables."""
    return {
        name or CLOSED: part for name, part in added(row for table in tables for row in table.dealers.items()).items()
    }


def by_hour(tables: Iterable[DetailedTally]) -> dict[str, Slice]:
    """What was counted in each hour, UTC, at all these tables."""
    hours = added(row for table in tables for row in table.hours.items())
    return {moment(hour)[:-3]: part for hour, part in hours.items()}


def mishaps_by_dealer(tables: Iterable[DetailedTally]) -> list[tuple[str, str, str, int]]:
    """Irregularity, paragraph, dealer and how often."""
    return sorted(
        (name, cite, dealer, count)
        for dealer, part in by_dealer(tables).items()
        for (name, cite), count in part.irregularities.items()
    )


def noted(tables: Iterable[DetailedTally]) -> list[Significant]:
    """The significant events of all these tables, in order of time."""
    return sorted(event for table in tables for event in table.noted)


def details_json(tables: Iterable[DetailedTally]) -> dict[str, Any]:
    """The same for a program."""
    every = list(tables)
    return {
        "dealers": [{"dealer": name, **_slice(part)} for name, part in by_dealer(every).items()],
        "hours": [{"hour": name, **_slice(part)} for name, part in by_hour(every).items()],
        "irregularities_by_dealer": [
            {"irregularity": name, "cite": cite, "dealer": dealer, "count": count}
            for name, cite, dealer, count in mishaps_by_dealer(every)
        ],
        "significant_events": [event.to_json() for event in noted(every)],
    }


def _slice(part: Slice) -> dict[str, Any]:
    return {
        "rounds": part.rounds,
        "voids": part.voids,
        "irregularities": part.irregularities.total(),
        "drop": str(part.drop),
        "win": str(part.win),
        "wagered": str(part.wagered),
        "hold": share(part.hold),
    }


def share(value: Fraction | None, places: int = 4) -> str | None:
    """A share in decimals, rounded to the nearest, halves away from zero.

    >>> share(Fraction(1, 3)), share(Fraction(-1, 8), 2)
    ('0.3333', '-0.13')
    """
    if value is None:
        return None
    scaled = abs(value) * 10**places
    whole, part = divmod(int(scaled + Fraction(1, 2)), 10**places)
    return f"{'-' if value < 0 and (whole or part) else ''}{whole}.{part:0{places}d}"
