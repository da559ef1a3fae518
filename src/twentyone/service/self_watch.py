"""The service watches its own ledger while it runs: a difference stops the dealing after the rounds in progress.

Where several processes serve a ledger, one looks for all; the others look more seldom, so that each of them remembers
what it saw and can take over. Whoever finds something stores it and tells the rest. A look works in a thread beside the
loop, a twentieth of the time at most: what it has worked it rests nineteen times as long.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from twentyone.errors import TwentyoneError
from twentyone.ledger.interruptions import tell_difference
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import LedgerFailed, LedgerRefused
from twentyone.ledger.store import Store
from twentyone.ledger.watching import LedgerWatch
from twentyone.service.stops import Stops

__all__ = ["SelfWatch"]

REST = 19
"""How much longer it rests than it works."""
SELDOM = 60
"""Seconds between two looks of a process for which another one looks."""


class WatchEnded(Exception):
    """The service ends while the ledger is examined."""


class SelfWatch:
    """What was found, and when was looked."""

    def __init__(
        self,
        store: Store,
        open_: Callable[[], Store],
        keyring: Keyring,
        checkpoints: Path,
        clock: Callable[[], int],
        stops: Stops,
    ) -> None:
        """`open_` opens the same ledger once more: whoever watches does not read what a table waits for."""
        self.difference = ""
        """What is not as it was; empty: nothing was found."""
        self.found = 0
        """When, in seconds UTC."""
        self.at = 0
        """When was looked last, here or by another process for all."""
        self.tell: Callable[[str], None] = lambda _: None
        """Told once why no further round is dealt."""
        self._store, self._open, self._clock, self._stops = store, open_, clock, stops
        self._keyring, self._checkpoints, self._looked = keyring, checkpoints, 0
        self._reading: Store | None = None
        self._known: LedgerWatch | None = None
        self._busy, self._closing, self._told, self._began = threading.Lock(), threading.Event(), False, 0.0

    @property
    def events(self) -> int:
        """Events examined so far."""
        return self._known.events if self._known is not None else 0

    @property
    def due(self) -> bool:
        """Whether this process has to look although another one does for all."""
        return self.unstored or self._clock() - self._looked >= SELDOM

    @property
    def unstored(self) -> bool:
        """Whether something was found that is not in the ledger yet."""
        return bool(self.difference) and not self._told

    def hear(self, difference: str) -> None:
        """Another process has looked, and has stored what it found."""
        self._note(difference)
        self._told = self._told or bool(difference)

    def look(self) -> str:
        """Examine a part of the ledger; what is not as it was. A database that does not answer now is no difference."""
        with self._busy:
            self._began, self._looked = time.thread_time(), self._clock()
            try:
                if not self.difference:
                    self._note(self._examine())
                if self.unstored:
                    tell_difference(self._store, self.found, self.difference, str(uuid.uuid4()))
                    self._told = True
            except (LedgerFailed, WatchEnded):
                self._forget()
        return self.difference

    def _examine(self) -> str:
        try:
            self._reading = self._reading or self._open()
            if self._known is None:
                self._known = LedgerWatch(self._reading, self._keyring, self._checkpoints, self._pause)
            fault = self._known.look(self._reading)
        except LedgerRefused as refused:
            return str(refused)
        return str(fault) if fault is not None else ""

    def _note(self, difference: str) -> None:
        self.at = self._clock()
        if difference and not self.difference:
            self.difference, self.found = difference, self.at
            self._stops.tell("ledger", why := f"the ledger is not what it was ({difference})")
            self.tell(why)

    def _pause(self) -> None:
        """Rest as long as the share demands."""
        worked = time.thread_time() - self._began
        if self._closing.wait(worked * REST):
            raise WatchEnded
        self._began = time.thread_time()

    def _forget(self) -> None:
        """Open the ledger anew with the next look; what is known of it stays."""
        if self._reading is not None:
            with suppress(TwentyoneError):
                self._reading.close()
        self._reading = None

    def close(self) -> None:
        """End a look that is under way."""
        self._closing.set()
        with self._busy:
            self._forget()
