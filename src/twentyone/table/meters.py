"""Progressive meters: base, rate and limit from the submission, never below the text's least amounts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from twentyone.law import carries
from twentyone.money import Amount
from twentyone.rulebook.clauses import MeterFloor
from twentyone.table.play import TablePlay

__all__ = ["set_meters"]


@carries("meter")
def set_meters(play: TablePlay) -> None:
    """Set each meter of the wheels in force to its base."""
    chosen: dict[str, dict[str, Any]] = dict(play.rules.submission.get("progressive") or {})
    for clause in play.rules.all(MeterFloor):
        own = chosen.get(clause.name, {})
        base = Amount(own["reset"]) if "reset" in own else clause.least
        rate = Fraction(str(own.get("rate", "0")))
        limit = str(Amount(own["limit"])) if "limit" in own else None
        play.emit("meter_set", clause.cite, meter=clause.name, base=str(base), rate=str(rate), limit=limit)
