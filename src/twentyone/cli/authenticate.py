"""`twentyone authenticate`: is the installed package what was signed?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from twentyone.authentic import PACKAGE, TRUSTED, ExaminedPackage, examine, read_public, trusted_key
from twentyone.cli import DONE, FOUND_WRONG, UsageError
from twentyone.cli.common import print_json

__all__ = ["add_authentic", "add_parser", "run"]

EXAMPLE = f"""examples:
  twentyone authenticate
  twentyone authenticate --json
  twentyone authenticate --package /mnt/evidence/twentyone --public-key release.pub

A package is signed when it is built (`make package KEY=release.key`). Which key is trusted says --public-key, or the
file that {TRUSTED} names; without either, the manifest itself. A program can be altered so that it finds
itself in order: examine it from another computer, too, with --package."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "authenticate",
        help="compare the installed package with its signed manifest",
        description="Compare every file of the package, and what Python keeps compiled of it, with the manifest that "
        "was signed at build. Exit status: 0 it is what was signed; 1 it differs, file by file, or nobody signed it.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--package", metavar="DIR", help="the folder of another package (default: this one)")
    parser.add_argument("--public-key", metavar="FILE", help="the public key of whoever signs packages")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def add_authentic(parser: argparse.ArgumentParser) -> None:
    """Add the option of the commands that play on a ledger."""
    parser.add_argument(
        "--require-authentic",
        action=argparse.BooleanOptionalAction,
        help=f"play only with a signed package; without either option, where {TRUSTED} is set or the ledger was played "
        "on by signed software",
    )


def run(options: argparse.Namespace) -> int:
    """Examine the package and print what came out."""
    root = Path(options.package) if options.package else PACKAGE
    if not (root / "version.py").is_file():
        raise UsageError(f"{root}: there is no package of this software; name the folder that holds version.py")
    found = examine(root, read_public(options.public_key, "--public-key") if options.public_key else trusted_key())
    print_json(found.to_json()) if options.json else _print(root, found)
    return DONE if found.authentic else FOUND_WRONG


def _print(root: Path, found: ExaminedPackage) -> None:
    for difference in found.differences:
        print(f"fault: {difference}")
    print(f"package   {root}")
    print(f"digest    {found.digest}")
    print(f"files     {found.files}")
    print(f"{len(found.differences)} differences" if found.differences else found.words)
