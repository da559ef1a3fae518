"""`twentyone report`: the shift report of a ledger."""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, FOUND_WRONG, UsageError
from twentyone.cli.common import print_json
from twentyone.cli.ledgers import LEDGER, add_public_key, bar, events_of, open_ledger, or_refused, unlike_signed

if TYPE_CHECKING:
    from twentyone.ledger.report import ShiftReport

__all__ = ["add_parser", "print_report", "run"]

EXAMPLE = """shifts:
  --shift all                                   everything in the ledger (the default)
  --shift 2026-01-31                            a gaming day, UTC
  --shift 2026-01-31T08:00/2026-01-31T16:00     from one time to another, UTC; either may be omitted

Exit status 1: the figures do not agree, and the report says where."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "report",
        help="the shift report of a ledger",
        description="Drop, win, hold, rounds per shoe, irregularities and meters per table, reconciled.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("ledger", help=LEDGER)
    parser.add_argument("--shift", default="all", metavar="SHIFT", help="which shift")
    parser.add_argument(
        "--table", action="append", default=[], metavar="TABLE", help="only this table (may be repeated)"
    )
    parser.add_argument("--operator", default="", metavar="NAME", help="who runs the tables")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_public_key(parser)
    parser.set_defaults(run=run)


@or_refused
def run(options: argparse.Namespace) -> int:
    """Print the report."""
    from twentyone.ledger.report import shift_report
    from twentyone.ledger.store import table_streams
    from twentyone.ledger.timestamps import NotAPeriod, Period

    try:
        period = Period.parse(options.shift)
    except NotAPeriod as wrong:
        raise UsageError(str(wrong)) from None
    with open_ledger(options.ledger) as store:
        tables = table_streams(store)
        unknown = [name for name in options.table if name not in tables]
        if unknown:
            raise UsageError(f"there is no table {unknown[0]!r} in this ledger; there are {', '.join(tables)}")
        faults = unlike_signed(options, store)
        with bar("report: events", events_of(store)) as show:
            report = shift_report(store, period, int(time.time()), options.operator, options.table, show)
    report = replace(report, faults=tuple(map(str, faults)))
    print_json(report.to_json()) if options.json else print_report(report)
    return DONE if report.reconciled else FOUND_WRONG


def print_report(report: ShiftReport) -> None:
    """The report, page by page."""
    from twentyone.ledger.report import pages

    print("\n\f\n".join(pages(report)))
