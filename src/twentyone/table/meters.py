"""Progressive meters: base, rate and limit from the submission, never below the text's least amounts."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.rulebook.wheels import meters_of
from twentyone.table.play import TablePlay

__all__ = ["set_meters"]


@carries("meter")
def set_meters(play: TablePlay) -> None:
    """Set each meter of the wheels in force to its base."""
    for name, terms in meters_of(play.rules).items():
        limit = None if terms.limit is None else str(terms.limit)
        play.emit("meter_set", terms.cite, meter=name, base=str(terms.base), rate=str(terms.rate), limit=limit)
