"""T12 in small: the time an answer takes does not tell the hole card; a planted delay is found.

Time of the processor: `make prove PART=web-timing` judges the time that passes, on a quiet machine.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from tests.web.inside import inside
from tests.web.timing import ASKS, Leak, Timed, measure, slow_where_high
from tests.web.worlds import rigged

ANSWERS = 200
"""Answers a world to each question; `make prove PART=web-timing` takes ten thousand."""
BAR = 1e-6
"""So seldom may a good run fail."""


def timed(folder: Path, leak: Leak | None = None) -> list[Timed]:
    async def run() -> list[Timed]:
        async with inside(folder) as inn:
            return await measure(inn, ANSWERS, leak, time.process_time)

    with rigged():
        return asyncio.run(run())


def test_worlds_that_differ_in_the_hole_card_answer_alike(tmp_path: Path) -> None:
    found = timed(tmp_path)
    assert {one.ask for one in found} == set(ASKS)
    assert all(len(one.first) == len(one.second) == ANSWERS for one in found)
    assert all(one.p > BAR for one in found), {one.ask: one.p for one in found}


def test_a_planted_delay_is_found(tmp_path: Path) -> None:
    """Negative control: a millisecond more where the hole card is high."""
    found = timed(tmp_path, slow_where_high(0.001))
    assert min(one.p for one in found) < BAR, {one.ask: one.p for one in found}
