"""`twentyone verify`: is a ledger what it says it is?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, FOUND_WRONG
from twentyone.cli.common import print_json
from twentyone.cli.ledgers import (
    LEDGER,
    add_public_key,
    bar,
    checkpoints_path,
    events_of,
    keyring,
    open_ledger,
    or_refused,
    public_key,
)

if TYPE_CHECKING:
    from twentyone.ledger.verify import Report

__all__ = ["add_parser", "run"]


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "verify",
        help="verify a ledger",
        description="Verify a ledger: its chain, the signed checkpoints, double entry, every reveal of a shoe, every "
        "round dealt again. Exit status: 0 no fault; 1 faults, or something could not be checked, one per line.",
    )
    parser.add_argument("ledger", help=LEDGER)
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_public_key(parser)
    parser.set_defaults(run=run)


@or_refused
def run(options: argparse.Namespace) -> int:
    """Verify and print the result."""
    from twentyone.ledger.verify import verify

    with open_ledger(options.ledger) as store, bar("verify: events", events_of(store)) as show:
        report = verify(store, keyring(options), checkpoints_path(options), show, public_key(options))
    print_json(report.to_json()) if options.json else _print(report)
    return DONE if report.ok else FOUND_WRONG


def _print(report: Report) -> None:
    for fault in report.faults:
        print(f"fault: {fault}")
    for what in report.unchecked:
        print(f"not checked: {what}")
    for what in report.closed:
        print(f"closed: {what}")
    for name, count in report.counts.items():
        print(f"{name:34}{count:>12,}")
    print("all well" if report.ok else f"{len(report.faults)} faults, {len(report.unchecked)} not checked")
