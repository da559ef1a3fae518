"""The part of a store that closes a ledger: its last event, and after that none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

from twentyone.errors import TwentyoneError
from twentyone.ledger.group import Draft, Known, Verdict, answers, draft
from twentyone.ledger.periods import CLOSED_KEY, closed_refusal
from twentyone.ledger.rows import Appended, Batch, LedgerRefused, StoredEvent

__all__ = ["LAST_NUMBER", "Closing", "Outcome"]

T = TypeVar("T")
LAST_NUMBER = "SELECT coalesce(max(gseq), 0) FROM events"
Outcome: TypeAlias = tuple[list[Verdict], dict[str, tuple[StoredEvent, ...]]]
"""The verdict on each command of a group, and the events that were stored, by key."""


class Closing(ABC):
    """A store that may be closed for ever."""

    where: str
    _writing: Any

    @abstractmethod
    def _transact(self, work: Callable[[], T]) -> T:
        """Run work in one transaction."""

    @abstractmethod
    def _store(self, drafts: list[Draft | TwentyoneError]) -> Outcome:
        """Examine and store a group of commands, inside a transaction."""

    def _still_open(
        self, drafts: list[Draft | TwentyoneError], known: Mapping[str, Known]
    ) -> list[Draft | TwentyoneError]:
        """In a closed period nothing is stored; what was stored before is answered."""
        closed = known.get(CLOSED_KEY)
        if closed is None:
            return drafts
        why = closed_refusal(self.where, closed.events[0])
        return [why if isinstance(item, Draft) and item.key not in known else item for item in drafts]

    def append_last(self, batch: Batch, last: int) -> Appended:
        """Store a command that nobody's comes before: refused where another number than `last` is the ledger's last."""
        (answer,) = answers(*self._transact(lambda: self._store_last(batch, last)))
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _store_last(self, batch: Batch, last: int) -> Outcome:
        self._alone()
        if self._writing.rows(LAST_NUMBER)[0][0] != last:
            raise LedgerRefused(f"{self.where}: somebody wrote into it meanwhile: nothing was stored; do it again")
        return self._store([draft(batch)])

    @abstractmethod
    def _alone(self) -> None:
        """Let nobody else append before the commit, nor under what he knew before it."""
