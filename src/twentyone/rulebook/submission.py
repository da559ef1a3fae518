"""The operator's Rules Submission: which choices a rulebook leaves open, and the choices made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from twentyone.errors import SubmissionRefused
from twentyone.law import carries
from twentyone.money import ALL_MONEY, Amount, Odds
from twentyone.rulebook.clauses import Reading, SubmissionKey
from twentyone.rulebook.values import meant

__all__ = ["CENT", "Choice", "Submission", "amount_or_none", "choose", "limit_fault", "value_fault"]


@dataclass(frozen=True)
class Choice:
    """One key of a submission with the value in force."""

    key: str
    """The submission key."""
    value: Any
    """The value in force."""
    given: bool
    """Whether the operator named it (else it is the default)."""
    says: str
    """What it decides."""
    cite: str
    """The paragraph that leaves it to him."""
    stated: str = ""
    """Whether the text wants him to say it: `required`, or `to_offer` a wager."""


@dataclass(frozen=True)
class Submission:
    """The choices in force, keys and readings."""

    choices: tuple[Choice, ...]
    """Every key of the rulebook."""
    values: Mapping[str, Any]
    """Key to value."""
    readings: Mapping[str, str]
    """Reading id to the reading in force."""

    @property
    def given(self) -> dict[str, Any]:
        """What the operator named, as he wrote it, and every reading in force: `Rulebook.under` takes it again."""
        named = {choice.key: choice.value for choice in self.choices if choice.given}
        return {**named, "readings": dict(self.readings)}

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def get(self, key: str, default: Any = None) -> Any:
        """The value in force, or `default` where the rulebook has no such key."""
        return self.values.get(key, default)

    def to_json(self) -> dict[str, Any]:
        """Every choice and every reading in force, in the form that `Rulebook.under` takes."""
        values = {key: _plain(value) for key, value in self.values.items()}
        return {**values, "readings": dict(self.readings)}


def _plain(value: Any) -> Any:
    """A value of a submission as JSON has it: odds and amounts are text."""
    if isinstance(value, bool | str) or value is None or type(value) is int:
        return value
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else str(value)


def choose(
    keys: Iterable[SubmissionKey], readings: Iterable[Reading], given: Mapping[str, Any], cite: str
) -> Submission:
    """The submission that `given` makes under these keys; `cite`: where the text leaves no others open."""
    asked = dict(given)
    chosen = _choose_readings(readings, asked.pop("readings", {}), cite)
    known = {key.name: key for key in keys if all(chosen[name] == value for name, value in key.reading.items())}
    for name, value in asked.items():
        if name not in known:
            raise SubmissionRefused(name, f"this rulebook leaves no choice called {name!r}{meant(name, known)}", cite)
        if known[name].fixed:
            key = known[name]
            raise SubmissionRefused(name, f"{value!r} was asked, but the text fixes {key.says or name}", key.cite)
    values: dict[str, Any] = {}
    made = {name: _choice(known[name], asked, values) for name in _in_order(known)}
    choices = tuple(made[name] for name in known if name in made)
    return Submission(choices, MappingProxyType(values), MappingProxyType(chosen))


def _in_order(known: Mapping[str, SubmissionKey]) -> list[str]:
    """The keys that are to be chosen, those that hang on others after these."""
    return sorted((name for name, key in known.items() if not key.fixed), key=lambda name: bool(known[name].only_with))


@carries("reading")
def _choose_readings(readings: Iterable[Reading], given: Any, cite: str) -> dict[str, str]:
    known = {reading.name: reading for reading in readings}
    if not isinstance(given, Mapping):
        raise SubmissionRefused("readings", "readings is a table of reading id to chosen reading", "")
    for name, value in given.items():
        if name not in known:
            why = f"this rulebook has no reading {name!r}{meant(name, known)}"
            raise SubmissionRefused(f"readings.{name}", why, cite)
        reading = known[name]
        if value not in reading.values:
            options = " or ".join(map(repr, reading.values))
            raise SubmissionRefused(f"readings.{name}", f"{value!r} is not {options}", reading.cite)
    return {name: given.get(name, reading.values[0]) for name, reading in known.items()}


@carries("submission")
def _choice(key: SubmissionKey, asked: Mapping[str, Any], values: dict[str, Any]) -> Choice:
    given = key.name in asked
    possible = all(values[other] in allowed for other, allowed in key.only_with.items())
    value = asked[key.name] if given else (key.default if possible else False)
    if given:
        _check(key, value)
        if value and not possible:
            needs = ", ".join(f"{other} {_list(allowed)}" for other, allowed in key.only_with.items())
            raise SubmissionRefused(key.name, f"{_word(value)} is allowed only with {needs}", key.cite)
    values[key.name] = _READ[key.type](value) if value is not None else None
    return Choice(key.name, value, given, key.says, key.cite, key.stated)


def _list(values: Iterable[Any]) -> str:
    return " or ".join(map(_word, values))


def _word(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _check(key: SubmissionKey, value: Any) -> None:
    if value is None and key.optional:
        return
    wrong = value_fault(key, value)
    if wrong:
        raise SubmissionRefused(key.name, f"{value!r} is not allowed: {wrong}", key.cite)


def value_fault(key: SubmissionKey, value: Any) -> str | None:
    """What is wrong with a value of this key, or None; a key that the text fixes has no values."""
    return _CHECKS[key.type](key, value) if key.type else "the text fixes it"


def limit_fault(key: SubmissionKey, limit: Any) -> bool:
    """Whether a limit or a choice that a key writes of itself is of another type than the key."""
    if key.type in ("integer", "boolean"):
        return type(limit) is not {"integer": int, "boolean": bool}[key.type]
    return amount_or_none(limit) is None if key.type == "amount" else not isinstance(limit, str)


def _check_integer(key: SubmissionKey, value: Any) -> str | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return "a whole number belongs here"
    if key.choices and value not in key.choices:
        return f"it is {_list(key.choices)}"
    if (key.least is not None and value < key.least) or (key.most is not None and value > key.most):
        return f"it is {key.least} to {key.most}" if key.most is not None else f"it is at least {key.least}"
    return None


def _check_boolean(key: SubmissionKey, value: Any) -> str | None:
    if not isinstance(value, bool):
        return "true or false belongs here"
    return None if value in (key.choices or (True, False)) else "the text does not leave this open"


def _check_choice(key: SubmissionKey, value: Any) -> str | None:
    chosen = list(value) if key.several and isinstance(value, list | tuple) else [value]
    allowed = all(isinstance(one, str) and one in key.choices for one in chosen)
    if allowed and (chosen == [value] or 1 < len(set(chosen)) == len(chosen)):
        return None
    return f"it is {_list(map(repr, key.choices))}" + (", or a list of several of them" if key.several else "")


def _check_amount(key: SubmissionKey, value: Any) -> str | None:
    amount = amount_or_none(value)
    if amount is None:
        return "an amount is a decimal string in dollars"
    if key.least is not None and amount < Amount(key.least):
        return f"it is at least {key.least}"
    if amount % CENT:
        return "chips come in whole cents"
    return "it is more money than there is" if amount >= ALL_MONEY else None


def amount_or_none(value: Any) -> Amount | None:
    """The amount that a decimal string says, if it says one."""
    try:
        return Amount(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _check_odds(_: SubmissionKey, value: Any) -> str | None:
    if not isinstance(value, Mapping) or not value or set(value) - {"suited", "unsuited"}:
        return 'it is a table like {"suited": "9:1", "unsuited": "4:1"}'
    try:
        for odds in value.values():
            Odds.parse(odds)
    except (ValueError, AttributeError):
        return "odds are written '9:1'"
    return None


def _check_table(_: SubmissionKey, value: Any) -> str | None:
    return None if isinstance(value, Mapping) and value else "a table belongs here"


CENT = Amount("0.01")

_CHECKS: dict[str, Callable[[SubmissionKey, Any], str | None]] = {
    "integer": _check_integer,
    "boolean": _check_boolean,
    "choice": _check_choice,
    "amount": _check_amount,
    "odds": _check_odds,
    "table": _check_table,
}
_READ: dict[str, Callable[[Any], Any]] = {
    "integer": int,
    "boolean": bool,
    "choice": lambda value: tuple(value) if isinstance(value, list) else value,
    "amount": Amount,
    "odds": lambda table: {name: Odds.parse(odds) for name, odds in table.items()},
    "table": lambda table: table,
}
