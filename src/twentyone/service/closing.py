"""What closing a table would do to the chips there: asked before it is done."""

from __future__ import annotations

from typing import Any

from twentyone.errors import Refused
from twentyone.ledger.tally import INVENTORY
from twentyone.money import ZERO
from twentyone.service.people import Person
from twentyone.table import Command, Table

__all__ = ["closing"]


def closing(table: Table, person: Person) -> dict[str, Any]:
    """Whose chips go to his purse, and what stays in the table inventory; or why the table cannot be closed now."""
    state, refused = table.state, None
    try:
        table.apply(Command("close_table", person.at_table, person.name))
    except Refused as wrong:
        refused = wrong
    held = {name: state.chips.get(name, ZERO) for name in state.players}
    return {
        "players": {name: str(amount) for name, amount in held.items()},
        "sum": str(sum(held.values(), ZERO)),
        "inventory": str(state.chips.get(INVENTORY, ZERO)),
        "why": refused.why if refused is not None else "",
        "cite": (refused.cite or "") if refused is not None else "",
    }
