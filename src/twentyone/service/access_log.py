"""Who came in and who changed what, noted in the ledger's stream of access before it is answered."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from twentyone.ledger.access import access_event
from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.rows import ACCESS
from twentyone.ledger.store import Store

__all__ = ["AccessLog", "Note", "unnoted"]

Note = Callable[..., None]
"""Notes an event of a kind with its fields."""


def unnoted(_: str, **__: str | int) -> None:
    """For people without a ledger."""


class AccessLog:
    """Writes the stream of access."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock

    def note(self, kind: str, **fields: str | int) -> None:
        """Note one event; what cannot be noted is not done."""
        event, key = access_event(kind, self._clock(), fields), f"{ACCESS} {uuid.uuid4()}"
        self._store.append(ACCESS, 0, [event], key, fingerprint([kind, key]))
