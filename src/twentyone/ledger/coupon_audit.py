"""Coupons from stored events alone, without the engine and without derived rows: a second pair of eyes.

A coupon is issued once and used once at most; every table event of a coupon has its entry in the house's stream, made
by the same command; what it won is at most its amount at the odds at which its wager was paid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from twentyone.ledger.codec import read_body
from twentyone.ledger.coupons import AFTER, CARRIED, ISSUED, LAID, RETURNED, USED, VOID
from twentyone.ledger.group import house_key
from twentyone.ledger.rows import HOUSE, StoredEvent

__all__ = ["FIRST_FORM", "CouponAudit"]

FIRST_FORM = 3
"""The form from which on staff issues and lays coupons."""
ENTERED = frozenset((LAID, RETURNED, USED))
SETTLED = "coupon_settled"
INVENTORY = "(inventory)"
FOLLOWED = ENTERED | {SETTLED, ISSUED, CARRIED, VOID}
SEEN = FOLLOWED | {"wager_laid", "cards_collected", "round_event"}
"""Events that say something of coupons."""
Body = dict[str, Any]


class _Entry(NamedTuple):
    """One event of a coupon, as the table has it and as the house has it."""

    kind: str
    table: str
    version: int
    number: str
    player: str
    amount: int
    paid: int


class _Lying(NamedTuple):
    """A coupon beside a wager."""

    wager: tuple[int, str, str]
    """Box, player and kind of the wager."""
    amount: int
    """What it is worth."""


class CouponAudit:
    """Follows all events of a ledger in their order."""

    def __init__(self) -> None:
        self.issued: dict[str, int] = {}
        """What each coupon is worth, in thousandths of a dollar."""
        self._stands: dict[str, str] = {}
        self._command: dict[str, tuple[int, str]] = {}
        self._open: Counter[_Entry] = Counter()
        self._lying: dict[str, dict[str, _Lying]] = {}
        self._won: Counter[tuple[str, str]] = Counter()
        self._earlier: set[str] = set()
        self._odds: dict[str, dict[tuple[int, str, str], Fraction]] = {}

    def follow(self, event: StoredEvent) -> Iterable[str]:
        """Take the next event of any stream; answers everything about it that is wrong."""
        if event.idem is not None:
            self._command[event.stream] = (event.ver, event.idem)
        if event.type not in SEEN or (event.type == "round_event" and not self._lying.get(event.stream)):
            return ()
        return self._follow(event)

    def _follow(self, event: StoredEvent) -> Iterator[str]:
        if event.type in FOLLOWED:
            body = read_body(event)
            yield from self._house(event, body) if event.stream == HOUSE else self._table(event, body["data"])
        elif event.type == "wager_laid" and '"coupon":' in event.body:
            if event.schema >= FIRST_FORM:
                yield "a coupon lies beside a wager, and nobody of the staff laid it there"
            self._earlier.add(event.stream)
        elif event.type == "cards_collected":
            self._earlier.discard(event.stream)
        elif event.type == "round_event":
            self._note_odds(event.stream, read_body(event)["data"]["events"])

    def finish(self) -> Iterator[tuple[str, int, str]]:
        """The ledger has ended: what a table did with coupons and the house has not (table, version, what)."""
        for entry, count in self._open.items():
            if count:
                yield entry.table, entry.version, f"{entry.kind} {entry.number} without its entry in the house's stream"

    # -- the house

    def _house(self, event: StoredEvent, body: Body) -> Iterator[str]:
        number = body["number"]
        stands = self._stands.get(number, "")
        if event.type in (ISSUED, CARRIED):
            if stands:
                yield f"the coupon {number} is issued a second time"
            self.issued[number] = body["amount"]
        elif stands not in BEFORE[event.type]:
            yield f"{event.type} {number}, which is {stands or 'not issued'}"
        self._stands[number] = AFTER[event.type]
        if event.type not in ENTERED:
            return
        if body["amount"] != self.issued.get(number):
            yield f"the coupon {number} is entered with {body['amount']} and was issued with {self.issued.get(number)}"
        entry = _Entry(
            event.type, body["table"], body["version"], number, body["player"], body["amount"], body.get("paid", 0)
        )
        if not self._open[entry]:
            yield f"{event.type} {number}, and no such event is at {entry.table} version {entry.version}"
            return
        self._open[entry] -= 1
        version, key = self._command[entry.table]
        if (version, house_key(key)) != (entry.version, self._command[HOUSE][1]):
            yield f"{event.type} {number} is not stored with the command at {entry.table} version {entry.version}"

    # -- tables

    def _table(self, event: StoredEvent, data: Body) -> Iterator[str]:
        table, number = event.stream, data.get("number", "")
        if event.type == SETTLED:
            if number:
                yield from self._settle(table, number, data)
            elif event.schema >= FIRST_FORM and table not in self._earlier:
                yield "a coupon without a number is paid"
            return
        paid = data.get("paid", 0)
        version = self._command.get(table, (0, ""))[0]
        self._open[_Entry(event.type, table, version, number, data["player"], data["amount"], paid)] += 1
        here = self._lying.setdefault(table, {})
        if event.type == LAID:
            here[number] = _Lying((data["box"], data["player"], data["wager"]), data["amount"])
            self._won[table, number] = 0
            self._odds[table] = {}
            return
        here.pop(number, None)
        won = self._won.pop((table, number), 0)
        if won != paid:
            yield f"the coupon {number} was paid {won}, its end says {paid}"

    def _settle(self, table: str, number: str, data: Body) -> Iterator[str]:
        lying = self._lying.get(table, {}).get(number)
        if lying is None:
            yield f"the coupon {number} is paid and does not lie at this table"
            return
        self._won[table, number] += data["amount"] if data["source"] == INVENTORY else -data["amount"]
        most = lying.amount * self._odds.get(table, {}).get(lying.wager, Fraction(0))
        if not 0 <= self._won[table, number] <= most:
            yield f"the coupon {number} of {lying.amount} has won {self._won[table, number]}, its wager allows {most}"

    def _note_odds(self, table: str, events: list[Body]) -> None:
        """The best odds at which each wager of the round was paid so far."""
        odds = self._odds.setdefault(table, {})
        for event in events:
            if event["event"] == "wager_settled" and event["outcome"] == "win" and event.get("odds"):
                win, lay = map(int, event["odds"].split(":"))
                key = (event["box"], event["player"], event["wager"])
                odds[key] = max(odds.get(key, Fraction(0)), Fraction(win, lay))


BEFORE = {LAID: ("open",), RETURNED: ("laid",), USED: ("laid",), VOID: ("open",)}
"""How a coupon must stand before each event."""
