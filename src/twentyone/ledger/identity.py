"""What a table is played under, as hashes: the rulebook's clauses, the submission, the readings.

Text that is only for people (a paragraph's words, what a task says) is left out: it changes no event.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from twentyone.errors import SubmissionRefused
from twentyone.ledger.canonical import fingerprint
from twentyone.money import Odds
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.clauses import Clause, SubmissionKey
from twentyone.version import __version__

__all__ = ["earlier_rules", "given_submission", "identity_of", "rulebook_hash", "rules_hash"]

WORDS = ("says", "place")
"""Fields of a clause that are only text for people."""
NOT_HASHED = (
    "title", "source", "full_title", "paragraphs", "entries", "showcase", "texts", "known_as",
    "edition", "amendments",
)  # fmt: skip
"""Fields of a rulebook that are left out: text for people, what its clauses already say, and what few books have."""
KEPT = 64
"""Rules whose hashes are cached."""


@lru_cache(maxsize=KEPT)
def rulebook_hash(book: Rulebook) -> str:
    """The hash of everything in a rulebook that the machine reads; of a kept one, the hash that it is kept under."""
    if book.known_as:
        return book.known_as
    head = {field.name: _plain(getattr(book, field.name)) for field in fields(book) if field.name not in NOT_HASHED}
    if book.amendments:
        head["amendments"] = list(book.amendments)
    return fingerprint([head, [_clause(clause) for clause in book.clauses]])


def earlier_rules(name: str, given: Mapping[str, Any], known_as: str) -> Rules:
    """The rules that stand for those of an earlier form, known by their hash: to read what happened, not to deal it."""
    book = Rulebook.load(name)
    keys = {clause.name for clause in book.clauses if isinstance(clause, SubmissionKey)}
    known = {clause.name: clause.values for clause in book.readings}
    readings = {key: value for key, value in given["readings"].items() if value in known.get(key, ())}
    rules = copy(_under(book, {key: value for key, value in given.items() if key in keys}, readings))
    rules.known_as = known_as
    return rules


def _under(book: Rulebook, given: dict[str, Any], readings: Mapping[str, str]) -> Rules:
    """The rules under a submission, without what this version refuses: an earlier one took it."""
    while True:
        try:
            return book.under({**given, "readings": readings})
        except SubmissionRefused as refused:
            if given.pop(refused.key, None) is None:
                raise


@lru_cache(maxsize=KEPT)
def rules_hash(rules: Rules) -> str:
    """The hash of the rulebook, the submission and the readings in force, or the earlier one that they stand for."""
    if rules.known_as:
        return rules.known_as
    terms = {choice.key: _plain(choice.value) for choice in rules.submission.choices}
    return fingerprint([rulebook_hash(rules.rulebook), terms, dict(rules.submission.readings)])


def given_submission(rules: Rules) -> dict[str, Any]:
    """The operator's choices as he gave them, and every reading in force: `Rulebook.under` makes the rules of it."""
    given = {choice.key: _plain(choice.value) for choice in rules.submission.choices if choice.given}
    return {**given, "readings": dict(rules.submission.readings)}


def identity_of(rules: Rules) -> dict[str, Any]:
    """What a table is played under, and the version that says so."""
    given, book = given_submission(rules), rules.rulebook
    readings = given.pop("readings")
    return {
        "rulebook": book.id,
        **({"edition": book.edition} if book.edition else {}),
        "rulebook_hash": rulebook_hash(book),
        "submission": given,
        "readings": readings,
        "rules": rules_hash(rules),
        "software": __version__,
    }


def _clause(clause: Clause) -> list[Any]:
    values = {field.name: _plain(getattr(clause, field.name)) for field in fields(clause) if field.name not in WORDS}
    return [clause.type_key, values]


def _plain(value: Any) -> Any:
    """A clause's value as canonical JSON values."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Odds | Fraction) or type(value) is float:
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(map(_plain, value))
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
