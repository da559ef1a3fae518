"""The hole card of a table with real cards: a test decides what it is, the dealer says it when he is asked.

Nobody may enter a card that lies face down. So the harness keeps the card back, and a hand of the dealer's answers as
soon as the table asks what the reader told or what was turned up, while the test goes on with its page.
"""

from __future__ import annotations

from contextlib import suppress
from threading import Thread
from time import sleep
from typing import Any, Protocol
from weakref import ref

import httpx

__all__ = ["ASKED", "HoleCard", "reader_answer"]

ASKED = ("reader_told", "turn_card")
"""What is asked about a hole card."""
TENS = ("10", "J", "Q", "K")
RANGES = {**dict.fromkeys("2345", "small"), **dict.fromkeys("6789", "medium")}
BEAT, REST = 0.02, 0.25
"""Seconds between two looks at the table, at first and at most: a round that stands still costs its server little."""


class Asked(Protocol):
    """A table whose dealer is asked about the hole card."""

    name: str

    @property
    def dealer(self) -> Any:
        """Whoever speaks for the dealer."""

    @property
    def view(self) -> dict[str, Any]:
        """The table as the dealer sees it."""


def reader_answer(field: str, up: str, hole: str) -> dict[str, Any]:
    """What a reader tells of a hole card."""
    ranks = up[:-1], hole[:-1]
    if field == "range":
        return {"range": RANGES.get(ranks[1], "large")}
    return {"blackjack": "A" in ranks and any(rank in TENS for rank in ranks)}


class HoleCard(Thread):
    """A hole card that lies face down, until the dealer has turned it up or the test is over."""

    def __init__(self, table: Asked, card: str) -> None:
        super().__init__(daemon=True)
        self._table, self._card = ref(table), card

    def run(self) -> None:
        """Answer what the table asks of the hole card; the round may also end without it."""
        beat = BEAT
        while (table := self._table()) is not None:
            with suppress(httpx.HTTPError, AssertionError):
                if self._is_done(table):
                    return
            del table
            sleep(beat)
            beat = min(REST, 1.2 * beat)

    def _is_done(self, table: Asked) -> bool:
        """Look at the table and answer; whether nothing more is to be said."""
        view = table.view
        step = view["next"][0]["do"] if view["next"] else ""
        if step == "turn_card":
            table.dealer.do(table.name, step, card=self._card)
        elif step == "reader_told":
            [field] = view["fields"][step]
            table.dealer.do(table.name, step, **reader_answer(field["name"], view["dealer"]["cards"][0], self._card))
        return step == "turn_card" or view["phase"] != "round"
