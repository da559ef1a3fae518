"""The coupons of a service: staff issues them, looks at them, declares them void."""

from __future__ import annotations

import json
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from twentyone.errors import Refused
from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.coupons import COUPONS, CouponRow, issued, new_number, read_end, void
from twentyone.ledger.rows import HOUSE, Appended, Batch, NewEvent
from twentyone.ledger.store import Store
from twentyone.money import Amount

__all__ = ["Coupons"]

Listed = dict[str, Any]


class Coupons:
    """The coupons of one ledger."""

    def __init__(self, store: Store, submit: Callable[[Batch], Awaitable[Appended]], clock: Callable[[], int]) -> None:
        self._store, self._submit, self._clock = store, submit, clock

    async def issue(self, by: str, amount: str, ends: str, number: str, person: str, key: str) -> Listed:
        """Issue a coupon; the same key issues no second one. Without a number it gets one."""
        try:
            worth = Amount(amount)
        except ValueError as wrong:
            raise Refused(str(wrong)) from None
        event = issued(number or new_number(uuid.uuid4().hex), worth, by, self._clock(), read_end(ends), person.strip())
        return await self._store_one(event, f"{by}:{key}", ["issue", by, amount, ends, number, person])

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
