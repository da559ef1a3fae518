"""The form with which staff opens a new table: what each rulebook leaves to the operator, with its paragraph."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import combinations

import htpy as h

from twentyone.errors import SubmissionRefused
from twentyone.rulebook import Rulebook, loaded_rulebooks
from twentyone.rulebook.clauses import Reading, SubmissionKey
from twentyone.web.pages.shell import chip

__all__ = ["opening_form"]

PUT_FORWARD = {"table_minimum": "5", "table_maximum": "500"}
"""What an operator usually chooses where the text has no default."""
AT_ONCE = ("decks", "shuffler", "table_minimum", "table_maximum")
"""The keys that are always shown."""
WRITTEN = ("odds", "table")
"""Types of keys that are entered as JSON."""
BETWEEN = ", "
"""What stands between two choices that are taken together."""


def opening_form(taken: Iterable[str]) -> h.Element:
    """The form; it suggests a name that no table has yet."""
    books = loaded_rulebooks()[0]
    options = [h.option(value=book.id)[f"{book.title}, {book.source}"] for book in books]
    name = h.input(
        ".tw-field",
        name="name",
        required=True,
        pattern="[a-z0-9][a-z0-9\\-]*",
        data_taken=" ".join(taken),
        autocomplete="off",
    )
    return h.form(".tw-panel.tw-opening", data_act="open-table")[
        h.h2["Open another table"],
        h.p(".tw-note")["The submission is checked against the rulebook; a refusal names its paragraph."],
        h.div(".tw-choices")[
            h.label(".tw-label")["Rulebook", h.select(".tw-field", name="rulebook")[options]],
            h.label(".tw-label")["Name", name],
            h.label(".tw-label")["Cards", _cards()],
        ],
        [_book(book, hidden=index > 0) for index, book in enumerate(books)],
        _more(),
        h.div(".tw-row")[h.button(".tw-button.gold", type="submit")["Open"]],
        h.p(".loss", role="alert", data_part="wrong"),
    ]


def _cards() -> h.Element:
    ways = {"shoe": "shuffled by the service", "person": "a real shoe: the dealer enters each card"}
    return h.select(".tw-field", name="cards")[[h.option(value=way)[says] for way, says in ways.items()]]


def _more() -> h.Element:
    written = h.textarea(".tw-field", name="submission", rows=3, spellcheck="false")["{}"]
    return h.details(".tw-agenda")[
        h.summary["More of the submission, as JSON"],
        h.label(".tw-label")["These keys override the choices above", written],
    ]


def _book(book: Rulebook, hidden: bool) -> h.Element:
    """What one rulebook leaves open: its keys, then its readings."""
    known = {clause.name: clause for clause in book.clauses if isinstance(clause, SubmissionKey)}
    keys = [key for key in known.values() if not key.fixed]
    readings = [reading for reading in book.readings if len(reading.values) > 1]
    return h.fieldset(".tw-submission", data_book=book.id, hidden=hidden, disabled=hidden)[
        h.legend(".tw-h")["Submission"],
        h.div(".tw-choices")[[_key(book, key) for key in keys if key.name in AT_ONCE]],
        _folded("more choices", [_key(book, key) for key in keys if key.name not in AT_ONCE]),
        _folded("readings of the text", [_reading(book, reading) for reading in readings]),
    ]


def _folded(says: str, fields: list[h.Element]) -> h.Element | None:
    """Fields that are seldom changed, in a section that is closed at first."""
    if not fields:
        return None
    inside = h.div(".tw-choices")[fields]
    return h.details(".tw-agenda")[h.summary[f"{len(fields)} {says}"], inside]


def _reading(book: Rulebook, reading: Reading) -> h.Element:
    field = _select(f"readings.{reading.name}", [str(value) for value in reading.values], str(reading.values[0]))
    return _labelled(book, reading.name.replace("-", " "), reading.paragraph, field)


def _key(book: Rulebook, key: SubmissionKey) -> h.Element:
    return _labelled(book, key.says or key.name.replace("_", " "), key.paragraph, _field(book, key))


def _labelled(book: Rulebook, says: str, paragraph: str, field: h.Element | h.VoidElement) -> h.Element:
    label = h.label(".tw-label")[h.span[says[:1].upper() + says[1:]], field]
    return h.div(".tw-choice")[label, chip(book.id, paragraph)]


def _together(book: Rulebook, key: SubmissionKey) -> list[str]:
    """The pairs of choices that the text allows at one table."""
    if not key.several:
        return []
    pairs = []
    for one, other in combinations(key.choices, 2):
        with suppress(SubmissionRefused):
            book.under({key.name: [one, other]})
            pairs.append(f"{one}{BETWEEN}{other}")
    return pairs


def _written(key: SubmissionKey) -> h.Element:
    """A table of figures, as JSON."""
    shown = {"rows": "2", "spellcheck": "false", "placeholder": "none"}
    return h.textarea(".tw-field", shown, name=key.name, data_key=key.name, data_type="json", data_default="")


def _field(book: Rulebook, key: SubmissionKey) -> h.Element | h.VoidElement:
    """The control that fits a key."""
    if key.type in WRITTEN:
        return _written(key)
    if key.type == "boolean":
        return _select(key.name, ["true", "false"], str(key.default).lower(), {"true": "yes", "false": "no"}, "boolean")
    if key.choices:
        values = [*([""] if key.optional else []), *map(str, key.choices), *_together(book, key)]
        read_as = "choices" if key.several else key.type
        return _select(key.name, values, "" if key.default is None else str(key.default), {"": "none"}, read_as)
    default = "" if key.default is None else str(key.default)
    kind = {"type": "number", "min": key.least, "max": key.most} if key.type == "integer" else {"inputmode": "decimal"}
    return h.input(
        ".tw-field",
        name=key.name,
        value=default or PUT_FORWARD.get(key.name, ""),
        data_key=key.name,
        data_type=key.type,
        data_default=default,
        placeholder="none" if key.optional else None,
        autocomplete="off",
        **kind,
    )


def _select(
    name: str, values: list[str], default: str, says: dict[str, str] | None = None, kind: str = "choice"
) -> h.Element:
    labels = says or {}
    options = [h.option(value=value, selected=value == default)[labels.get(value, value)] for value in values]
    return h.select(".tw-field", name=name, data_key=name, data_type=kind, data_default=default)[options]
