"""A disk that remembers every write and every synchronisation, can fail at the n-th, and can lose its power.

SQLite runs on it through `apsw`. What a power cut may leave behind is made of the log: everything that was
synchronised, and of the rest each write kept, lost or torn as chance has it.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from twentyone.ledger.sqlite import STATEMENTS, SqliteStore, prepare

__all__ = ["ApswConnection", "Disk", "Operation", "image", "store_on"]

SECTOR = 512
"""Bytes that a disk writes whole or not at all."""
_names = itertools.count(1)


class Operation(NamedTuple):
    """One thing that was asked of the disk."""

    file: str
    """The file's name, without its folder."""
    kind: str
    """`write`, `sync`, `truncate` or `delete`."""
    offset: int = 0
    """Where it was written, or the new size."""
    data: bytes = b""
    """What was written."""


class Disk(apsw.VFS):
    """The file system that SQLite sees."""

    def __init__(self) -> None:
        self.name = f"disk{next(_names)}"
        self.log: list[Operation] = []
        """Everything that was asked, in order."""
        self.fail_at = 0
        """The number of the write or synchronisation that fails, counted from now on; 0 for none."""
        self.error: type[Exception] = apsw.IOError
        """What the failure looks like."""
        self.sticky = False
        """Whether everything after it fails too."""
        self.fired = 0
        """Failures so far."""
        self._count = 0
        super().__init__(self.name, "")

    def arm(self, fail_at: int, error: type[Exception], sticky: bool) -> None:
        """Let a later write or synchronisation fail."""
        self.fail_at, self.error, self.sticky, self._count, self.fired = fail_at, error, sticky, 0, 0

    def ask(self, operation: Operation) -> None:
        """Take part in an operation: fail, or remember it."""
        self._count += 1
        if self.fail_at and (self._count == self.fail_at or (self.sticky and self._count > self.fail_at)):
            self.fired += 1
            raise self.error(f"the disk failed at operation {self._count}")
        self.log.append(operation)

    def xOpen(self, name: Any, flags: list[int]) -> _File:  # noqa: N802
        return _File(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        self.log.append(Operation(Path(filename).name, "delete"))


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._disk = disk
        self._name = Path(name.filename() if isinstance(name, apsw.URIFilename) else str(name)).name

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.ask(Operation(self._name, "write", offset, bytes(data)))
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802, ARG002
        self._disk.ask(Operation(self._name, "sync"))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._disk.ask(Operation(self._name, "truncate", newsize))
        super().xTruncate(newsize)


class ApswConnection:
    """`apsw` on such a disk behind the store's port; `synchronous="NORMAL"` is the fault to be found."""

    errors: tuple[type[Exception], ...] = (apsw.Error, OSError)
    conflicts: tuple[type[Exception], ...] = ()

    def __init__(self, path: Path, disk: Disk, synchronous: str = "FULL") -> None:
        self.raw = apsw.Connection(str(path), vfs=disk.name)
        self._synchronous = synchronous
        self.rows("PRAGMA locking_mode = EXCLUSIVE")  # a disk in Python has no shared memory for the log's index

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        if sql == "PRAGMA synchronous":
            return [(2,)]
        if sql == "PRAGMA synchronous = FULL":
            sql = f"PRAGMA synchronous = {self._synchronous}"
        return list(self.raw.execute(sql, parameters))

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self.raw.executemany(sql, [tuple(row) for row in rows])

    def array(self, values: Iterable[str]) -> str:
        return json.dumps(list(values))

    def close(self) -> None:
        with suppress(apsw.Error):
            self.raw.close()


def store_on(
    disk: Disk, path: Path, *, new: bool, synchronous: str = "FULL", checkpoint_pages: int = 20
) -> SqliteStore:
    """The ledger's own store on such a disk, with its log carried into the file often."""
    connection = ApswConnection(path, disk, synchronous)
    prepare(connection, str(path), new=new)
    connection.rows(f"PRAGMA wal_autocheckpoint = {checkpoint_pages}")
    return SqliteStore(str(path), connection, connection, STATEMENTS)


# -- the power is cut


def image(log: Sequence[Operation], cut: int, dice: random.Random, folder: Path) -> None:
    """Write the files that a power cut after `cut` operations may have left."""
    kept = dice.choice((0.0, 0.3, 0.7, 0.95))
    for name, operations in _by_file(log[:cut]).items():
        synced = max((place for place, item in enumerate(operations, 1) if item.kind == "sync"), default=0)
        content: bytearray | None = bytearray()
        for place, item in enumerate(operations):
            content = _apply(content, item, dice if place >= synced else None, kept)
        if content is not None:
            (folder / name).write_bytes(content)


def _by_file(log: Sequence[Operation]) -> dict[str, list[Operation]]:
    files: dict[str, list[Operation]] = {}
    for item in log:
        files.setdefault(item.file, []).append(item)
    return files


def _apply(content: bytearray | None, item: Operation, dice: random.Random | None, kept: float) -> bytearray | None:
    """What a file holds after one operation, which chance may undo where `dice` are given."""
    if item.kind == "delete":
        return None  # only while a ledger is made, and then its folder is synchronised before the first command
    if item.kind == "sync" or (dice is not None and dice.random() >= kept and not _torn(dice)):
        return content
    content = bytearray() if content is None else content
    if item.kind == "truncate":
        del content[item.offset :]
        return content
    data = item.data if dice is None or dice.random() < kept else _tear(item.data, dice)
    _overlay(content, item.offset, data)
    return content


def _torn(dice: random.Random) -> bool:
    return dice.random() < 0.3


def _tear(data: bytes, dice: random.Random) -> list[bytes | None]:
    """A write of which only some sectors came to the disk."""
    sectors = [data[at : at + SECTOR] for at in range(0, len(data), SECTOR)]
    return [sector if dice.random() < 0.5 else None for sector in sectors]


def _overlay(content: bytearray, offset: int, data: bytes | list[bytes | None]) -> None:
    for place, piece in enumerate([data] if isinstance(data, bytes) else data):
        at = offset + place * SECTOR
        if piece is not None:
            content.extend(bytes(max(0, at - len(content))))
            content[at : at + len(piece)] = piece
