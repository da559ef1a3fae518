"""`twentyone key`: what of a key may be given away; a new key for whoever signs reviews of the law."""

from __future__ import annotations

import argparse
from typing import Any

from twentyone.cli import DONE
from twentyone.cli.common import print_json, say
from twentyone.cli.ledgers import LEDGER, key_path, or_refused

__all__ = ["add_parser", "run"]

EXAMPLE = """example:
  twentyone key public t.db > t.db.pub
  twentyone verify t.db --public-key t.db.pub
  twentyone key new ann                  writes ann.key: it signs what Ann says in `twentyone law review`
  twentyone key public ann > ann.pub

The key file itself never leaves its owner: that of a ledger opens the seals of shoes that are in play."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "key",
        help="print the public key of a ledger or of a reviewer; make a reviewer's key",
        description="Print a public key: it checks signatures, opens no seal and signs nothing. Or make the key of "
        "somebody who signs reviews of the law.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("part", choices=("public", "new"), help="the part of the key; `new` makes one")
    parser.add_argument("ledger", help=f"{LEDGER}; of a reviewer, the key file without `.key`")
    parser.add_argument("--key", metavar="FILE", help="the key file (default: LEDGER.key)")
    parser.add_argument("--json", action="store_true", help="no effect: a public key is always JSON")
    parser.set_defaults(run=run)


@or_refused
def run(options: argparse.Namespace) -> int:
    """Print the public key, of a new key where one is asked for."""
    from twentyone.ledger.keys import Keyring
    from twentyone.ledger.public_keys import PublicKey
    from twentyone.table.shoe import os_source

    path = key_path(options)
    keyring = Keyring.create(path, os_source()) if options.part == "new" else Keyring.load(path)
    if options.part == "new":
        say(f"twentyone key: {path} is written; keep it, and show it to nobody")
    print_json(PublicKey.of(keyring).to_json(), run=False)
    return DONE
