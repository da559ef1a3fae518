"""`twentyone witness`: cosign the checkpoints of a ledger that somebody else keeps."""

from __future__ import annotations

import argparse
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, FOUND_WRONG, UsageError
from twentyone.cli.common import print_json, printable
from twentyone.cli.ledgers import LEDGER, open_ledger, or_refused

if TYPE_CHECKING:
    from twentyone.ledger.chain import Fault
    from twentyone.ledger.checkpoints import Trail
    from twentyone.ledger.public_keys import PublicKey

__all__ = ["add_parser", "run"]

EXAMPLE = """example, by somebody who is not the operator:
  twentyone key new witness > witness.pub
  twentyone witness t.db.checkpoints --public-key t.db.pub --key witness.key
  twentyone verify t.db --public-key t.db.pub --witness witness.pub

A checkpoint is cosigned only if the file continues what this witness cosigned before, which is remembered beside its
key. The note goes into t.db.checkpoints.cosigned (C2SP signed note, cosignature/v1). With --ledger, a copy of the
ledger is compared with the checkpoints first. Exit status: 0 cosigned; 1 the checkpoints are not what they were."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "witness",
        help="cosign the checkpoints of a ledger",
        description="Cosign the last checkpoint of a ledger, as a witness who is not its operator.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("checkpoints", help="the signed checkpoints of the ledger")
    parser.add_argument("--public-key", metavar="FILE", required=True, help="the ledger's public key")
    parser.add_argument("--key", metavar="FILE", required=True, help="the witness's own key file")
    parser.add_argument("--name", type=printable, help="the witness's name (default: that of its key file)")
    parser.add_argument("--cosigned", metavar="FILE", help="where the note goes (default: CHECKPOINTS.cosigned)")
    parser.add_argument("--ledger", metavar="LEDGER", help=f"a copy of the ledger: {LEDGER}")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


@or_refused
def run(options: argparse.Namespace) -> int:
    """Compare, cosign, say so."""
    from twentyone.ledger.checkpoints import read_trail
    from twentyone.ledger.keys import Keyring
    from twentyone.ledger.public_keys import PublicKey
    from twentyone.ledger.witness import Memory, alone, witness_faults, write_cosignature

    path, key = Path(options.checkpoints), Path(options.key)
    if not path.is_file():
        raise UsageError(f"{path}: there is no such file")
    own, name = Keyring.load(key), options.name or key.stem
    if not name or {" ", "+"} & {*name}:
        raise UsageError(f"{name!r} is not a witness's name: it has neither blanks nor a plus sign")
    ledger, target = PublicKey.load(options.public_key), Path(options.cosigned or f"{path}.cosigned")
    with alone(key):
        memory = Memory(key.with_suffix(".seen"))
        trail = read_trail(path, ledger.verifier)
        faults = [*witness_faults(trail, path, memory.last(ledger.id)), *_copy_faults(options, path, ledger)]
        if faults or not trail.checkpoints:
            return _refuse(options, trail, faults)
        point = trail.checkpoints[-1]
        memory.keep(ledger.id, point)
    note = write_cosignature(target, ledger.id, point, own, name, int(time.time()))
    if options.json:
        print_json({"cosigned": point.number, "events": point.events, "note": str(note), "file": str(target)})
    else:
        print(f"checkpoint {point.number} ({point.events:,} events) cosigned by {name}, in {target}")
    return DONE


def _copy_faults(options: argparse.Namespace, path: Path, ledger: PublicKey) -> list[Fault]:
    """What a copy of the ledger contradicts."""
    from twentyone.ledger.checkpoints import verify_checkpoints

    with open_ledger(options.ledger) if options.ledger else nullcontext() as store:
        return [] if store is None else verify_checkpoints(store, path, ledger.verifier).faults


def _refuse(options: argparse.Namespace, trail: Trail, faults: list[Fault]) -> int:
    """Say why nothing was cosigned."""
    says = [str(fault) for fault in faults] or [f"{options.checkpoints} holds no checkpoint"]
    if options.json:
        print_json({"cosigned": None, "checkpoints": len(trail.checkpoints), "faults": says})
    else:
        print("\n".join([*(f"fault: {what}" for what in says), "nothing was cosigned"]))
    return FOUND_WRONG
