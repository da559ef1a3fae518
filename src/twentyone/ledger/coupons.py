"""Match-play coupons: staff issues them, and the house's stream keeps what becomes of each.

A coupon has a number, an amount, an issuer and an end, and may be for one person only. Every `coupon_laid`,
`coupon_returned` and `coupon_used` of a table is entered here in the same transaction, so that no two tables, and no
two processes, use the same coupon.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from twentyone.errors import Refused
from twentyone.ledger.codec import SCHEMA
from twentyone.ledger.house_rows import Body, Place, Rows, derived_table, house_event
from twentyone.ledger.rows import NewEvent, NotCanonical
from twentyone.ledger.timestamps import SECONDS_PER_DAY, moment, seconds_of
from twentyone.money import ZERO, Amount, dollars
from twentyone.table.coupons import COUPON_NUMBER
from twentyone.table.events import TableEvent
from twentyone.table.limits import LIMITS
from twentyone.table.wager_events import CouponEvent, CouponLaid, CouponReturned, CouponUsed

__all__ = [
    "AFTER",
    "CARRIED",
    "COUPONS",
    "FIRST",
    "ISSUED",
    "LAID",
    "RETURNED",
    "USED",
    "VOID",
    "CouponRow",
    "carried",
    "coupon_entries",
    "issued",
    "last_minute",
    "new_number",
    "read_end",
    "void",
]

ISSUED, LAID, RETURNED, USED, VOID = "coupon_issued", "coupon_laid", "coupon_returned", "coupon_used", "coupon_void"
CARRIED = "coupon_carried"
"""An open coupon as the period before left it."""
COUPONS = derived_table("coupons", "number", "amount", "issuer", "issued", "ends", "person", "state", "place")
"""Every coupon: what it is worth in thousandths of a dollar, whose it is, and where it is."""

AFTER = {ISSUED: "open", LAID: "laid", RETURNED: "open", USED: "used", VOID: "void", CARRIED: "open"}
"""How a coupon stands after each event."""
ENTERED = {CouponLaid: LAID, CouponReturned: RETURNED, CouponUsed: USED}
"""Events of a table that are entered here."""
MOST = LIMITS["lay_coupon"]
"""No coupon is worth more; a table may take less."""


class CouponRow(NamedTuple):
    """A coupon as its row has it."""

    amount: int
    """In thousandths of a dollar."""
    issuer: str
    """Who issued it."""
    issued: int
    """When."""
    ends: int
    """From this moment on it is not laid any more."""
    person: str = ""
    """For whom it is; empty: for anybody."""
    state: str = "open"
    """`open`, `laid`, `used` or `void`."""
    place: str = ""
    """The table at which it lies or was used."""

    def stands(self, at: int) -> str:
        """How it stands at a moment: an open one that has ended is `over`."""
        return "over" if self.state == "open" and at >= self.ends else self.state

    def to_json(self, number: str, at: int) -> dict[str, Any]:
        """The coupon for a program."""
        amount, stands = str(Amount.from_thousandths(self.amount)), self.stands(at)
        return {"number": number, **self._asdict(), "amount": amount, "state": stands}


# -- the events


def new_number(token: str) -> str:
    """A number for a new coupon, from a token that nobody has used."""
    return f"M-{token[:12].upper()}"


def issued(number: str, amount: Amount, issuer: str, at: int, ends: int, person: str = "") -> NewEvent:
    """The house issues a coupon; refused where it is none."""
    if not COUPON_NUMBER.fullmatch(number):
        raise Refused(f"{number!r} is not the number of a coupon: letters, digits and single hyphens, 40 at most")
    if not ZERO < amount <= MOST:
        raise Refused(f"a coupon is worth more than nothing and at most {dollars(MOST)}, not {dollars(amount)}")
    if not issuer.strip():
        raise Refused("a coupon has an issuer: name who issues it")
    if not (issuer + person).isprintable():
        raise Refused(f"{issuer!r} and {person!r} are not both names of printable characters")
    if ends <= at:
        raise Refused(f"a coupon issued at {moment(at)} cannot end at {moment(ends)}: name a later end")
    body = {"number": number, "amount": int(amount), "issuer": issuer, "ends": ends, "person": person}
    return NewEvent(ISSUED, body, at, SCHEMA)


def carried(number: str, coupon: CouponRow, at: int) -> NewEvent:
    """An open coupon of the period before goes on."""
    body = coupon._asdict() | {"number": number}
    return NewEvent(CARRIED, {name: body[name] for name in (*FIRST, "number")}, at, SCHEMA)


def read_end(text: str) -> int:
    """The end that a person writes: a moment in UTC, or a day, to its last second."""
    end = seconds_of(text)
    if end is None:
        raise Refused(f"{text[:40]!r} is no end: write a day (2026-12-31) or a moment in UTC (2026-12-31T18:00)")
    return end + SECONDS_PER_DAY if len(text) == len("2026-12-31") else end


def last_minute(ends: int) -> str:
    """The last minute in which a coupon that ends at a moment may be laid."""
    return moment(ends - 1)[:-3]


def void(number: str, issuer: str, reason: str, at: int) -> NewEvent:
    """Staff declares void a coupon that lies nowhere."""
    if not issuer.strip() or not reason.strip():
        raise Refused("a coupon is declared void by somebody, for a reason: name both")
    return NewEvent(VOID, {"number": number, "issuer": issuer, "reason": reason}, at, SCHEMA)


def coupon_entries(table: str, version: int, happened: Iterable[TableEvent]) -> Iterator[NewEvent]:
    """What the events of a command, stored from this version on, do to coupons."""
    for event in happened:
        if isinstance(event, CouponEvent):
            body: dict[str, Any] = {"table": table, "version": version, "number": event.number, "player": event.player}
            body |= {"amount": int(event.amount)}
            if isinstance(event, CouponUsed):
                body["paid"] = int(event.paid)
            yield NewEvent(ENTERED[type(event)], body, event.at, SCHEMA)


# -- what they do


def _place(body: Body) -> Iterable[Place]:
    if not isinstance(body["number"], str):
        raise NotCanonical("house", "the event names no coupon")
    return ((COUPONS, body["number"]),)


def _find(rows: Rows, body: Body) -> CouponRow:
    row = rows.get((COUPONS, body["number"]))
    if row is None:
        raise Refused(f"the house has issued no coupon {body['number']}: ask the floorperson for one")
    return CouponRow(*row)


@house_event(ISSUED, _place)
def _issue(rows: Rows, body: Body, at: int) -> None:
    if (COUPONS, body["number"]) in rows:
        raise Refused(f"there is a coupon {body['number']} already: name another number")
    if not (
        type(body["amount"]) is type(body["ends"]) is int and 0 < body["amount"] <= int(MOST) and at < body["ends"]
    ):
        raise NotCanonical("house", "the coupon has no amount, or no end")
    coupon = CouponRow(body["amount"], body["issuer"], at, body["ends"], body["person"])
    rows[COUPONS, body["number"]] = coupon


FIRST = CouponRow._fields[:5]
"""What a coupon is from its issue on."""


@house_event(CARRIED, _place)
def _carry(rows: Rows, body: Body, _: int) -> None:
    coupon, number = CouponRow(*(body[name] for name in FIRST)), body["number"]
    if (COUPONS, number) in rows or not (type(coupon.amount) is type(coupon.ends) is type(coupon.issued) is int):
        raise NotCanonical("house", f"the coupon {number} is there already, or has no amount, or no end")
    rows[COUPONS, number] = coupon


@house_event(LAID, _place)
def _lay(rows: Rows, body: Body, at: int) -> None:
    coupon, number = _find(rows, body), body["number"]
    if coupon.state != "open":
        raise Refused(f"the coupon {number} {STANDS[coupon.state].format(place=coupon.place)}: it is used once")
    if at >= coupon.ends:
        raise Refused(f"the coupon {number} was good until {last_minute(coupon.ends)} (UTC)")
    if coupon.person not in ("", body["player"]):
        raise Refused(f"the coupon {number} is for {coupon.person}, not for {body['player']}")
    if coupon.amount != body["amount"]:
        said, worth = (dollars(Amount.from_thousandths(amount)) for amount in (body["amount"], coupon.amount))
        raise Refused(f"the coupon {number} is worth {worth}, not {said}")
    rows[COUPONS, number] = coupon._replace(state="laid", place=body["table"])


STANDS = {"laid": "lies at {place}", "used": "was used at {place}", "void": "is void"}
"""Where a coupon is that is not open, in words."""


@house_event(RETURNED, _place)
def _return(rows: Rows, body: Body, _: int) -> None:
    rows[COUPONS, body["number"]] = _lying(rows, body)._replace(state="open", place="")


@house_event(USED, _place)
def _use(rows: Rows, body: Body, _: int) -> None:
    rows[COUPONS, body["number"]] = _lying(rows, body)._replace(state="used")


def _lying(rows: Rows, body: Body) -> CouponRow:
    coupon = _find(rows, body)
    if (coupon.state, coupon.place) != ("laid", body["table"]):
        raise Refused(f"the coupon {body['number']} does not lie at {body['table']}")
    return coupon


@house_event(VOID, _place)
def _void(rows: Rows, body: Body, _: int) -> None:
    coupon, number = _find(rows, body), body["number"]
    if coupon.state != "open":
        raise Refused(
            f"the coupon {number} {STANDS[coupon.state].format(place=coupon.place)}: only an open one is void"
        )
    rows[COUPONS, number] = coupon._replace(state="void")
