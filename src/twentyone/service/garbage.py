"""When garbage is looked for: among what is new often and for a moment, among everything only once memory has grown.

Python counts what is made less what is freed. Every command replaces the state of its table, so that the count hardly
rises while whole tables become new, and a look at what is new would be one at all tables of a house, while everybody
waits. So it is looked by the clock, and what a moment leaves is put aside each time.
"""

from __future__ import annotations

import gc
from typing import NoReturn

from twentyone.platforms import memory_peak
from twentyone.service.moments import next_moment

__all__ = ["collect_garbage"]

EVERY, QUIET = 0.25, 1.0
"""Seconds between two looks at what is new, and where little was."""
LITTLE = 500
"""So few new objects are little."""
GROWN = 1.25
"""How much more memory than after the last look at everything calls for another one."""


async def collect_garbage() -> NoReturn:
    """Look for garbage as long as the process serves; what was loaded before is never looked at again."""
    gc.collect()
    gc.freeze()
    gc.disable()
    searched = memory_peak()
    while True:
        await next_moment(EVERY if gc.get_count()[0] > LITTLE else QUIET)
        gc.collect(0)
        if memory_peak() > searched * GROWN:
            gc.collect()
            searched = memory_peak()
