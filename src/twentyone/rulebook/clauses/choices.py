"""What can go wrong, what the operator chooses, what can be read two ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from twentyone.rulebook.clauses.base import Clause

__all__ = [
    "Irregularity",
    "Reading",
    "SubmissionKey",
]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Irregularity(Clause):
    """Something that went wrong, and what is to be done."""

    type_key = "irregularity"
    name: str
    """Which one."""
    effects: tuple[str, ...]
    """What follows, from a closed list."""
    choice: str | None = None
    """Who chooses among them: player or dealer."""
    least: int | None = None
    """From so many on, or from this total on."""
    total: int | None = None
    """Only on this total."""
    after: str = "players"
    """Once the initial two cards are dealt to the `players`, or to `all` of them and the dealer."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SubmissionKey(Clause):
    """A choice the text leaves to the operator (or, `fixed`, does not leave)."""

    type_key = "submission"
    name: str
    """The key."""
    type: str = ""
    """integer, boolean, choice, amount, odds, table."""
    default: Any = None
    """Taken where the key is absent."""
    choices: tuple[Any, ...] = ()
    """Allowed values (choice, integer)."""
    least: Any = None
    """Smallest allowed."""
    most: Any = None
    """Largest allowed."""
    optional: bool = False
    """Whether null is allowed."""
    fixed: bool = False
    """The text fixes it: naming it is refused."""
    only_with: Mapping[str, Any] = field(default_factory=dict)
    """True (or a choice) only with these values of other keys; without them the default is false."""
    says: str = ""
    """What the choice is, in a few words."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Reading(Clause):
    """A paragraph that can be read two ways."""

    type_key = "reading"
    name: str
    """The id."""
    values: tuple[str, ...]
    """The readings, the default first."""
