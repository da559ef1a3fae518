"""What a submission declares: what the text wants said, what was taken by default, what a key may be, its TOML."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from twentyone.rulebook.clauses import NoEffect, SubmissionKey
from twentyone.rulebook.rulebook import Rulebook
from twentyone.rulebook.rules import Rules
from twentyone.rulebook.submission import Choice
from twentyone.rulebook.wheels import METERS, meters_of

__all__ = [
    "REQUIRED",
    "STATED",
    "allowed_words",
    "as_stated",
    "keys_of",
    "no_effect",
    "required_by_default",
    "stated",
    "to_toml",
]

REQUIRED = "required"
STATED = {
    REQUIRED: "what the text requires the operator to say",
    "to_offer": "wagers that are offered where the submission says so",
    "": "other choices",
}
"""How the choices are set apart."""


def stated(rules: Rules, choice: Choice) -> str:
    """Whether the text wants a choice to be said: figures of meters only where there are meters."""
    return choice.stated if choice.key != METERS or meters_of(rules) else ""


def required_by_default(rules: Rules) -> Iterator[str]:
    """What the text wants the submission to say and it does not, meter by meter."""
    for choice in rules.submission.choices:
        if choice.stated == REQUIRED and choice.key != METERS and not choice.given:
            yield choice.key
    for name, terms in meters_of(rules).items():
        yield from (f"{METERS}.{name}.{figure}" for figure in ("rate", "reset") if figure not in terms.given)


def no_effect(rules: Rules) -> list[tuple[str, str, str]]:
    """The choices that the operator made and that change nothing: key, why, and the paragraph."""
    made = {choice.key for choice in rules.submission.choices if choice.given}
    return [(clause.choice, clause.says, clause.cite) for clause in rules.all(NoEffect) if clause.choice in made]


def keys_of(book: Rulebook, readings: Mapping[str, str] | None = None) -> dict[str, SubmissionKey]:
    """The keys that a book leaves to the operator under some readings; where none is named, the default is taken."""
    taken = {reading.name: reading.values[0] for reading in book.readings} | dict(readings or {})
    keys = [clause for clause in book.clauses if isinstance(clause, SubmissionKey) and not clause.fixed]
    return {key.name: key for key in keys if all(taken[name] == value for name, value in key.reading.items())}


def as_stated(book: Rulebook, given: Mapping[str, Any]) -> dict[str, Any]:
    """A submission that also says what the text requires to be said: with the value in force, where one is."""
    rules = book.under(given)
    required = {
        choice.key: choice.value
        for choice in rules.submission.choices
        if choice.stated == REQUIRED and choice.value is not None
    }
    return {**required, **given}


def allowed_words(key: SubmissionKey) -> str:
    """What a key may be, in a few words.

    >>> allowed_words(keys_of(Rulebook.load("pa-spanish-21"))["decks"])
    '6 or 8'
    >>> allowed_words(keys_of(Rulebook.load("pa-spanish-21"))["shuffler_loads_shoe"])
    'yes or no; yes only with shuffler automated'
    """
    needs = " and ".join(f"{other} {_list(values)}" for other, values in key.only_with.items())
    return _values(key) + (f"; yes only with {needs}" if needs else "")


def _values(key: SubmissionKey) -> str:
    if key.choices:
        words = _list(key.choices)
        return f"{words}, or several of them" if key.several else words
    if key.type == "boolean":
        return "yes or no"
    if key.type == "integer" and key.most is not None:
        return f"{key.least} to {key.most}"
    if key.type in ("integer", "amount"):
        unit = "$" if key.type == "amount" else ""
        return f"{unit}{key.least} or more" if key.least is not None else "an amount"
    return "odds by suited and unsuited" if key.type == "odds" else "a table of figures"


def _list(values: Any) -> str:
    words = [("yes" if value else "no") if isinstance(value, bool) else str(value) for value in values]
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


# -- as a file


def to_toml(rules: Rules) -> str:
    """The submission as a file: what was named and every reading that is not the default; defaults as comments.

    >>> from twentyone.rulebook import Rulebook
    >>> print(to_toml(Rulebook.load("pa-spanish-21").under({"decks": 8})).splitlines()[3])
    decks = 8
    """
    book, choices = rules.rulebook, rules.submission.choices
    named = [f"{choice.key} = {_written(choice.value)}" for choice in choices if choice.given]
    taken = [f"# {choice.key} = {_written(choice.value)}" for choice in choices if not choice.given]
    first = {reading.name: reading.values[0] for reading in book.readings}
    readings = rules.submission.readings.items()
    other = [f"{_key(name)} = {_written(value)}" for name, value in readings if value != first[name]]
    lines = [f"# {book.title} ({book.source})", f"rulebook = {_written(book.id)}", ""]
    lines += [*named, *([""] if named else []), "# by default", *(line for line in taken if NONE not in line)]
    return "\n".join([*lines, *(["", "[readings]", *other] if other else [])]) + "\n"


NONE = "= none"
"""How a key without a value would be written, which TOML has no word for."""


def _written(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(str(name))} = {_written(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_written, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") if isinstance(value, str) else str(value)


def _key(name: str) -> str:
    bare = name.replace("-", "").replace("_", "")
    return name if bare.isascii() and bare.isalnum() else _written(name)
