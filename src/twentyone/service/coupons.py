"""The coupons of a service: staff issues them, looks at them, declares them void."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from twentyone.errors import Refused
from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.coupons import COUPONS, CouponRow, issued, new_number, read_end, void
from twentyone.ledger.rows import HOUSE, Appended, Batch, NewEvent
from twentyone.ledger.store import Store
from twentyone.ledger.timestamps import SECONDS_PER_DAY
from twentyone.money import ZERO, Amount, dollars
from twentyone.service.approvals import Approval, Approvals

__all__ = ["Coupons"]

Listed = dict[str, Any]
A_DAY = Amount("5000")
"""What one person may issue in a day, in all; above it an administrator approves each coupon."""
ISSUE = "issue a coupon"
LONGEST = 30.0
"""Seconds in which an approved coupon is stored."""


class Coupons:
    """The coupons of one ledger."""

    def __init__(
        self,
        store: Store,
        submit: Callable[[Batch], Awaitable[Appended]],
        clock: Callable[[], int],
        approvals: Approvals,
    ) -> None:
        self._store, self._submit, self._clock, self._approvals = store, submit, clock, approvals
        self._one = asyncio.Lock()
        self.loop: asyncio.AbstractEventLoop | None = None
        """In which coupons are stored that a second person approves, in whatever thread."""
        approvals.acts[ISSUE] = self._issue_approved

    async def issue_or_ask(self, by: str, given: dict[str, str]) -> Listed | Approval:
        """Issue a coupon; above what one person may issue in a day it waits for a second person."""
        async with self._one:
            worth = self._event(by, **{name: given[name] for name in ("amount", "ends", "number", "person")})[1]
            most, known = self.issued_today(by) + worth, self._store.find_key(f"{by}:{given['key']}") is not None
            if known or most <= A_DAY:
                return await self.issue(by, **given)
            who = f" for {given['person'].strip()}" if given["person"].strip() else ""
            what = f"issue a coupon of {dollars(worth)}{who}: {by} has issued {dollars(most - worth)} today"
            return await asyncio.to_thread(self._approvals.ask, ISSUE, what, by, given)

    def issued_today(self, by: str) -> Amount:
        """What somebody has issued since the day began."""
        begun = self._clock() // SECONDS_PER_DAY * SECONDS_PER_DAY
        rows = (CouponRow(*row) for _, row in self._store.read_derived(COUPONS))
        return sum(
            (Amount.from_thousandths(row.amount) for row in rows if row.issuer == by and row.issued >= begun), ZERO
        )

    def _issue_approved(self, amount: str, ends: str, number: str, person: str, key: str, by: str) -> None:
        """A second person wants it, too; called beside the loop, in a thread."""
        assert self.loop is not None
        issuing = self.issue(by, amount, ends, number, person, key)
        asyncio.run_coroutine_threadsafe(issuing, self.loop).result(LONGEST)

    async def issue(self, by: str, amount: str, ends: str, number: str, person: str, key: str) -> Listed:
        """Issue a coupon; the same key issues no second one. Without a number it gets one."""
        event, _ = self._event(by, amount, ends, number, person)
        return await self._store_one(event, f"{by}:{key}", ["issue", by, amount, ends, number, person])

    def _event(self, by: str, amount: str, ends: str, number: str, person: str) -> tuple[NewEvent, Amount]:
        """The event of a coupon, and what it is worth; refused where it is none."""
        try:
            worth = Amount(amount)
        except ValueError as wrong:
            raise Refused(str(wrong)) from None
        number = number or new_number(uuid.uuid4().hex)
        return issued(number, worth, by, self._clock(), read_end(ends), person.strip()), worth

    async def declare_void(self, by: str, number: str, reason: str, key: str) -> Listed:
        """Declare a coupon void that lies nowhere."""
        event = void(number, by, reason, self._clock())
        return await self._store_one(event, f"{by}:{key}", ["void", by, number, reason])

    async def _store_one(self, event: NewEvent, key: str, asked: list[str]) -> Listed:
        stored = await self._submit(Batch(HOUSE, 0, [event], key, fingerprint([HOUSE, *asked])))
        return self._find(json.loads(stored.events[0].body)["number"])

    def _find(self, number: str) -> Listed:
        row = self._store.find_derived(COUPONS, number)
        if row is None:
            raise Refused(f"there is no coupon {number}")
        return CouponRow(*row).to_json(number, self._clock())

    def listed(self) -> list[Listed]:
        """All coupons, those that are good first, the newest first."""
        now = self._clock()
        rows = [CouponRow(*row).to_json(number, now) for number, row in self._store.read_derived(COUPONS)]
        return sorted(rows, key=lambda row: (row["state"] not in ("open", "laid"), -row["issued"], row["number"]))
