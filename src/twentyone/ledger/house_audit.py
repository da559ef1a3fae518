"""The house's stream audited: every purse entry beside the chips of its table, every derived row made again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from twentyone.ledger.chain import Fault
from twentyone.ledger.codec import COMMAND, read_body
from twentyone.ledger.coupon_audit import CouponAudit
from twentyone.ledger.derived import money_faults
from twentyone.ledger.group import house_key
from twentyone.ledger.house import HOUSE, TABLES, HouseRows
from twentyone.ledger.house_book import HouseBook
from twentyone.ledger.purses import CAGE, ENTRY, FIRST_FORM, TAKEN_OVER, earlier_change, purse_change
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.store import Store

__all__ = ["HouseAudit"]

TRIES = 20
"""How often derived rows are read when others write meanwhile."""


class _Movement(NamedTuple):
    """Chips between a player and the cage: as a table has them, and as the house has them."""

    table: str
    """The stream of the table."""
    version: int
    """The version of the command."""
    name: str
    """The player."""
    amount: int
    """What goes into the purse; below zero, out of it."""


class HouseAudit:
    """Follows the events of a ledger in their order and collects what is wrong with the house's money in `faults`."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        """Everything found so far."""
        self.unchecked: list[str] = []
        """What could not be examined."""
        self.events = 0
        """Events of the house's stream."""
        self.book = HouseBook()
        """Its money, booked from its events."""
        self.coupons = CouponAudit()
        """Its coupons, followed from the events of the house and of the tables."""
        self._rows = HouseRows()
        self._last = 0
        self._part: str | None = None
        self._commands: dict[str, tuple[int, str]] = {}
        self._open: dict[_Movement, list[int]] = {}
        self._extra: list[_Movement] = []
        self._earlier: Counter[str] = Counter()

    def follow(self, event: StoredEvent) -> None:
        """Take the next event of the ledger, of a table or of the house."""
        try:
            for what in self.coupons.follow(event):
                self._add_fault(event.ver, what, event.stream)
            self._event(event)
        except Exception as wrong:  # an altered event can raise anything
            self._add_fault(event.ver, f"cannot be read: {type(wrong).__name__} {wrong}", event.stream)

    def _event(self, event: StoredEvent) -> None:
        if event.stream != HOUSE:
            self._table_event(event)
            return
        self.events, self._last = self.events + 1, event.ver
        self._part = event.idem or self._part
        self._house_event(event)

    def _add_fault(self, version: int, what: str, stream: str = HOUSE) -> None:
        self.faults.append(Fault(stream, version, what))

    # -- tables

    def _table_event(self, event: StoredEvent) -> None:
        if event.idem is not None:
            self._commands[event.stream] = (event.ver, event.idem)
        if event.schema < FIRST_FORM:
            if event.type in ("chips_moved", COMMAND):
                self._note_earlier(event)
        elif event.type == "chips_moved" and CAGE in event.body:
            self._note_movement(event)

    def _note_movement(self, event: StoredEvent) -> None:
        data = read_body(event)["data"]
        change = purse_change(data["source"], data["target"], data["amount"])
        if change is not None:
            version = self._commands.get(event.stream, (0, ""))[0]
            self._open.setdefault(_Movement(event.stream, version, *change), []).append(event.ver)

    def _note_earlier(self, event: StoredEvent) -> None:
        """What an earlier form kept beside the ledger: a purse that was emptied meanwhile holds less, never more."""
        change = earlier_change(event)
        if change is not None:
            name, amount = change
            self._earlier[name] = max(0, self._earlier[name] + amount)

    # -- the house

    def _house_event(self, event: StoredEvent) -> None:
        for fault in money_faults(self._rows, [event]):
            self._add_fault(event.ver, fault.what)
        body = read_body(event)
        for what in self.book.follow(event.type, body):
            self._add_fault(event.ver, what)
        if event.type == ENTRY:
            self._match(event, _Movement(body["table"], body["version"], body["name"], body["amount"]))
        elif event.type == TAKEN_OVER:
            name, amount = body["name"], body["amount"]
            if amount > self._earlier[name]:
                most = self._earlier[name]
                self._add_fault(event.ver, f"takes over {amount} of {name}, the tables' events leave {most} at most")
            self._earlier[name] = 0

    def _match(self, event: StoredEvent, entry: _Movement) -> None:
        """Find the chips that an entry names, and the command that they were stored with."""
        found = self._open.get(entry)
        if not found:
            what = f"an entry of {entry.amount} for {entry.name}, and no such chips moved at {entry.table} version"
            self._add_fault(event.ver, f"{what} {entry.version}")
            return
        found.pop()
        if not found:
            del self._open[entry]
        version, key = self._commands[entry.table]
        if (version, house_key(key)) != (entry.version, self._part):
            self._add_fault(event.ver, f"is not stored with the command at {entry.table} version {entry.version}")

    # -- the end

    def finish(self, store: Store) -> None:
        """The ledger has ended: what is left over, and whether the stored rows are what the events lead to."""
        self.faults += [Fault(*left) for left in self.coupons.finish()]
        for movement, versions in self._open.items():
            for version in versions:
                what = f"{movement.amount} between {movement.name} and the cage, without an entry in the house's stream"
                self._add_fault(version, what, movement.table)
        for _ in range(TRIES):
            before = store.version(HOUSE)
            stored = {table: dict(store.read_derived(table)) for table in TABLES}
            if store.version(HOUSE) == before:
                self._compare(store, stored, before)
                return
        self.unchecked.append("the rows of the house: others wrote all the while; verify again when it is quieter")

    def _compare(self, store: Store, stored: dict[str, dict[str, tuple[object, ...]]], version: int) -> None:
        """Compare the rows at a version with what the events lead to, those that were stored meanwhile included."""
        self.faults += money_faults(
            self._rows, takewhile(lambda event: event.ver <= version, store.read(HOUSE, self._last))
        )
        for table, rows in stored.items():
            made = {key: row for (name, key), row in self._rows.held.items() if name == table}
            for what in _differences(table, rows, made):
                self._add_fault(0, what)


def _differences(
    table: str, stored: dict[str, tuple[object, ...]], made: dict[str, tuple[object, ...]]
) -> Iterator[str]:
    for key in sorted({*stored, *made}):
        if stored.get(key) != made.get(key):
            says = {
                name: TABLES[table].row(row) for name, row in (("stored", stored.get(key)), ("events", made.get(key)))
            }
            yield f"the row {key!r} of {table} is {says['stored']}, the events lead to {says['events']}: it was edited"
