"""The prize wheels of a submission: which symbols they show, and how often each stands on its wheel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from twentyone.errors import SubmissionRefused
from twentyone.rulebook.clauses import Community, Symbol

if TYPE_CHECKING:
    from twentyone.rulebook.rules import Rules

__all__ = ["weights_of"]

KEY = "wheel_weights"


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
