"""Purses: what players have taken away from tables, until they bring it to a table again.

The ledger has it all: chips that went from a player to the cage, and buy-ins that say they come from a purse. A row
here stands for one such event, so that whoever reads it again, in whatever process, writes nothing twice.
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
"""The argument by which the record of a buy-in says where play money comes from; only the service brings it."""
PURSE, FRESH = "purse", "fresh"
"""It comes from what the player took away from a table, or from nowhere: the service gives it."""
CAGE = "(cage)"


class Purses:
    """Everybody's purse."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self.at_hand = asyncio.Lock()
        """Held while somebody spends: nobody spends the same chips at two tables."""

    def note(self, events: Iterable[StoredEvent]) -> None:
        """What stored events put into purses and take out of them."""
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
        """What somebody has beside the tables."""
        rows = self._records.rows("SELECT amount FROM people_purses WHERE name = ? AND amount <> 0", (name,))
        return max(Amount(sum(amount for (amount,) in rows)), ZERO)

    def empty(self, name: str) -> None:
        """A new guest has this name: what another of that name left behind is not his."""
        self._records.run("UPDATE people_purses SET amount = 0 WHERE name = ?", (name,))
