"""What the commands about a ledger share: its files, its errors, a progress bar."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

from twentyone.cli import REFUSED, UsageError
from twentyone.cli.common import say
from twentyone.errors import TwentyoneError

if TYPE_CHECKING:
    from twentyone.ledger.keys import Keyring
    from twentyone.ledger.store import Store

__all__ = [
    "LEDGER",
    "add_files",
    "bar",
    "checkpoints_path",
    "events_of",
    "key_path",
    "keyring",
    "open_ledger",
    "or_refused",
]

LEDGER = "a path, sqlite:///path or postgresql://user@host/database"
Run = Callable[[argparse.Namespace], int]


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add the options for the files that belong to a ledger."""
    parser.add_argument("--key", metavar="FILE", help="the key file (default: LEDGER.key)")
    parser.add_argument("--checkpoints", metavar="FILE", help="the signed checkpoints (default: LEDGER.checkpoints)")


def or_refused(run: Run) -> Run:
    """Decorate a command: a refusal becomes one line on standard error and its exit status."""

    @wraps(run)
    def guarded(options: argparse.Namespace) -> int:
        from twentyone.ledger.rows import NoSuchLedger

        try:
            return run(options)
        except NoSuchLedger as missing:
            raise UsageError(str(missing)) from None
        except TwentyoneError as refused:
            say(f"twentyone {options.command}: {refused}")
            return REFUSED

    return guarded


@contextmanager
def open_ledger(url: str, create: bool = False) -> Iterator[Store]:
    """Open a ledger; its database is closed afterwards."""
    from twentyone.ledger.store import open_store

    store = open_store(url, create=create)
    try:
        yield store
    finally:
        store.close()


def key_path(options: argparse.Namespace) -> Path:
    """The key file of a ledger."""
    from twentyone.ledger.keys import default_key_path

    return Path(options.key) if options.key else default_key_path(options.ledger)


def checkpoints_path(options: argparse.Namespace) -> Path:
    """The checkpoints of a ledger."""
    from twentyone.ledger.keys import default_key_path

    return Path(options.checkpoints) if options.checkpoints else default_key_path(options.ledger).with_suffix(ENDING)


ENDING = ".checkpoints"


def keyring(options: argparse.Namespace) -> Keyring | None:
    """The keys of a ledger; none if the default key file does not exist."""
    from twentyone.ledger.keys import Keyring

    path = key_path(options)
    return Keyring.load(path) if options.key or path.exists() else None


def events_of(store: Store) -> int:
    """How many events a ledger holds."""
    return sum(store.version(stream) for stream in store.streams())


@contextmanager
def bar(what: str, total: int, done: int = 0) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error; nothing if it is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not shown) as progress:
        task = progress.add_task(what, total=total, completed=done)
        yield lambda now: progress.update(task, completed=now)
