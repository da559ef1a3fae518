"""Purses: what players have away from the tables. The ledger's house stream has it all; nothing is kept here.

A purse is spent by the command `bring_chips` and filled by leaving a table, in one transaction with the chips there, so
that no two processes spend the same money.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import suppress

from twentyone.errors import Refused
from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.coupons import COUPONS, CouponRow, void
from twentyone.ledger.purses import PURSES, earlier_purses, emptied, issued, taken_over
from twentyone.ledger.rows import HOUSE, KeyReused, NewEvent
from twentyone.ledger.store import Store
from twentyone.money import Amount
from twentyone.service.records import Records

__all__ = ["CASHIER", "Purses"]

CASHIER = "Auto cashier"
"""Who issues play money."""
ANEW = "the name was given anew"
OLD = "people_purses"
"""The table in which an earlier version kept purses, beside the ledger."""


class Purses:
    """The purses of all players."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock

    def of(self, name: str) -> Amount:
        """What a player has away from the tables."""
        return Amount.from_thousandths(self._row(name)[0])

    def issues(self, name: str) -> int:
        """How often he was given play money."""
        return self._row(name)[1]

    def _row(self, name: str) -> tuple[int, int]:
        balance, issues = self._store.find_derived(PURSES, name) or (0, 0)
        return balance, issues

    def issue(self, name: str, amount: Amount, reason: str, issues: int) -> None:
        """Give play money to somebody who was given it so often before: once, whichever process does it first."""
        event = issued(name, amount, CASHIER, reason, self._clock())
        with suppress(KeyReused):
            self._append([event], f"play money {issues + 1} {name}")

    def empty(self, name: str) -> None:
        """Empty the purse of a name, and declare its coupons void: a new guest does not inherit them."""
        while held := self.of(name):
            event = emptied(name, held, CASHIER, ANEW, self._clock())
            with suppress(Refused):  # it was spent or filled meanwhile: look again
                self._append([event], f"empty {uuid.uuid4()}")
        for number, row in self._store.read_derived(COUPONS):
            coupon = CouponRow(*row)
            if (coupon.person, coupon.state) == (name, "open"):
                with suppress(Refused):  # it was declared void meanwhile
                    self._append([void(number, CASHIER, ANEW, self._clock())], f"void {uuid.uuid4()}")

    def take_over(self, records: Records) -> None:
        """Take over, once, what an earlier version kept beside the ledger; never more than the ledger's events say."""
        if not records.holds(OLD):
            return
        rows = records.rows(f"SELECT name, SUM(amount) FROM {OLD} GROUP BY name ORDER BY name")
        kept = {name: int(amount) for name, amount in rows if amount > 0}
        most = earlier_purses(self._store.read_all()) if kept else {}
        owed = {name: min(amount, most.get(name, 0)) for name, amount in kept.items()}
        events = [
            taken_over(name, Amount.from_thousandths(amount), self._clock())
            for name, amount in owed.items()
            if amount > 0
        ]
        if events:
            with suppress(KeyReused):
                self._append(events, "purses taken over")
        records.run(f"DELETE FROM {OLD}")

    def _append(self, events: list[NewEvent], key: str) -> None:
        """Store events of the house; no command of a table can have such a key."""
        mark = fingerprint([event.body for event in events])
        self._store.append(HOUSE, 0, events, f"{HOUSE} {key}", mark)
