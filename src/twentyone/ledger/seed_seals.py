"""Sealed seeds: the ledger holds the seed of a shoe or of a wheel only encrypted, until that shoe or round is over.

AES-256-GCM with the table and the commitment as associated data, so that no seal can be moved to another table or shoe.
The nonce is derived from key, associated data and seed: two seeds never share one, and no more entropy is needed.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import LedgerRefused
from twentyone.table.shoe import commitment

__all__ = ["mac", "seal", "unseal"]

NONCE_BYTES = 12


def seal(keyring: Keyring, stream: str, seed: bytes) -> str:
    """A seed, sealed for one table, as text."""
    bound = _associated_data(stream, commitment(seed))
    nonce = hmac.new(keyring.sealing, b"nonce\0" + bound + seed, sha256).digest()[:NONCE_BYTES]
    return base64.b64encode(nonce + AESGCM(keyring.sealing).encrypt(nonce, seed, bound)).decode("ascii")


def unseal(keyring: Keyring, stream: str, committed: str, sealed: str) -> bytes:
    """The seed of a seal; refused with another key, at another table or for another commitment."""
    try:
        data = base64.b64decode(sealed, validate=True)
        seed = AESGCM(keyring.sealing).decrypt(
            data[:NONCE_BYTES], data[NONCE_BYTES:], _associated_data(stream, committed)
        )
    except (InvalidTag, ValueError, binascii.Error):
        raise LedgerRefused(
            f"{stream}: key {keyring.id} does not open the seal of seed {committed[:16]}: it is the wrong key file, "
            "or the seal was altered; name the key file that was made with this ledger"
        ) from None
    if commitment(seed) != committed:
        raise LedgerRefused(f"{stream}: the seal of seed {committed[:16]} holds another seed")
    return seed


def _associated_data(stream: str, committed: str) -> bytes:
    return f"seed\0{stream}\0{committed}".encode()


def mac(keyring: Keyring, text: str) -> str:
    """A mark on a text that only the owner of the key can make."""
    return hmac.new(keyring.sealing, b"text\0" + text.encode(), sha256).hexdigest()
