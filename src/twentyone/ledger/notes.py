"""Signed notes: a short text and lines with signatures below it, in the form that witnesses of logs exchange.

The form is that of C2SP `signed-note` and `tlog-cosignature` (`cosignature/v1`): a cosignature says who has seen a
text, and when. Nothing here knows what the text means.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

__all__ = ["SignedNote", "cosign", "cosigned_at", "read_notes", "verifier_key"]

COSIGNATURE = 0x04
"""The kind of signature that bears a time."""
DASH = "\N{EM DASH} "
"""How a line with a signature begins."""


class SignedNote(NamedTuple):
    """A text with the lines of its signatures."""

    text: str
    """What is signed, with its last line break."""
    signatures: tuple[str, ...]
    """The lines, each with a name and a signature."""

    def __str__(self) -> str:
        return "\n".join((self.text, *self.signatures, ""))


def _key_hash(name: str, public: bytes) -> bytes:
    return sha256(name.encode() + b"\n" + bytes([COSIGNATURE]) + public).digest()[:4]


def verifier_key(name: str, public: bytes) -> str:
    """A witness's public key as one text, as other programs read it.

    >>> verifier_key("w", bytes(32))
    'w+680f52bc+BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    """
    return f"{name}+{_key_hash(name, public).hex()}+{base64.b64encode(bytes([COSIGNATURE]) + public).decode()}"


def _message(text: str, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def cosign(text: str, name: str, key: Ed25519PrivateKey, at: int) -> str:
    """The line by which a witness says that it has seen a text at a time."""
    signature = struct.pack(">Q", at) + key.sign(_message(text, at))
    held = _key_hash(name, key.public_key().public_bytes_raw()) + signature
    return f"{DASH}{name} {base64.b64encode(held).decode()}"


def cosigned_at(note: SignedNote, key: Ed25519PublicKey) -> int | None:
    """When the witness with a key saw a note; none where no line is its own, or its signature is wrong."""
    from cryptography.exceptions import InvalidSignature

    public = key.public_bytes_raw()
    for line in note.signatures:
        name, _, written = line.removeprefix(DASH).partition(" ")
        try:
            held = base64.b64decode(written, validate=True)
            if held[:4] == _key_hash(name, public):
                at: int = struct.unpack(">Q", held[4:12])[0]
                key.verify(held[12:], _message(note.text, at))
                return at
        except (binascii.Error, struct.error, InvalidSignature):
            continue
    return None


def read_notes(content: str) -> Iterator[SignedNote]:
    """The notes of a file, one after the other with an empty line between them; what is none is left out."""
    blocks = content.strip("\n").split("\n\n")
    for text, below in zip(blocks[::2], blocks[1::2], strict=False):
        lines = tuple(line for line in below.splitlines() if line.startswith(DASH))
        if lines:
            yield SignedNote(f"{text}\n", lines)
