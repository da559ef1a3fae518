"""The base of every clause: where it stands and when it is in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

__all__ = ["NAMED", "Clause", "Ranks"]

Ranks = tuple[str, ...]
"""Ranks of cards, written `"J Q K"` in a fence."""

NAMED = {"decision", "device", "task", "irregularity", "may_not", "reading", "shared", "step", "submission", "wager"}
"""Types written as `[type.name]`."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Clause:
    """What every clause has: where it stands and when it is in force."""

    type_key: ClassVar[str]
    """The key of its fence."""

    paragraph: str
    """The paragraph it stands under, computed from its place."""
    cite: str
    """The full citation of that paragraph."""
    when: Mapping[str, Any] = field(default_factory=dict)
    """Submission keys and the values they must have (a list: one of them)."""
    reading: Mapping[str, str] = field(default_factory=dict)
    """Reading ids and the values they must have."""

    def __repr__(self) -> str:
        return f"<{self.key} under {self.cite}>"

    @property
    def key(self) -> str:
        """The name functions register for: `pay`, `decision.double`."""
        name = getattr(self, "name", None) if self.type_key in NAMED else None
        return f"{self.type_key}.{name}" if name else self.type_key
