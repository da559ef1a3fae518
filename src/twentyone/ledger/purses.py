"""Purses: what players have away from the tables, kept by the house's stream.

Play money is issued into a purse. Chips come to a table out of a purse (`bring_chips`) and go back into it when the
player leaves: every such movement of a table has one `purse_entry`, stored in the same transaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from twentyone.errors import Refused
from twentyone.ledger.canonical import LARGEST
from twentyone.ledger.codec import COMMAND, SCHEMA, read_body
from twentyone.ledger.house_rows import Body, Place, Rows, derived_table, house_event
from twentyone.ledger.rows import NewEvent, NotCanonical, StoredEvent
from twentyone.money import Amount, dollars
from twentyone.table.events import ChipsMoved, TableEvent

__all__ = [
    "CAGE",
    "CARRIED",
    "EMPTIED",
    "ENTRY",
    "FIRST_FORM",
    "ISSUED",
    "PURSES",
    "TAKEN_OVER",
    "carried",
    "earlier_change",
    "earlier_purses",
    "emptied",
    "issued",
    "purse_change",
    "purse_entries",
    "taken_over",
]

CAGE = "(cage)"
FIRST_FORM = 3
"""The form from which on every movement between a player and the cage has its purse entry."""
PLAY_MONEY = "play_money"
"""The argument by which a buy-in of an earlier form said that it came from a purse."""
ISSUED, ENTRY, EMPTIED, TAKEN_OVER = "play_money_issued", "purse_entry", "purse_emptied", "purse_taken_over"
CARRIED = "purse_carried"
"""A purse as the period before left it."""
PURSES = derived_table("purses", "name", "balance", "issues")
"""What is in each purse, in thousandths of a dollar, and how often play money was issued into it."""


# -- the events


def issued(name: str, amount: Amount, issuer: str, reason: str, at: int) -> NewEvent:
    """New play money goes into a purse."""
    return _event(ISSUED, at, name=name, amount=int(amount), issuer=issuer, reason=reason)


def emptied(name: str, amount: Amount, issuer: str, reason: str, at: int) -> NewEvent:
    """All that is in a purse is withdrawn."""
    return _event(EMPTIED, at, name=name, amount=int(amount), issuer=issuer, reason=reason)


def taken_over(name: str, amount: Amount, at: int) -> NewEvent:
    """A purse that an earlier version kept beside the ledger comes into it."""
    return _event(TAKEN_OVER, at, name=name, amount=int(amount))


def carried(name: str, amount: int, issues: int, at: int) -> NewEvent:
    """A purse of the period before goes on: what is in it, and how often play money was issued into it."""
    return _event(CARRIED, at, name=name, amount=amount, issues=issues)


def purse_entries(table: str, version: int, happened: Iterable[TableEvent]) -> Iterator[NewEvent]:
    """What the events of a command, stored from this version on, move between purses and a table."""
    for event in happened:
        if type(event) is ChipsMoved and (change := purse_change(event.source, event.target, int(event.amount))):
            name, amount = change
            yield _event(ENTRY, event.at, table=table, version=version, name=name, amount=amount)


def purse_change(source: str, target: str, amount: int) -> tuple[str, int] | None:
    """Whose purse a movement of chips fills or, below zero, spends; none where it does neither."""
    if target == CAGE and not source.startswith("("):
        return source, int(amount)
    if source == CAGE and not target.startswith("("):
        return target, -int(amount)
    return None


def earlier_change(event: StoredEvent) -> tuple[str, int] | None:
    """The same of an event of an earlier form, whose purses were kept beside the ledger."""
    if event.type == "chips_moved" and CAGE in event.body:
        data = read_body(event)["data"]
        change = purse_change(data["source"], data["target"], data["amount"])
        return change if change is not None and change[1] > 0 else None
    if event.type == COMMAND and f'"{PLAY_MONEY}"' in event.body:
        args = read_body(event)["args"]
        return (args["player"], -int(Amount.from_thousandths(args["amount"]))) if args[PLAY_MONEY] == "purse" else None
    return None


def earlier_purses(events: Iterable[StoredEvent]) -> Counter[str]:
    """The most that purses of an earlier form can hold: one that was emptied meanwhile holds less."""
    most: Counter[str] = Counter()
    for event in events:
        if event.schema < FIRST_FORM and (change := earlier_change(event)) is not None:
            name, amount = change
            most[name] = max(0, most[name] + amount)
    return most


def _event(kind: str, at: int, **body: Any) -> NewEvent:
    return NewEvent(kind, body, at, SCHEMA)


# -- what they do


def _purse(body: Body) -> Iterable[Place]:
    if not isinstance(body["name"], str) or type(body["amount"]) is not int:
        raise NotCanonical("house", "the event names no purse, or no amount")
    return ((PURSES, body["name"]),)


@house_event(ISSUED, _purse)
def _issue(rows: Rows, body: Body, _: int) -> None:
    _add(rows, body["name"], _positive(body), issues=1)


@house_event(TAKEN_OVER, _purse)
def _take_over(rows: Rows, body: Body, _: int) -> None:
    _add(rows, body["name"], _positive(body))


@house_event(CARRIED, _purse)
def _carry(rows: Rows, body: Body, _: int) -> None:
    name, amount, issues = body["name"], body["amount"], body["issues"]
    if (PURSES, name) in rows or type(issues) is not int or not (0 <= amount <= LARGEST and 0 <= issues <= LARGEST):
        raise NotCanonical("house", f"the purse of {name} is there already, or {amount} is not what one can hold")
    rows[PURSES, name] = (amount, issues)


@house_event(ENTRY, _purse)
def _enter(rows: Rows, body: Body, _: int) -> None:
    _add(rows, body["name"], body["amount"])


@house_event(EMPTIED, _purse)
def _empty(rows: Rows, body: Body, _: int) -> None:
    name, amount = body["name"], _positive(body)
    if (held := _held(rows, name)) != amount:
        raise Refused(
            f"the purse of {name} is to be emptied of {_money(amount)} and holds {_money(held)}: read it again"
        )
    _add(rows, name, -amount)


def _held(rows: Rows, name: str) -> int:
    balance: int = rows.get((PURSES, name), (0, 0))[0]
    return balance


def _positive(body: Body) -> int:
    amount: int = body["amount"]
    if amount <= 0:
        raise NotCanonical("house", f"{amount} is not an amount above zero")
    return amount


def _add(rows: Rows, name: str, amount: int, issues: int = 0) -> None:
    balance, before = rows.get((PURSES, name), (0, 0))
    if not 0 <= balance + amount <= LARGEST:
        wants = f"{name} brings {_money(-amount)}" if amount < 0 else f"{_money(amount)} more come to {name}"
        raise Refused(f"{wants}, and the purse holds {_money(balance)}: bring no more than it holds")
    rows[PURSES, name] = (balance + amount, before + issues)


def _money(amount: int) -> str:
    return dollars(Amount.from_thousandths(amount))
