"""Notifications of the database: PostgreSQL tells every process which table another one has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from twentyone.errors import TwentyoneError
from twentyone.ledger.store import path_of

if TYPE_CHECKING:
    import psycopg

__all__ = ["has_notify", "listen"]

CHANNEL = "twentyone_events"
AGAIN = 1.0
"""Seconds before a lost connection is opened again."""

OnStored = Callable[[str, int], Awaitable[None]]
"""Takes the name of a table, and the version of the first event of a command that was stored."""


def has_notify(ledger: str) -> bool:
    """Whether the database of a ledger tells its listeners what was stored."""
    return path_of(ledger) is None


async def listen(ledger: str, on_stored: OnStored, connected: Callable[[], Awaitable[None]]) -> None:
    """Listen for ever; after a lost connection, look up what was missed."""
    import psycopg

    while True:
        try:
            async with await psycopg.AsyncConnection.connect(ledger, autocommit=True) as line:
                await line.execute(f"LISTEN {CHANNEL}")
                await connected()
                await _each(line, on_stored)
        except (psycopg.Error, TwentyoneError):
            await asyncio.sleep(AGAIN)


async def _each(line: psycopg.AsyncConnection, on_stored: OnStored) -> None:
    async for call in line.notifies():
        version, _, name = call.payload.partition(" ")
        await on_stored(name, int(version))
