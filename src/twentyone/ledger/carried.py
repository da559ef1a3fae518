"""A table that goes on from the period before: what a closed table holds is the beginning of its next stream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any, NamedTuple

from twentyone.ledger.codec import CARRIED, SCHEMA
from twentyone.ledger.rows import NewEvent
from twentyone.ledger.shoes import Custody
from twentyone.ledger.snapshots import read_fields, write_fields
from twentyone.rulebook import Rules
from twentyone.table.model import Meter, TableState

__all__ = ["TableEnd", "carried_event", "follow_carried", "held_by", "meters_carried", "not_at_rest"]

HELD = ("day", "devices", "all_working", "bar", "chips", "cash", "meters", "stopped", "limits")
"""What a closed table holds."""
OVER = {
    "rounds", "shoes", "arrivals", "rounds_in_shoe", "in_round", "cut_order", "cut_offered", "cut_asked", "cut_by",
    "cut_rotation", "recutting", "shoe_wagers", "admitted",
}  # fmt: skip
"""What was of its games: rounds, shoes and players are numbered anew. All else is empty at a closed table."""
AMOUNT, BASE, OVERFLOW = map(Meter._fields.index, ("amount", "base", "overflow"))


class TableEnd(NamedTuple):
    """A table as the last event of its stream leaves it."""

    created: Mapping[str, Any]
    """The body of its first event."""
    rules: Rules
    """The rules in force."""
    state: TableState
    """The state of the table."""
    custody: Custody
    """The sealed shoes."""
    form: int
    """The form of its events."""


def not_at_rest(end: TableEnd) -> Iterator[str]:
    """Why a table cannot be carried over as it is."""
    state = end.state
    if end.form < SCHEMA:
        yield "its events are of an earlier form: serve it once with this version"
    if state.phase != "closed":
        yield f"it is {state.phase}: close it"
    lying = sorted(name for name, amount in state.chips.items() if amount and not _of_house(name))
    if lying:
        yield f"{', '.join(lying)} still has chips there: let him leave"
    empty = TableState()
    left = [own.name for own in fields(TableState) if own.compare and own.name not in (*HELD, *OVER)]
    left = [name for name in left if getattr(state, name) != getattr(empty, name) and name != "phase"]
    if state.phase == "closed" and (left or end.custody != Custody()):
        yield f"something lies there yet ({', '.join(left) or 'a sealed shoe'}): open and close it again"


def _of_house(account: str) -> bool:
    return account in ("(inventory)", "(cage)", "(tips)")


def held_by(state: TableState) -> dict[str, Any]:
    """What a closed table holds, as JSON values; whoever left with all his chips is left out."""
    body = write_fields(state, HELD)
    body["chips"] = {name: amount for name, amount in body["chips"].items() if amount}
    return body


def carried_event(held: Mapping[str, Any], at: int) -> NewEvent:
    """A table begins with what it held when the period before was closed."""
    return NewEvent(CARRIED, {"state": held}, at, SCHEMA)


def follow_carried(state: TableState, body: Mapping[str, Any]) -> None:
    """Put what a table held into the state of its new stream."""
    if tuple(sorted(body["state"])) != tuple(sorted(HELD)):
        raise ValueError(f"a table holds {', '.join(HELD)}")
    read_fields(state, body["state"])


def meters_carried(body: Mapping[str, Any]) -> dict[str, tuple[Fraction, int]]:
    """All that each meter holds when a table is carried over, in thousandths of a dollar, and its base."""
    return {
        name: (Fraction(row[AMOUNT]) + Fraction(row[OVERFLOW]), int(row[BASE]))
        for name, row in body["state"]["meters"].items()
    }
