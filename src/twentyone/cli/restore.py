"""`twentyone restore`: a ledger from its backup, verified against the signed checkpoints."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from twentyone.cli import DONE, UsageError
from twentyone.cli.common import print_json, say
from twentyone.cli.ledgers import LEDGER, add_public_key, bar, checkpoints_path, keyring, or_refused, public_key

__all__ = ["add_parser", "run"]


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "restore",
        help="restore a ledger from a backup",
        description="Restore a new ledger from a backup: complete and as it was signed, or not at all. Key file and "
        "checkpoints are those of the ledger (LEDGER.key, LEDGER.checkpoints).",
    )
    parser.add_argument("file", help="the backup")
    parser.add_argument("ledger", help=f"the new ledger: {LEDGER}")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_public_key(parser)
    parser.set_defaults(run=run)


@or_refused
def run(options: argparse.Namespace) -> int:
    """Restore, verify, print what was restored."""
    from twentyone.ledger.backup import restore
    from twentyone.ledger.public_keys import PublicKey
    from twentyone.ledger.store import without_secrets

    if not Path(options.file).exists():
        raise UsageError(f"{options.file}: no such file")
    keys, path = keyring(options), checkpoints_path(options)
    public = PublicKey.of(keys) if keys is not None else public_key(options)
    signed = public is not None and path.exists()
    with bar("restore", 1000) as show:
        copied = restore(
            Path(options.file),
            options.ledger,
            path if signed else None,
            public.verifier if public is not None and signed else None,
            lambda done, total: show(done * 1000 // max(1, total)),
        )
    if not signed:
        say("twentyone restore: without key and checkpoints nothing shows that this is the latest backup")
    if options.json:
        print_json({"ledger": without_secrets(options.ledger), **copied._asdict(), "signed": signed})
    else:
        print(f"{copied.events:,} events in {without_secrets(options.ledger)}, verified; heads {copied.digest[:16]}")
    return DONE
