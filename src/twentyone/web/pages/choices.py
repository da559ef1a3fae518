"""The controls of a submission: what a rulebook leaves to the operator, key by key, and how it can be read."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import combinations
from typing import Any

import htpy as h
from markupsafe import Markup

from twentyone.errors import SubmissionRefused
from twentyone.rulebook import Rulebook
from twentyone.rulebook.clauses import Reading, SubmissionKey
from twentyone.web.pages.shell import chip

__all__ = ["choices_of", "field_of", "labelled", "named_readings", "reading_field", "written"]

WRITTEN = ("odds", "table")
"""Types of keys that are entered as JSON."""
YES_NO = {"true": "yes", "false": "no"}
BETWEEN = ", "
"""What stands between two choices that are taken together."""

AMOUNT = r"\d{1,12}(\.\d{1,2})?"
"""How an amount is written."""

Given = Mapping[str, Any]
"""A submission, or the part of it that was chosen."""
KEPT = 256
"""Forms that are kept as they were drawn."""


def choices_of(
    book: Rulebook, given: Given, at_once: tuple[str, ...] = (), *, hidden: bool = False, name: str = "submission"
) -> Markup:
    """What one rulebook leaves open: its keys, then its readings; with what was chosen already."""
    return _drawn(book, json.dumps(given, sort_keys=True), at_once, hidden, name)


@lru_cache(maxsize=KEPT)
def _drawn(book: Rulebook, given: str, at_once: tuple[str, ...], hidden: bool, name: str) -> Markup:
    return Markup(_choices(book, json.loads(given), at_once, hidden=hidden, name=name))


def _choices(book: Rulebook, given: Given, at_once: Container[str], *, hidden: bool, name: str) -> h.Element:
    chosen = named_readings(given)
    known = {clause.name: clause for clause in book.clauses if isinstance(clause, SubmissionKey)}
    keys = [key for key in known.values() if not key.fixed]
    readings = [reading for reading in book.readings if len(reading.values) > 1]
    return h.fieldset(".tw-submission", data_book=book.id, data_name=name, hidden=hidden, disabled=hidden)[
        h.legend(".tw-h")["Submission" if name == "submission" else f"Submission of {book.title}, the second"],
        h.div(".tw-choices")[[_key(book, key, given) for key in keys if key.name in at_once]],
        _folded("more choices", [_key(book, key, given) for key in keys if key.name not in at_once]),
        _folded(
            "readings of the text", [reading_field(book, reading, chosen.get(reading.name)) for reading in readings]
        ),
    ]


def named_readings(given: Given) -> Mapping[str, Any]:
    """The readings that a submission names, as far as they can be read: one that is refused is shown, too."""
    named = given.get("readings", {})
    return named if isinstance(named, dict) else {}


def _folded(says: str, fields: list[h.Element]) -> h.Element | None:
    """Fields that are seldom changed, in a section that is closed at first."""
    if not fields:
        return None
    inside = h.div(".tw-choices")[fields]
    return h.details(".tw-agenda")[h.summary[f"{len(fields)} {says}"], inside]


def reading_field(book: Rulebook, reading: Reading, chosen: str | None) -> h.Element:
    values = [str(value) for value in reading.values]
    field = _select(f"readings.{reading.name}", values, values[0], chosen=chosen)
    return labelled(book, reading.name.replace("-", " "), reading.paragraph, field)


def _key(book: Rulebook, key: SubmissionKey, given: Given) -> h.Element:
    chosen = written(given[key.name]) if key.name in given else None
    return labelled(book, key.says or key.name.replace("_", " "), key.paragraph, field_of(book, key, chosen))


def written(value: Any) -> str:
    """A value of a submission as its control writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return BETWEEN.join(map(str, value))
    return json.dumps(value) if isinstance(value, dict) else "" if value is None else str(value)


def labelled(book: Rulebook, says: str, paragraph: str, field: h.Element | h.VoidElement) -> h.Element:
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


def _table_field(key: SubmissionKey, chosen: str | None) -> h.Element:
    """A table of figures, as JSON."""
    shown = {"rows": "2", "spellcheck": "false", "placeholder": "none"}
    field = h.textarea(".tw-field", shown, name=key.name, data_key=key.name, data_type="json", data_default="")
    return field[chosen or ""]


def field_of(book: Rulebook, key: SubmissionKey, chosen: str | None) -> h.Element | h.VoidElement:
    """The control that fits a key."""
    if key.type in WRITTEN:
        return _table_field(key, chosen)
    if key.type == "boolean":
        values = [str(value).lower() for value in key.choices or (True, False)]
        return _select(key.name, values, str(key.default).lower(), YES_NO, "boolean", chosen)
    if key.choices:
        values = [*([""] if key.optional else []), *map(str, key.choices), *_together(book, key)]
        read_as = "choices" if key.several else key.type
        return _select(key.name, values, "" if key.default is None else str(key.default), {"": "none"}, read_as, chosen)
    default = "" if key.default is None else str(key.default)
    numeral = {"type": "number", "min": key.least, "max": key.most}
    kind = numeral if key.type == "integer" else {"inputmode": "decimal", "pattern": AMOUNT}
    return h.input(
        ".tw-field",
        name=key.name,
        value=default if chosen is None else chosen,
        data_key=key.name,
        data_type=key.type,
        data_default=default,
        placeholder="none" if key.optional else None,
        autocomplete="off",
        **kind,
    )


def _select(
    name: str,
    values: list[str],
    default: str,
    says: Mapping[str, str] | None = None,
    kind: str = "choice",
    chosen: str | None = None,
) -> h.Element:
    labels, here = says or {}, default if chosen is None else chosen
    options = [h.option(value=value, selected=value == here)[labels.get(value, value)] for value in values]
    return h.select(".tw-field", name=name, data_key=name, data_type=kind, data_default=default)[options]
