"""All chips of a house at one moment: what was given out, and where it is; reconciled to the cent.

The tables' own events say what is at the tables, the house's stream what is in purses: neither is asked for the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from twentyone.ledger.codec import CARRIED, read_body
from twentyone.ledger.derived import money_faults
from twentyone.ledger.house import HouseRows
from twentyone.ledger.house_book import BROUGHT_OVER, GIVEN, WITHDRAWN, HouseBook
from twentyone.ledger.purses import CAGE, FIRST_FORM, purse_change
from twentyone.ledger.reading import Chips
from twentyone.ledger.rows import HOUSE, StoredEvent
from twentyone.ledger.timestamps import Period
from twentyone.money import ZERO, Amount, dollars

__all__ = ["HouseFigures"]

GIVEN_OUT = {
    "issued": "play money issued",
    "taken_over": "taken over",
    "fills": "fills less credits",
    "withdrawn": "withdrawn",
    "paid_out": "paid out earlier",
}
FOUND = {
    "purses": "in purses",
    "players": "with players",
    "layouts": "on layouts",
    "inventories": "in inventories",
    "tips": "in tip boxes",
}
AT_TABLES = {"(layout)": "layouts", "(inventory)": "inventories", "(tips)": "tips"}


class HouseFigures:
    """Where the chips of a house are when a shift ends."""

    def __init__(self, period: Period) -> None:
        self._period = period
        self.wrong: list[str] = []
        """What the house's own rows do not allow: money that was not there, a coupon that was used before."""
        self._book, self._rows = HouseBook(), HouseRows()
        self._fills = self._paid_out = self._carried = 0
        self._at_tables: Counter[str] = Counter()

    # -- events

    def follow(self, event: StoredEvent) -> None:
        """Take an event of any stream."""
        if self._period.end is not None and event.ts >= self._period.end:
            return
        if event.stream == HOUSE:
            self.wrong += map(str, money_faults(self._rows, [event]))
            self._book.follow(event.type, read_body(event))
        elif event.type == CARRIED:
            chips = read_body(event)["state"]["chips"]
            self._carried += sum(amount for account, amount in chips.items() if account != CAGE)
        elif event.type == "chips_moved" and CAGE in event.body:
            self._follow_cage(event, read_body(event)["data"])

    def _follow_cage(self, event: StoredEvent, data: dict[str, Any]) -> None:
        """Chips between a table and the cage: fills, credits, and what left before there were purses in the ledger."""
        if purse_change(data["source"], data["target"], data["amount"]) is None:
            self._fills += data["amount"] if data["source"] == CAGE else -data["amount"]
        elif event.schema < FIRST_FORM:
            self._paid_out += data["amount"]

    def take(self, chips: Chips) -> None:
        """Take the chips of one table, as its events leave them."""
        for account, amount in chips.accounts.items():
            if account != CAGE:
                self._at_tables[AT_TABLES.get(account, "players")] += int(amount)

    # -- figures

    @property
    def given_out(self) -> dict[str, Amount]:
        """Everything that made chips exist or not exist any more, from the first event on."""
        balances = self._book.balances
        over = self._carried - balances[BROUGHT_OVER]
        amounts = (-balances[GIVEN], over, self._fills, -balances[WITHDRAWN], -self._paid_out)
        return dict(zip(GIVEN_OUT, map(Amount.from_thousandths, amounts), strict=True))

    @property
    def found(self) -> dict[str, Amount]:
        """Everywhere that chips are."""
        at_tables = {name: Amount.from_thousandths(self._at_tables[name]) for name in FOUND if name != "purses"}
        return {"purses": Amount.from_thousandths(self._book.in_purses), **at_tables}

    @property
    def difference(self) -> Amount:
        """What is found less what was given out: zero where every chip is accounted for."""
        return sum(self.found.values(), ZERO) - sum(self.given_out.values(), ZERO)

    def to_json(self) -> dict[str, Any]:
        """The figures for a program."""
        given, found = ({name: str(value) for name, value in part.items()} for part in (self.given_out, self.found))
        return {"given_out": given, "found": found, "difference": str(self.difference), "wrong": self.wrong}

    def lines(self) -> Iterator[str]:
        """The figures on paper."""
        yield "The house, when the shift ended"
        pairs = zip(self.given_out.items(), self.found.items(), strict=True)
        for (given, amount), (place, held) in pairs:
            yield f"  {GIVEN_OUT[given]:18}{dollars(amount):>18}    {FOUND[place]:18}{dollars(held):>18}"
        whole = (dollars(sum(part.values(), ZERO)) for part in (self.given_out, self.found))
        yield "  {:18}{:>18}    {:18}{:>18}".format("given out", next(whole), "found", next(whole))
