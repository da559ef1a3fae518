"""T11: no byte that anybody receives tells a card that he may not see yet."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest

from tests.daily import daily
from tests.web.inside import inside
from tests.web.worlds import ORDERS, Config, asks_for_all, compare, rigged
from twentyone.rulebook import rulebook_ids
from twentyone.service.live import LiveTable

SESSIONS = 36
"""Sessions, shared among the games."""
PARTS = 2
HOLE_CARDS = ("reader", "unread", "none")
CONFIGS = [
    *(Config(book, {}) for book in rulebook_ids()),
    *(Config("s13-spanish-21", {"hole_card": mode}) for mode in HOLE_CARDS),
    *(Config(book, {}, "person") for book in rulebook_ids()),
]


@pytest.mark.parametrize("part", daily(range(PARTS), 1))
def test_shoes_that_differ_in_hidden_cards_are_the_same_to_every_byte(tmp_path: Path, part: int) -> None:
    """Bodies, headers, frames and pages of seven kinds of people, in every game and hole card mode."""
    numbers = range(part, SESSIONS, PARTS)

    async def play(numbers: list[int]) -> list[int]:
        async with inside(Path(tempfile.mkdtemp(dir=tmp_path))) as inn:
            await inn.service.create("another", rulebook_ids()[0], {})  # so that no report is of all tables
            inn.service.table("another")
            inn.forget("another")
            return [await compare(inn, number, CONFIGS[number % len(CONFIGS)]) for number in numbers]

    compared = list[int]()
    with rigged():
        for all_or_not in (True, False):  # what lists rounds reads the whole ledger: the others have one of their own
            compared += asyncio.run(play([number for number in numbers if asks_for_all(number) is all_or_not]))
    assert sum(steps > 3 for steps in compared) > 0.8 * len(numbers), "too little was compared"


def _next_in_the_shoe(live: LiveTable) -> bytes:
    state = live.runner.table.state
    assert state.shoe is not None
    return ORDERS[live.name][state.shoe.size - state.shoe.left].name.encode()


def _rank_of_the_hole_card(live: LiveTable) -> bytes:
    round_ = live.runner.table.state.round
    return round_.state.dealer[-1].name.encode() if round_ is not None and round_.state.dealer else b""


@pytest.mark.parametrize("leak", [_next_in_the_shoe, _rank_of_the_hole_card])
def test_a_planted_leak_is_found(tmp_path: Path, leak: object) -> None:
    """Negative control: one byte more, of the hole card or of the next card, and the comparison fails."""

    async def play() -> None:
        async with inside(tmp_path) as inn:
            for number in range(6):
                await compare(inn, number, Config("pa-spanish-21", {}), leak)  # type: ignore[arg-type]

    with rigged(), pytest.raises(AssertionError, match="tells the worlds apart"):
        asyncio.run(play())
