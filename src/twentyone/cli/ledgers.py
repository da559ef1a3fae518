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
    from twentyone.ledger.chain import Fault
    from twentyone.ledger.keys import Keyring
    from twentyone.ledger.public_keys import PublicKey
    from twentyone.ledger.start import Files
    from twentyone.ledger.store import Store

__all__ = [
    "LEDGER",
    "add_accept_unsigned",
    "add_files",
    "add_public_key",
    "bar",
    "checkpoints_path",
    "events_of",
    "files_of",
    "key_path",
    "keyring",
    "open_ledger",
    "or_refused",
    "public_key",
    "readers_key",
    "unlike_signed",
]

LEDGER = "a path, sqlite:///path or postgresql://user@host/database"
Run = Callable[[argparse.Namespace], int]


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add the options for the files that belong to a ledger."""
    parser.add_argument("--key", metavar="FILE", help="the key file (default: LEDGER.key)")
    parser.add_argument("--checkpoints", metavar="FILE", help="the signed checkpoints (default: LEDGER.checkpoints)")


def add_public_key(parser: argparse.ArgumentParser) -> None:
    """Add the same for whoever only reads: the public key checks signatures, no secret is needed."""
    add_files(parser)
    parser.add_argument("--public-key", metavar="FILE", help="the public key, instead of the key file")


def add_accept_unsigned(parser: argparse.ArgumentParser) -> None:
    """Add the option to play on without checkpoints."""
    parser.add_argument(
        "--accept-unsigned",
        action="store_true",
        help="play on a ledger whose checkpoints are lost, and sign it from here",
    )


def or_refused(run: Run) -> Run:
    """Decorate a command: a refusal becomes one line on standard error and its exit status."""

    @wraps(run)
    def guarded(options: argparse.Namespace) -> int:
        import sqlite3

        from twentyone.ledger.failing import passing
        from twentyone.ledger.rows import NoSuchLedger

        try:
            return run(options)
        except NoSuchLedger as missing:
            raise UsageError(str(missing)) from None
        except TwentyoneError as refused:
            say(f"twentyone {options.command}: {refused}")
            return REFUSED
        except sqlite3.Error as fault:
            if not (why := passing(fault)):
                raise
            say(f"twentyone {options.command}: {why} ({fault}); try again when that has passed")
            return REFUSED

    return guarded


@contextmanager
def open_ledger(url: str, write: bool = False) -> Iterator[Store]:
    """Open a ledger, to read it unless it is to be written; its database is closed afterwards."""
    from twentyone.ledger.store import open_store, read_store

    store = open_store(url) if write else read_store(url)
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


def files_of(options: argparse.Namespace) -> Files:
    """The files of a ledger that is to be played on."""
    from twentyone.ledger.start import Files

    return Files(key_path(options), checkpoints_path(options), options.accept_unsigned)


def keyring(options: argparse.Namespace) -> Keyring | None:
    """The keys of a ledger; none if a public key is named, or the default key file does not exist."""
    from twentyone.ledger.keys import Keyring

    path = key_path(options)
    if getattr(options, "public_key", None):
        return None
    return Keyring.load(path) if options.key or path.exists() else None


def public_key(options: argparse.Namespace) -> PublicKey | None:
    """The public key that is named."""
    from twentyone.ledger.public_keys import PublicKey

    if options.public_key and options.key:
        raise UsageError("name the key file or the public key, not both")
    return PublicKey.load(options.public_key) if options.public_key else None


def readers_key(options: argparse.Namespace) -> Keyring | None:
    """The keys for a command that only reads: none where this user may not read the default key file."""
    try:
        return keyring(options)
    except TwentyoneError:
        if options.key:
            raise
        return None


def unlike_signed(options: argparse.Namespace, store: Store) -> list[Fault]:
    """Where a ledger is not what was signed last, told on standard error; nothing is compared without key and file."""
    from twentyone.ledger.checkpoints import compare, read_trail
    from twentyone.ledger.public_keys import PublicKey

    keys, path = readers_key(options), checkpoints_path(options)
    public = PublicKey.of(keys) if keys is not None else public_key(options)
    if public is None or not path.exists():
        return []
    trail = read_trail(path, public.verifier)
    faults = [*trail.faults, *compare(store, path, trail.checkpoints[-1:])]
    for fault in faults:
        say(f"twentyone {options.command}: fault: {fault}; `twentyone verify` examines the whole ledger")
    return faults


def events_of(store: Store) -> int:
    """How many events a ledger holds."""
    return sum(store.version(stream) for stream in store.streams())


@contextmanager
def bar(what: str, total: int, done: int = 0) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error; nothing if it is not a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total, completed=done)
        yield lambda now: progress.update(task, completed=now)
