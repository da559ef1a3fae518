"""Backup and restore. A backup is itself a ledger in an SQLite file, whichever database it was made from.

It is made while the ledger is in use, verified before it gets its name, and restores into either database.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from twentyone.ledger.chain import Fault, heads_digest, verify_chain
from twentyone.ledger.checkpoints import verify_checkpoints
from twentyone.ledger.failing import passing
from twentyone.ledger.private_files import OWN_FILES, OWNER_ONLY
from twentyone.ledger.rows import LedgerFailed, LedgerRefused, StoredEvent
from twentyone.ledger.sqlite import SqliteConnection, SqliteStore, read_sqlite, sync_folder
from twentyone.ledger.store import Store, open_store, path_of, without_secrets

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

__all__ = ["Copied", "backup", "copy_events", "restore"]

PAGES = 1_000
"""Pages of the file that are copied between two reports of progress."""
Progress = Callable[[int, int], None]
"""Called with the work done and the work in all."""


class Copied(NamedTuple):
    """What was copied and verified."""

    events: int
    """Their number."""
    digest: str
    """One hash over the heads of all streams."""
    uncovered: int | None = None
    """Events after the last checkpoint; `None` where no checkpoints were given."""


def backup(store: Store, target: Path, progress: Progress | None = None) -> Copied:
    """Copy a ledger that may be in use into a new file."""
    part = _part(target)
    try:
        if isinstance(store, SqliteStore):
            _copy_file(store.source or store.where, part, progress)
        else:
            _copy_events(store, str(part), progress)
        with closing(read_sqlite(str(part))) as copy:
            copied = _verified(copy)
        _name(part, target)
    finally:
        _remove(part)
    return copied


def copy_events(store: Store, target: Path, progress: Progress | None = None) -> Copied:
    """The events of a ledger alone in a new file: the same bytes whenever, and from whichever database, it is made."""
    copied = _verified(store)
    if _copy_whole(store, target, progress) != copied.digest:
        raise LedgerRefused(f"{target} does not hold what {store.where} holds: do not use it")
    return copied


def restore(
    source: Path,
    url: str,
    checkpoints: Path | None = None,
    key: Ed25519PublicKey | None = None,
    progress: Progress | None = None,
) -> Copied:
    """Make a new ledger from a backup: whole, as it was signed, or not at all."""
    with closing(read_sqlite(str(source))) as copy:
        copied = _verified(copy, checkpoints, key)
        path = path_of(url)
        restored = _copy_events(copy, url, progress) if path is None else _copy_whole(copy, Path(path), progress)
    if restored != copied.digest:
        raise LedgerRefused(f"{without_secrets(url)} does not hold what {source} holds: do not use it")
    return copied


def _verified(store: Store, checkpoints: Path | None = None, key: Ed25519PublicKey | None = None) -> Copied:
    faults, chain = verify_chain(store)
    uncovered = None
    if checkpoints is not None and key is not None:
        report = verify_checkpoints(store, checkpoints, key)
        faults, uncovered = faults + report.faults, report.uncovered
    _refuse(store.where, faults)
    return Copied(chain.count, heads_digest(chain.heads), uncovered)


def _refuse(where: str, faults: list[Fault]) -> None:
    if faults:
        more = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
        raise LedgerRefused(f"{where} is not whole ({faults[0]}{more}): take another backup")


def _part(target: Path) -> Path:
    """The temporary name of a file that is not complete yet."""
    if target.exists():
        raise LedgerRefused(f"{target} exists already: name a new file")
    if not target.parent.is_dir():
        raise LedgerRefused(f"{target}: there is no folder {target.parent}")
    part = target.with_name(target.name + ".part")
    for log in _logs(part):
        if log.exists():
            raise LedgerRefused(f"{log} exists already: it is not ours; remove it, or name another file")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    except FileExistsError:
        raise LedgerRefused(
            f"{part} exists already: a backup is being made, or one was broken off; remove it, or name another file"
        ) from None
    except OSError as wrong:
        raise LedgerRefused(f"{part}: it cannot be written: {wrong.strerror}") from None
    return part


def _logs(part: Path) -> list[Path]:
    """What SQLite puts beside a file, and would take for its own."""
    return [part.with_name(part.name + end) for end in OWN_FILES if end]


def _remove(part: Path) -> None:
    for file in (part, *_logs(part)):
        file.unlink(missing_ok=True)


def _name(part: Path, target: Path) -> None:
    part.rename(target)
    sync_folder(target.parent)


def _copy_file(path: str, part: Path, progress: Progress | None) -> None:
    """A consistent copy of the file, while others go on writing."""
    with (
        closing(SqliteConnection(path, uri=path.startswith("file:"))) as source,
        closing(SqliteConnection(str(part))) as copy,
    ):
        source.rows("BEGIN")
        source.rows("SELECT count(*) FROM migrations")
        tell = None if progress is None else lambda _, remaining, total: progress(total - remaining, total)
        try:
            source.raw.backup(copy.raw, pages=PAGES, progress=tell)
        except SqliteConnection.errors as fault:
            raise LedgerFailed(
                f"{part}: the copy cannot be written ({fault}); nothing is left of it", passing(fault)
            ) from None


def _copy_events(source: Store, url: str, progress: Progress | None) -> str:
    """Copy all events into a new ledger; answers the digest of its heads, read back."""
    total = sum(source.version(stream) for stream in source.streams())
    with closing(open_store(url, create=True)) as copy:
        copy.take_over(_told(source.read_all(), total, progress))
        return _verified(copy).digest


def _copy_whole(source: Store, target: Path, progress: Progress | None) -> str:
    """The same into a file, which gets its final name once it is complete."""
    part = _part(target)
    try:
        digest = _copy_events(source, str(part), progress)
        _name(part, target)
    finally:
        _remove(part)
    return digest


def _told(events: Iterable[StoredEvent], total: int, progress: Progress | None) -> Iterator[StoredEvent]:
    for count, event in enumerate(events, 1):
        if progress is not None and count % PAGES == 0:
            progress(count, total)
        yield event
