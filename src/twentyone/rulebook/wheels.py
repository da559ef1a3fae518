"""The prize wheels of a submission: their paytables, how often each symbol stands on a wheel, and their meters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from twentyone.errors import Refused, RulebookError, SubmissionRefused
from twentyone.law import carries
from twentyone.money import ZERO, Amount
from twentyone.rulebook.clauses import (
    Clause,
    Community,
    Contribution,
    FixedWager,
    MeterFloor,
    MeterPaid,
    Paytables,
    SubmissionKey,
    Symbol,
)
from twentyone.rulebook.rows import holds
from twentyone.rulebook.submission import amount_or_none

if TYPE_CHECKING:
    from twentyone.rulebook.rules import Rules

__all__ = [
    "METERS",
    "MeterTerms",
    "Paytable",
    "assumed_wheels",
    "check_meter",
    "check_paytables",
    "meters_of",
    "paytable_of",
    "paytables",
    "weights_of",
]

KEY = "wheel_weights"
METERS = "progressive"
RATE = re.compile(r"[01](\.\d{1,9})?", re.ASCII)
"""A share of the wager, written as a decimal."""


# -- paytables


class Paytable(NamedTuple):
    """A paytable that the submission selects for a wheel."""

    wheel: str
    """The wheel, and the wager on it."""
    name: str
    """What this wheel is called: like `wheel`, with the paytable behind it where the submission selects several."""
    amount: Amount | None
    """The wager that it pays, where the text fixes one."""
    symbols: Mapping[str, Symbol]
    """Its rows by the names of their symbols."""
    community: tuple[Amount, ...]
    """The Community Pay that may stand beside each of its symbols."""
    meters: Mapping[str, MeterFloor]
    """The meters that it pays, by their names in the text."""

    def meter(self, name: str) -> str:
        """What a meter of this paytable is called: like in the text, or with the paytable behind it."""
        return name + self.name.removeprefix(self.wheel)

    def row(self, name: str) -> Symbol:
        """The row of a symbol that this wheel shows, with or without a Community Pay beside it."""
        return self.symbols.get(name) or self.symbols[name.partition("+")[0]]

    def beside(self, name: str) -> Amount:
        """What a symbol that this wheel shows pays to the others."""
        if name in self.symbols:
            return self.symbols[name].others or ZERO
        return next(pays for pays in self.community if name.endswith(f"+{pays}"))

    @property
    def shared(self) -> tuple[Symbol, ...]:
        """The rows of two amounts, in order: the second goes to the others."""
        return tuple(symbol for symbol in self.symbols.values() if symbol.others is not None)


def paytables(rules: Rules) -> tuple[Paytable, ...]:
    """Every paytable in use, in the order of the text."""
    wheels = dict.fromkeys(symbol.wheel for symbol in rules.all(Symbol))
    return tuple(_paytable(rules, wheel, chosen) for wheel in wheels for chosen in _chosen(rules, wheel))


def paytable_of(rules: Rules, wheel: str, amount: Amount) -> Paytable:
    """The paytable that pays a wager of this amount."""
    known = [table for table in paytables(rules) if table.wheel == wheel]
    for table in known:
        if len(known) == 1 or table.amount == amount:
            return table
    raise RulebookError(rules.rulebook.id, f"no paytable of {wheel} is for a wager of {amount}")


@carries("paytables")
def check_paytables(rules: Rules) -> None:
    """Refuse more paytables of a wheel than a submission may select, and two for the same wager."""
    for wheel in dict.fromkeys(symbol.wheel for symbol in rules.all(Symbol)):
        tables = [table for table in paytables(rules) if table.wheel == wheel]
        if len(tables) == 1:
            continue
        clauses = [row for row in rules.rulebook.clauses if isinstance(row, Paytables) and row.wheel == wheel]
        cite = next((row.cite for row in clauses), "")
        if not any(row in rules.clauses for row in clauses):
            raise SubmissionRefused(wheel, "one paytable is selected for a table", cite)
        if len({table.amount for table in tables}) < len(tables):
            raise SubmissionRefused(wheel, "two paytables are for a wager of the same amount", cite)


def _chosen(rules: Rules, wheel: str) -> tuple[Any, ...]:
    """What the submission selects for a wheel, in the order of the text."""
    value = rules.submission.get(wheel)
    if not isinstance(value, tuple):
        return (value,)
    return tuple(sorted(value, key=[one for key in _keys(rules, wheel) for one in key.choices].index))


def _keys(rules: Rules, wheel: str) -> Iterator[SubmissionKey]:
    return (key for key in rules.all(SubmissionKey) if key.name == wheel)


def _paytable(rules: Rules, wheel: str, chosen: Any) -> Paytable:
    def own(clause: Clause) -> bool:
        return holds(chosen, clause.when.get(wheel, chosen))

    several = isinstance(rules.submission.get(wheel), tuple)
    fixed = [row.amount for row in rules.all(FixedWager) if row.wager == wheel and own(row)]
    symbols = {row.name: row for row in rules.all(Symbol) if row.wheel == wheel and own(row)}
    paid = {row.meter for row in symbols.values()}
    return Paytable(
        wheel,
        f"{wheel}_{chosen}" if several else wheel,
        fixed[0] if fixed else None,
        symbols,
        tuple(row.pays for row in rules.all(Community) if row.wheel == wheel and own(row)),
        {row.name: row for row in rules.all(MeterFloor) if row.name in paid and own(row)},
    )


# -- weights


def weights_of(rules: Rules) -> dict[str, dict[str, int]]:
    """Wheel to symbol to weight, as the submission says it: by symbol, or by wheel and symbol.

    No text says how often a symbol stands on its wheel, or how often a Community Pay stands beside it. Where the
    submission does not say it either, each stands there as often as the others.
    """
    known = {table.name: table for table in paytables(rules)}
    given, by_wheel = _given_weights(rules)
    tables: Mapping[str, Any] = given if by_wheel else dict.fromkeys(known, given)
    if given and not known:
        raise _refused(rules, "no wheel is in use")
    for wheel, table in tables.items():
        if wheel not in known or not isinstance(table, Mapping) or (by_wheel and not table):
            raise _refused(rules, f"there is no wheel {wheel!r} with a table of symbols and weights")
        names = {name for one in (known[wheel],) if by_wheel for name in _names(one)}
        for name, weight in table.items():
            _check(rules, name, weight, names or {name for one in known.values() for name in _names(one)})
    return {name: _weights(rules, table, tables.get(name, {})) for name, table in known.items()}


def _given_weights(rules: Rules) -> tuple[Mapping[str, Any], bool]:
    """The weights that are submitted, and whether wheel by wheel."""
    given: Mapping[str, Any] = rules.submission.get(KEY) or {}
    return given, any(isinstance(value, Mapping) for value in given.values())


def assumed_wheels(rules: Rules) -> tuple[str, ...]:
    """The wheels on which each symbol stands once because the submission weighs none of theirs."""
    given, by_wheel = _given_weights(rules)
    assumed = [
        table.wheel
        for table in paytables(rules)
        if not set(_names(table)) & set(given.get(table.name, ()) if by_wheel else given)
    ]
    return tuple(dict.fromkeys(assumed))


def _weights(rules: Rules, table: Paytable, given: Mapping[str, int]) -> dict[str, int]:
    known = set(_names(table))
    weights = {name: weight for name, weight in given.items() if name in known} or dict.fromkeys(table.symbols, 1)
    bare = [name for name in weights if name in table.symbols and table.symbols[name].others is None]
    if not bare or not table.community or not rules.community_due(table.wheel):
        return weights
    spread: Counter[str] = Counter()
    for name, weight in weights.items():
        if name in bare:
            spread.update({f"{name}+{pays}": weight for pays in table.community})
        else:
            spread[name] += weight * len(table.community)
    return dict(spread)


def _names(table: Paytable) -> Iterator[str]:
    """Every symbol a wheel may show, with and without a Community Pay beside it."""
    for name in table.symbols:
        yield name
        yield from (f"{name}+{pays}" for pays in table.community)


def _check(rules: Rules, name: str, weight: object, known: set[str]) -> None:
    if name not in known:
        raise _refused(rules, f"no wheel in use has a symbol {name!r}")
    if not isinstance(weight, int) or isinstance(weight, bool) or weight < 1:
        raise _refused(rules, f"the weight of {name!r} is a whole number from 1 on, not {weight!r}")


def _refused(rules: Rules, why: str) -> SubmissionRefused:
    return SubmissionRefused(KEY, why, _stated_at(rules, KEY))


def _stated_at(rules: Rules, key: str) -> str:
    """The paragraph that has the submission say something."""
    return next(choice.cite for choice in rules.submission.choices if choice.key == key)


# -- meters


class MeterTerms(NamedTuple):
    """Where a progressive meter starts, how it grows, how far, and what it shows."""

    base: Amount
    """Its initial and reset amount: the submission's, else the least that the text allows."""
    rate: Fraction
    """The share of each wager that is added; zero where the submission does not say it."""
    limit: Amount | None
    """The most that it shows, where the submission has one."""
    cite: str
    """The paragraph of its least amount."""
    unit: Amount
    """It shows whole units of this."""
    rate_cite: str
    """The paragraph of its rate."""
    given: tuple[str, ...] = ()
    """What the submission says of it: `rate`, `reset`, `limit`."""

    def shows(self, held: Fraction) -> Amount:
        """What it shows if it holds this much; the rest waits."""
        most = held if self.limit is None else min(held, Fraction(int(self.limit)))
        return self.unit * int(most // int(self.unit))


def meters_of(rules: Rules) -> dict[str, MeterTerms]:
    """Meter to its terms; refused where the submission's are not what the text allows."""
    floors = {table.meter(name): (table, floor) for table in paytables(rules) for name, floor in table.meters.items()}
    given: Mapping[str, Any] = rules.submission.get(METERS) or {}
    for name in given:
        if name not in floors:
            why = f"there is no meter {name!r} under this submission"
            raise SubmissionRefused(METERS, why, _stated_at(rules, METERS))
    return {name: _terms(rules, name, given.get(name), *floors[name]) for name in floors}


def check_meter(rules: Rules, name: str, shown: Amount | None = None) -> None:
    """Whether there is such a meter, and whether it can show this."""
    terms = meters_of(rules)
    if name not in terms:
        known = ", ".join(terms) or "none"
        raise Refused(f"there is no meter {name!r} here, only: {known}")
    if shown is None:
        return
    base, limit, cite = terms[name].base, terms[name].limit, terms[name].cite
    if shown < base:
        raise Refused(f"the meter {name} never shows {shown}: it starts at {base}", cite)
    if limit is not None and shown > limit:
        raise Refused(f"the meter {name} never shows {shown}: its submitted limit is {limit}", cite)


def _terms(rules: Rules, name: str, given: Any, paytable: Paytable, floor: MeterFloor) -> MeterTerms:
    unit, rate_cite = rules.of_wheel(MeterPaid, paytable.wheel).unit, rules.of_wheel(Contribution, paytable.wheel).cite
    if given is None:
        return MeterTerms(floor.least, Fraction(0), None, floor.cite, unit, rate_cite)
    table: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    base, rate, limit = amount_or_none(table.get("reset")), table.get("rate", "0"), amount_or_none(table.get("limit"))
    if base is None or base < floor.least:
        raise SubmissionRefused(METERS, f"the reset amount of {name} is at least {floor.least}", floor.cite)
    if not isinstance(rate, str) or not RATE.fullmatch(rate) or Fraction(rate) > 1:
        raise SubmissionRefused(METERS, f"the rate of {name} is a decimal string from 0 to 1, not {rate!r}", rate_cite)
    if "limit" in table and (limit is None or limit < base):
        why = f"the limit of {name} is an amount not below its reset amount of {base}, not {table['limit']!r}"
        raise SubmissionRefused(METERS, why, floor.cite)
    if base % unit or (limit is not None and limit % unit):
        why = f"the meter {name} shows whole units of {unit}: its reset amount and its limit are such amounts"
        raise SubmissionRefused(METERS, why, floor.cite)
    for key in table.keys() - {"reset", "rate", "limit"}:
        raise SubmissionRefused(METERS, f"a meter has no {key!r}: it has rate, reset and limit", floor.cite)
    return MeterTerms(base, Fraction(rate), limit, floor.cite, unit, rate_cite, tuple(table))
