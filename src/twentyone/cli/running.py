"""The command that runs now, and what its JSON says of it under `run`: all that is needed to run it again."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from twentyone.version import __version__

if TYPE_CHECKING:
    from twentyone.rulebook import Rules

__all__ = ["asked", "note", "note_file", "note_game", "run_block", "running"]

NOT_TOLD = ("arguments", "command", "json", "run")
"""What the parser holds beside the options that somebody can choose."""


@dataclass
class Running:
    """A command at work, and what it has read so far."""

    options: argparse.Namespace
    """Its options: with the defaults, once it has filled them in."""
    games: list[Rules] = field(default_factory=list)
    """The rules of each game that it was asked about."""
    files: dict[str, str] = field(default_factory=dict)
    """The files it was given, by name, and the SHA-256 of each."""
    noted: dict[str, Any] = field(default_factory=dict)
    """What else decides its result."""


_NOW: ContextVar[Running | None] = ContextVar("running", default=None)


@contextmanager
def running(options: argparse.Namespace) -> Iterator[None]:
    """The command that these options describe runs for as long as the block does."""
    before = _NOW.set(Running(options))
    try:
        yield
    finally:
        _NOW.reset(before)


def asked(option: str) -> Any:
    """The value of an option of the command that runs; none where it has no such option."""
    now = _NOW.get()
    return None if now is None else getattr(now.options, option, None)


def note_game(rules: Rules) -> Rules:
    """Remember the rules of a game that the command was asked about; returns them."""
    now = _NOW.get()
    if now is not None:
        now.games.append(rules)
    return rules


def note_file(name: str, content: bytes) -> bytes:
    """Remember a file that the command was given; returns its content."""
    now = _NOW.get()
    if now is not None:
        import hashlib

        now.files[name] = hashlib.sha256(content).hexdigest()
    return content


def note(**told: Any) -> None:
    """Remember what else decides the result, as JSON."""
    now = _NOW.get()
    if now is not None:
        now.noted |= told


def run_block() -> dict[str, Any] | None:
    """What is needed to run the command again; none where no command runs."""
    now = _NOW.get()
    if now is None:
        return None
    block: dict[str, Any] = {
        "version": __version__,
        "command": now.options.command,
        "options": {name: _told(value) for name, value in vars(now.options).items() if _is_told(name, value)},
        "games": [_game(rules) for rules in now.games],
        "files": now.files,
    }
    return {**{key: value for key, value in block.items() if value not in ([], {})}, **now.noted}


def _is_told(name: str, value: Any) -> bool:
    return name not in NOT_TOLD and not (name == "at" and value is None)


def _game(rules: Rules) -> dict[str, Any]:
    """A game: its rulebook with its hash, and every choice and reading in force, as `--submission` reads them."""
    from twentyone.ledger.identity import rulebook_hash

    book = rules.rulebook
    return {
        "rulebook": book.id,
        "rulebook_hash": rulebook_hash(book),
        **({"edition": book.edition} if book.edition else {}),
        "submission": {"rulebook": book.id, **rules.submission.to_json()},
    }


def _told(value: Any) -> Any:
    """The value of an option as JSON, without the secrets of an address."""
    if isinstance(value, str) and "://" in value:
        from twentyone.ledger.store import without_secrets

        return without_secrets(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): _told(inner) for key, inner in value.items()}
    return [_told(inner) for inner in value] if isinstance(value, list | tuple) else str(value)
