"""`twentyone backup`: a verified copy of a ledger, made while it is in use."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from twentyone.cli import DONE
from twentyone.cli.common import print_json
from twentyone.cli.ledgers import LEDGER, bar, open_ledger, or_refused

__all__ = ["add_parser", "run"]


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "backup",
        help="copy a ledger into a new file",
        description="Copy a ledger, in use or not, into a new SQLite file and verify the copy. The key file and the "
        "checkpoints are not part of the copy: back them up separately.",
    )
    parser.add_argument("ledger", help=LEDGER)
    parser.add_argument("file", help="the new file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


@or_refused
def run(options: argparse.Namespace) -> int:
    """Copy, verify, print what was copied."""
    from twentyone.ledger.backup import backup

    with open_ledger(options.ledger) as store, bar("backup", 1000) as show:
        copied = backup(store, Path(options.file), lambda done, total: show(done * 1000 // max(1, total)))
    if options.json:
        print_json({"file": options.file, "events": copied.events, "digest": copied.digest})
    else:
        print(f"{copied.events:,} events in {options.file}, verified; heads {copied.digest[:16]}")
    return DONE
