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

    def _check(self, row: Row) -> None:
        held = self.chips[row.stream]
        if sum(held.values()):
            self.faults.append(f"{row.stream} version {row.ver}: its chips do not add up to nothing")
        for name in [name for name, amount in held.items() if amount < 0 and not name.startswith("(")]:
            self.faults.append(f"{row.stream} version {row.ver}: {name} holds less than nothing")
        if held[LAYOUT] < 0:
            self.faults.append(f"{row.stream} version {row.ver}: less than nothing lies on the layout")
