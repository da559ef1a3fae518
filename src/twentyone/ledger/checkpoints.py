"""Checkpoints: signed lines outside the database that say how far each stream had come, and with which hash.

The owner of the database can rehash a chain or cut off its end, but cannot sign. Keep the file where he cannot write.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from twentyone.ledger.canonical import canonical
from twentyone.ledger.chain import GENESIS, Fault, heads_digest
from twentyone.ledger.private_files import make_private, refuse_shared
from twentyone.ledger.rows import LedgerFailed, LedgerRefused
from twentyone.ledger.store import Store
from twentyone.ledger.timestamps import moment
from twentyone.platforms import lock_file

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

__all__ = [
    "Checkpoint",
    "Trail",
    "TrailReport",
    "compare",
    "order_faults",
    "read_last",
    "read_trail",
    "verify_checkpoints",
    "write_checkpoint",
]

BLOCK = 65_536
"""Bytes that are read from the end of a file at first."""
CLOCKS_DIFFER = 300
"""Seconds by which the clocks of two processes may differ, with the time that a command waits until it is stored."""


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
    last: int = 0
    """The ledger's last number (`gseq`) then; 0 in lines of an earlier version, which did not say it."""
    order: str = ""
    """One hash over numbers and hashes of the events since the checkpoint before; empty in earlier lines."""


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
        lock_file(file, wait=True)
        yield file


def _next_body(store: Store, path: Path, key: Ed25519PublicKey, at: int) -> dict[str, Any]:
    """What the next checkpoint says."""
    last, wrong = read_last(path, key)
    faults = [Fault(str(path), 0, wrong)] if wrong else [*compare(store, path, [last] if last is not None else [])]
    if faults:
        raise LedgerRefused(f"no checkpoint is signed over a ledger that is not what was signed before ({faults[0]})")
    settled = store.settled()  # before the heads: whatever has a smaller number is in them
    heads = store.heads()
    return {
        "all": heads_digest(heads),
        "at": at,
        "count": sum(ver for ver, _ in heads.values()),
        "heads": {stream: list(head) for stream, head in heads.items()},
        "last": settled,
        "number": last.number + 1 if last else 1,
        "order": order_digest(store, last.last if last else 0, settled),
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
    lines = [(number, line, body) for number, line in enumerate(_lines(path), 1) if (body := _object(line)) is not None]
    if (linked := _linked(lines, key)) is not None:
        return Trail(linked, [])
    trail = Trail([], [])
    for number, line, body in lines:
        what = _read(trail.checkpoints, line, body, key)
        if what:
            trail.faults.append(Fault(str(path), 0, f"line {number} {what}"))
    return trail


def read_last(path: Path, key: Ed25519PublicKey) -> tuple[Checkpoint | None, str]:
    """The last checkpoint of a file, however long that is, and what is wrong with it."""
    line, body = next(_last_lines(path), ("", None))
    if body is None:
        return None, ""
    try:
        _check_signature(body, key)
        return _checkpoint(body, line), ""
    except Exception:  # a forged line can raise anything
        return None, "its last line is not signed by this ledger's key"


def _last_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The complete lines of a file that hold an object, the last first."""
    size, length = path.stat().st_size if path.exists() else 0, 0
    while length < size:
        length = min(size, max(BLOCK, 4 * length))
        with path.open("rb") as file:
            file.seek(size - length)
            lines = file.read(length).decode(errors="replace").split("\n")[:-1]
        found = [(line, body) for line in lines[length < size :] if (body := _object(line)) is not None]
        if found or length == size:
            yield from reversed(found)
            return


def _linked(lines: list[tuple[int, str, dict[str, Any]]], key: Ed25519PublicKey) -> list[Checkpoint] | None:
    """The checkpoints, where each names the one before it and the last is signed: its signature stands for them all."""
    known: list[Checkpoint] = []
    try:
        for _, line, body in lines:
            point = _checkpoint(body, line)
            if (point.number, body["prev"]) != ((known[-1].number + 1, known[-1].digest) if known else (1, GENESIS)):
                return None
            known.append(point)
        if lines:
            _check_signature(lines[-1][2], key)
    except Exception:  # a forged line can raise anything
        return None
    return known


def _check_signature(body: dict[str, Any], key: Ed25519PublicKey) -> None:
    signed = {name: value for name, value in body.items() if name != "signature"}
    key.verify(bytes.fromhex(body["signature"]), canonical(signed).encode())


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
    from cryptography.exceptions import InvalidSignature

    try:
        _check_signature(body, key)
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
    digest = hashlib.sha256(line.encode()).hexdigest()
    said = (body["number"], body["at"], body["count"], heads, digest)
    return Checkpoint(*said, body.get("last", 0), body.get("order", ""))


def verify_checkpoints(store: Store, path: Path, key: Ed25519PublicKey) -> TrailReport:
    """Whether the ledger still holds all that was signed; the chain itself is verified separately."""
    trail = read_trail(path, key)
    faults, count = list(trail.faults), 0
    try:
        faults += compare(store, path, trail.checkpoints)
        faults += () if faults else order_faults(store, path, trail.checkpoints)
        count = sum(ver for ver, _ in store.heads().values())
    except LedgerFailed as fault:
        faults.append(Fault(store.where, 0, str(fault)))
    covered = trail.checkpoints[-1].events if trail.checkpoints else 0
    return TrailReport(faults, len(trail.checkpoints), max(0, count - covered))


def compare(store: Store, path: Path, checkpoints: list[Checkpoint]) -> Iterator[Fault]:
    """The first checkpoint of each stream that the ledger contradicts, and streams that a checkpoint should name."""
    yield from _compare_heads(store, path, checkpoints)
    for stream in store.streams():
        without = next((point for point in reversed(checkpoints) if stream not in point.heads), None)
        first = store.born(stream) if without is not None else None
        if without is not None and first is not None and (what := _unnamed(without, path, first.gseq, first.ts)):
            yield Fault(stream, 1, what)


def order_digest(store: Store, after: int, last: int) -> str:
    """One hash over the order of the events after a number, up to another."""
    digest = hashlib.sha256()
    for number, own in store.numbered(after, last):
        digest.update(f"{number} {own}\n".encode())
    return digest.hexdigest()


def order_faults(store: Store, path: Path, checkpoints: list[Checkpoint]) -> Iterator[Fault]:
    """Checkpoints whose events are no longer numbered as they were when they were signed."""
    after = 0
    for point in checkpoints:
        if point.order and point.last and order_digest(store, after, point.last) != point.order:
            signed = f"the order that checkpoint {point.number} of {path.name} signed"
            yield Fault(store.where, 0, f"its events {after + 1} to {point.last} are not in {signed}")
        after = point.last


def _compare_heads(store: Store, path: Path, checkpoints: list[Checkpoint]) -> Iterator[Fault]:
    seen: set[tuple[str, int, str]] = set()
    broken: set[str] = set()
    for point in checkpoints:
        signed = {(stream, ver, own) for stream, (ver, own) in point.heads.items() if stream not in broken} - seen
        seen |= signed
        stored = store.hashes_at([(stream, ver) for stream, ver, _ in signed])
        for stream, ver, own in sorted(signed):
            if (actual := stored.get((stream, ver))) != own:
                broken.add(stream)
                yield Fault(stream, ver, _contradiction(point, path, store.version(stream), actual))


def _unnamed(point: Checkpoint, path: Path, number: int, ts: int) -> str:
    """Why a checkpoint should name a stream: by its number or its time, the first event is older than the signature."""
    named = f"checkpoint {point.number} of {path.name}"
    if number <= point.last:
        return f"is number {number} of the ledger, {named} covers all up to {point.last} and does not name this stream"
    if ts < point.at - CLOCKS_DIFFER:
        return f"is of {moment(ts)}, {named} was signed at {moment(point.at)} and does not name this stream"
    return ""


def _contradiction(point: Checkpoint, path: Path, version: int, actual: str | None) -> str:
    signed = f"was signed by checkpoint {point.number} of {path.name}"
    if actual is None:
        return f"{signed}, and the stream ends at version {version}: its tail was cut off"
    return f"{signed} with another hash: its tail was rehashed"
