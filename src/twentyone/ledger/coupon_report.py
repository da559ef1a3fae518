"""The coupons of a house in a shift: issued, laid, used, still open; counted from the house's events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from twentyone.ledger.codec import read_body
from twentyone.ledger.coupons import AFTER, CARRIED, ISSUED, USED
from twentyone.ledger.reading import readable
from twentyone.ledger.rows import HOUSE, StoredEvent
from twentyone.ledger.store import Store
from twentyone.ledger.timestamps import Period
from twentyone.money import ZERO, Amount, dollars

__all__ = ["CouponFigures", "count_coupons"]


@dataclass(frozen=True)
class CouponFigures:
    """What happened to coupons in a shift, and where they stand at its end."""

    counts: Counter[str] = field(default_factory=Counter)
    """How often each thing happened to a coupon in the shift."""
    amounts: Counter[str] = field(default_factory=Counter)
    """What those coupons are worth, in thousandths of a dollar."""
    paid: Counter[str] = field(default_factory=Counter)
    """What the coupons used in the shift have won, by table."""
    stands: dict[str, tuple[str, Amount]] = field(default_factory=dict)
    """How each coupon stands at the end of the shift, and what it is worth."""

    def paid_at(self, table: str) -> Amount:
        """What the coupons used at a table have won."""
        return Amount.from_thousandths(self.paid[table])

    def standing(self, state: str) -> list[Amount]:
        """What the coupons are worth that stand so at the end."""
        return [amount for stands, amount in self.stands.values() if stands == state]

    def follow(self, event: StoredEvent, inside: bool) -> None:
        """Take the next event of the house."""
        if event.type not in AFTER:
            return
        body = read_body(event)
        number = body["number"]
        amount = Amount.from_thousandths(body["amount"]) if event.type in (ISSUED, CARRIED) else self.stands[number][1]
        self.stands[number] = (AFTER[event.type], amount)
        if inside:
            self.counts[event.type] += 1
            self.amounts[event.type] += int(amount)
            if event.type == USED:
                self.paid[body["table"]] += body["paid"]

    @property
    def _kinds(self) -> list[str]:
        """What is told: of those that the period before left, where there are any."""
        return [kind for kind in AFTER if kind != CARRIED or self.counts[kind]]

    def to_json(self) -> dict[str, Any]:
        """The figures for a program."""
        happened = {
            kind.removeprefix("coupon_"): {
                "count": self.counts[kind],
                "amount": str(Amount.from_thousandths(self.amounts[kind])),
            }
            for kind in self._kinds
        }
        at_end = {
            state: {"count": len(self.standing(state)), "amount": str(sum(self.standing(state), ZERO))}
            for state in ("open", "laid")
        }
        return {**happened, "paid": str(Amount.from_thousandths(sum(self.paid.values()))), "at_end": at_end}

    def lines(self) -> Iterator[str]:
        """The figures on paper."""
        yield "Coupons of the house"
        for kind in self._kinds:
            says = f"paid {dollars(Amount.from_thousandths(sum(self.paid.values())))}" if kind == USED else ""
            yield _line(
                kind.removeprefix("coupon_"), self.counts[kind], Amount.from_thousandths(self.amounts[kind]), says
            )
        for state in ("open", "laid"):
            worth = self.standing(state)
            yield _line(f"{state} at the end", len(worth), sum(worth, ZERO), "")


def _line(name: str, count: int, amount: Amount, says: str) -> str:
    return f"  {name:18}{count:>8}{dollars(amount):>18}    {says}".rstrip()


def count_coupons(store: Store, period: Period) -> CouponFigures:
    """The coupons of a ledger in a shift."""
    figures = CouponFigures()
    for event in store.read(HOUSE):
        if period.end is None or event.ts < period.end:
            with readable(event):
                figures.follow(event, period.holds(event.ts))
    return figures
