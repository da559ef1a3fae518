"""The house's own stream: all money that is not at a table.

A command of a table may carry a part for it (`Batch.house`); both are stored in one transaction or not at all. Every
module that brings events of the house is imported here, so that whoever stores or reads a ledger knows them all.
"""

from __future__ import annotations

from collections.abc import Iterable

from twentyone.ledger import coupons, interruptions, kept_law, periods, purses, software  # noqa: F401  each brings its events
from twentyone.ledger.house_rows import KINDS, TABLES, HouseRows, Written, touched
from twentyone.ledger.rows import HOUSE, NewEvent
from twentyone.table.events import TableEvent

__all__ = ["HOUSE", "KINDS", "TABLES", "HouseRows", "Written", "house_part", "touched"]


def house_part(table: str, version: int, happened: Iterable[TableEvent]) -> list[NewEvent]:
    """What a command of a table, stored from this version on, does to the money of the house."""
    return [*purses.purse_entries(table, version, happened), *coupons.coupon_entries(table, version, happened)]
