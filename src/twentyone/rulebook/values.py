"""Reads one TOML value as the type of its field says, and refuses every other: what is wrong, what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from twentyone.money import Amount, Odds
from twentyone.rulebook.clauses.base import Clause
from twentyone.rulebook.vocabulary import NameOf

__all__ = ["UnknownWord", "hints_of", "meant", "none_of", "read_field", "readers_of", "references_of", "words_of"]

HEAD = ("paragraph", "cite", "place")
"""Fields of a clause that are computed from where it stands."""


class UnknownWord(Exception):
    """A value that the field's type does not have."""


def hints_of(kind: type[Clause]) -> dict[str, Any]:
    """The fields that a fence of this type may write, with their types."""
    if kind.type_key not in _HINTS:
        hints = get_type_hints(kind, include_extras=True)
        _HINTS[kind.type_key] = {field.name: hints[field.name] for field in fields(kind) if field.name not in HEAD}
    return _HINTS[kind.type_key]


def readers_of(kind: type[Clause]) -> dict[str, Callable[[Any], Any]]:
    """The fields that a fence of this type may write, with what reads their values."""
    if kind.type_key not in _READERS:
        _READERS[kind.type_key] = {field: _reader(hint) for field, hint in hints_of(kind).items()}
    return _READERS[kind.type_key]


def references_of(kind: type[Clause]) -> dict[str, str]:
    """The fields that name another clause of the book, with the type of that clause."""
    if kind.type_key not in _REFERENCES:
        marks = {field: _mark(hint) for field, hint in hints_of(kind).items()}
        _REFERENCES[kind.type_key] = {field: mark for field, mark in marks.items() if mark}
    return _REFERENCES[kind.type_key]


def _mark(hint: Any) -> str:
    for part in (hint, *get_args(hint)):
        if get_origin(part) is Annotated and isinstance(part.__metadata__[0], NameOf):
            return part.__metadata__[0].type_key
    return ""


_READERS: dict[str, dict[str, Callable[[Any], Any]]] = {}
_REFERENCES: dict[str, dict[str, str]] = {}
_HINTS: dict[str, dict[str, Any]] = {}
"""Clause type to its fields, where they were asked for before."""


def read_field(hint: Any, value: Any) -> Any:
    """A value of a fence as its field has it."""
    return _reader(hint)(value)


def words_of(hint: Any) -> tuple[str, ...]:
    """The words that a type has, none where it is not a type of words."""
    if get_origin(hint) is Literal:
        return tuple(word for word in get_args(hint) if word)
    return tuple(word for part in _parts(hint) for word in words_of(part))


def none_of(written: Any, allowed: tuple[str, ...]) -> str:
    """What is said of a word that is none of those allowed: the nearest one is named."""
    if not allowed:
        return f"{written!r} is not there, nor any other"
    return f"{written!r} is none of {', '.join(allowed)}{meant(written, allowed)}"


def meant(written: Any, allowed: Iterable[str]) -> str:
    """The question after the nearest word, where one is near."""
    from difflib import get_close_matches

    near = get_close_matches(str(written), tuple(allowed), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def _parts(hint: Any) -> tuple[Any, ...]:
    """The alternatives of a union; the members of a tuple."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return tuple(part for part in get_args(hint) if part is not type(None))
    return get_args(hint)[:1] if origin is tuple else ()


def _reader(hint: Any) -> Callable[[Any], Any]:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _union(_parts(hint))
    if origin is tuple:
        return _several(_parts(hint)[0])
    if origin is Literal:
        return _word(words_of(hint))
    if origin is Annotated:
        return _text
    if isinstance(hint, type) and is_dataclass(hint):
        return _record(hint)
    if origin is not None and issubclass(origin, Mapping):
        return _table if get_args(hint)[1] is Any else _table_of_words
    return _PLAIN[hint]


def _union(parts: tuple[Any, ...]) -> Callable[[Any], Any]:
    """One type beside none, or several lists of words that are one list."""
    return _reader(parts[0]) if len(parts) == 1 else _word(tuple(word for part in parts for word in words_of(part)))


def _word(words: tuple[str, ...]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            raise UnknownWord(none_of(value, words))
        return value

    return read


def _several(member: Any) -> Callable[[Any], tuple[Any, ...]]:
    """A list; words may also be written in one string with spaces between them."""
    read, spaced = _reader(member), get_origin(member) in (Literal, Annotated)

    def read_all(value: Any) -> tuple[Any, ...]:
        items = value.split() if spaced and isinstance(value, str) else value
        if not isinstance(items, list) or not items:
            raise UnknownWord(f"a list belongs here, not {value!r}")
        return tuple(read(item) for item in items)

    return read_all


def _record(kind: type[Any]) -> Callable[[Any], Any]:
    readers = {name: _reader(hint) for name, hint in get_type_hints(kind, include_extras=True).items()}

    def read(value: Any) -> Any:
        for name in _table(value):
            if name not in readers:
                raise UnknownWord(none_of(name, tuple(readers)))
        return kind(**{name: readers[name](item) for name, item in value.items()})

    return read


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UnknownWord(f"words in quotation marks belong here, not {value!r}")
    return value


def _table(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not value:
        raise UnknownWord(f"a table like {{key = value}} belongs here, not {value!r}")
    return value


def _table_of_words(value: Any) -> Mapping[str, str]:
    return {name: _text(item) for name, item in _table(value).items()}


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise UnknownWord(f"a whole number belongs here, not {value!r}")
    return value


def _truth(value: Any) -> bool:
    if type(value) is not bool:
        raise UnknownWord(f"true or false belongs here, not {value!r}")
    return value


QUOTED = 60
"""Characters of a wrong value that its refusal repeats."""


def _parsed(parse: Callable[[str], Any], example: str) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        try:
            return parse(_text(value))
        except (ValueError, ZeroDivisionError):
            said = repr(value)
            said = said if len(said) <= QUOTED else f"{said[:QUOTED]}... ({len(said)} characters)"
            raise UnknownWord(f"{said} is not written like {example}") from None

    return read


def _anything(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


_PLAIN: dict[Any, Callable[[Any], Any]] = {
    int: _number,
    bool: _truth,
    Amount: _parsed(Amount, '"2.50"'),
    Odds: _parsed(Odds.parse, '"3:2"'),
    Fraction: _parsed(Fraction, '"1/2"'),
    Any: _anything,
}
