"""Rows that match and rows that prevail: conditions in force, comparisons, who yields to whom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from twentyone.errors import RulebookError
from twentyone.rulebook import clauses as c
from twentyone.rulebook.patterns import HandFacts
from twentyone.rulebook.submission import Submission

__all__ = ["compares", "holds", "in_force", "prevailing", "stands_under", "yields"]


def in_force(clause: c.Clause, submission: Submission) -> bool:
    """Whether the clause's conditions hold under the submission."""
    return all(holds(submission.values.get(key), wanted) for key, wanted in clause.when.items()) and all(
        submission.readings.get(name) == wanted for name, wanted in clause.reading.items()
    )


def holds(value: Any, wanted: Any) -> bool:
    """Whether a value is the one that is wanted, or among those; of several values, whether one of them is."""
    if isinstance(value, tuple):
        return any(holds(one, wanted) for one in value)
    return value in wanted if isinstance(wanted, list) else value == wanted


def stands_under(clause: c.Clause, paragraphs: Iterable[str]) -> bool:
    """Whether the clause stands under one of these paragraphs."""
    return any(
        clause.paragraph == paragraph or clause.paragraph.startswith((paragraph + "(", paragraph + "."))
        for paragraph in paragraphs
    )


R = TypeVar("R", c.Outcome, c.Pay)


def yields(row: R, other: R) -> bool:
    """Whether a row says that the other prevails over it."""
    return bool(other.name and other.name in row.except_to) or stands_under(other, row.except_to)


def prevailing(rows: list[R], *about: object) -> R:
    """The one row that no other matching row prevails over; `about`: the words for what is decided."""
    if len(rows) == 1:
        return rows[0]
    left = [row for row in rows if not any(yields(row, other) for other in rows if other is not row)]
    if len(left) != 1:
        paragraphs = ", ".join(row.paragraph for row in left) or "none"
        raise RulebookError(paragraphs, f"{len(left)} rows decide {' '.join(map(str, about))}")
    return left[0]


_COMPARE = {
    "above": lambda player, dealer: player > dealer,
    "same": lambda player, dealer: player == dealer,
    "below": lambda player, dealer: player < dealer,
}


def compares(row: c.Outcome, player: HandFacts, dealer: HandFacts) -> bool:
    """Whether a row of the comparison fits two hands."""
    if row.compare is not None and not _COMPARE[row.compare](player.points, dealer.points):
        return False
    return row.player.matches(player) and row.dealer.matches(dealer)
