"""The prize wheels of a submission: their symbols, how often each stands on its wheel, and their meters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from twentyone.errors import SubmissionRefused
from twentyone.money import Amount
from twentyone.rulebook.clauses import Community, MeterFloor, Symbol
from twentyone.rulebook.submission import amount_or_none

if TYPE_CHECKING:
    from twentyone.rulebook.rules import Rules

__all__ = ["MeterTerms", "assumed_wheels", "meters_of", "weights_of"]

KEY = "wheel_weights"
RATE = re.compile(r"[01](\.\d{1,9})?", re.ASCII)
"""A share of the wager, written as a decimal."""


def weights_of(rules: Rules) -> dict[str, dict[str, int]]:
    """Wheel to symbol to weight, as the submission says it: by symbol, or by wheel and symbol.

    No text says how often a symbol stands on its wheel. Where the submission does not say it either, each symbol of
    the paytable stands there once.
    """
    known = {symbol.wheel: set(_symbols(rules, symbol.wheel)) for symbol in rules.all(Symbol)}
    given: Mapping[str, Any] = rules.submission.get(KEY) or {}
    by_wheel = any(isinstance(value, Mapping) for value in given.values())
    tables: Mapping[str, Any] = given if by_wheel else dict.fromkeys(known, given)
    if given and not known:
        raise _refused(rules, "no wheel is in use")
    for wheel, table in tables.items():
        if wheel not in known or not isinstance(table, Mapping) or (by_wheel and not table):
            raise _refused(rules, f"there is no wheel {wheel!r} with a table of symbols and weights")
        for name, weight in table.items():
            _check(rules, name, weight, known[wheel] if by_wheel else set().union(*known.values()))
    return {wheel: _weights(rules, wheel, tables.get(wheel, {}), known[wheel]) for wheel in known}


def assumed_wheels(rules: Rules) -> tuple[str, ...]:
    """The wheels on which each symbol stands once because the submission weighs none of theirs."""
    given: Mapping[str, Any] = rules.submission.get(KEY) or {}
    by_wheel = any(isinstance(value, Mapping) for value in given.values())
    wheels = dict.fromkeys(symbol.wheel for symbol in rules.all(Symbol))
    return tuple(
        wheel for wheel in wheels if not set(_symbols(rules, wheel)) & set(given.get(wheel, ()) if by_wheel else given)
    )


def _weights(rules: Rules, wheel: str, table: Mapping[str, int], known: set[str]) -> dict[str, int]:
    weights = {name: weight for name, weight in table.items() if name in known}
    return weights or {symbol.name: 1 for symbol in rules.all(Symbol) if symbol.wheel == wheel}


def _symbols(rules: Rules, wheel: str) -> Iterator[str]:
    """Every symbol a wheel may show, with and without a Community Pay beside it."""
    extras = [row.pays for row in rules.all(Community) if row.wheel == wheel]
    for symbol in rules.all(Symbol):
        if symbol.wheel == wheel:
            yield symbol.name
            yield from (f"{symbol.name}+{pays}" for pays in extras)


def _check(rules: Rules, name: str, weight: object, known: set[str]) -> None:
    if name not in known:
        raise _refused(rules, f"no wheel in use has a symbol {name!r}")
    if not isinstance(weight, int) or isinstance(weight, bool) or weight < 1:
        raise _refused(rules, f"the weight of {name!r} is a whole number from 1 on, not {weight!r}")


def _refused(rules: Rules, why: str) -> SubmissionRefused:
    cite = next(choice.cite for choice in rules.submission.choices if choice.key == KEY)
    return SubmissionRefused(KEY, why, cite)


# -- meters


class MeterTerms(NamedTuple):
    """Where a progressive meter starts, how it grows, and how far."""

    base: Amount
    """Its initial and reset amount: the submission's, else the least that the text allows."""
    rate: Fraction
    """The share of each wager that is added; zero where the submission does not say it."""
    limit: Amount | None
    """The most that it shows, where the submission has one."""
    cite: str
    """The paragraph of its least amount."""


def meters_of(rules: Rules) -> dict[str, MeterTerms]:
    """Meter to its terms; refused where the submission's are not what the text allows."""
    floors = {clause.name: clause for clause in rules.all(MeterFloor)}
    given: Mapping[str, Any] = rules.submission.get("progressive") or {}
    for name in given:
        if name not in floors:
            why = f"there is no meter {name!r} under this submission"
            raise SubmissionRefused("progressive", why, rules.rulebook.submission_cite)
    plain = {name: MeterTerms(floor.least, Fraction(0), None, floor.cite) for name, floor in floors.items()}
    return plain | {name: _terms(name, given[name], floors[name]) for name in given}


def _terms(name: str, given: Any, floor: MeterFloor) -> MeterTerms:
    table: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    base, rate, limit = amount_or_none(table.get("reset")), table.get("rate", "0"), amount_or_none(table.get("limit"))
    if base is None or base < floor.least:
        raise SubmissionRefused("progressive", f"the reset amount of {name} is at least {floor.least}", floor.cite)
    if not isinstance(rate, str) or not RATE.fullmatch(rate) or Fraction(rate) > 1:
        why = f"the rate of {name} is a decimal string from 0 to 1, not {rate!r}"
        raise SubmissionRefused("progressive", why, floor.cite)
    if "limit" in table and (limit is None or limit < base):
        why = f"the limit of {name} is an amount not below its reset amount of {base}, not {table['limit']!r}"
        raise SubmissionRefused("progressive", why, floor.cite)
    for key in table.keys() - {"reset", "rate", "limit"}:
        raise SubmissionRefused("progressive", f"a meter has no {key!r}: it has rate, reset and limit", floor.cite)
    return MeterTerms(base, Fraction(rate), limit, floor.cite)
