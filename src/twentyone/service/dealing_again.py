"""A stored round dealt again on demand: what it was brought, given to the engine, and every event compared."""

from __future__ import annotations

from typing import NamedTuple

from twentyone.ledger.export import CannotSay, DealtOtherwise, export_round
from twentyone.ledger.round_rows import RoundRow
from twentyone.ledger.store import Store

__all__ = ["DealingAgain", "DealtAgain"]

KEPT = 2_000
"""Answers that are remembered."""


class DealtAgain(NamedTuple):
    """What came of dealing a round again."""

    identical: bool | None
    """Whether every event is what the ledger has; none: it cannot be dealt again."""
    says: str
    """The same in words."""
    why: str = ""
    """What differs, or why it cannot be dealt."""


class DealingAgain:
    """Deals the rounds of one ledger again, each once: an event of the record never changes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[tuple[str, int], DealtAgain] = {}

    def deal(self, row: RoundRow) -> DealtAgain:
        """Deal a round that is over again."""
        place = (row.table, row.last)
        known = self._known.get(place)
        if known is None:
            known = self._known[place] = _deal(self._store, row)
            if len(self._known) > KEPT:
                del self._known[next(iter(self._known))]
        return known


def _deal(store: Store, row: RoundRow) -> DealtAgain:
    try:
        script = export_round(store, row)
    except CannotSay as wrong:
        return DealtAgain(None, "This round cannot be dealt again.", str(wrong))
    except DealtOtherwise as wrong:
        return DealtAgain(False, "This round was dealt again, and it is NOT what the ledger has.", str(wrong))
    return DealtAgain(True, f"This round was dealt again: identical ({script['format']}).")
