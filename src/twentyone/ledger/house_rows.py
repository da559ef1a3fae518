"""Rows that are derived from the house's stream, and what each of its events does to them.

A module brings its tables (`derived_table`) and its events (`house_event`). The rows change in the transaction that
stores the event; an event that they do not allow refuses its whole command. Nothing here touches a database.
"""

from __future__ import annotations

import json
from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import Any, NamedTuple, TypeAlias

from twentyone.errors import Refused, TwentyoneError
from twentyone.ledger.rows import NotCanonical

__all__ = [
    "KINDS",
    "TABLES",
    "Body",
    "DerivedTable",
    "HouseKind",
    "HouseRows",
    "Place",
    "Row",
    "Rows",
    "Written",
    "derived_table",
    "house_event",
    "touched",
]

Body: TypeAlias = Mapping[str, Any]
Place: TypeAlias = tuple[str, str]
"""The table of a row, and its key."""
Row: TypeAlias = tuple[Any, ...]
"""The columns of a row, without its key."""
Rows: TypeAlias = MutableMapping[Place, Row]
Written: TypeAlias = tuple[int, str, int, str]
"""Time, type, schema and canonical body of an event."""


class DerivedTable(NamedTuple):
    """A table of the database whose rows follow from the house's stream."""

    name: str
    """Its name."""
    key: str
    """The column that names a row."""
    columns: tuple[str, ...]
    """The others."""

    def row(self, row: Row | None) -> str:
        """A row in words.

        >>> DerivedTable("purses", "name", ("balance", "issues")).row((500000, 1))
        'balance 500000, issues 1'
        """
        return "missing" if row is None else ", ".join(map("{} {}".format, self.columns, row))


class HouseKind(NamedTuple):
    """What one kind of event does."""

    touches: Callable[[Body], Iterable[Place]]
    """The rows that it reads or changes."""
    change: Callable[[Rows, Body, int], None]
    """Changes them, given its body and its time; raises `Refused` where they do not allow it."""


TABLES: dict[str, DerivedTable] = {}
"""Every derived table."""
KINDS: dict[str, HouseKind] = {}
"""Every kind of event that the house's stream may hold."""


def derived_table(name: str, key: str, *columns: str) -> str:
    """Declare a derived table; answers its name."""
    TABLES[name] = DerivedTable(name, key, columns)
    return name


def house_event(
    kind: str, touches: Callable[[Body], Iterable[Place]]
) -> Callable[[Callable[[Rows, Body, int], None]], Callable[[Rows, Body, int], None]]:
    """Declare what a kind of event does to derived rows."""

    def declare(change: Callable[[Rows, Body, int], None]) -> Callable[[Rows, Body, int], None]:
        KINDS[kind] = HouseKind(touches, change)
        return change

    return declare


def touched(events: Iterable[Written]) -> frozenset[Place]:
    """The rows that events of the house need; refuses what is no event of the house."""
    try:
        return frozenset(place for event in events for place in _kind(event[1]).touches(_body(event)))
    except (KeyError, TypeError, ValueError) as wrong:
        raise _unreadable(wrong) from None


def _unreadable(wrong: Exception) -> NotCanonical:
    return NotCanonical("house", f"the event cannot be read ({type(wrong).__name__} {wrong})")


def _kind(name: str) -> HouseKind:
    if name not in KINDS:
        raise NotCanonical("house", f"{name!r} is not an event of the house")
    return KINDS[name]


def _body(event: Written) -> Body:
    body: Body = json.loads(event[3])
    return body


class HouseRows:
    """The derived rows that a group of commands needs, as they change from command to command."""

    def __init__(self, held: Mapping[Place, Row] | None = None) -> None:
        self.held: dict[Place, Row] = dict(held or {})
        """The rows as they are now."""
        self.changed: dict[Place, Row] = {}
        """Those that are to be written."""

    def carry_out(self, events: Iterable[Written]) -> TwentyoneError | None:
        """Let the events of one command change the rows, all of them or none; answers why not."""
        trial: ChainMap[Place, Row] = ChainMap({}, self.held)
        try:
            for event in events:
                _kind(event[1]).change(trial, _body(event), event[0])
        except (Refused, NotCanonical) as refused:
            return refused
        except (KeyError, TypeError, ValueError) as wrong:
            return _unreadable(wrong)
        self.held.update(trial.maps[0])
        self.changed.update(trial.maps[0])
        return None
