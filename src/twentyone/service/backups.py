"""Backups: verified copies of the ledger in a folder beside it, made while the tables go on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from twentyone.errors import TwentyoneError
from twentyone.ledger.backup import backup
from twentyone.ledger.keys import default_key_path
from twentyone.ledger.store import Store
from twentyone.ledger.timestamps import moment
from twentyone.service.people import NotAllowed
from twentyone.service.records import Records

__all__ = ["BackupRow", "Backups"]

LISTED = 50
"""Backups in the list, the newest first."""


class BackupRow(NamedTuple):
    """A backup that was made, or was to be made."""

    file: str
    """Its name in the folder."""
    made: int
    """When, in seconds UTC."""
    by: str
    """Who asked for it."""
    size: int
    """Bytes of the file when it was made."""
    events: int
    """Events in it."""
    verified: bool
    """Whether every event in it was hashed again and found whole."""
    why: str
    """Why it could not be made or verified, or what has become of its file since; empty: it lies there."""


class Backups:
    """The backups of one ledger."""

    def __init__(self, ledger: str, store: Store, records: Records, clock: Callable[[], int]) -> None:
        self.folder = default_key_path(ledger).with_suffix(".backups")
        """Where they are."""
        self.making = False
        """Whether one is being made."""
        self._store, self._records, self._clock = store, records, clock
        self._one = threading.Lock()

    def make(self, by: str) -> BackupRow:
        """Make one and verify it; a failure is on record, too."""
        if not self._one.acquire(blocking=False):
            raise NotAllowed("a backup is being made", 409)
        self.making = True
        try:
            return self._make(by, self._clock())
        finally:
            self.making = False
            self._one.release()

    def _make(self, by: str, now: int) -> BackupRow:
        file = self._unused(moment(now).replace(" ", "T").replace(":", ""))
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            copied = backup(self._store, file)
            row = BackupRow(file.name, now, by, file.stat().st_size, copied.events, True, "")
        except (TwentyoneError, OSError) as failed:
            row = BackupRow(file.name, now, by, 0, 0, False, str(failed))
        self._records.run(
            "INSERT INTO people_backups VALUES (?, ?, ?, ?, ?, ?, ?)", (*row[:5], int(row.verified), row.why)
        )
        return row

    def _unused(self, name: str) -> Path:
        known = {file for (file,) in self._records.rows("SELECT file FROM people_backups")}
        names = (f"{name}Z{f'-{n}' if n else ''}.db" for n in range(len(known) + 1))
        return self.folder / next(file for file in names if file not in known)

    def listed(self) -> list[BackupRow]:
        """The newest first, each with what has become of its file."""
        columns = "file, made, asker, size, events, verified, why"
        query = f"SELECT {columns} FROM people_backups ORDER BY made DESC, file DESC LIMIT ?"
        rows = [BackupRow(*row)._replace(verified=bool(row[5])) for row in self._records.rows(query, (LISTED,))]
        return [row._replace(why=self._since(row)) if row.verified else row for row in rows]

    def _since(self, row: BackupRow) -> str:
        """What is wrong with the file of a backup that was verified."""
        file = self.folder / row.file
        if not file.is_file():
            return "the file is gone"
        return "" if file.stat().st_size == row.size else "the file was changed since"
