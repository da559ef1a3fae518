"""What a table is played under, as hashes: the rulebook's clauses, the submission, the readings.

Text that is only for people (a paragraph's words, what a task says) is left out: it changes no event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from twentyone.ledger.canonical import fingerprint
from twentyone.money import Odds
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.clauses import Clause

__all__ = ["book_of", "given_submission", "rulebook_hash", "rules_hash"]

WORDS = ("says", "place")
"""Fields of a clause that are only text for people."""
NOT_HASHED = ("title", "source", "paragraphs", "entries", "showcase", "earlier", "known_as")
"""Fields of a rulebook that are left out: text for people, and what its clauses already say."""
KEPT = 64
"""Rules whose hashes are cached."""


@lru_cache(maxsize=KEPT)
def rulebook_hash(book: Rulebook) -> str:
    """The hash of everything in a rulebook that the machine reads, or the earlier one that it answers for."""
    if book.known_as:
        return book.known_as
    head = {field.name: _plain(getattr(book, field.name)) for field in fields(book) if field.name not in NOT_HASHED}
    return fingerprint([head, [_clause(clause) for clause in book.clauses]])


@lru_cache(maxsize=KEPT)
def book_of(name: str, known_as: str) -> Rulebook | None:
    """The rulebook of a ledger, by the hash that it was written under; none where this software has another law."""
    book = Rulebook.load(name)
    if known_as == rulebook_hash(book):
        return book
    return replace(book, known_as=known_as) if known_as in book.earlier else None


@lru_cache(maxsize=KEPT)
def rules_hash(rules: Rules) -> str:
    """The hash of the rulebook, the submission and the readings in force."""
    terms = {choice.key: _plain(choice.value) for choice in rules.submission.choices}
    return fingerprint([rulebook_hash(rules.rulebook), terms, dict(rules.submission.readings)])


def given_submission(rules: Rules) -> dict[str, Any]:
    """The operator's choices as he gave them, and every reading in force: `Rulebook.under` makes the rules of it."""
    given = {choice.key: _plain(choice.value) for choice in rules.submission.choices if choice.given}
    return {**given, "readings": dict(rules.submission.readings)}


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
