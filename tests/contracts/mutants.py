"""Every written value of a rulebook, replaced by each other word of its type, one at a time: who notices?

A value that nobody misses decides nothing. The loader, the law scripts, the layout, who may do what, the golden day and
the arrays that the simulator is compiled to are asked in turn; the first that notices ends the search.
"""

from __future__ import annotations

import json
import signal
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from tests.golden.day import day_log
from tests.golden.layouts import layout_log
from tests.golden.who import who_log

import twentyone.rulebook.rulebook as shelf
from twentyone.errors import TwentyoneError
from twentyone.money import Amount, Odds
from twentyone.rulebook import Rulebook
from twentyone.rulebook.checks import check_book, check_playable
from twentyone.rulebook.clauses import Clause, SubmissionKey
from twentyone.rulebook.coverage import paragraphs_of_path
from twentyone.rulebook.values import hints_of, references_of, words_of
from twentyone.script import COMMAND_FORMAT, play_commands, replay
from twentyone.table.play import any_task
from twentyone.table.script import TABLE_FORMAT, play_table_script

__all__ = ["Mutant", "Noticing", "mutants_of"]

HEAD = "rulebook.toml"
"""Where the lists of a head stand."""
LAW = Path(__file__).parents[1] / "law"


class Mutant(NamedTuple):
    """A book with one value changed, in a clause or in its head."""

    paragraph: str
    """The paragraph of the clause."""
    key: str
    """The clause's key."""
    number: int
    """Which of the clauses of the paragraph it is."""
    field: str
    """The field, with the part of it that was changed."""
    was: str
    """The value as written."""
    now: str
    """The value in its place."""
    other: Clause | tuple[str, ...]
    """The clause with the other value, or the list of the head."""

    @property
    def name(self) -> str:
        """What identifies it in a list: `635a.7(n)(3) outcome[0].result win -> lose`."""
        return f"{self.paragraph} {self.key}[{self.number}].{self.field} {self.was} -> {self.now}"


# -- making them


def mutants_of(book: Rulebook) -> Iterator[Mutant]:
    """Every mutant of a book: the lists of its head, then its clauses in the order of the text."""
    for field in ("order", "opening"):
        for other in _orders(getattr(book, field)):
            yield Mutant(HEAD, "head", 0, field, _short(getattr(book, field)), _short(other), other)
    for entry in book.entries.values():
        for number, clause in enumerate(entry.clauses):
            for field, hint in hints_of(type(clause)).items():
                if not _is_written(entry.fence, clause, field):
                    continue
                value = getattr(clause, field)
                for part, other in _others(book, clause, field, hint, value):
                    twin = replace(clause, **{field: other})
                    was, now = (_short(item) for item in _difference(value, other))
                    yield Mutant(entry.paragraph, clause.key, number, field + part, was, now, twin)


def _orders(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A list with two neighbours exchanged, or one name left out."""
    for index in range(len(names)):
        yield names[:index] + names[index + 1 :]
        if index and names[index] != names[index - 1]:
            yield (*names[: index - 1], names[index], names[index - 1], *names[index + 1 :])


def _is_written(fence: str, clause: Clause, field: str) -> bool:
    """Whether some row of the clause's type writes the field; a name in the header is an identity, not a value."""
    if field == "name" or getattr(clause, field) in ((), {}, None, ""):
        return False
    tables = tomllib.loads(fence)[clause.type_key]
    if clause.named:
        tables = tables[getattr(clause, "name")]  # noqa: B009
    rows = tables if isinstance(tables, list) else [tables]
    return any(field in row for row in rows)


def _others(book: Rulebook, clause: Clause, field: str, hint: Any, value: Any) -> Iterator[tuple[str, Any]]:
    if field in ("when", "only_with", "instead"):
        yield from _condition(book, value)
    elif field == "reading":
        yield from _reading(book, value)
    elif isinstance(clause, SubmissionKey) and field in ("default", "least", "most", "choices"):
        yield from (("", other) for other in _choice(clause, field, value))
    elif field in references_of(type(clause)):
        names = [
            str(getattr(other, "name", ""))
            for other in book.clauses
            if other.type_key == references_of(type(clause))[field]
        ]
        yield from (("", name) for name in dict.fromkeys(names) if name != value)
    else:
        yield from _typed(hint, value)


def _typed(hint: Any, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, tuple) and not isinstance(value, Odds):
        yield from _tuple(hint, value)
    elif is_dataclass(value) and not isinstance(value, type):
        yield from _record(value)
    elif isinstance(value, str):
        yield from (("", word) for word in words_of(hint) if word != value)
    else:
        yield from (("", other) for other in _neighbours(value))


def _neighbours(value: Any) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, Amount):
        yield from (value - Amount("1"), value + Amount("1"))
    elif isinstance(value, int):
        yield from (value - 1, value + 1)
    elif isinstance(value, Odds):
        yield from (Odds(value.win + 1, value.lay), Odds(value.win, value.lay + 1))
    elif isinstance(value, Fraction):
        yield from (Fraction(1, value.denominator + 1), Fraction(1, value.denominator - 1))


def _tuple(hint: Any, value: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """Each member replaced by each other word, or left out; rows and paragraphs are only left out."""
    words = words_of(hint)
    for index, item in enumerate(value):
        others = words if isinstance(item, str) else tuple(_neighbours(item))
        for other in others:
            if other not in value:
                yield f"[{index}]", (*value[:index], other, *value[index + 1 :])
        if len(value) > 1:
            yield f"[{index}]", value[:index] + value[index + 1 :]


def _record(value: Any) -> Iterator[tuple[str, Any]]:
    hints = get_type_hints(type(value), include_extras=True)
    for field in fields(value):
        item = getattr(value, field.name)
        if item is not None:
            for part, other in _typed(hints[field.name], item):
                yield f".{field.name}{part}", replace(value, **{field.name: other})


def _keys(book: Rulebook) -> dict[str, SubmissionKey]:
    return {clause.name: clause for clause in book.clauses if isinstance(clause, SubmissionKey)}


def _condition(book: Rulebook, value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Each wanted value of a submission key replaced by each other of its values."""
    keys = _keys(book)
    for name, wanted in value.items():
        listed = wanted if isinstance(wanted, list) else [wanted]
        for index, item in enumerate(listed):
            for other in _values(keys[name], item):
                if other not in listed:
                    changed = [*listed[:index], other, *listed[index + 1 :]]
                    yield f".{name}", {**value, name: changed if isinstance(wanted, list) else other}


def _values(key: SubmissionKey, item: Any) -> tuple[Any, ...]:
    if key.type == "boolean":
        return (not item,)
    if key.choices:
        return tuple(choice for choice in key.choices if choice != item)
    return (item - 1, item + 1) if isinstance(item, int) else ()


def _reading(book: Rulebook, value: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    known = {reading.name: reading.values for reading in book.readings}
    for name, wanted in value.items():
        for other in known[name]:
            if other != wanted:
                yield f".{name}", {**value, name: other}


def _choice(key: SubmissionKey, field: str, value: Any) -> Iterator[Any]:
    if field == "choices":
        yield from (tuple(item for item in value if item != left_out) for left_out in value if len(value) > 1)
    elif key.type == "choice":
        yield from (choice for choice in key.choices if choice != value)
    elif key.type == "amount":
        yield str(Amount(value) + Amount("0.01"))
    else:
        yield from _neighbours(value)


def _difference(was: Any, now: Any) -> tuple[Any, Any]:
    """The parts in which two values differ."""
    if is_dataclass(was) and not isinstance(was, type):
        name = next(field.name for field in fields(was) if getattr(was, field.name) != getattr(now, field.name))
        return getattr(was, name), getattr(now, name)
    return was, now


def _short(value: Any) -> str:
    if isinstance(value, tuple | list):
        return "+".join(map(_short, value)) or "none"
    if isinstance(value, Mapping):
        return ",".join(f"{key}={_short(item)}" for key, item in value.items())
    return str(value)


# -- who notices


@dataclass(frozen=True)
class LawScript:
    """A law script, read once."""

    path: str
    paragraphs: tuple[str, ...]
    text: str
    body: dict[str, Any]

    def holds(self) -> bool:
        """Whether the script goes as it expects."""
        players: dict[str, Callable[[dict[str, Any]], list[str]]] = {
            COMMAND_FORMAT: play_commands,
            TABLE_FORMAT: play_table_script,
        }
        if self.body["format"] in players:
            return players[self.body["format"]](json.loads(self.text)) == []
        verdict = replay(self.text)
        wanted = 2 if "refused" in self.body["expect"] else 0
        return verdict.faults == () and verdict.exit == wanted


@cache
def scripts_of(book: str) -> tuple[LawScript, ...]:
    """The law scripts of a book."""
    scripts = []
    for path in sorted((LAW / book).glob("*/*.json")):
        text = path.read_text(encoding="utf-8")
        name = str(path.relative_to(LAW))
        scripts.append(LawScript(name, tuple(paragraphs_of_path(path)), text, json.loads(text)))
    return tuple(scripts)


@contextmanager
def on_the_shelf(book: Rulebook) -> Iterator[None]:
    """The rulebook that everybody loads by its id is this one."""
    load = shelf._load

    def found(name: str, edition: str = "") -> Rulebook:
        return book if name == book.id else load(name, edition)

    shelf._load = found
    try:
        yield
    finally:
        shelf._load = load


def with_mutant(book: Rulebook, mutant: Mutant) -> Rulebook:
    """The book with the mutant in it."""
    if not isinstance(mutant.other, Clause):
        order, opening = (mutant.other if field == mutant.field else None for field in ("order", "opening"))
        return replace(book, order=order or book.order, opening=opening or book.opening)
    entry = book.entries[mutant.paragraph]
    clauses = (*entry.clauses[: mutant.number], mutant.other, *entry.clauses[mutant.number + 1 :])
    return replace(book, entries={**book.entries, entry.paragraph: replace(entry, clauses=clauses)})


class Noticing:
    """Asks everybody who might notice a mutant of one book; who noticed often is asked first."""

    def __init__(self, name: str) -> None:
        self.book = Rulebook.load(name)
        self._hits: dict[str, int] = {}
        self._layout, self._who, self._day = layout_log(name), who_log(name), day_log(name)

    def noticed_by(self, mutant: Mutant) -> str | None:
        """Who notices, or None."""
        book = with_mutant(self.book, mutant)
        try:
            check_book(book)
            check_playable(book)
        except TwentyoneError:
            return "loader"
        with on_the_shelf(book), _in_time():
            noticed = self._script(mutant) or self._golden()
        any_task.cache_clear()
        return noticed

    def _script(self, mutant: Mutant) -> str | None:
        def order(script: LawScript) -> tuple[int, int]:
            own = mutant.paragraph in script.paragraphs
            near = any(name.startswith(mutant.paragraph[:8]) for name in script.paragraphs)
            return (0 if own else 1 if near else 2, -self._hits.get(script.path, 0))

        for script in sorted(scripts_of(self.book.id), key=order):
            if not _sound(script.holds):
                self._hits[script.path] = self._hits.get(script.path, 0) + 1
                return script.path
        return None

    def _golden(self) -> str | None:
        if not _sound(lambda: layout_log(self.book.id) == self._layout):
            return "layout"
        if not _sound(lambda: who_log(self.book.id) == self._who):
            return "who"
        return "day" if not _sound(lambda: day_log(self.book.id) == self._day) else None


SECONDS = 30
"""Processor time after which a mutant that comes to no end has been noticed."""


class _Endless(Exception):
    """The table goes round in circles."""


@contextmanager
def _in_time() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise _Endless

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _sound(holds: Callable[[], bool]) -> bool:
    """Whether it holds; whoever stumbles has noticed."""
    try:
        return holds()
    except Exception:
        return False
