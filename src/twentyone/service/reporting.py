"""The shift report while the tables go on: one at a time, from a connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from twentyone.ledger.report import ShiftReport, shift_report
from twentyone.ledger.store import open_store, table_streams
from twentyone.ledger.timestamps import Period
from twentyone.service.people import NotAllowed

__all__ = ["make_report"]

BUSY = threading.Lock()
"""Held while a report is made: it reads the whole ledger."""


def make_report(ledger: str, period: Period, generated: int, tables: Sequence[str]) -> ShiftReport:
    """The report of a shift; refused while another one is made."""
    if not BUSY.acquire(blocking=False):
        raise NotAllowed("another report is being made: ask again when it is done", 409)
    try:
        store = open_store(ledger)
        try:
            unknown = [name for name in tables if name not in table_streams(store)]
            if unknown:
                raise NotAllowed(f"there is no table {unknown[0]!r} in this ledger", 422)
            return shift_report(store, period, generated, tables=tables)
        finally:
            store.close()
    finally:
        BUSY.release()
