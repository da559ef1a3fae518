"""The public key of a ledger: it checks signatures and names the ledger's key; it opens no seal and signs nothing."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from twentyone.ledger.keys import KEY_BYTES, Keyring, key_id
from twentyone.ledger.rows import LedgerRefused

__all__ = ["PUBLIC_FORMAT", "PublicKey"]

PUBLIC_FORMAT = "ledger-public-key/1"


class PublicKey:
    """What anybody may hold of a ledger's key."""

    def __init__(self, sealing: bytes, public: bytes) -> None:
        self.sealing = sealing
        """SHA-256 of the sealing key: with the public part it gives the key's name."""
        self.public = public
        """The public part of the signing key."""

        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        self.verifier = Ed25519PublicKey.from_public_bytes(public)
        """Checks signatures."""
        self.id = key_id(sealing, public)
        """The name that the ledger records."""

    @classmethod
    def of(cls, keyring: Keyring) -> PublicKey:
        """The public key of a key file."""
        return cls(sha256(keyring.sealing).digest(), keyring.public)

    @classmethod
    def load(cls, path: str | Path) -> PublicKey:
        """The public key in a file; refused where it is none."""
        try:
            return cls(*_read(json.loads(Path(path).read_text(encoding="ascii"))))
        except OSError as wrong:
            raise LedgerRefused(f"{path}: the public key cannot be read: {wrong.strerror}") from None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise LedgerRefused(
                f"{path}: this is not a public key ({PUBLIC_FORMAT}); `twentyone key public LEDGER` writes it"
            ) from None

    def to_json(self) -> dict[str, str]:
        """The file."""
        return {"format": PUBLIC_FORMAT, "id": self.id, "public": self.public.hex(), "sealing": self.sealing.hex()}


def _read(body: Any) -> tuple[bytes, bytes]:
    sealing, public = (bytes.fromhex(body[name]) for name in ("sealing", "public"))
    if body["format"] != PUBLIC_FORMAT or len(sealing) != KEY_BYTES or body["id"] != key_id(sealing, public):
        raise ValueError
    return sealing, public
