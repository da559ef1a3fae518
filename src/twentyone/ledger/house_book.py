"""The money of the house as double entry, seen from the stored events alone: a second pair of eyes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from twentyone.ledger.purses import CARRIED, EMPTIED, ENTRY, ISSUED, TAKEN_OVER

__all__ = ["BROUGHT_OVER", "GIVEN", "TABLES", "WITHDRAWN", "HouseBook"]

GIVEN, BROUGHT_OVER, TABLES, WITHDRAWN = "(issued)", "(taken over)", "(tables)", "(withdrawn)"

Body = Mapping[str, Any]


class HouseBook:
    """All accounts of the house: purses by their names, and where their money comes from and goes to."""

    def __init__(self) -> None:
        self.balances: Counter[str] = Counter()
        """In thousandths of a dollar; they add up to zero."""

    @property
    def in_purses(self) -> int:
        """What all purses hold together."""
        return sum(amount for name, amount in self.balances.items() if not name.startswith("("))

    def follow(self, kind: str, body: Body) -> list[str]:
        """Book an event; answers everything about it that breaks double entry."""
        if kind not in BOOK:
            return []
        source, target, amount = BOOK[kind](body)
        self.balances[source] -= amount
        self.balances[target] += amount
        wrong = [f"an entry from {source} to {target} is negative: {amount}"] if amount < 0 else []
        return wrong + [
            f"the purse of {name} holds {self.balances[name]}, less than zero"
            for name in (source, target)
            if not name.startswith("(") and self.balances[name] < 0
        ]


Move = tuple[str, str, int]


def _entry(body: Body) -> Move:
    name, amount = body["name"], body["amount"]
    return (TABLES, name, amount) if amount > 0 else (name, TABLES, -amount)


BOOK: dict[str, Callable[[Body], Move]] = {
    ISSUED: lambda body: (GIVEN, body["name"], body["amount"]),
    TAKEN_OVER: lambda body: (BROUGHT_OVER, body["name"], body["amount"]),
    CARRIED: lambda body: (BROUGHT_OVER, body["name"], body["amount"]),
    EMPTIED: lambda body: (body["name"], WITHDRAWN, body["amount"]),
    ENTRY: _entry,
}
"""Source, target and amount of each event that moves money; a module that brings another adds it here."""
