"""The filters of the list of rounds: the same for the page, the interface and the files; what is wrong is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from fastapi import Depends, Request
from fastapi.datastructures import QueryParams

from twentyone.ledger.store import table_streams
from twentyone.ledger.timestamps import SECONDS_PER_DAY, Period, seconds_of
from twentyone.ledger.wanted import ANY, OUTCOMES, WENT_WRONG, Wanted
from twentyone.rulebook import loaded_rulebooks
from twentyone.service.own_rounds import only_readable
from twentyone.service.people import NotAllowed, Person
from twentyone.service.service import Service
from twentyone.web.api.common import ServiceHere, Visitor

__all__ = ["FILTERS", "PARAMETERS", "Search", "SearchHere", "read_asked", "trimmed"]

FILTERS = ("from", "to", "table", "player", "box", "outcome", "irregularity", "paragraph")
"""What rounds are filtered by."""
BEFORE = "before"
"""Where a page begins."""
LONGEST = 120
"""The most characters of a value."""
BOXES = 20
"""More boxes than any layout has."""
DAY = len("2026-01-31")
FORMS: dict[str, dict[str, Any]] = {
    "table": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,39}$"},
    "box": {"type": "integer", "minimum": 1, "maximum": BOXES},
    "outcome": {"enum": list(OUTCOMES)},
    "irregularity": {"enum": [ANY, *WENT_WRONG]},
    BEFORE: {"type": "integer", "minimum": 0, "maximum": 2**53 - 1},
}
NOTHING: dict[str, Any] = {"type": "string", "maxLength": 0}
"""A field that was left empty filters nothing."""
PARAMETERS = {
    "parameters": [
        {
            "name": name,
            "in": "query",
            "schema": {"anyOf": [FORMS.get(name, {"type": "string", "maxLength": LONGEST}), NOTHING]},
        }
        for name in (*FILTERS, BEFORE)
    ]
}
"""The filters in the schema of the interface."""


class Search(NamedTuple):
    """What somebody asks for."""

    given: Mapping[str, str]
    """The filters as they were given; empty ones are left out."""
    wanted: Wanted = Wanted()
    """The rounds."""
    before: int | None = None
    """Where the page begins."""
    wrong: tuple[str, ...] = ()
    """What cannot be asked for: then nothing is looked for."""

    def address(self, path: str, before: int | None = None) -> str:
        """An address with the same filters."""
        query = urlencode({**self.given, **({BEFORE: before} if before is not None else {})})
        return f"{path}?{query}" if query else path


def trimmed(query: QueryParams) -> QueryParams:
    """What a form asks for: spaces before and after a value are a slip of whoever wrote it."""
    return QueryParams([(name, value.strip()) for name, value in query.multi_items()])


def read_asked(query: QueryParams, service: Service, person: Person | None) -> Search:
    """The rounds that a query asks for, of those that a person may read."""
    given = {name: value for name, value in query.items() if value}
    wrong = dict(_malformed(query))
    found: dict[str, Any] = {}
    for name, read in READ.items():
        if name in given and name not in wrong:
            try:
                found[name] = read(service, given[name])
            except ValueError as refused:
                wrong[name] = str(refused)
    begun = Period(found.pop("from", None), found.pop("to", None))
    if begun.start is not None and begun.end is not None and begun.start >= begun.end:
        wrong["to"] = "The last day comes before the first one."
    before = found.pop(BEFORE, None)
    kept = {name: given[name] for name in FILTERS if name in given}
    return Search(kept, only_readable(service, person, Wanted(**found, begun=begun)), before, tuple(wrong.values()))


def _malformed(query: QueryParams) -> Iterator[tuple[str, str]]:
    """What is wrong before a value is read, by name."""
    for name in dict.fromkeys(query.keys()):
        if name not in READ:
            yield name, f"There is no filter “{name[:40]}”: there are {', '.join(FILTERS)}."
        elif len(query.getlist(name)) > 1:
            yield name, f"“{name}” is given twice."
        elif len(query[name]) > LONGEST:
            yield name, f"“{name}” is longer than {LONGEST} characters."


def asked(request: Request, service: ServiceHere, person: Visitor) -> Search:
    """What a request asks for; refused where something of it cannot be asked for."""
    found = read_asked(request.query_params, service, person)
    if found.wrong:
        raise NotAllowed(" ".join(found.wrong), 422)
    return found


SearchHere = Annotated[Search, Depends(asked)]


# -- values


def _first(_: Service, text: str) -> int:
    return _moment(text)


def _last(_: Service, text: str) -> int:
    """The first second after a moment or a day that is still wanted."""
    return _moment(text) + (SECONDS_PER_DAY if len(text) == DAY else 0)


def _moment(text: str) -> int:
    seconds = seconds_of(text)
    if seconds is None:
        raise ValueError(f"“{text}” is no day: write 2026-01-31, or 2026-01-31T08:00.")
    return seconds


def _table(service: Service, text: str) -> str:
    return _one_of(table_streams(service.store), "table", service, text)


def _one_of(known: list[str] | tuple[str, ...], what: str, _: Service, text: str) -> str:
    if text not in known:
        raise ValueError(f"There is no {what} “{text}”: there are {', '.join(known) or 'none'}.")
    return text


def _number(least: int, most: int, what: str, _: Service, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < DAY * 2 and least <= int(text) <= most):
        raise ValueError(f"“{text}” is no {what}: it is a number from {least} to {most}.")
    return int(text)


def _paragraph(_: Service, text: str) -> str:
    """A paragraph of a rulebook, with or without its prefix."""
    for book in loaded_rulebooks()[0]:
        with suppress(KeyError):
            book.entry(text)
            return text
    raise ValueError(f"No rulebook has a paragraph “{text}”.")


READ: dict[str, Callable[[Service, str], Any]] = {
    "from": _first,
    "to": _last,
    "table": _table,
    "player": lambda _, text: text,
    "box": partial(_number, 1, BOXES, "box"),
    "outcome": partial(_one_of, OUTCOMES, "outcome"),
    "irregularity": partial(_one_of, [ANY, *WENT_WRONG], "irregularity"),
    "paragraph": _paragraph,
    BEFORE: partial(_number, 0, 2**53 - 1, "place in the ledger"),
}
"""How the value of each filter is read."""
