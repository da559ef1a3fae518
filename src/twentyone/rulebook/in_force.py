"""The clauses of a rulebook that are in force under a submission, by type and by name."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from twentyone.errors import RulebookError
from twentyone.rulebook import clauses as c
from twentyone.rulebook.rows import in_force
from twentyone.rulebook.submission import Submission

if TYPE_CHECKING:
    from twentyone.rulebook.rulebook import Rulebook

__all__ = ["ClausesInForce"]

T = TypeVar("T", bound=c.Clause)


class ClausesInForce:
    """What stands in a rulebook under one submission."""

    def __init__(self, rulebook: Rulebook, submission: Submission) -> None:
        self.rulebook = rulebook
        """The book."""
        self.submission = submission
        """The operator's choices in force."""
        self.clauses = tuple(clause for clause in rulebook.clauses if in_force(clause, submission))
        """The clauses in force."""
        self._by_type: dict[type[c.Clause], tuple[c.Clause, ...]] = {}

    def all(self, kind: type[T]) -> tuple[T, ...]:
        """The clauses of a type in force, in the order of the book."""
        clauses = self._by_type.get(kind)
        if clauses is None:
            clauses = self._by_type[kind] = tuple(clause for clause in self.clauses if isinstance(clause, kind))
        return clauses  # type: ignore[return-value]

    def one(self, kind: type[T]) -> T:
        """The only clause of a type."""
        clauses = self.all(kind)
        if len(clauses) != 1:
            raise RulebookError(self.rulebook.id, f"{len(clauses)} clauses {kind.type_key} are in force, not one")
        return clauses[0]

    def maybe(self, kind: type[T]) -> T | None:
        """The only clause of a type, where there is one."""
        return self.one(kind) if self.all(kind) else None

    def named(self, kind: type[T]) -> dict[str, T]:
        """The clauses of a named type by name."""
        by_name: dict[str, T] = {}
        for clause in self.all(kind):
            name = str(getattr(clause, "name", ""))
            if name in by_name:
                raise RulebookError(clause.paragraph, f"two clauses {clause.key} are in force")
            by_name[name] = clause
        return by_name

    @cached_property
    def cards(self) -> c.Cards:
        """The decks."""
        return self.one(c.Cards)

    @cached_property
    def decisions(self) -> dict[str, c.Decision]:
        """The decisions this game has."""
        return self.named(c.Decision)

    @cached_property
    def may_nots(self) -> tuple[c.MayNot, ...]:
        """What a text forbids in so many words."""
        return self.all(c.MayNot)

    @cached_property
    def steps(self) -> tuple[c.Step, ...]:
        """The steps of a round in the rulebook's order."""
        fences = self.named(c.Step)
        return tuple(fences[name] for name in self.rulebook.order if name in fences)

    @cached_property
    def wagers(self) -> dict[str, c.Wager]:
        """The wagers that may be placed before the first card."""
        return self.named(c.Wager)

    @cached_property
    def irregularities(self) -> dict[str, c.Irregularity]:
        """The irregularities this text knows."""
        return self.named(c.Irregularity)

    @cached_property
    def announcements(self) -> tuple[c.Announce, ...]:
        """What the dealer says aloud."""
        return self.all(c.Announce)

    @cached_property
    def shared(self) -> dict[str, c.SharedBox]:
        """The rights of several players on one box."""
        return self.named(c.SharedBox)
