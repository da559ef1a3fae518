"""`twentyone coupon`: issue match-play coupons, declare them void, list them."""

from __future__ import annotations

import argparse
import time
import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, FOUND_WRONG, UsageError
from twentyone.cli.common import print_json
from twentyone.cli.ledgers import LEDGER, add_public_key, open_ledger, or_refused, unlike_signed
from twentyone.money import Amount, dollars

if TYPE_CHECKING:
    from twentyone.ledger.chain import Fault
    from twentyone.ledger.rows import NewEvent
    from twentyone.ledger.store import Store

__all__ = ["add_parser", "run"]

EXAMPLE = """example:
  twentyone coupon issue t.db --amount 25 --ends 2026-12-31 --by Fay --for Ann
  twentyone coupon void t.db M-4F2A --by Fay --reason "returned by the player"
  twentyone coupon list t.db"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "coupon",
        help="issue, declare void and list match-play coupons",
        description="Coupons of the house. A coupon is laid beside a wager by staff at the table, and is used once.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("do", choices=("issue", "void", "list"), metavar="issue|void|list", help="what to do")
    parser.add_argument("ledger", help=LEDGER)
    parser.add_argument("number", nargs="?", default="", help="the coupon; a new one without a number gets one")
    parser.add_argument("--amount", metavar="AMOUNT", help="issue: what it is worth, in dollars")
    parser.add_argument("--ends", metavar="DAY", help="issue: the last day (2026-12-31), or a moment in UTC")
    parser.add_argument("--for", dest="person", default="", metavar="PERSON", help="issue: for this player only")
    parser.add_argument("--by", metavar="PERSON", help="issue, void: who does it")
    parser.add_argument("--reason", metavar="WORDS", help="void: why")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_public_key(parser)
    parser.set_defaults(run=run)


@or_refused
def run(options: argparse.Namespace) -> int:
    """Issue, declare void or list."""
    from twentyone.ledger.start import refuse_shared_database

    if options.do == "list":
        _need(options)
    elif options.do == "issue":
        _need(options, "amount", "ends", "by")
    else:
        _need(options, "number", "by", "reason")
    if options.do != "list":
        refuse_shared_database(options.ledger)
    now = int(time.time())
    with open_ledger(options.ledger, write=options.do != "list") as store:
        faults = unlike_signed(options, store)
        rows = _listed(store, now) if options.do == "list" else [_done(store, options, now, faults)]
    if options.json:
        print_json(rows if options.do == "list" else rows[0], run=False)
    else:
        for row in rows:
            print(_line(row))
    return FOUND_WRONG if faults else DONE


def _need(options: argparse.Namespace, *names: str) -> None:
    """What one of the three needs; what it has no use for is an error in the command line."""
    every = ("number", "amount", "ends", "person", "by", "reason")
    allowed = (*names, *(("number", "person") if options.do == "issue" else ()))
    for name in every:
        given = bool(getattr(options, name))
        shown = {"person": "--for", "number": "a number"}.get(name, f"--{name}")
        if name in names and not given:
            raise UsageError(f"coupon {options.do} needs {shown}")
        if given and name not in allowed:
            raise UsageError(f"coupon {options.do} has no use for {shown}")


def _done(store: Store, options: argparse.Namespace, now: int, faults: list[Fault]) -> dict[str, Any]:
    """Issue or declare void, in a ledger that is what was signed."""
    from twentyone.ledger.coupons import COUPONS, CouponRow, void
    from twentyone.ledger.rows import HOUSE, LedgerRefused

    if faults:
        raise LedgerRefused(f"{store.where} is not what was signed: nothing was written; restore the newest backup")
    event = _issued(options, now) if options.do == "issue" else void(options.number, options.by, options.reason, now)
    key = f"coupon {uuid.uuid4()}"
    store.append(HOUSE, 0, [event], key, key)
    number = str(event.body["number"])
    row = store.find_derived(COUPONS, number)
    assert row is not None
    return CouponRow(*row).to_json(number, now)


def _issued(options: argparse.Namespace, now: int) -> NewEvent:
    from twentyone.ledger.coupons import issued, new_number, read_end

    try:
        amount = Amount(options.amount)
    except ValueError as wrong:
        raise UsageError(str(wrong)) from None
    return issued(
        options.number or new_number(uuid.uuid4().hex), amount, options.by, now, read_end(options.ends), options.person
    )


def _listed(store: Store, now: int) -> list[dict[str, Any]]:
    """All coupons as the events have them, not as a row says that may have been edited."""
    from twentyone.ledger.coupons import COUPONS, CouponRow
    from twentyone.ledger.derived import money_faults
    from twentyone.ledger.house import HOUSE, HouseRows
    from twentyone.ledger.rows import LedgerRefused

    rows = HouseRows()
    for fault in money_faults(rows, store.read(HOUSE)):
        raise LedgerRefused(f"{fault}: verify this ledger")
    return [
        CouponRow(*row).to_json(number, now) for (table, number), row in sorted(rows.held.items()) if table == COUPONS
    ]


def _line(row: Mapping[str, Any]) -> str:
    from twentyone.ledger.coupons import last_minute

    where = f" at {row['place']}" if row["place"] else ""
    whom = f"for {row['person'] or 'anybody'}, until {last_minute(row['ends'])} (UTC), issued by {row['issuer']}"
    return f"{row['number']:20}{dollars(Amount(row['amount'])):>12}  {row['state'] + where:28} {whom}"
