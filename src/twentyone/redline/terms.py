"""What a clause says, field by field, in a form that can be held against a clause of another book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields
from fractions import Fraction
from typing import Any, NamedTuple, get_args

from twentyone.money import Amount, Odds, dollars
from twentyone.rulebook.clauses import Clause
from twentyone.rulebook.patterns import HandPattern
from twentyone.rulebook.values import HEAD, hints_of
from twentyone.rulebook.vocabulary import RowName, Text

__all__ = ["Terms", "overlap", "rows_of", "stems", "terms_of", "value_words"]

STEM = 5
"""As many letters of a word tell it from others: `shuffle` and `shuffling` are one."""

LITTLE = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "has", "he", "his", "if", "in", "is", "it", "its",
    "no", "not", "of", "on", "one", "or", "than", "that", "the", "their", "them", "then", "they", "this", "to", "two",
    "under", "was", "when", "which", "who", "with",
})  # fmt: skip
"""Words that every paragraph has."""


class Terms(NamedTuple):
    """The fields of a clause: a path (`hand.suits`) to its value."""

    decides: Mapping[str, Any]
    """Those by which something is decided."""
    words: Mapping[str, str]
    """Those that speak to people only."""
    usual: frozenset[str]
    """The paths whose value is the one that a fence need not write."""


class _Fields(NamedTuple):
    """The fields of a type of clause, by what they are."""

    decides: tuple[tuple[str, Any], ...]
    """Name and the value that need not be written."""
    words: tuple[str, ...]
    rows: tuple[str, ...]


_KNOWN: dict[str, _Fields] = {}


def _fields_of(kind: type[Clause]) -> _Fields:
    if kind.type_key not in _KNOWN:
        _KNOWN[kind.type_key] = _sorted_out(kind)
    return _KNOWN[kind.type_key]


def _sorted_out(kind: type[Clause]) -> _Fields:
    hints = hints_of(kind)
    rows = tuple(name for name, hint in hints.items() if RowName in get_args(hint))
    words = tuple(name for name, hint in hints.items() if hint is Text)
    labels = ("name",) if kind.named or rows else ()
    left = (*HEAD, *rows, *words, *labels, "when", "reading")
    decides = tuple((field.name, _default(field)) for field in fields(kind) if field.name not in left)
    return _Fields(decides, words, rows)


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return None if field.default is MISSING else field.default


def terms_of(clause: Clause) -> Terms:
    """The terms of a clause; rows that it refers to, its name and its readings are compared elsewhere."""
    shape = _fields_of(type(clause))
    decides: dict[str, Any] = {}
    usual: set[str] = set()
    for name, default in shape.decides:
        value = getattr(clause, name)
        for path, part, plain in _parts(name, value, default):
            decides[path] = part
            if part == plain:
                usual.add(path)
    decides |= {f"when {key}": _listed(wanted) for key, wanted in clause.when.items()}
    words = {name: getattr(clause, name) for name in shape.words}
    return Terms(decides, words, frozenset(usual))


def _parts(name: str, value: Any, default: Any) -> Iterator[tuple[str, Any, Any]]:
    """A field, or the parts that it is made of: path, value, the value that need not be written."""
    if isinstance(value, HandPattern):
        for part in fields(HandPattern):
            yield f"{name} {part.name}", getattr(value, part.name), None
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield f"{name} {key}", _listed(inner), None
    else:
        yield name, tuple(value) if isinstance(value, list) else value, default


def _listed(wanted: Any) -> Any:
    """A condition: one value, or several of which one must hold."""
    return tuple(wanted) if isinstance(wanted, list | tuple) else (wanted,)


def rows_of(clause: Clause) -> dict[str, tuple[str, ...]]:
    """The fields that name other rows or paragraphs of the book."""
    return {name: tuple(getattr(clause, name)) for name in _fields_of(type(clause)).rows}


# -- words


def stems(text: str) -> frozenset[str]:
    """The words of a text, cut so that forms of one word are alike.

    >>> sorted(stems("Shuffling the cards, by hand."))
    ['cards', 'hand', 'shuff']
    """
    plain = "".join(letter if letter.isalnum() else " " for letter in text.lower())
    return frozenset(word[:STEM] for word in plain.split() if word not in LITTLE)


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """How much two texts share, from 0 to 1."""
    together = len(one | other)
    return len(one & other) / together if together else 0.0


def value_words(value: Any) -> str:
    """A value as a person reads it.

    >>> value_words(Odds(3, 2)), value_words((True, None)), value_words(Amount("5"))
    ('3 to 2', 'yes or none', '$5.00')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value in ((), ""):
        return "none"
    if isinstance(value, Odds):
        return f"{value.win} to {value.lay}"
    if isinstance(value, Amount):
        return dollars(value)
    if isinstance(value, tuple):
        joint = " or " if all(isinstance(one, bool | None) for one in value) else ", "
        return joint.join(map(value_words, value))
    return str(value) if isinstance(value, Fraction | int) else str(value).replace("_", " ")
