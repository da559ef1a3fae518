"""A service whose database failed: nothing is done meanwhile, and it comes back by itself once the ledger was compared.

A fault that does not pass by itself (`ledger/failing.py`) is left for a person.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

from twentyone.errors import TwentyoneError
from twentyone.ledger.interruptions import tell_interruption
from twentyone.ledger.rows import HOUSE, LedgerFailed
from twentyone.ledger.store import Store
from twentyone.ledger.writer import Writer
from twentyone.service.live import LiveTable
from twentyone.service.records import Records

__all__ = ["Recovery"]


class Recovery:
    """Whether a service works; if not, since when, why, and whether it comes back by itself."""

    def __init__(
        self,
        store: Store,
        writer: Writer,
        records: Records,
        examine: Callable[[Store], None],
        clock: Callable[[], int],
        tables: Mapping[str, LiveTable],
    ) -> None:
        """`examine` refuses a ledger that is not what was signed."""
        self.since = 0
        """When the failure was seen, in seconds UTC; 0: there is none."""
        self.tell: Callable[[str], None] = lambda _: None
        """Told why nothing is done, and with an empty text that everything works again."""
        self._store, self._writer, self._records = store, writer, records
        self._examine, self._clock, self._tables = examine, clock, tables

    @property
    def why(self) -> str:
        """Why nothing is done, for everybody; empty while the service works."""
        if self._store.failure is not None:
            return self._store.failure.passing or "the ledger has failed and has to be looked at"
        if self._writer.stopped:
            return "the writer of the ledger has failed and has to be looked at"
        return self._records.failure

    @property
    def says(self) -> str:
        """The same for staff, with what to do; empty while the service works."""
        return self._store.failure.says if self._store.failure is not None else self._writer.stopped or self.why

    async def look(self) -> str:
        """See whether everything works, and come back where that is possible now; why not, if not."""
        await asyncio.to_thread(self._try)
        if not self.why and self.since:
            for live in list(self._tables.values()):
                await live.catch_up(0)
            self.since = 0
            self.tell("")
        return self.why

    def _try(self) -> None:
        """Ask for something, and open anew what has failed; what is still down is tried again with the next look."""
        with suppress(LedgerFailed):
            self._store.version(HOUSE)
        failed = self._store.failure
        if self.why and not self.since:
            self.since = self._clock()
            self.tell(self.says)
        try:
            if self._records.failure:
                self._records.reopen()
            if failed is not None and failed.passing:
                self._store.reopen(partial(self._verified, failed.passing))
                self._writer.resume()
        except (TwentyoneError, OSError):
            return

    def _verified(self, why: str, fresh: Store) -> None:
        """Compare a ledger that answers again, and store in it that it did not: so it is known to take events."""
        self._examine(fresh)
        tell_interruption(fresh, self.since, self._clock(), why, str(uuid.uuid4()))
