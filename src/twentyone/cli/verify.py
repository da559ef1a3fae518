"""`twentyone verify`: is a ledger what it says it is?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, FOUND_WRONG, UsageError
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
    from twentyone.ledger.checkpoints import Checkpoint
    from twentyone.ledger.public_keys import PublicKey
    from twentyone.ledger.store import Store
    from twentyone.ledger.verify import Report

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone verify t.db
  twentyone verify t.db --public-key t.db.pub --witness witness.pub
  twentyone verify t.db --since last
  twentyone verify 2027.db --before archives/2026-0001.db

With --since, the chain of all events is read as always; only what came after the checkpoint is dealt again, and what
was taken on trust is said. With --before, the ledger of the period before, or its archive, is verified as well, and
what this one begins with is compared with what that one left."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "verify",
        help="verify a ledger",
        description="Verify a ledger: its chain, the signed checkpoints, double entry, every reveal of a shoe, every "
        "round dealt again. Exit status: 0 no fault; 1 faults, or something could not be checked, one per line.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("ledger", help=LEDGER)
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_public_key(parser)
    parser.add_argument(
        "--since",
        metavar="CHECKPOINT",
        help="deal again only what came after this signed checkpoint: its number, or `last`",
    )
    parser.add_argument("--witness", metavar="FILE", help="the public key of a witness who must have cosigned")
    parser.add_argument("--before", metavar="LEDGER", help="the period before: its ledger or its archive")
    parser.add_argument(
        "--before-checkpoints", metavar="FILE", help="the signed checkpoints of that (default: BEFORE.checkpoints)"
    )
    parser.set_defaults(run=run)


@or_refused
def run(options: argparse.Namespace) -> int:
    """Verify and print the result."""
    from twentyone.ledger.public_keys import PublicKey
    from twentyone.ledger.verify import verify
    from twentyone.service.people_audit import with_people

    keys, public, path = keyring(options), public_key(options), checkpoints_path(options)
    witness = PublicKey.load(options.witness) if options.witness else None
    since = _since(options.since, path, PublicKey.of(keys) if keys is not None else public)
    with open_ledger(options.ledger) as store, bar("verify: events", events_of(store)) as show:
        report = verify(store, keys, path, show, public, since, witness)
        report = with_people(report, options.ledger, store, keys)
        if options.before:
            report = _with_before(options, store, report)
    print_json(report.to_json()) if options.json else _print(report)
    return DONE if report.ok else FOUND_WRONG


def _with_before(options: argparse.Namespace, store: Store, report: Report) -> Report:
    """The same with the period before: verified, and compared with what this one begins with."""
    from twentyone.ledger.checkpoints import read_trail
    from twentyone.ledger.period_audit import link_faults
    from twentyone.ledger.public_keys import PublicKey
    from twentyone.ledger.verify import verify

    keys, public = keyring(options), public_key(options)
    path = checkpoints_path(argparse.Namespace(ledger=options.before, checkpoints=options.before_checkpoints))
    signer = PublicKey.of(keys) if keys is not None else public
    with open_ledger(options.before) as before, bar("verify: events before", events_of(before)) as show:
        found = verify(before, keys, path, show, public)
        points = read_trail(path, signer.verifier).checkpoints if signer is not None else []
        faults = [*report.faults, *found.faults, *link_faults(before, store, points)]
        unchecked = (*report.unchecked, *(f"the period before: {what}" for what in found.unchecked))
    told = {"events of the period before": found.counts["events"]}
    return report._replace(
        faults=tuple(faults), unchecked=unchecked, counts={**report.counts, **told}, trusted=found.trusted
    )


def _since(named: str | None, path: Path, public: PublicKey | None) -> Checkpoint | None:
    """The signed checkpoint that is named."""
    from twentyone.ledger.checkpoints import read_trail
    from twentyone.ledger.rows import LedgerRefused

    if named is None:
        return None
    if public is None:
        raise LedgerRefused("a checkpoint is trusted for its signature: name the key file or the public key")
    points = read_trail(path, public.verifier).checkpoints
    number = str(len(points)) if named == "last" else named
    if not number.isdecimal() or not 1 <= int(number[:20]) <= len(points):
        raise UsageError(f"{path} has no signed checkpoint {named}: it has {len(points)}, numbered from 1")
    return points[int(number) - 1]


def _print(report: Report) -> None:
    for fault in report.faults:
        print(f"fault: {fault}")
    for what in report.unchecked:
        print(f"not checked: {what}")
    for what in report.closed:
        print(f"closed: {what}")
    for what in report.trusted:
        print(f"on trust: {what}")
    for name, count in report.counts.items():
        print(f"{name:34}{count:>12,}")
    print("all well" if report.ok else f"{len(report.faults)} faults, {len(report.unchecked)} not checked")
