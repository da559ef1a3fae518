"""The software of a process that plays on a ledger: examined at the start and at intervals while it runs."""

from __future__ import annotations

from collections.abc import Callable

from twentyone.authentic import ExaminedPackage, at_start, examine, trusted_key
from twentyone.ledger.software import admit, altered, begin_software
from twentyone.ledger.store import Store
from twentyone.service.stops import Stops

__all__ = ["DAY", "EVERY", "Authenticity", "admit_software"]

DAY, EVERY = 86_400, 3_600
"""Seconds between two examinations: at most a day, an hour where nobody says otherwise."""


def admit_software(store: Store | None, required: bool | None) -> None:
    """Refuse, before anything is written, software that may not play on a ledger, or on a new one."""
    admit(store, at_start(), required, trusted_key())


class Authenticity:
    """What this process runs, and whether it still is what was signed."""

    def __init__(
        self, store: Store, clock: Callable[[], int], stops: Stops, look: Callable[[], ExaminedPackage] | None = None
    ) -> None:
        self._store, self._clock, self._stops = store, clock, stops
        self._look = look or (lambda: examine(trusted=trusted_key()))
        self.every = EVERY
        """Seconds between two examinations."""
        self.began = self.last = at_start() if look is None else look()
        """The software as it was when the process began, and when it was examined last."""
        self.at = clock()
        """When that was, in seconds UTC."""
        self.failed = ""
        """Why dealing has stopped; empty: the software is what it was."""
        self._recorded = False

    def admit(self, required: bool | None = None) -> None:
        """Refuse, before anything is written, software that may not play on this ledger."""
        admit(self._store, self.began, required, trusted_key())

    def begin(self) -> None:
        """Let the ledger say which software plays on it."""
        begin_software(self._store, self.began, self._clock())

    @property
    def due(self) -> bool:
        """Whether a look would do anything."""
        return self._is_time or bool(self.failed and not self._recorded)

    @property
    def _is_time(self) -> bool:
        return bool(self.began.signer) and not self.failed and not 0 <= self._clock() - self.at < self.every

    def look(self) -> str:
        """Examine the software, once the interval has passed; answers why dealing has stopped, if it has."""
        if self._is_time:
            self.at, self.last = self._clock(), self._look()
            if self.last != self.began:
                self.failed = f"the software is not what was signed any more ({self.last.words})"
                self._stops.tell("software", self.failed)
        if self.failed and not self._recorded:
            altered(self._store, self.began, self.last, self.at)
            self._recorded = True
        return self.failed
