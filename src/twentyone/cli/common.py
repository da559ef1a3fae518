"""What the commands share: reading files, printing, messages on standard error."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twentyone.cli import UsageError
from twentyone.cli.running import asked, note_file, run_block
from twentyone.errors import NoSuchRulebook, TwentyoneError

if TYPE_CHECKING:
    from twentyone.rulebook import Rulebook

__all__ = [
    "add_amend",
    "add_at",
    "exact_number",
    "load_rulebook",
    "load_rulebooks",
    "print_json",
    "printable",
    "read_amendment",
    "read_file",
    "say",
    "whole",
    "wrapped",
]

NUMBER = re.compile(r"[\d._+-]{1,40}(?:[eE][+-]?\d{1,2}|/\d{1,40})?", re.ASCII)
"""The form of a number; its length and exponent are limited, so that parsing stays cheap."""


def say(message: str) -> None:
    """Print one line on standard error."""
    print(" ".join(message.split()), file=sys.stderr)


def read_file(name: str) -> bytes:
    """The content of a file (`-`: standard input)."""
    if name == "-":
        return note_file(name, sys.stdin.buffer.read())
    try:
        return note_file(name, Path(name).read_bytes())
    except (OSError, ValueError) as wrong:
        raise UsageError(f"{name}: {getattr(wrong, 'strerror', None) or wrong}") from None


def exact_number(text: str) -> Fraction:
    """A number as 1000, 0.75, 3/4 or 1e9; `ValueError` if it is not one, or is too long."""
    if not NUMBER.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a number")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(f"{text!r} divides by zero") from None


def whole(most: int) -> Callable[[str], int]:
    """Reads an option that is a whole number from 1 to `most`."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and 1 <= int(text[:20]) <= most):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {most}")
        return int(text)

    return read


def printable(given: str) -> str:
    """Reads an option that is a text: bytes of the command line that are none are refused."""
    if not given.isprintable():
        raise argparse.ArgumentTypeError(f"{given!r} is not a text of printable characters")
    return given


def add_at(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a day."""
    parser.add_argument("--at", metavar="DATE", help="the text that is law on this day, as in 2020-01-31 (today)")


def add_amend(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a file with fences changed by hand."""
    parser.add_argument(
        "--amend",
        metavar="FILE",
        help="the rulebook as this file changes it: headings (`# 635a.12(a)`), each with its fence",
    )


def read_amendment(name: str) -> str:
    """The text of a file that amends a rulebook."""
    try:
        return read_file(name).decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise TwentyoneError(f"{name} cannot be read as text: {wrong}") from None


def load_rulebook(name: str) -> Rulebook:
    """A rulebook by id, as it is law on the day of `--at`, or today, and as `--amend` changes it."""
    from twentyone.rulebook import Rulebook
    from twentyone.rulebook.in_time import latest_text

    at = asked("at")
    try:
        if at is not None:
            return _amended(Rulebook.load(name, at=at))
        book = Rulebook.load(name)
        return _amended(latest_text(book, f"{datetime.now(UTC):%Y-%m-%d}"))
    except NoSuchRulebook as unknown:
        raise UsageError(str(unknown)) from None


def _amended(book: Rulebook) -> Rulebook:
    file = asked("amend")
    if file is None:
        return book
    from twentyone.rulebook.amending import amended

    return amended(book, read_amendment(file), file)


def load_rulebooks() -> list[Rulebook]:
    """Every rulebook that loads; those that do not are named on standard error."""
    from twentyone.rulebook import loaded_rulebooks

    books, faults = loaded_rulebooks()
    for fault in faults:
        say(f"twentyone: left out: {fault}")
    return books


def print_json(body: Any, run: bool = True) -> None:
    """Print indented JSON on standard output; a table says under `run` how it was made, unless its form is fixed."""
    block = run_block() if run and isinstance(body, dict) else None
    body = body if block is None else {**body, "run": block}
    print(json.dumps(body, indent=2, ensure_ascii=False))


def wrapped(text: str, indent: str = "  ", width: int = 96) -> str:
    """Text broken into lines."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + len(word) + 1 > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n".join(indent + row for row in [*lines, line])
