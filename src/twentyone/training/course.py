"""A person's course through the cells of a game: what is dealt next, and what an answer changes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from twentyone.errors import Refused
from twentyone.rulebook import Rules
from twentyone.service.shift.chance import Chance
from twentyone.training.cells import Body, CellMark, CellQuestion, by_importance, deal, mark, name_of
from twentyone.training.schedule import Progress, next_item

__all__ = ["Course", "subject_of"]


def subject_of(rulebook: str, submission: Mapping[str, Any]) -> str:
    """The name of a game's course: another submission may want other decisions."""
    if not submission:
        return f"chart {rulebook}"
    told = json.dumps(submission, sort_keys=True, default=str)
    return f"chart {rulebook} {sha256(told.encode()).hexdigest()[:16]}"


class Course(NamedTuple):
    """The cells of a game and what somebody knows of them."""

    rules: Rules
    """The game."""
    cells: Mapping[str, Body]
    """Its cells by name."""
    known: Mapping[str, Progress]
    """What was asked so far."""

    @classmethod
    def of(cls, rules: Rules, cells: Sequence[Body], known: Mapping[str, Progress]) -> Course:
        """A course through these cells."""
        return cls(rules, {name_of(body): body for body in cells}, known)

    @property
    def asked(self) -> int:
        """How many questions were answered."""
        return sum(progress.seen for progress in self.known.values())

    def next(self, seed: str, at: int) -> str:
        """The cell that is asked next."""
        chance = Chance(seed, self.asked)
        return next_item(by_importance(list(self.cells.values())), self.known, at, chance)

    def question(self, cell: str, seed: str) -> CellQuestion:
        """A hand of a cell: the same for the same seed."""
        return deal(self.rules, self._body(cell), Chance(seed, cell))

    def mark(self, cell: str, seed: str, decision: str) -> CellMark:
        """What a decision on that hand is worth."""
        return mark(self._body(cell), self.question(cell, seed).number, decision)

    def _body(self, cell: str) -> Body:
        if cell not in self.cells:
            raise Refused(f"no hand of this game comes to {cell[:60]!r}", self.rules.rulebook.decide_cite)
        return self.cells[cell]
