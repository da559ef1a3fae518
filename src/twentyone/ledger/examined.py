"""What an examination asks of a store beside its events: one hash, the schema, the file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

__all__ = ["Examined"]


class Examined(ABC):
    """The part of a store that shows whether it is what it should be."""

    @abstractmethod
    def _query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """The rows of a query."""

    def hash_at(self, stream: str, ver: int) -> str | None:
        """The hash stored with one event."""
        rows = self._query("SELECT hash FROM events WHERE stream = ? AND ver = ?", (stream, ver))
        return rows[0][0] if rows else None

    @abstractmethod
    def schema_faults(self) -> list[str]:
        """Where tables, indexes and guards are not those of the migrations."""

    @abstractmethod
    def self_check(self) -> list[str]:
        """What the database itself finds wrong."""
