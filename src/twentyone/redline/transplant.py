"""One provision of the second law put into the first, so that it can be priced and dealt alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from twentyone.redline.model import Provision, Redline
from twentyone.redline.terms import rows_of
from twentyone.rulebook import Rules, rules_of
from twentyone.rulebook import clauses as c
from twentyone.rulebook.rows import stands_under, yields

__all__ = ["transplanted"]

ADDED = "of the other law"
"""The name of a row that the first law does not have, for its own rows to yield to."""


def transplanted(redline: Redline, row: Provision) -> Rules | None:
    """The first law with this provision as the second has it; none where neither has it in force."""
    if isinstance(row.left or row.right, c.SubmissionKey | c.Reading):
        return _chosen(redline, row)
    base = redline.left.rules
    old = row.left if row.left in base.clauses else None
    new = row.right if row.right in redline.right.rules.clauses else None
    if old is None and new is None:
        return None
    pairs = [(row.left, row.right) for line in redline.rows for row in line.provisions if row.left and row.right]
    grown = None if new is None else _grown(redline, new, old, {id(right): left for left, right in pairs})
    kept = [grown if clause is old else clause for clause in base.clauses]
    clauses = [clause for clause in kept if clause is not None]
    if old is None and new is not None and grown is not None:
        answers = {id(left): right for left, right in pairs}
        clauses = [_yielding(clause, new, answers) for clause in clauses] + [grown]
    return base.with_clauses(clauses)


def _chosen(redline: Redline, row: Provision) -> Rules | None:
    """The first law under the value of a choice that is in force in the second."""
    clause = row.left or row.right
    assert isinstance(clause, c.SubmissionKey | c.Reading)
    name = clause.name
    tables = [
        version.rules.submission.values if isinstance(clause, c.SubmissionKey) else version.rules.submission.readings
        for version in (redline.left, redline.right)
    ]
    if name not in tables[0] or name not in tables[1] or tables[0][name] == tables[1][name]:
        return None
    value: Any = tables[1][name]
    return rules_of(
        redline.left.rules, {name: value} if isinstance(clause, c.SubmissionKey) else {"readings": {name: value}}
    )


def _grown(redline: Redline, new: c.Clause, old: c.Clause | None, partners: dict[int, c.Clause]) -> c.Clause:
    """A clause of the second law as the first would write it: its rows and keys are those of the first.

    `partners`: clause of the second law to its counterpart in the first.
    """
    own: dict[str, Any] = {name: _named(redline, names, partners) for name, names in rows_of(new).items()}
    if old is not None:
        own |= {"paragraph": old.paragraph, "cite": old.cite}
    if isinstance(new, c.Outcome | c.Pay):
        own["name"] = getattr(old, "name", ADDED)
    key = getattr(new, "hands_key", None)
    if key is not None and redline.left.rules.submission.get(key) is None:
        own |= {"hands_key": None, "hands": redline.right.rules.submission[key]}
    return replace(new, **own)


def _named(redline: Redline, names: Iterable[str], partners: dict[int, c.Clause]) -> tuple[str, ...]:
    """The rows and paragraphs of the first law that answer to those that a field of the second names."""
    meant = [
        partners[id(row)]
        for row in redline.right.rules.clauses
        if id(row) in partners and (getattr(row, "name", "") in names or stands_under(row, names))
    ]
    return tuple(dict.fromkeys(getattr(row, "name", "") or row.paragraph for row in meant))


def _yielding(clause: c.Clause, new: c.Clause, answers: dict[int, c.Clause]) -> c.Clause:
    """A row of the first law, which yields to the new one where its counterpart does."""
    there = answers.get(id(clause))
    if isinstance(clause, c.Outcome) and isinstance(new, c.Outcome) and isinstance(there, c.Outcome):
        return replace(clause, except_to=(*clause.except_to, ADDED)) if yields(there, new) else clause
    if isinstance(clause, c.Pay) and isinstance(new, c.Pay) and isinstance(there, c.Pay):
        return replace(clause, except_to=(*clause.except_to, ADDED)) if yields(there, new) else clause
    return clause
