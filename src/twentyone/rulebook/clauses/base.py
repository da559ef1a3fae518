"""The base of every clause, and the decorator that makes and registers one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar, dataclass_transform

__all__ = ["TYPES", "Clause", "clause"]

TYPES: dict[str, type[Clause]] = {}
"""Fence key to clause type."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Clause:
    """What every clause has: where it stands and when it is in force."""

    type_key: ClassVar[str]
    """The key of its fence."""
    named: ClassVar[bool]
    """Whether it is written as `[type.name]`."""

    paragraph: str
    """The paragraph it stands under, computed from where it stands."""
    cite: str
    """The full citation of that paragraph."""
    place: str = ""
    """The file and the line of its fence, for messages only."""
    when: Mapping[str, Any] = field(default_factory=dict)
    """Submission keys and the values they must have (a list: one of them)."""
    reading: Mapping[str, str] = field(default_factory=dict)
    """Reading ids and the values they must have."""

    def __repr__(self) -> str:
        return f"<{self.key} under {self.cite}>"

    @property
    def key(self) -> str:
        """The name functions register for: `pay`, `decision.double`."""
        return f"{self.type_key}.{getattr(self, 'name')}" if self.named else self.type_key  # noqa: B009


C = TypeVar("C", bound=Clause)


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False)
def clause(key: str, *, named: bool = False) -> Callable[[type[C]], type[C]]:
    """Make a clause type of a class of plain fields, and register it under the key of its fence."""

    def register(kind: type[C]) -> type[C]:
        made = dataclass(frozen=True, kw_only=True, eq=False, repr=False)(kind)
        made.type_key, made.named = key, named
        TYPES[key] = made
        return made

    return register
