"""Waits of the tests: for something that happens, never for a time; the limit only ends a run that hangs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

__all__ = ["PATIENCE", "until", "until_soon"]

PATIENCE = 300.0
"""Seconds after which what has not happened will not: no machine is as busy as that."""

Happened = Callable[[], object]


def until(happened: Happened, what: str, look: float = 0.02) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(look)


async def until_soon(happened: Happened, what: str, look: float = 0.01) -> None:
    """Wait until something is so, while everything else in the event loop goes on."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, f"waited in vain: {what}"
        await asyncio.sleep(look)
