"""`twentyone completion`: what a shell needs to complete commands and options."""

from __future__ import annotations

import argparse
from typing import Any

from twentyone.cli import DONE, whole_parser
from twentyone.cli.extras import needs
from twentyone.extras import needed

__all__ = ["add_parser", "run"]

SHELLS = ("bash", "zsh", "tcsh")
EXAMPLE = """example:
  twentyone completion bash > ~/.local/share/bash-completion/completions/twentyone
  twentyone completion zsh > ~/.zfunc/_twentyone"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "completion",
        help="print what a shell needs to complete commands and options",
        description="Print a script for a shell; with it, Tab completes commands, options and choices.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell")
    parser.set_defaults(run=run)


@needs("completion")
def run(options: argparse.Namespace) -> int:
    """Print the script."""
    shtab = needed("shtab", "completion", "twentyone[completion]")
    print(shtab.complete(whole_parser(), options.shell))
    return DONE
