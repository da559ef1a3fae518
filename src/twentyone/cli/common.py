"""What the commands share: reading files, telling a refusal."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from twentyone.cli import UsageError
from twentyone.errors import RulebookError
from twentyone.rulebook import Rulebook

__all__ = ["load_rulebook", "print_json", "read_file", "tell", "wrapped"]


def tell(message: str) -> None:
    """One line to a person, on standard error."""
    print(" ".join(message.split()), file=sys.stderr)


def read_file(name: str) -> bytes:
    """The content of a file (`-`: standard input)."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as wrong:
        raise UsageError(f"{name}: {getattr(wrong, 'strerror', None) or wrong}") from None


def load_rulebook(name: str) -> Rulebook:
    """A rulebook by id."""
    try:
        return Rulebook.load(name)
    except RulebookError as unknown:
        raise UsageError(str(unknown)) from None


def print_json(body: Any) -> None:
    """JSON on standard output, readable."""
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
