"""Progressive meters: base, rate and limit from the submission, never below the text's least amounts."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.rulebook.wheels import meters_of
from twentyone.table import events as e
from twentyone.table.play import TablePlay

__all__ = ["set_meters"]


@carries("meter")
def set_meters(play: TablePlay) -> None:
    """Set each meter of the wheels in force to its base."""
    for name, terms in meters_of(play.rules).items():
        play.emit(e.MeterSet, terms.cite, meter=name, base=terms.base, rate=terms.rate, limit=terms.limit)
