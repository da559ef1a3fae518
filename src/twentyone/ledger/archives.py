"""The archives of closed periods in a folder, and the list of them: lines that name each other, signed by the key.

An archive is a ledger of its own in a file, with its checkpoints and the public key beside it. The list says what was
archived and what was removed later: it only grows.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import file_digest, sha256
from pathlib import Path
from typing import IO, Any, NamedTuple

from twentyone.errors import TwentyoneError
from twentyone.ledger.canonical import canonical
from twentyone.ledger.chain import GENESIS, heads_digest, verify_chain
from twentyone.ledger.checkpoints import verify_checkpoints
from twentyone.ledger.evidence import open_evidence
from twentyone.ledger.keys import Keyring
from twentyone.ledger.private_files import make_private
from twentyone.ledger.public_keys import PublicKey
from twentyone.ledger.rows import LedgerRefused
from twentyone.ledger.sqlite import sync_folder
from twentyone.platforms import lock_file

__all__ = [
    "ARCHIVED",
    "BEGUN",
    "CHECKPOINTS",
    "LIST",
    "PUBLIC",
    "REMOVED",
    "Archive",
    "Archives",
    "archive_faults",
    "digest_of",
]

LIST = "archives.jsonl"
"""The list of a folder."""
ARCHIVED, BEGUN, REMOVED = "archived", "begun", "removed"
"""What the list says of a period."""
CHECKPOINTS, PUBLIC = ".checkpoints", ".pub"
"""What lies beside an archive."""


class Archive(NamedTuple):
    """An archived period, as the list has it."""

    line: dict[str, Any]
    """What the list says of it."""
    path: Path
    """Its file."""
    removed: dict[str, Any] | None
    """What the list says of its removal."""

    @property
    def identity(self) -> str:
        """By what the period is known for ever."""
        return str(self.line["identity"])

    @property
    def files(self) -> list[Path]:
        """The archive and what lies beside it."""
        return [self.path, *(self.path.with_name(self.path.name + end) for end in (CHECKPOINTS, PUBLIC))]

    @property
    def stands(self) -> str:
        """How it stands, in a word."""
        if self.removed is not None:
            return "removed" if not self.path.exists() else "to be removed"
        return "kept" if self.path.is_file() else "missing"


class Archives:
    """The archives of a folder; the list is locked while it is changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        """Where they are."""
        self.faults: list[str] = []
        """What is wrong with the list itself."""
        self._lines: list[dict[str, Any]] = []
        self._last = GENESIS
        self._read()

    @property
    def path(self) -> Path:
        """The list."""
        return self.folder / LIST

    def _read(self) -> None:
        self.faults, self._lines, self._last = [], [], GENESIS
        text = self.path.read_text(encoding="utf-8", errors="replace") if self.path.exists() else ""
        for number, written in enumerate(text.split("\n")[:-1], 1):
            try:
                line = json.loads(written)
                _ = line["did"], line["identity"], line["number"], line["file"], line["at"]
            except (ValueError, TypeError, KeyError, RecursionError):
                self.faults += [f"line {number} of {LIST} cannot be read"] if _is_whole(written) else []
                continue
            if line.get("prev") != self._last:
                self.faults.append(f"line {number} of {LIST} does not follow the line before it: the list was altered")
            self._lines.append(line)
            self._last = sha256(written.encode()).hexdigest()

    def signature_faults(self, public: PublicKey) -> Iterator[str]:
        """Lines that the key has not signed."""
        for number, line in enumerate(self._lines, 1):
            body = {name: value for name, value in line.items() if name != "signature"}
            try:
                public.verifier.verify(bytes.fromhex(line["signature"]), canonical(body).encode())
            except Exception:  # a forged line can raise anything
                yield f"line {number} of {LIST} is not signed by key {public.id}"

    @property
    def every(self) -> list[Archive]:
        """The archived periods, the oldest first."""
        gone = {line["identity"]: line for line in self._lines if line["did"] == REMOVED}
        kept = [line for line in self._lines if line["did"] == ARCHIVED]
        return [
            Archive(line, self.folder / Path(str(line["file"])).name, gone.get(line["identity"]))
            for line in sorted(kept, key=lambda line: int(line["number"]))
        ]

    def find(self, identity: str) -> Archive | None:
        """The archive of a period."""
        return next((archive for archive in self.every if archive.identity == identity), None)

    def has_begun(self, identity: str) -> bool:
        """Whether the ledger of a period was begun."""
        return any((line["did"], line["identity"]) == (BEGUN, identity) for line in self._lines)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Held while the list changes: refused while another process holds it."""
        make_private(self.path)
        with self.path.open("ab+") as file:
            try:
                lock_file(file, wait=False)
            except BlockingIOError:
                raise LedgerRefused(f"another process works on the archives in {self.folder}: wait for it") from None
            self._read()
            self._file: IO[bytes] = file
            yield

    def add(self, line: dict[str, Any], keyring: Keyring | None) -> None:
        """Add a line, signed where the key is at hand; on the disk when this returns."""
        body = {**line, "prev": self._last}
        signed = {"signature": keyring.signer.sign(canonical(body).encode()).hex()} if keyring is not None else {}
        written = canonical({**body, **signed})
        if self._file.seek(0, os.SEEK_END):
            self._file.seek(-1, os.SEEK_END)
            self._file.write(b"" if self._file.read(1) == b"\n" else b"\n")
        self._file.write(written.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        sync_folder(self.folder)
        self._read()


def _is_whole(written: str) -> bool:
    """Whether a line ends as lines do: one that a power cut left incomplete is ignored."""
    return written.endswith("}")


def digest_of(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def archive_faults(archive: Archive, public: PublicKey | None = None) -> Iterator[str]:
    """What is wrong with an archive that is kept: its bytes, its chain, its signed end."""
    line, path = archive.line, archive.path
    if not path.is_file():
        yield f"{path.name} is missing"
        return
    for file, said in zip(archive.files, (line["sha256"], line["checkpoints"], None), strict=True):
        if not file.is_file():
            yield f"{file.name} is missing"
        elif said is not None and digest_of(file) != said:
            yield f"{file.name} is not the file that was archived: its hash is another"
    try:
        yield from _content_faults(archive, public)
    except (TwentyoneError, OSError) as refused:
        yield f"{path.name}: {refused}"


def _content_faults(archive: Archive, public: PublicKey | None) -> Iterator[str]:
    path, trail, own = archive.files
    key = public or PublicKey.load(own)
    with closing(open_evidence(path)) as store:
        faults, chain = verify_chain(store)
        signed = verify_checkpoints(store, trail, key.verifier)
        faults += signed.faults
        if not signed.checkpoints or signed.uncovered:
            yield f"{path.name}: its end is not signed"
        yield from (f"{path.name}: {fault}" for fault in faults)
        if (chain.count, heads_digest(chain.heads)) != (archive.line["events"], archive.line["heads"]):
            yield f"{path.name} does not hold the events that were archived"
