"""A paragraph of the reader's copy beside ours: what somebody who approves it has seen, and what changed since.

Seen are the text, our words, the clause with its terms, the readings, the functions that carry it out, the law scripts.
Of each a digest is kept, never the thing itself.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from twentyone.money import Amount, Odds
from twentyone.rulebook.clauses import Clause
from twentyone.rulebook.coverage import carriers_of, paragraphs_of_path, readings_of, script_name, scripts_of
from twentyone.rulebook.own_text import OwnText, Passage
from twentyone.rulebook.reader import Entry
from twentyone.rulebook.rulebook import Rulebook
from twentyone.rulebook.values import HEAD

__all__ = ["STATES", "VERDICTS", "LawReview", "Side", "Standing", "changed", "sides", "standing", "terms_of"]

VERDICTS = ("approve", "object", "comment")
"""What a reviewer can say of a paragraph; a comment decides nothing."""
STATES = ("signed", "stale", "objected", "none")
"""Where a paragraph stands: approved as it is now, judged as it was before, objected to as it is now, not judged."""

Parts = Mapping[str, Any]
"""The digests of what was seen: `text`, `words`, `clause`, `readings`; by name `functions` and `scripts`."""


class LawReview(NamedTuple):
    """What somebody said of a paragraph, and what he saw of it."""

    rulebook: str
    """The rulebook's id."""
    paragraph: str
    """The paragraph's id."""
    verdict: str
    """One of `VERDICTS`."""
    comment: str
    """Why; empty where nothing is to be said."""
    by: str
    """Who."""
    at: int
    """When, in seconds UTC."""
    parts: Parts
    """What he saw."""
    public: str = ""
    """The public key that signed it, in hexadecimal digits."""


class Side(NamedTuple):
    """A paragraph of the copy, and ours beside it."""

    entry: Entry
    """Our entry."""
    passage: Passage | None
    """The words of the copy; none: no copy is at hand."""
    terms: list[tuple[str, str, dict[str, str]]]
    """Of each clause that carries it: its paragraph, its key, its written fields."""
    readings: dict[str, list[str]]
    """The readings that bear on it, each with its values."""
    functions: list[str]
    """The functions that carry it out."""
    scripts: list[str]
    """The law scripts that show it."""
    parts: Parts
    """What a reviewer sees of it now."""


class Standing(NamedTuple):
    """Where a paragraph stands."""

    state: str
    """One of `STATES`."""
    said: list[tuple[LawReview, list[str]]]
    """What everybody said last, each with what changed since."""


# -- what stands beside the text


def sides(book: Rulebook, own: OwnText | None) -> dict[str, Side]:
    """Every paragraph of a rulebook, with the words of a copy where one is at hand."""
    scripts = _scripts(book)
    return {
        paragraph: _side(book, entry, own.passages[paragraph] if own else None, scripts.get(paragraph, {}))
        for paragraph, entry in book.entries.items()
    }


def _side(book: Rulebook, entry: Entry, passage: Passage | None, scripts: dict[str, str]) -> Side:
    readings = {reading.name: list(reading.values) for reading in readings_of(book, entry)}
    others = [clause for clause in book.clauses if clause.key in entry.carried_by] if entry.carried_by else []
    carrying = dict.fromkeys([*entry.clauses, *others])
    terms = [(clause.paragraph, clause.key, terms_of(clause)) for clause in carrying]
    functions = carriers_of(entry)
    parts = {
        "text": passage.digest if passage else "",
        "words": _digest([entry.title, entry.words, *(list(note) for note in entry.notes)]),
        "clause": _digest([list(term) for term in terms]),
        "readings": _digest(readings),
        "functions": {name: _source(name) for name in functions},
        "scripts": scripts,
    }
    return Side(entry, passage, terms, readings, functions, list(scripts), parts)


def terms_of(clause: Clause) -> dict[str, str]:
    """The written fields of a clause, each as text.

    >>> terms_of(Rulebook.load("pa-spanish-21").entry("635a.12(d)").clauses[0])
    {'wagers': 'insurance', 'odds': '2:1'}
    """
    return {name: _said(value) for name, value in _given(clause).items() if name not in HEAD}


def _given(value: Any) -> dict[str, Any]:
    """The fields that are not left as they are where nobody writes them: one that is added later changes no digest."""
    return {
        field.name: given
        for field in fields(value)
        if (given := getattr(value, field.name))
        != (field.default if field.default_factory is MISSING else field.default_factory())
    }


def _said(value: Any) -> str:
    """A value as text."""
    if isinstance(value, bool):
        return str(value).lower()
    if is_dataclass(value) and not isinstance(value, Amount | type):
        return _said(_given(value))
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_said(inner)}" for key, inner in value.items())
    if isinstance(value, tuple | list) and not isinstance(value, Odds):
        return ", ".join(map(_said, value))
    return str(value)


def _digest(value: Any) -> str:
    return sha256(repr(value).encode()).hexdigest()


def _scripts(book: Rulebook) -> dict[str, dict[str, str]]:
    """The law scripts under each paragraph, each with the digest of its file."""
    found: dict[str, dict[str, str]] = {}
    for script in scripts_of(book):
        digest = sha256(script.read_bytes()).hexdigest()
        for paragraph in paragraphs_of_path(script):
            found.setdefault(paragraph, {})[script_name(script)] = digest
    return found


def _source(name: str) -> str:
    """The digest of a function as it is written, from its first decorator to its last line."""
    module = name
    while module not in sys.modules:
        module = module.rpartition(".")[0]
    return _written(Path(str(sys.modules[module].__file__)))[name.removeprefix(f"{module}.")]


@cache
def _written(file: Path) -> dict[str, str]:
    """The digest of everything that is defined in a module, by its name inside it."""
    text = file.read_text(encoding="utf-8")
    found: dict[str, str] = {}

    def walk(body: Iterable[ast.stmt], above: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                lines = text.splitlines()[first - 1 : node.end_lineno]
                found[above + node.name] = sha256("\n".join(lines).encode()).hexdigest()
                walk(node.body, f"{above}{node.name}.")

    walk(ast.parse(text).body, "")
    return found


# -- what changed since


def changed(seen: Parts, now: Parts) -> list[str]:
    """What a reviewer saw otherwise than it is now; the text is compared where a copy is at hand.

    >>> changed({"text": "1", "scripts": {"a": "1"}}, {"text": "2", "scripts": {"a": "1", "b": "1"}})
    ['text', 'script b (new)']
    """
    plain = [part for part in ("text", "words", "clause", "readings") if now.get(part) and seen.get(part) != now[part]]
    return [*plain, *_named_changes("function", seen, now), *_named_changes("script", seen, now)]


def _named_changes(what: str, seen: Parts, now: Parts) -> Iterable[str]:
    before: Mapping[str, str] = seen.get(f"{what}s", {})
    after: Mapping[str, str] = now.get(f"{what}s", {})
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) != after.get(name):
            yield f"{what} {name}" + (" (new)" if name not in before else " (gone)" if name not in after else "")


def standing(reviews: Iterable[LawReview], now: Parts) -> Standing:
    """Where a paragraph stands: of each reviewer the last verdict counts, and only while nothing has changed."""
    last = {(review.public, review.by): review for review in reviews if review.verdict != "comment"}
    said = [(review, changed(review.parts, now)) for review in last.values()]
    fresh = {review.verdict for review, since in said if not since}
    if "object" in fresh:
        return Standing("objected", said)
    return Standing("signed" if "approve" in fresh else "stale" if said else "none", said)
