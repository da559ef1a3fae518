"""The second account: what everybody holds, added up from stored rows alone. It imports nothing of the engine."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

__all__ = ["Row", "SecondAccount"]

HOUSE = "(house)"
CAGE, LAYOUT = "(cage)", "(layout)"
Body = dict[str, Any]
COUPON = {
    "coupon_issued": ("", "open"),
    "coupon_laid": ("open", "laid"),
    "coupon_returned": ("laid", "open"),
    "coupon_used": ("laid", "used"),
    "coupon_void": ("open", "void"),
}
"""What a coupon was before an event of it, and is after it."""
MOST_PAID = 12
"""No text pays more than twelve to one on a wager that a coupon may lie beside."""


class Row(NamedTuple):
    """One stored event, as a database gives it."""

    stream: str
    """The table, or the house."""
    ver: int
    """Its number there."""
    type: str
    """What happened."""
    body: str
    """Its fields, as JSON."""


class SecondAccount:
    """Chips by table and account, purses, coupons; `faults` names what cannot be."""

    def __init__(self) -> None:
        self.chips: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """Table to account to thousandths."""
        self.purses: Counter[str] = Counter()
        """Person to thousandths."""
        self.issued = 0
        """Play money that the house gave, less what it took back with names that nobody has any more."""
        self.coupons: dict[str, tuple[int, str]] = {}
        """Number to amount in thousandths and how it stands."""
        self.paid_on_coupons = 0
        """What was paid on coupons, less what went back."""
        self.fills = 0
        """What came into inventories from the cage, less what went back."""
        self.cash = 0
        """What was sold for cash."""
        self.faults: list[str] = []
        """What is wrong."""
        self._laid: dict[tuple[str, int, str, str], int] = {}
        self._to_purses: Counter[tuple[str, int, str]] = Counter()
        self._command: dict[str, int] = {}

    def follow(self, rows: Iterable[Row]) -> None:
        """Add up rows in the order in which they were stored."""
        for row in rows:
            body = json.loads(row.body)
            if row.stream == HOUSE:
                self._house(row, body)
                continue
            if row.type == "command":
                self._command[row.stream] = row.ver
            self._table(row, body.get("data", {}))
            self._check(row)

    # -- tables

    def _table(self, row: Row, data: Body) -> None:
        if row.type in ("chips_moved", "coupon_settled"):
            self._move(row.stream, data["source"], data["target"], data["amount"])
            self.cash += data.get("cash") or 0
            self.paid_on_coupons += _gain(data) if row.type == "coupon_settled" else 0
            self._with_cage(row, data)
        elif row.type == "wager_laid":
            key = (row.stream, data["box"], data["player"], data["wager"])
            self._laid[key] = self._laid.get(key, 0) + data["amount"]
            self._move(row.stream, data["player"], LAYOUT, data["amount"])
        elif row.type == "wager_taken_back":
            mine = (row.stream, data["box"], data["player"])
            for key in [key for key in self._laid if key[:3] == mine and data.get("wager", "") in ("", key[3])]:
                self._move(row.stream, LAYOUT, data["player"], self._laid.pop(key))
        elif row.type == "round_begun":
            self._laid = {key: amount for key, amount in self._laid.items() if key[0] != row.stream}
        elif row.type == "round_ended" and self.chips[row.stream][LAYOUT]:
            self.faults.append(f"{row.stream} version {row.ver}: the round is over and chips lie on the layout")
        elif row.type == "round_event":
            for account, change in data.get("chips", ()):
                self.chips[row.stream][account] += change

    def _move(self, table: str, source: str, target: str, amount: int) -> None:
        self.chips[table][source] -= amount
        self.chips[table][target] += amount

    def _with_cage(self, row: Row, data: Body) -> None:
        """What a person took to the cage or brought from it must stand in his purse."""
        source, target = data["source"], data["target"]
        if target == CAGE and not source.startswith("("):
            self._to_purses[row.stream, self._command[row.stream], source] += data["amount"]
        elif source == CAGE and not target.startswith("("):
            self._to_purses[row.stream, self._command[row.stream], target] -= data["amount"]
        elif CAGE in (source, target):
            self.fills += data["amount"] if source == CAGE else -data["amount"]

    def _check(self, row: Row) -> None:
        held = self.chips[row.stream]
        if sum(held.values()):
            self.faults.append(f"{row.stream} version {row.ver}: its chips do not add up to nothing")
        for name in [name for name, amount in held.items() if amount < 0 and not name.startswith("(")]:
            self.faults.append(f"{row.stream} version {row.ver}: {name} holds less than nothing")
        if held[LAYOUT] < 0:
            self.faults.append(f"{row.stream} version {row.ver}: less than nothing lies on the layout")

    # -- the house

    def _house(self, row: Row, body: Body) -> None:
        if row.type == "play_money_issued":
            self.issued += body["amount"]
            self._into_purse(row, body["name"], body["amount"])
        elif row.type == "purse_emptied":
            self.issued -= body["amount"]
            self._into_purse(row, body["name"], -body["amount"])
        elif row.type == "purse_entry":
            self._into_purse(row, body["name"], body["amount"])
            self._to_purses[body["table"], body["version"], body["name"]] -= body["amount"]
        elif row.type in COUPON:
            self._coupon(row, body)

    def _into_purse(self, row: Row, name: str, amount: int) -> None:
        self.purses[name] += amount
        if self.purses[name] < 0:
            self.faults.append(f"{row.stream} version {row.ver}: the purse of {name} holds less than nothing")

    def _coupon(self, row: Row, body: Body) -> None:
        """A coupon is issued once, lies in one place at a time, and is used once."""
        before, after = COUPON[row.type]
        amount, stands = self.coupons.get(body["number"], (body.get("amount", 0), ""))
        if stands != before:
            self.faults.append(f"{row.stream} version {row.ver}: {row.type} of a coupon that is {stands or 'unknown'}")
        self.coupons[body["number"]] = (amount, after)

    # -- the end

    def close(self) -> None:
        """The ledger has ended: purses beside tables, and all that exists beside all that was issued."""
        for (table, version, name), amount in self._to_purses.items():
            if amount:
                self.faults.append(f"{table} version {version}: {amount} of {name} is not what went into his purse")
        if self.exists != self.issued + self.fills:
            self.faults.append(f"{self.exists} exist, {self.issued + self.fills} were issued")
        used = sum(amount for amount, stands in self.coupons.values() if stands == "used")
        if self.paid_on_coupons > MOST_PAID * used:
            self.faults.append(f"{self.paid_on_coupons} was paid on coupons worth {used}")

    @property
    def exists(self) -> int:
        """All chips that exist: in purses, and at tables with whomever."""
        at_tables = (amount for held in self.chips.values() for name, amount in held.items() if name != CAGE)
        return sum(self.purses.values()) + sum(at_tables)


def _gain(data: Body) -> int:
    """What a player gets on a coupon; below zero: what goes back."""
    amount: int = data["amount"]
    return amount if not data["target"].startswith("(") else -amount
