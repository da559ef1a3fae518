"""The kept list of rounds, compared with the rounds that the events lead to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from twentyone.ledger.chain import Fault
from twentyone.ledger.keys import Keyring
from twentyone.ledger.round_rows import MARK, RoundReader, row_of
from twentyone.ledger.rounds import PROJECTION, unmarked
from twentyone.ledger.rows import LedgerFailed, LedgerRefused, ProjectionRow, StoredEvent
from twentyone.ledger.store import Store

__all__ = ["RoundsAudit"]


class RoundsAudit:
    """Follows all events of a ledger in order and compares each finished round with its row."""

    def __init__(self, store: Store) -> None:
        self._rows: dict[str, ProjectionRow] = {}
        with suppress(LedgerFailed):  # the database's own check names what cannot be read
            self._rows |= {row.key: row for row in store.read_projection(PROJECTION)}
        self._mark = self._rows.pop(MARK, None)
        self._reader = RoundReader()
        self._broken: set[str] = set()
        self.compared = 0
        """Rows that are what the events lead to."""

    def follow(self, event: StoredEvent) -> Fault | None:
        """Take the next event; what is wrong with the row of the round that ends with it."""
        if event.stream in self._broken or not (self._rows or self._mark):
            return None
        try:
            round_ = self._reader.follow(event)
        except Exception:  # an altered event can raise anything, and the audit of its stream names it
            self._broken.add(event.stream)
            return None
        return None if round_ is None else self._compare(row_of(round_, event.gseq), event)

    def _compare(self, due: ProjectionRow, event: StoredEvent) -> Fault | None:
        stored = self._rows.pop(due.key, None)
        if stored is None:
            read = self._mark is not None and event.gseq <= self._mark.gseq
            return Fault(event.stream, event.ver, f"{due.key} is missing in the list of rounds") if read else None
        if stored.gseq != due.gseq or stored.body.partition(" ")[2] != due.body:
            return Fault(event.stream, event.ver, f"{due.key} of the list of rounds is not what the events lead to")
        self.compared += 1
        return None

    def finish(self, where: str, keyring: Keyring | None) -> Iterator[Fault]:
        """Rows that no event leads to, and a mark that is not the key's."""
        for key in self._rows:
            if key.rpartition(":")[0] not in self._broken:
                yield Fault(where, 0, f"{key} of the list of rounds belongs to no round of the ledger")
        if keyring is not None and self._mark is not None:
            try:
                unmarked(keyring, self._mark)
            except LedgerRefused as altered:
                yield Fault(where, 0, str(altered))
