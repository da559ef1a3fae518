"""Counting systems as data: the ones that come with the package, those of a file, and spreads of wagers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from twentyone.cards import RANKS
from twentyone.errors import NotAScript
from twentyone.sim.setup import HILO, Count, Departure
from twentyone.strategy import Situation

__all__ = ["COUNTS", "count_named", "spread_of"]

COUNTS = {"hilo": HILO}
"""Systems by name."""

MOST_BUCKETS = 32


def count_named(known: str | Mapping[str, Any]) -> Count:
    """A system by its name, or as a file describes it."""
    if isinstance(known, str):
        if known not in COUNTS:
            raise NotAScript("--count", f"there is no count {known!r}, only {', '.join(COUNTS)} or a file")
        return COUNTS[known]
    if not isinstance(known, Mapping) or "tags" not in known:
        raise NotAScript("count", "a table with at least `tags` belongs here")
    allowed = {field.name for field in fields(Count)}
    for key in known:
        _want(key in allowed, key, "there is no such key in a count")
    tags, spread = known["tags"], known.get("spread", {})
    _want(isinstance(tags, Mapping) and _whole(tags) and set(tags) <= set(RANKS), "tags", "rank to whole number")
    _want(
        isinstance(spread, Mapping) and all(key.lstrip("-").isdecimal() for key in spread), "spread", "count to units"
    )
    numbers = {key: known[key] for key in ("start", "lowest", "highest") if key in known}
    _want(_whole(numbers), "start, lowest, highest", "whole numbers belong here")
    rules = tuple(_departure(row, place) for place, row in enumerate(known.get("departures", ())))
    units = {int(key): value for key, value in spread.items()}
    return _checked(Count(str(known.get("name", "count")), tags, departures=rules, spread=units, **numbers))


def _checked(count: Count) -> Count:
    _want(0 < len(count.buckets) <= MOST_BUCKETS, "lowest, highest", f"at most {MOST_BUCKETS} counts are told apart")
    good = all(isinstance(units, int) and 1 <= units <= 1_000 for units in count.spread.values())
    _want(good, "spread", "units are whole numbers from 1 to 1,000")
    return count


def _departure(row: Any, place: int) -> Departure:
    where = f"departures[{place}]"
    _want(
        isinstance(row, Mapping) and isinstance(row.get("decision"), str), where, "a table with a decision belongs here"
    )
    asked = row.get("where", {})
    _want(
        isinstance(asked, Mapping) and set(asked) <= set(Situation._fields), where, "fields of a situation belong here"
    )
    limits = {key: row[key] for key in ("least", "most") if key in row}
    _want("least" in limits and _whole(limits), where, "`least` (and `most`) are whole numbers")
    return Departure(dict(asked), row["decision"], **limits)


def spread_of(count: Count, text: str) -> Count:
    """A count with wagers of so many units from a true count on: `1:1,2:4,4:8`."""
    units = {}
    for part in text.split(","):
        least, colon, factor = part.partition(":")
        good = bool(colon) and least.lstrip("-").isdecimal() and factor.isdecimal()
        _want(good, "--spread", f"{part!r} is no COUNT:UNITS")
        units[int(least)] = int(factor)
    return _checked(replace(count, spread=units))


def _whole(table: Mapping[str, Any]) -> bool:
    return all(isinstance(value, int) and not isinstance(value, bool) for value in table.values())


def _want(holds: bool, where: str, why: str) -> None:
    if not holds:
        raise NotAScript(where, why)
