"""A witness: somebody other than the operator, who cosigns a checkpoint only if it continues what he cosigned before.

Whoever has the ledger and its key could write both anew. He cannot write anew what a witness has cosigned: the next
checkpoint would not continue it, and `verify` finds that the ledger's is another one.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from twentyone.ledger.chain import Fault
from twentyone.ledger.checkpoints import Checkpoint, Trail
from twentyone.ledger.keys import Keyring
from twentyone.ledger.notes import SignedNote, cosign, cosigned_at, read_notes
from twentyone.ledger.private_files import make_private
from twentyone.ledger.public_keys import PublicKey
from twentyone.ledger.rows import LedgerRefused
from twentyone.platforms import lock_file

__all__ = ["Cosigned", "Memory", "alone", "examine_cosigned", "note_text", "witness_faults", "write_cosignature"]


def note_text(ledger: str, point: Checkpoint) -> str:
    """What is cosigned: which ledger, how many events, the digest of the checkpoint's line, and its number."""
    digest = base64.b64encode(bytes.fromhex(point.digest)).decode()
    return f"twentyone.ledger/{ledger}\n{point.events}\n{digest}\ncheckpoint {point.number}\n"


@contextmanager
def alone(key: Path) -> Iterator[None]:
    """One run of a witness at a time: two at once would each compare with what was before the other."""
    with key.open("rb") as file:
        try:
            lock_file(file, wait=False)
        except BlockingIOError:
            raise LedgerRefused(f"{key}: this witness cosigns at this moment: try again when that is done") from None
        yield


class Memory:
    """What a witness has cosigned, by ledger: number and digest of the last checkpoint. It stays with the witness."""

    def __init__(self, path: Path) -> None:
        self.path = path
        """Its file."""
        try:
            held = json.loads(path.read_text(encoding="ascii")) if path.exists() else {}
            self._seen = {str(name): (int(number), str(digest)) for name, (number, digest) in held.items()}
        except (OSError, ValueError, TypeError, AttributeError, RecursionError) as wrong:
            raise LedgerRefused(f"{path}: what this witness cosigned before cannot be read ({wrong})") from None

    def last(self, ledger: str) -> tuple[int, str]:
        """Number and digest of the last checkpoint of a ledger; number 0 where there is none."""
        return self._seen.get(ledger, (0, ""))

    def keep(self, ledger: str, point: Checkpoint) -> None:
        """Remember a checkpoint, on the disk, before its cosignature is given away."""
        self._seen[ledger] = (point.number, point.digest)
        part = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")
        make_private(part)
        with part.open("w", encoding="ascii") as file:
            file.write(json.dumps(self._seen, sort_keys=True) + "\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.path)


def witness_faults(trail: Trail, path: Path, before: tuple[int, str]) -> Iterator[Fault]:
    """Why a witness does not cosign: lines that are wrong, streams that went back, or another history than before."""
    yield from trail.faults
    for one, two in pairwise(trail.checkpoints):
        for stream, (ver, own) in one.heads.items():
            after = two.heads.get(stream, (0, ""))
            if after[0] < ver or (after[0] == ver and after[1] != own):
                what = f"checkpoint {two.number} has it at version {after[0]}, checkpoint {one.number} had it at {ver}"
                yield Fault(stream, ver, f"{what}: it went back, or was stamped anew")
    number, digest = before
    if number > len(trail.checkpoints):
        ends = f"ends with checkpoint {len(trail.checkpoints)}, and this witness cosigned checkpoint {number}"
        yield Fault(str(path), 0, f"{ends}: lines were removed")
    elif number and trail.checkpoints[number - 1].digest != digest:
        yield Fault(str(path), 0, f"its checkpoint {number} is not the one that this witness cosigned")


def write_cosignature(path: Path, ledger: str, point: Checkpoint, witness: Keyring, name: str, at: int) -> SignedNote:
    """Cosign a checkpoint and add the note to a file."""
    text = note_text(ledger, point)
    note = SignedNote(text, (cosign(text, name, witness.signer, at),))
    with path.open("a", encoding="utf-8") as file:
        file.write(("\n" if file.tell() else "") + str(note))
        file.flush()
        os.fsync(file.fileno())
    return note


class Cosigned(NamedTuple):
    """What the cosignatures of a witness say about the checkpoints of a ledger."""

    faults: list[Fault]
    """Cosigned checkpoints that the file does not hold like that; or there is none."""
    number: int
    """The last checkpoint that is cosigned; 0: none."""
    events: int
    """How many events it covers."""
    at: int
    """When the witness saw it, in seconds UTC."""


def examine_cosigned(path: Path, checkpoints: list[Checkpoint], ledger: str, witness: PublicKey) -> Cosigned:
    """Hold the checkpoints of a ledger against what a witness has cosigned."""
    known = {note_text(ledger, point): point for point in checkpoints}
    content = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    found, last = Cosigned([], 0, 0, 0), 0
    for note in read_notes(content):
        at = cosigned_at(note, witness.verifier)
        if at is None or not note.text.startswith(f"twentyone.ledger/{ledger}\n"):
            continue
        point, last = known.get(note.text), last + 1
        if point is None:
            what = f"the witness cosigned {note.text.splitlines()[-1]}, and it is not the one that is there"
            found.faults.append(Fault(str(path), 0, f"{what}: history was written anew, or lines were removed"))
        elif point.number > found.number:
            found = found._replace(number=point.number, events=point.events, at=at)
    if not last:
        found.faults.append(Fault(str(path), 0, f"no checkpoint is cosigned by the witness {witness.id}"))
    return found
