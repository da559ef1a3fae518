"""The options of `twentyone simulate` about counting: the system, its wagers, who else sits at the table."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from twentyone.cli.common import read_file, whole
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.rulebook import Rules

if TYPE_CHECKING:
    from twentyone.round.wagers import Wagers
    from twentyone.sim.counting import Count
    from twentyone.sim.setup import Box

__all__ = ["add_count", "count_of", "read_count", "read_ramp", "with_others"]

RAMP = re.compile(r"(\d{1,3})-(\d{1,4})", re.ASCII)
"""A spread of wagers, as text."""
NEED_COUNT = ("spread", "indices", "rounding", "divisor", "leave", "others", "rounds_per_hour", "ramp")
"""Options that say something about a count."""
MOST_BOXES = 7
"""Boxes of a table."""


def add_count(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    count = parser.add_argument_group("counting (needs --mode shoe)")
    count.add_argument(
        "--count", metavar="SYSTEM", help="a published system (hilo, ko, zen ...), or a JSON file with tags"
    )
    count.add_argument("--indices", action="store_true", help="play by the indices generated for this rulebook, too")
    count.add_argument(
        "--spread", metavar="COUNT:UNITS,...", help="units from each count upwards; 0: sit out; 2x8: 8 on two boxes"
    )
    count.add_argument("--leave", type=int, metavar="COUNT", help="leave a shoe at this count or below, for a new one")
    count.add_argument("--others", type=whole(MOST_BOXES - 1), metavar="N", help="boxes of players who do not count")
    count.add_argument("--rounding", choices=("floor", "truncate", "round"), help="how a true count becomes whole")
    count.add_argument(
        "--divisor", choices=("cards", "half", "full", "none"),
        help="decks left: by cards, to the nearest half or full deck; none: the running count",
    )  # fmt: skip
    count.add_argument("--rounds-per-hour", type=whole(10_000), metavar="N", help="rounds dealt in an hour (100)")
    count.add_argument("--ramp", metavar="LEAST-MOST", help="also tell the best wagers within this spread, as 1-12")


def read_count(options: argparse.Namespace, rules: Rules, wagers: Sequence[Wagers]) -> Count | None:
    """The count of the players, with everything the options say about it."""
    if options.count is None:
        given = next((name for name in NEED_COUNT if getattr(options, name) not in (None, False)), None)
        if given is not None:
            option = f"--{given.replace('_', '-')}"
            said = "a spread needs a count" if given == "spread" else "it needs a count"
            raise Refused(f"{said}: add --count hilo", step=option)
        return None
    count = _read(options, rules)
    _check_spread(rules, wagers, count)
    if options.mode != "shoe":
        raise Refused("a count needs a real shoe: add --mode shoe", step="--count")
    read_ramp(options.ramp)
    if getattr(options, "control_variate", False) and (_is_zero(count) or count.boxes or options.others):
        why = "the control variate needs a wager on every box in every round"
        raise Refused(why, step="--control-variate")
    return count


def _is_zero(count: Count) -> bool:
    return any(not count.units(told) for told in count.buckets)


def _read(options: argparse.Namespace, rules: Rules) -> Count:
    from twentyone.sim.counts import indices_of, spread_of

    count = count_of(options.count)
    if options.indices:
        count = indices_of(count, rules.rulebook.id)
    changed = {name: getattr(options, name) for name in ("rounding", "divisor", "leave")}
    count = replace(count, **{name: value for name, value in changed.items() if value is not None})
    return spread_of(count, options.spread) if options.spread else count


def count_of(named: str) -> Count:
    """A count by its name or out of a file."""
    from twentyone.sim.counts import count_named

    return count_named(named if named.isidentifier() else _json(named))


def read_ramp(text: str | None) -> tuple[int, int] | None:
    """The least and most units of a spread."""
    if text is None:
        return None
    parts = RAMP.fullmatch(text)
    if parts is None or not int(parts[1]) < int(parts[2]):
        raise Refused(f"{text[:40]!r} is no spread like 1-12, or 0-8 to sit out", step="--ramp")
    return int(parts[1]), int(parts[2])


def with_others(
    options: argparse.Namespace, rules: Rules, boxes: tuple[Box, ...], count: Count | None
) -> tuple[Box, ...]:
    """All boxes: first those of players who do not count, then the counting player's, as many as he ever takes."""
    if count is None:
        return boxes
    if count.boxes:
        if len(boxes) > 1:
            raise Refused("the spread says how many boxes are taken: leave out --boxes", step="--boxes")
        boxes = boxes * max(count.boxes_at(told, MOST_BOXES) for told in count.buckets)
    others = options.others or 0
    if others and rules.envy(paid=True) is not None:
        why = "what others' hands pay to a player is not told apart from what they win themselves"
        raise Refused(why, rules.envy(paid=True).cite, "--others")  # type: ignore[union-attr]
    if len(boxes) + others > MOST_BOXES:
        raise Refused(f"{len(boxes)} boxes and {others} others are more than {MOST_BOXES}", step="--others")
    return (replace(boxes[0], counts=False, sides={}),) * others + boxes


def _check_spread(rules: Rules, wagers: Sequence[Wagers], count: Count) -> None:
    """Check the wagers of every count like those of one unit."""
    from twentyone.round.wagers import check_wagers

    for told in count.buckets:
        units = count.units(told)
        if not units:
            continue
        try:
            check_wagers(rules, [replace(row, main=Amount(row.main * units)) for row in wagers])
        except Refused as refused:
            why = f"{units} units from a true count of {told:+d} upwards are not a legal wager: {refused.why}"
            raise Refused(why, refused.cite, "--spread") from None


def _json(name: str) -> Any:
    try:
        return json.loads(read_file(name))
    except RecursionError:
        raise Refused(f"{name} is not a count: it is nested too deeply", step="--count") from None
    except json.JSONDecodeError as wrong:
        raise Refused(f"{name} is not JSON: {wrong}", step="--count") from None
    except ValueError:
        raise Refused(
            f"{name} is not a count: it is not UTF-8, or a number in it is too long", step="--count"
        ) from None
