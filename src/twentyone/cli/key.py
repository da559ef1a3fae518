"""`twentyone key`: what of a ledger's key may be given away."""

from __future__ import annotations

import argparse
from typing import Any

from twentyone.cli import DONE
from twentyone.cli.common import print_json
from twentyone.cli.ledgers import LEDGER, key_path, or_refused

__all__ = ["add_parser", "run"]

EXAMPLE = """example:
  twentyone key public t.db > t.db.pub
  twentyone verify t.db --public-key t.db.pub

The key file itself never leaves the operator: it opens the seals of shoes that are in play."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "key",
        help="print the public key of a ledger",
        description="Print the public key of a ledger: it checks the signatures of checkpoints, opens no seal and "
        "signs nothing.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("part", choices=("public",), help="the part of the key")
    parser.add_argument("ledger", help=LEDGER)
    parser.add_argument("--key", metavar="FILE", help="the key file (default: LEDGER.key)")
    parser.add_argument("--json", action="store_true", help="no effect: a public key is always JSON")
    parser.set_defaults(run=run)


@or_refused
def run(options: argparse.Namespace) -> int:
    """Print the public key."""
    from twentyone.ledger.keys import Keyring
    from twentyone.ledger.public_keys import PublicKey

    print_json(PublicKey.of(Keyring.load(key_path(options))).to_json(), run=False)
    return DONE
