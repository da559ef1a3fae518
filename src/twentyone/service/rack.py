"""The chips in a table's rack: with how many it opens, and when automatic staff fills or relieves it."""

from __future__ import annotations

from twentyone.money import ZERO, Amount
from twentyone.table.model import TableState

__all__ = ["counted_rack", "restock"]

OPENING = Amount("50000")
"""The chips with which an empty rack is stocked."""
LEAST, FULL, LOAD = Amount("20000"), Amount("250000"), Amount("100000")
"""Below the least the table gets a fill of one load, above the most it gives a credit of one."""


def counted_rack(state: TableState) -> str:
    """The inventory with which a table opens: what its record says, or the stock of an empty rack."""
    return str(state.chips.get("(inventory)", ZERO) or OPENING)


def restock(state: TableState) -> tuple[str, dict[str, str]] | None:
    """The fill or credit that is due, if any."""
    inventory = state.chips.get("(inventory)", ZERO)
    if LEAST <= inventory <= FULL:
        return None
    return "fill" if inventory < LEAST else "credit", {"amount": str(LOAD)}
