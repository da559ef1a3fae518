"""Signing checkpoints on schedule: a failure is kept, told by whoever asks, and tried again until it succeeds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from twentyone.ledger.checkpoints import Checkpoint, compare, read_trail, write_checkpoint
from twentyone.ledger.keys import Keyring
from twentyone.ledger.law_reviews import signed_line
from twentyone.ledger.store import Store
from twentyone.rulebook.reviewing import LawReview

__all__ = ["Signing"]


class Signing:
    """The checkpoints of one ledger, signed by one process; others may sign into the same file."""

    def __init__(self, store: Store, path: Path, keyring: Keyring, clock: Callable[[], int]) -> None:
        self.path = path
        """The signed checkpoints."""
        self.failed = ""
        """Why the last attempt failed; empty: the ledger is signed."""
        self.since = 0
        """When the first of the failures in a row was, in seconds UTC."""
        self._store, self._keyring, self._clock = store, keyring, clock
        self._signed = (-1, -1)

    def attempt(self) -> bool:
        """Sign how far the ledger has come, if it has; whether it is signed now."""
        try:
            self._sign()
        except Exception as failed:  # whatever it is, the next attempt must come
            self.since = self.since if self.failed else self._clock()
            self.failed = str(failed) or type(failed).__name__
        else:
            self.failed = ""
        return not self.failed

    def _sign(self) -> None:
        heads = self._store.heads()
        reached = (len(heads), sum(ver for ver, _ in heads.values()))
        if reached != self._signed or self.failed:
            write_checkpoint(self._store, self.path, self._keyring.signer, self._clock())
            self._signed = reached

    def review(self, said: LawReview) -> str:
        """What a person says of a paragraph, as a line that this ledger's key has signed; it is kept nowhere."""
        return signed_line(said, self._keyring)

    def examine(self) -> tuple[Checkpoint | None, str]:
        """The last checkpoint of the file, and what is wrong with it: its signature, its order, the ledger since."""
        trail = read_trail(self.path, self._keyring.signer.public_key())
        last = trail.checkpoints[-1:]
        faults = [*trail.faults, *compare(self._store, self.path, last)]
        return next(iter(last), None), str(faults[0]) if faults else ""
