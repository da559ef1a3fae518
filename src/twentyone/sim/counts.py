"""Counting systems as data: the published ones that come with the package, those of a file, and spreads of wagers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from twentyone.cards import RANKS
from twentyone.errors import NotAScript
from twentyone.sim.counting import COLOURS, DIVISORS, ROUNDINGS, USES, Count, CountDeparture, SideCount, Start, Tags
from twentyone.sim.layout import DECISIONS
from twentyone.sim.stats import MOST_BUCKETS
from twentyone.strategy import MARKS, UPS
from twentyone.strategy.situation import PHASES

__all__ = ["COUNTS", "count_named", "indices_of", "read_departures", "spread_of"]

FOLDER = Path(__file__).parent.parent / "counts"
"""Where the published systems lie, one file each, and under `indices` what was generated for them."""

COUNTS = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))
"""The names of the published systems."""

MOST_TAG, MOST_START, MOST_TRUE, MOST_UNITS, MOST_IN_HAND = 100, 100_000, 1_000, 1_000, 99
"""How far from zero a tag, the count of a new shoe and a count may be; units of a wager; points and cards of a
hand. Tables of thirty-two bits hold whatever follows from them."""
MOST_SCALE, MOST_BOXES = 12, 7
"""Parts of a point that tags may write, also of a side count's weight; boxes of a player."""

TRUE = re.compile(r"-?\d{1,4}", re.ASCII)
STEP = re.compile(r"(?P<least>-?\d{1,4}):((?P<boxes>[1-7])x)?(?P<units>\d{1,4})", re.ASCII)
WEIGHT = re.compile(r"-?\d{1,3}(/\d{1,2})?", re.ASCII)
"""A count, a step of a spread, and the weight of a side count, as text."""


@cache
def _published(name: str) -> Count:
    return count_named(json.loads((FOLDER / f"{name}.json").read_text("utf-8")))


def count_named(known: str | Mapping[str, Any]) -> Count:
    """A system by its name, or as a file describes it."""
    if isinstance(known, str):
        if known not in COUNTS:
            raise NotAScript("count", f"there is no count {known!r}, only {', '.join(COUNTS)} or a file")
        return _published(known)
    if not isinstance(known, Mapping) or "tags" not in known:
        raise NotAScript("count", "a table with at least `tags` belongs here")
    allowed = {field.name for field in fields(Count)}
    for key in known:
        _want(key in allowed, key, f"there is no such key in a count, only {', '.join(sorted(allowed))}")
    read = {key: READERS[key](known[key], key) for key in known}
    return _checked(Count(**{"name": "count", **read}))


def indices_of(count: Count, rulebook: str) -> Count:
    """A published system with the departures that were generated for a rulebook's own game."""
    path = FOLDER / "indices" / f"{rulebook}.{count.name}.json"
    if not path.is_file():
        known = sorted(each.stem for each in path.parent.glob("*.json"))
        raise NotAScript("count", f"there are no indices of {count.name} for {rulebook}, only {', '.join(known)}")
    kept = json.loads(path.read_text("utf-8"))
    return replace(count, departures=read_departures(kept["departures"], "departures"))


# -- the keys of a file


def _text(text: Any, where: str) -> str:
    _want(isinstance(text, str), where, "text belongs here")
    return str(text)


def _tags(tags: Any, where: str) -> Tags:
    _want(isinstance(tags, Mapping) and set(tags) <= set(RANKS), where, f"a table of {' '.join(RANKS)} belongs here")
    for rank, tag in tags.items():
        for colour, number in tag.items() if isinstance(tag, Mapping) else [("red", tag)]:
            _want(colour in COLOURS.values(), f"{where}.{rank}", "a tag, or one of red and one of black, belongs here")
            _want_within(number, MOST_TAG, f"{where}.{rank}")
    return dict(tags)


def _start(start: Any, where: str) -> Start:
    if not isinstance(start, Mapping):
        _want_within(start, MOST_START, where)
        return int(start)
    decks = all(key.isdecimal() for key in start)
    good = bool(start) and (decks or ("each_deck" in start and set(start) <= {"each_deck", "plus"}))
    _want(good, where, "a number, `each_deck` and `plus`, or decks and numbers belong here")
    for number in start.values():
        _want_within(number, MOST_START, where)
    return dict(start)


def _steps(steps: Any, where: str) -> dict[int, int]:
    good = isinstance(steps, Mapping) and all(TRUE.fullmatch(key) for key in steps)
    _want(good, where, "a table of true counts and units belongs here" if where == "spread" else "a table belongs here")
    return {int(key): number for key, number in steps.items()}


def _side(side: Any, where: str) -> SideCount:
    known = {"tags", "weight", "uses"}
    good = isinstance(side, Mapping) and {"tags", "weight"} <= set(side) <= known
    _want(good, where, "a table of `tags`, `weight` and `uses` belongs here")
    weight = str(side["weight"])
    _want(WEIGHT.fullmatch(weight) is not None and "/0" not in weight, f"{where}.weight", "a number like 2 or 3/2")
    _want(Fraction(weight).denominator <= MOST_SCALE, f"{where}.weight", f"in parts of at most {MOST_SCALE}")
    uses = side.get("uses", ["wagers"])
    good = isinstance(uses, list) and bool(uses) and set(uses) <= set(USES)
    _want(good, f"{where}.uses", f"some of {', '.join(USES)} belong here")
    return SideCount(_tags(side["tags"], f"{where}.tags"), Fraction(weight), tuple(dict.fromkeys(uses)))


def _within(most: int) -> Callable[[Any, str], int]:
    def read(number: Any, where: str) -> int:
        _want_within(number, most, where)
        return int(number)

    return read


def _one_of(*words: str) -> Callable[[Any, str], str]:
    def read(word: Any, where: str) -> str:
        _want(word in words, where, f"one of {', '.join(words)} belongs here")
        return str(word)

    return read


def read_departures(rows: Any, where: str) -> tuple[CountDeparture, ...]:
    """Departures as a file has them."""
    _want(isinstance(rows, list), where, "a list of departures belongs here")
    return tuple(_departure(row, f"{where}[{number}]") for number, row in enumerate(rows))


READERS: Mapping[str, Callable[[Any, str], Any]] = {
    "name": _text,
    "source": _text,
    "tags": _tags,
    "start": _start,
    "lowest": _within(MOST_TRUE),
    "highest": _within(MOST_TRUE),
    "departures": read_departures,
    "spread": _steps,
    "scale": _within(MOST_SCALE),
    "divisor": _one_of(*DIVISORS),
    "rounding": _one_of(*ROUNDINGS),
    "side": _side,
    "boxes": _steps,
    "leave": _within(MOST_TRUE),
}
"""How each key of a file is read."""


def _checked(count: Count) -> Count:
    told = len(count.buckets)
    _want(0 < told <= MOST_BUCKETS, "lowest, highest", f"{told} true counts are told apart, 1 to {MOST_BUCKETS} may be")
    _want(count.scale > 0, "scale", "a positive number belongs here")
    for least, units in count.spread.items():
        _want_within(least, MOST_TRUE, "spread")
        good = _is_whole(units) and 0 <= units <= MOST_UNITS
        _want(good, f"spread.{least}", f"units are whole numbers from 0 to {MOST_UNITS:,}")
    for least, boxes in count.boxes.items():
        _want_within(least, MOST_TRUE, "boxes")
        _want(_is_whole(boxes) and 1 <= boxes <= MOST_BOXES, f"boxes.{least}", f"boxes are from 1 to {MOST_BOXES}")
    _want(any(count.units(told) for told in count.buckets), "spread", "nothing is ever wagered")
    return count


def spread_of(count: Count, steps: str) -> Count:
    """A count with wagers of this many units from a count on: `1:1,2:4,4:2x8`, the last on two boxes; 0 sits out."""
    units, boxes = {}, {}
    for part in steps.split(","):
        step = STEP.fullmatch(part)
        if step is None:
            why = f"{part[:40]!r} is no COUNT:UNITS like 2:4, counts within {MOST_TRUE:,}, units up to {MOST_UNITS:,}"
            raise NotAScript("steps", why)
        units[int(step["least"])] = int(step["units"])
        boxes[int(step["least"])] = int(step["boxes"] or 1)
    several = any(number > 1 for number in boxes.values())
    return _checked(replace(count, spread=units, boxes=boxes if several else count.boxes))


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
