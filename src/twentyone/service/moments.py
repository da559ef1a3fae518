"""Moments that everything periodic in a process shares: a loop that wakes for several things wakes less often."""

from __future__ import annotations

import asyncio

__all__ = ["next_moment", "until_next"]


async def next_moment(seconds: float) -> None:
    """Wait until the next moment of those that are so far apart."""
    await asyncio.sleep(until_next(seconds, asyncio.get_running_loop().time()))


def until_next(seconds: float, now: float) -> float:
    """Seconds until the next moment; where it is there already, or nearly, until the one after.

    >>> until_next(1.0, 7.25), until_next(1.0, 7.0), until_next(1.0, 6.999) > 1
    (0.75, 1.0, True)
    """
    left = seconds - now % seconds
    return left if left > seconds / 4 else left + seconds
