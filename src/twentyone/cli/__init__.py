"""The command line: `twentyone COMMAND`. Heavy libraries are imported only by the commands that need them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from twentyone import __version__
from twentyone.cli.output import delivering
from twentyone.errors import RulebookError

__all__ = ["DONE", "FOUND_WRONG", "INTERRUPTED", "REFUSED", "USAGE", "UsageError", "main"]

DONE, FOUND_WRONG, REFUSED, USAGE, INTERRUPTED = 0, 1, 2, 64, 130
"""Exit statuses of every command."""

COMMANDS = (
    *("replay", "law", "check", "layout", "play", "verify-shoe", "serve"),
    *("shift", "rounds", "show", "export", "verify", "backup", "restore", "report", "coupon", "key"),
    *("odds", "strategy", "value", "effects", "hand", "compare", "sweep", "simulate", "bench"),
)

DESCRIPTION = """Regulated twenty-one games that deal, pay and cite the paragraph.

exit status: 0 done; 1 examined and found wrong, or the answer could not be written; 2 refused;
64 usage, or no such file; 130 interrupted"""


class UsageError(Exception):
    """A command line that names something that does not exist: a file, a rulebook."""


class Parser(argparse.ArgumentParser):
    """An argument parser that exits with status 64."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: what it found, whether or not anybody reads its output."""
    with delivering() as lost:
        try:
            status = _status(list(sys.argv[1:] if argv is None else argv))
        except SystemExit as leaving:
            if leaving.code or lost() is None:
                raise
            status = DONE
        if (wrong := lost()) is None:
            return status
        print(f"twentyone: the output cannot be written: {wrong.strerror or wrong}", file=sys.stderr)
        return status or FOUND_WRONG


def _status(arguments: list[str]) -> int:
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except (RulebookError, OSError) as fault:
        print(f"twentyone: {_said(fault)}", file=sys.stderr)
        return REFUSED


def _said(fault: Exception) -> str:
    """A fault in one line; of a file that a command could not use, its name and why."""
    if not isinstance(fault, OSError):
        return str(fault)
    why = fault.strerror or str(fault)
    return why if fault.filename is None else f"{fault.filename}: {why}"


def _run(arguments: list[str]) -> int:
    wanted = [name for name in COMMANDS if name in arguments[:1]] or COMMANDS
    parser = Parser(prog="twentyone", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version", version=f"twentyone {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for name in wanted:
        import_module(f"twentyone.cli.{name.replace('-', '_')}").add_parser(commands)
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except UsageError as wrong:
        commands.choices[options.command].error(str(wrong))
