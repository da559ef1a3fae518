"""The command line: `twentyone COMMAND`. Heavy libraries are imported only by the commands that need them."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

from twentyone import __version__
from twentyone.errors import RulebookError

__all__ = ["DONE", "FOUND_WRONG", "INTERRUPTED", "REFUSED", "USAGE", "UsageError", "main"]

DONE, FOUND_WRONG, REFUSED, USAGE, INTERRUPTED = 0, 1, 2, 64, 130
"""Exit statuses of every command."""

COMMANDS = (
    *("replay", "law", "check", "layout", "play", "verify-shoe", "serve"),
    *("shift", "rounds", "show", "export", "verify", "backup", "restore", "report", "coupon"),
    *("odds", "strategy", "value", "effects", "hand", "compare", "simulate", "bench"),
)

DESCRIPTION = """Regulated twenty-one games that deal, pay and cite the paragraph.

exit status: 0 done; 1 examined and found wrong; 2 refused; 64 usage, or no such file; 130 interrupted"""


class UsageError(Exception):
    """A command line that names something that does not exist: a file, a rulebook."""


class Parser(argparse.ArgumentParser):
    """An argument parser that exits with status 64."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    try:
        status = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return DONE
    except RulebookError as fault:
        print(f"twentyone: {fault}", file=sys.stderr)
        return REFUSED
    except OSError as wrong:
        return _failed(wrong)
    return status


def _run(arguments: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
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


def _failed(wrong: OSError) -> int:
    """Report a file that a command could not use; without a file name, the output itself could not be written."""
    if wrong.filename is not None:
        print(f"twentyone: {wrong.filename}: {wrong.strerror}", file=sys.stderr)
        return REFUSED
    _discard_output()
    print(f"twentyone: the output cannot be written: {wrong.strerror or wrong}", file=sys.stderr)
    return FOUND_WRONG


def _discard_output() -> None:
    """Send what is still buffered to the null device: Python would try to write it again at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
