"""The text of the law at a table in time: what is due by the clock, and the events that say so.

A new text begins with the first shoe on or after its date (`law_begun`). One that forbids the table's submission is
recorded too (`law_refused`): that table makes no shoe any more, and is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from twentyone.errors import Refused, RulebookError
from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.codec import LAW_BEGUN, LAW_REFUSED, SCHEMA
from twentyone.ledger.identity import given_submission, identity_of
from twentyone.ledger.kept_law import keep_law
from twentyone.ledger.rows import NewEvent, StaleVersion, StoredEvent
from twentyone.ledger.timestamps import moment
from twentyone.rulebook import Edition, Rulebook, Rules
from twentyone.rulebook.in_time import later_editions
from twentyone.table import Command, Table, TableState
from twentyone.table.new_text import meters_differ, prepares_shoe, shoe_begins

if TYPE_CHECKING:
    from twentyone.ledger.store import Store

__all__ = [
    "LawDue",
    "TableLaw",
    "begun",
    "day_at",
    "law_due",
    "law_events",
    "law_faults",
    "law_key",
    "law_words",
    "refused",
]


class LawDue(NamedTuple):
    """A new text that a table takes up with its next shoe, or cannot."""

    editions: tuple[Edition, ...]
    """What has begun since the table's own text, the last one its new text."""
    rules: Rules | None
    """The rules of the table under it."""
    refused: Refused | None = None
    """Why the table cannot be played under it."""

    def to_json(self) -> dict[str, Any]:
        """What an event says of it: since when, from where, and the paragraphs that are touched."""
        last = self.editions[-1]
        touched = dict.fromkeys(paragraph for edition in self.editions for paragraph in edition.paragraphs)
        return {"begins": last.begins, "source": last.source, "paragraphs": list(touched)}


def day_at(at: int) -> str:
    """The day of a moment, by UTC.

    >>> day_at(1_767_225_599), day_at(1_767_225_600)
    ('2025-12-31', '2026-01-01')
    """
    return moment(at).partition(" ")[0]


def law_due(rules: Rules, day: str) -> LawDue | None:
    """The text that has begun by a day and that these rules are not of; none where theirs is still law."""
    try:
        since = later_editions(rules.rulebook, day)
    except RulebookError:
        return None  # a list of editions that cannot be read changes nothing
    if not since:
        return None
    try:
        new = Rulebook.load(rules.rulebook.id, at=day).under(given_submission(rules))
        Table.new(new)
    except RulebookError as fault:
        return LawDue(since, None, Refused(str(fault)))
    except Refused as refused:
        return LawDue(since, None, Refused(f"the text that is law since {since[-1]}: {refused.why}", refused.cite))
    return LawDue(since, new, meters_differ(rules, new))


class TableLaw:
    """The law at one table: what is due is worked out once a day."""

    def __init__(self, store: Store, stream: str, clock: Callable[[], int]) -> None:
        self._store, self._stream, self._clock = store, stream, clock
        self._asked: tuple[str, Rules] | None = None
        self._due: LawDue | None = None

    def due(self, table: Table) -> LawDue | None:
        """The text that the table takes up now: its next shoe is due, and so is a new text."""
        if not shoe_begins(table.state):
            return None
        day = day_at(self._clock())
        if self._asked is None or self._asked[0] != day or self._asked[1] is not table.rules:
            self._asked, self._due = (day, table.rules), law_due(table.rules, day)
        return self._due

    def barred(self, table: Table) -> Refused | None:
        """Why no further shoe is made here: the text that is law by now forbids this table."""
        due = self.due(table)
        return None if due is None else due.refused

    def check(self, table: Table, command: Command) -> None:
        """Refuse to prepare a shoe that the law forbids."""
        why = self.barred(table)
        if why is not None and prepares_shoe(table.state, command.do):
            raise why

    def take_up(self, table: Table, version: int) -> bool:
        """Store what is due, once; whether the stream has more events now."""
        due = self.due(table)
        if due is None:
            return False
        at = self._clock()
        event = begun(due, at) if due.refused is None else refused(due, at)
        key = f"no {event.body['begins']} {self._stream}"
        if due.refused is None:
            assert due.rules is not None
            keep_law(self._store, due.rules.rulebook, at)
            key = law_key(self._stream, 1 + sum(1 for _ in law_events(self._store, self._stream)))
        elif self._store.find_key(key) is not None:
            return False
        with suppress(StaleVersion):
            self._store.append(self._stream, version, [event], key, fingerprint([self._stream, key]))
        return True


# -- events


def begun(due: LawDue, at: int) -> NewEvent:
    """A new text begins at a table."""
    assert due.rules is not None
    return NewEvent(LAW_BEGUN, {**due.to_json(), **identity_of(due.rules)}, at, SCHEMA)


def refused(due: LawDue, at: int) -> NewEvent:
    """A new text forbids what a table was submitted for."""
    assert due.refused is not None
    return NewEvent(LAW_REFUSED, {**due.to_json(), "why": due.refused.why, "cite": due.refused.cite}, at, SCHEMA)


def law_faults(event: StoredEvent, body: dict[str, Any], rules: Rules, state: TableState) -> Iterator[str]:
    """What is wrong with a new text at a table, seen from the table before it."""
    if body["begins"] > day_at(event.ts):
        yield f"the text of {body['begins']} is not law on {day_at(event.ts)}"
    if event.type == LAW_BEGUN and body["begins"] <= rules.rulebook.edition:
        yield f"the text of {body['begins']} follows that of {rules.rulebook.edition}"
    if not shoe_begins(state):
        yield "a new text begins where no shoe does"


def law_words(body: Mapping[str, Any]) -> str:
    """What happened, for a person."""
    touched = f": {', '.join(body['paragraphs'])}" if body["paragraphs"] else ""
    text = f"the text that is law since {body['begins']} ({body['source']}{touched})"
    return f"{text} begins here" if "why" not in body else f"{text} forbids this table: {body['why']}"


def law_key(stream: str, number: int) -> str:
    """The key of the first, second ... new text of a table: so they are found without reading its other events."""
    return f"law {number} {stream}"


def law_events(store: Store, stream: str) -> Iterator[StoredEvent]:
    """Where new texts began at a table, in order."""
    number = 1
    while (found := store.find_key(law_key(stream, number))) is not None:
        yield found[1][0]
        number += 1
