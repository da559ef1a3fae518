"""Purses: what players have taken away from tables, until they bring it to a table again.

The ledger records it all: chips that a player took to the cage, and buy-ins that came from a purse. A row here is one
such event, so that reading an event again, in any process, writes nothing twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from twentyone.ledger.codec import COMMAND, read_body
from twentyone.ledger.rows import StoredEvent
from twentyone.money import ZERO, Amount
from twentyone.service.records import Records

__all__ = ["FRESH", "PLAY_MONEY", "PURSE", "Purses"]

PLAY_MONEY = "play_money"
"""The argument of a buy-in that records where play money comes from; only the service may give it."""
PURSE, FRESH = "purse", "fresh"
"""It comes from the player's purse, or it is new: the service gives it."""
CAGE = "(cage)"


class Purses:
    """The purses of all players."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self.at_hand = asyncio.Lock()
        """Held while a purse is spent, so that the same chips are not spent at two tables."""

    def note(self, events: Iterable[StoredEvent]) -> None:
        """Record what stored events put into purses and take out of them."""
        for event in events:
            if event.type == "chips_moved" and CAGE in event.body:
                data = read_body(event)["data"]
                if data["target"] == CAGE and not data["source"].startswith("("):
                    self._write(event, data["source"], data["amount"])
            elif event.type == COMMAND and PLAY_MONEY in event.body:
                args = read_body(event)["args"]
                if args.get(PLAY_MONEY) == PURSE:
                    self._write(event, args["player"], -Amount(args["amount"]))

    def _write(self, event: StoredEvent, name: str, amount: int) -> None:
        row = (event.stream, event.ver, name, int(amount))
        self._records.run("INSERT INTO people_purses VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", row)

    def of(self, name: str) -> Amount:
        """What a player has away from the tables."""
        rows = self._records.rows("SELECT amount FROM people_purses WHERE name = ? AND amount <> 0", (name,))
        return max(Amount(sum(amount for (amount,) in rows)), ZERO)

    def empty(self, name: str) -> None:
        """Empty the purse of a name: a new guest does not inherit it."""
        self._records.run("UPDATE people_purses SET amount = 0 WHERE name = ?", (name,))
