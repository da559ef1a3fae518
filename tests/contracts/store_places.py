"""Where a contract is tried: a ledger in an SQLite file and one in PostgreSQL, each opened as often as wanted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing

from twentyone.ledger.store import Store, open_store

__all__ = ["Place"]


class Place:
    """An address at which a ledger stands; everything opened here is closed at the end."""

    def __init__(self, url: str, exits: ExitStack) -> None:
        self.url = url
        """The address."""
        self._exits = exits
        self.open(create=True)

    def open(self, create: bool = False) -> Store:
        """The ledger, opened once more."""
        return self._exits.enter_context(closing(open_store(self.url, create=create)))


Maker = Callable[[], Place]
"""Makes a place with a new ledger."""
