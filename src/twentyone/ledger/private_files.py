"""The files of a ledger are for their owner alone: they hold people, money and sealed cards."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from twentyone.ledger.rows import LedgerRefused
from twentyone.platforms import make_owners_alone

__all__ = ["OWNER_ONLY", "OWN_FILES", "make_private", "refuse_shared"]

OWNER_ONLY = 0o600
"""The mode of every file of a ledger."""
OWN_FILES = ("", "-wal", "-shm", "-journal")
"""What a database in a file consists of: itself, and what SQLite puts beside it with the same mode."""


def make_private(path: str | Path) -> None:
    """Make a file for its owner alone where there is none, whatever the process allows others on new files.

    An empty file that is there already becomes his alone: nothing has been in it.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT, OWNER_ONLY)
        with os.fdopen(handle, "ab"):
            if os.fstat(handle).st_size == 0:
                make_owners_alone(handle, OWNER_ONLY)
    except OSError as wrong:
        why = f"{path} cannot be written: {wrong.strerror}: choose a place where this user may write"
        raise LedgerRefused(why) from None


def refuse_shared(path: str | Path, ends: Iterable[str] = ("",)) -> None:
    """Refuse to write into a file that others may read or write, and into those beside it."""
    shared = [name for end in ends if _others(name := f"{path}{end}")]
    if shared:
        names = " ".join(shared)
        raise LedgerRefused(
            f"others on this machine may read or write {', '.join(shared)}: nothing is written there; "
            f"make it yours alone first (chmod 600 {names})"
        )


def _others(path: str) -> int:
    try:
        return stat.S_IMODE(Path(path).stat().st_mode) & ~OWNER_ONLY & 0o077
    except FileNotFoundError:
        return 0
