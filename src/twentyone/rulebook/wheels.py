"""What a submission says of prize wheels and progressive meters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from twentyone.errors import SubmissionRefused
from twentyone.money import Amount
from twentyone.rulebook.clauses import Community, MeterFloor, Symbol
from twentyone.rulebook.rules import Rules

__all__ = ["meters_of", "weights_of"]


def weights_of(rules: Rules) -> dict[str, dict[str, int]]:
    """Wheel to symbol to weight: as `wheel_weights` says (by symbol, or by wheel and symbol), else once each."""
    known = {symbol.wheel: set(_symbols(rules, symbol.wheel)) for symbol in rules.all(Symbol)}
    given: Mapping[str, Any] = rules.submission.get("wheel_weights") or {}
    by_wheel = any(isinstance(value, Mapping) for value in given.values())
    tables: Mapping[str, Any] = given if by_wheel else dict.fromkeys(known, given)
    every = set().union(*known.values())
    for wheel, table in tables.items():
        if wheel not in known or not isinstance(table, Mapping):
            raise _refused(rules, f"there is no wheel {wheel!r} with a table of symbols and weights")
        for name, weight in table.items():
            _check_weight(rules, name, weight, known[wheel] if by_wheel else every)
    return {wheel: _weights(rules, wheel, tables.get(wheel, {}), known[wheel]) for wheel in known}


def _weights(rules: Rules, wheel: str, table: Mapping[str, int], known: set[str]) -> dict[str, int]:
    weights = {name: weight for name, weight in table.items() if name in known and weight}
    return weights or {symbol.name: 1 for symbol in rules.all(Symbol) if symbol.wheel == wheel}


def _symbols(rules: Rules, wheel: str) -> Iterator[str]:
    """Every symbol a wheel may show, with and without a Community Pay beside it."""
    extras = [row.pays for row in rules.all(Community) if row.wheel == wheel]
    for symbol in rules.all(Symbol):
        if symbol.wheel == wheel:
            yield symbol.name
            yield from (f"{symbol.name}+{pays}" for pays in extras)


def _check_weight(rules: Rules, name: str, weight: object, known: set[str]) -> None:
    if name not in known:
        raise _refused(rules, f"no wheel in use has a symbol {name!r}")
    if not isinstance(weight, int) or isinstance(weight, bool) or weight < 0:
        raise _refused(rules, f"the weight of {name!r} is a whole number from 0 on, not {weight!r}")


def _refused(rules: Rules, why: str) -> SubmissionRefused:
    cite = next(choice.cite for choice in rules.submission.choices if choice.key == "wheel_weights")
    return SubmissionRefused("wheel_weights", why, cite)


def meters_of(rules: Rules) -> dict[str, Amount]:
    """Every progressive meter at its reset amount: the submission's, else the least the text allows."""
    given: Mapping[str, Mapping[str, str]] = rules.submission.get("progressive") or {}
    return {
        floor.name: Amount(given[floor.name]["reset"]) if floor.name in given else floor.least
        for floor in rules.all(MeterFloor)
    }
