"""The command line: `twentyone COMMAND`. Heavy libraries are imported only by the commands that need them."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from twentyone import __version__
from twentyone.authentic import NotAuthentic, package_digest, refuse_altered
from twentyone.cli.output import delivering
from twentyone.cli.running import running
from twentyone.errors import RulebookError

__all__ = ["DONE", "FOUND_WRONG", "INTERRUPTED", "REFUSED", "USAGE", "UsageError", "main", "whole_parser"]

DONE, FOUND_WRONG, REFUSED, USAGE, INTERRUPTED = 0, 1, 2, 64, 130
"""Exit statuses of every command."""

COMMANDS = (
    *("replay", "law", "check", "layout", "submission", "play", "verify-shoe", "serve"),
    *(
        "shift",
        "rounds",
        "show",
        "export",
        "verify",
        "witness",
        "backup",
        "restore",
        "archive",
        "report",
        "coupon",
        "key",
    ),
    *("authenticate", "odds", "strategy", "value", "effects", "hand", "analyse", "compare", "sweep", "drill"),
    *("suite", "perft", "simulate", "counts", "indices", "bench", "completion"),
)

PLAY = ("serve", "shift")
"""Commands that play on a ledger: before anything of them is loaded, the package is examined."""

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


class ShowVersion(argparse.Action):
    """Prints the version and leaves; the digest is made only here."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(f"twentyone {__version__}, package {package_digest()}")
        parser.exit(DONE)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: what it found, whether or not anybody reads its output.

    A reader that stops early, as `head` does, is no failure and ends the output without a word.
    """
    if argv is None and not sys.warnoptions:
        warnings.showwarning = _keep_to_oneself
    with delivering() as lost:
        try:
            status = _status(list(sys.argv[1:] if argv is None else argv))
        except SystemExit as leaving:
            if leaving.code or lost() is None:
                raise
            status = DONE
        _forget_interrupt()
        if (wrong := lost()) is None or isinstance(wrong, BrokenPipeError):
            return status
        print(f"twentyone: the output cannot be written: {wrong.strerror or wrong}", file=sys.stderr)
        return status or FOUND_WRONG


def _keep_to_oneself(*_: object, **__: object) -> None:
    """What a library has to say to programmers is not for a user, who can ask for it with `python -W default`."""


def _status(arguments: list[str]) -> int:
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except (RulebookError, NotAuthentic, OSError) as fault:
        print(f"twentyone: {_said(fault)}", file=sys.stderr)
        return REFUSED


def _forget_interrupt() -> None:
    """Python remembers that an interrupt went through code made from text, such as a dataclass that was being made, and
    would die by the signal at its end although it was answered; the next such code makes it forget."""
    exec("")


def _said(fault: Exception) -> str:
    """A fault in one line; of a file that a command could not use, its name and why."""
    if not isinstance(fault, OSError):
        return str(fault)
    why = fault.strerror or str(fault)
    return why if fault.filename is None else f"{fault.filename}: {why}"


def whole_parser() -> Parser:
    """A parser that knows every command with all its options."""
    parser, commands = _parser()
    for name in COMMANDS:
        _add(commands, name)
    return parser


def _parser() -> tuple[Parser, argparse._SubParsersAction[Parser]]:
    parser = Parser(prog="twentyone", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    said = "print the version and the digest of the package"
    parser.add_argument("--version", action=ShowVersion, nargs=0, default=argparse.SUPPRESS, help=said)
    return parser, parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)


def _run(arguments: list[str]) -> int:
    named = next((word for word in arguments if word != "--"), "")
    if named in PLAY:
        refuse_altered()
    parser, commands = _parser()
    _add(commands, named)
    options = parser.parse_args(arguments)
    try:
        with running(options):
            return int(options.run(options))
    except UsageError as wrong:
        commands.choices[options.command].error(str(wrong))


def _add(commands: Any, named: str) -> None:
    """Add the command that is named; where none is, a line of every one, for which no module is imported."""
    if named in COMMANDS:
        import_module(f"twentyone.cli.{_module(named)}").add_parser(commands)
        return
    for name in COMMANDS:
        commands.add_parser(name, help=_summary(name))


def _module(name: str) -> str:
    return name.replace("-", "_")


def _summary(name: str) -> str:
    """What a command does: the first line of its module."""
    with Path(__file__).with_name(f"{_module(name)}.py").open(encoding="utf-8") as source:
        return source.readline().strip('"\n.').partition(": ")[2].replace("%", "%%")
