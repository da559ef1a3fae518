"""Checkpoints: signed lines outside the database that say how far each stream had come, and with which hash.

The owner of the database can rehash a chain or cut off its end, but cannot sign. Keep the file where he cannot write.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from twentyone.ledger.canonical import canonical
from twentyone.ledger.chain import GENESIS, Fault, heads_digest
from twentyone.ledger.private_files import make_private, refuse_shared
from twentyone.ledger.rows import LedgerFailed, LedgerRefused
from twentyone.ledger.store import Store

__all__ = ["Checkpoint", "Trail", "TrailReport", "read_trail", "verify_checkpoints", "write_checkpoint"]


class Checkpoint(NamedTuple):
    """What one signed line says."""

    number: int
    """1, 2, 3 and so on."""
    at: int
    """Seconds UTC, given by whoever made it."""
    events: int
    """How many the ledger held."""
    heads: dict[str, tuple[int, str]]
    """Version and hash of the last event of each stream."""
    digest: str
    """SHA-256 of the line, which the next line names."""


class Trail(NamedTuple):
    """The checkpoints of a file."""

    checkpoints: list[Checkpoint]
    """Those that are signed and in order."""
    faults: list[Fault]
    """What is wrong with the others."""


class TrailReport(NamedTuple):
    """What checkpoints say about a ledger."""

    faults: list[Fault]
    """Where the ledger is not what was signed, and where the file itself is wrong."""
    checkpoints: int
    """How many good checkpoints there are."""
    uncovered: int
    """Events after the last one: only the chain protects them."""


def write_checkpoint(store: Store, path: Path, key: Ed25519PrivateKey, at: int) -> Checkpoint:
    """Sign how far the ledger has come; refused when it is no longer what the last checkpoint says."""
    with _locked(path) as file:
        body = _next_body(store, path, key.public_key(), at)
        line = canonical({**body, "signature": key.sign(canonical(body).encode()).hex()})
        _append_line(file, line)
    return _checkpoint(body, line)


@contextmanager
def _locked(path: Path) -> Iterator[IO[bytes]]:
    """The file of the checkpoints, locked: two processes that sign at once would write the same number."""
    make_private(path)
    refuse_shared(path)
    with path.open("ab+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file


def _next_body(store: Store, path: Path, key: Ed25519PublicKey, at: int) -> dict[str, Any]:
    """What the next checkpoint says."""
    trail = read_trail(path, key)
    faults = [*trail.faults, *_compare(store, path, trail.checkpoints[-1:])]
    if faults:
        raise LedgerRefused(f"no checkpoint is signed over a ledger that is not what was signed before ({faults[0]})")
    last = trail.checkpoints[-1] if trail.checkpoints else None
    heads = {stream: store.head(stream) for stream in store.streams()}
    return {
        "all": heads_digest(heads),
        "at": at,
        "count": sum(ver for ver, _ in heads.values()),
        "heads": {stream: list(head) for stream, head in heads.items()},
        "number": last.number + 1 if last else 1,
        "prev": last.digest if last else GENESIS,
    }


def _append_line(file: IO[bytes], line: str) -> None:
    """Add a line and sync it to the disk; a line that a power cut left incomplete is ended first."""
    if file.seek(0, os.SEEK_END):
        file.seek(-1, os.SEEK_END)
        line = line if file.read(1) == b"\n" else "\n" + line
    file.write(line.encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())


def read_trail(path: Path, key: Ed25519PublicKey) -> Trail:
    """The checkpoints of a file; a line that a power cut left incomplete is ignored, an unsigned one is a fault."""
    trail = Trail([], [])
    for number, line in enumerate(_lines(path), 1):
        if (body := _object(line)) is not None:
            what = _read(trail.checkpoints, line, body, key)
            if what:
                trail.faults.append(Fault(str(path), 0, f"line {number} {what}"))
    return trail


def _lines(path: Path) -> Iterator[str]:
    if path.exists():
        with path.open(encoding="utf-8", errors="replace") as file:
            yield from (line.rstrip("\n") for line in file)


def _object(line: str) -> dict[str, Any] | None:
    try:
        body = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def _read(known: list[Checkpoint], line: str, body: dict[str, Any], key: Ed25519PublicKey) -> str:
    """Add the checkpoint of a line, or say what is wrong with it."""
    try:
        signature = bytes.fromhex(body.pop("signature"))
        key.verify(signature, canonical(body).encode())
        checkpoint = _checkpoint(body, line)
    except InvalidSignature:
        return "is not signed by this ledger's key"
    except Exception:  # a forged line can raise anything
        return "is not a checkpoint"
    last = known[-1] if known else Checkpoint(0, 0, 0, {}, GENESIS)
    if (checkpoint.number, body["prev"]) != (last.number + 1, last.digest):
        return f"(checkpoint {checkpoint.number}) does not follow checkpoint {last.number}: lines were removed or moved"
    known.append(checkpoint)
    return ""


def _checkpoint(body: dict[str, Any], line: str) -> Checkpoint:
    heads = {stream: (ver, own) for stream, (ver, own) in body["heads"].items()}
    return Checkpoint(body["number"], body["at"], body["count"], heads, hashlib.sha256(line.encode()).hexdigest())


def verify_checkpoints(store: Store, path: Path, key: Ed25519PublicKey) -> TrailReport:
    """Whether the ledger still holds all that was signed; the chain itself is verified separately."""
    trail = read_trail(path, key)
    faults, count = list(trail.faults), 0
    try:
        faults += _compare(store, path, trail.checkpoints)
        count = sum(store.version(stream) for stream in store.streams())
    except LedgerFailed as fault:
        faults.append(Fault(store.where, 0, str(fault)))
    covered = trail.checkpoints[-1].events if trail.checkpoints else 0
    return TrailReport(faults, len(trail.checkpoints), max(0, count - covered))


def _compare(store: Store, path: Path, checkpoints: list[Checkpoint]) -> Iterator[Fault]:
    """The first checkpoint of each stream that the ledger contradicts."""
    seen: set[tuple[str, int, str]] = set()
    broken: set[str] = set()
    for point in checkpoints:
        for stream, (ver, own) in point.heads.items():
            if stream in broken or (stream, ver, own) in seen:
                continue
            seen.add((stream, ver, own))
            if (actual := store.hash_at(stream, ver)) != own:
                broken.add(stream)
                yield Fault(stream, ver, _contradiction(point, path, store.version(stream), actual))


def _contradiction(point: Checkpoint, path: Path, version: int, actual: str | None) -> str:
    signed = f"was signed by checkpoint {point.number} of {path.name}"
    if actual is None:
        return f"{signed}, and the stream ends at version {version}: its tail was cut off"
    return f"{signed} with another hash: its tail was rehashed"
