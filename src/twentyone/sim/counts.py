"""Counting systems as data: the ones that come with the package, those of a file, and spreads of wagers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from twentyone.cards import RANKS
from twentyone.errors import NotAScript
from twentyone.sim.layout import DECISIONS
from twentyone.sim.setup import HILO, Count, CountDeparture
from twentyone.sim.stats import MOST_BUCKETS
from twentyone.strategy import MARKS, UPS
from twentyone.strategy.situation import PHASES

__all__ = ["COUNTS", "count_named", "spread_of"]

COUNTS = {"hilo": HILO}
"""Systems by name."""

MOST_TAG, MOST_START, MOST_TRUE, MOST_UNITS, MOST_IN_HAND = 100, 100_000, 1_000, 1_000, 99
"""How far from zero a tag, the count of a new shoe and a true count may be; units of a wager; points and cards of a
hand. Tables of thirty-two bits hold whatever follows from them."""

TRUE = re.compile(r"-?\d{1,4}", re.ASCII)
STEP = re.compile(r"(?P<least>-?\d{1,4}):(?P<units>\d{1,4})", re.ASCII)
"""A true count, and a step of a spread, as text."""


def count_named(known: str | Mapping[str, Any]) -> Count:
    """A system by its name, or as a file describes it."""
    if isinstance(known, str):
        if known not in COUNTS:
            raise NotAScript("count", f"there is no count {known!r}, only {', '.join(COUNTS)} or a file")
        return COUNTS[known]
    if not isinstance(known, Mapping) or "tags" not in known:
        raise NotAScript("count", "a table with at least `tags` belongs here")
    allowed = {field.name for field in fields(Count)}
    for key in known:
        _want(key in allowed, key, f"there is no such key in a count, only {', '.join(sorted(allowed))}")
    name = known.get("name", "count")
    _want(isinstance(name, str), "name", "text belongs here")
    numbers = {key: known[key] for key in ("start", "lowest", "highest") if key in known}
    for key, number in numbers.items():
        _want_within(number, MOST_START if key == "start" else MOST_TRUE, key)
    departures = known.get("departures", [])
    _want(isinstance(departures, list), "departures", "a list of departures belongs here")
    rules = tuple(_departure(row, f"departures[{number}]") for number, row in enumerate(departures))
    spread = _spread(known.get("spread", {}))
    return _checked(Count(name, _tags(known["tags"]), departures=rules, spread=spread, **numbers))


def _tags(tags: Any) -> Mapping[str, int]:
    _want(isinstance(tags, Mapping) and set(tags) <= set(RANKS), "tags", f"a table of {' '.join(RANKS)} belongs here")
    for rank, tag in tags.items():
        _want_within(tag, MOST_TAG, f"tags.{rank}")
    return dict(tags)


def _spread(spread: Any) -> dict[int, int]:
    good = isinstance(spread, Mapping) and all(TRUE.fullmatch(key) for key in spread)
    _want(good, "spread", "a table of true counts and units belongs here")
    return {int(key): units for key, units in spread.items()}


def _checked(count: Count) -> Count:
    told = len(count.buckets)
    _want(0 < told <= MOST_BUCKETS, "lowest, highest", f"{told} true counts are told apart, 1 to {MOST_BUCKETS} may be")
    for least, units in count.spread.items():
        _want_within(least, MOST_TRUE, "spread")
        good = _is_whole(units) and 1 <= units <= MOST_UNITS
        _want(good, f"spread.{least}", f"units are whole numbers from 1 to {MOST_UNITS:,}")
    return count


def spread_of(count: Count, steps: str) -> Count:
    """A count with wagers of this many units from a true count on: `1:1,2:4,4:8`."""
    units = {}
    for part in steps.split(","):
        step = STEP.fullmatch(part)
        if step is None:
            why = f"{part[:40]!r} is no COUNT:UNITS like 2:4, counts within {MOST_TRUE:,}, units up to {MOST_UNITS:,}"
            raise NotAScript("steps", why)
        units[int(step["least"])] = int(step["units"])
    return _checked(replace(count, spread=units))


# -- departures


def _departure(row: Any, where: str) -> CountDeparture:
    _want(isinstance(row, Mapping), where, "a table with `decision` and `least` belongs here")
    for key in row:
        known = ("where", "decision", "least", "most")
        _want(key in known, where, f"there is no {key!r} in a departure, only {', '.join(known)}")
    decision, asked = row.get("decision"), row.get("where", {})
    _want(decision in DECISIONS, where, f"{decision!r} is no decision: one of {', '.join(DECISIONS)} belongs here")
    _want(isinstance(asked, Mapping), where, "`where` is a table of fields of a situation")
    for name, value in asked.items():
        _want(name in ASKED, where, f"{name!r} is no field of a situation: one of {', '.join(ASKED)} belongs here")
        holds, words = ASKED[name]
        _want(holds(value), where, f"{name} is {words}, not {value!r}")
    _want("least" in row, where, "`least` is missing: the true count from which it holds")
    limits = {key: row[key] for key in ("least", "most") if key in row}
    for key, limit in limits.items():
        _want_within(limit, MOST_TRUE, f"{where}.{key}")
    departure = CountDeparture(dict(asked), str(decision), **limits)
    _want(
        departure.least <= departure.most,
        where,
        f"from {departure.least} up to {departure.most} there is no true count",
    )
    return departure


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _in_hand(value: Any) -> bool:
    return _is_whole(value) and 1 <= value <= MOST_IN_HAND


BONUSES = ("", *MARKS["*"])
ASKED: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "phase": (PHASES.__contains__, f"one of {', '.join(PHASES)}"),
    "total": (_in_hand, f"a whole number from 1 to {MOST_IN_HAND}"),
    "soft": (lambda value: isinstance(value, bool), "true or false"),
    "pair": (lambda value: value is None or value in UPS, f"null or one of {', '.join(UPS)}"),
    "cards": (_in_hand, f"a whole number from 1 to {MOST_IN_HAND}"),
    "up": (UPS.__contains__, f"one of {', '.join(UPS)}"),
    "hole": (lambda value: isinstance(value, str), "text"),
    "bonus": (BONUSES.__contains__, f"one of {', '.join(map(repr, BONUSES))}"),
}
"""The fields of a situation that a departure may ask for: what each may be, and in words."""


def _want_within(number: Any, most: int, where: str) -> None:
    good = _is_whole(number) and -most <= number <= most
    _want(good, where, f"a whole number from {-most:,} to {most:,} belongs here")


def _want(holds: bool, where: str, why: str) -> None:
    if not holds:
        raise NotAScript(where, why)
