"""Sealed seeds: the ledger holds the seed of a shoe or of a wheel only encrypted, until that shoe or round is over.

AES-256-GCM with the table and the commitment as associated data, so that no seal can be moved to another table or shoe.
The nonce is derived from key, associated data and seed: two seeds never share one, and no more entropy is needed.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from hashlib import sha256

from twentyone.cards import RANKS, SUITS
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import LedgerRefused
from twentyone.ledger.shoes import Seal
from twentyone.table.shoe import commitment

__all__ = ["mac", "open_seal", "seal", "seal_cards", "unseal"]

NONCE_BYTES = 12
PACK = [rank + suit for rank in RANKS for suit in SUITS]


def seal(keyring: Keyring, stream: str, seed: bytes) -> str:
    """A seed, sealed for one table, as text."""
    return _encrypt(keyring, seed, _associated_data(stream, commitment(seed)))


def _encrypt(keyring: Keyring, data: bytes, bound: bytes) -> str:
    nonce = hmac.new(keyring.sealing, b"nonce\0" + bound + data, sha256).digest()[:NONCE_BYTES]
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return base64.b64encode(nonce + AESGCM(keyring.sealing).encrypt(nonce, data, bound)).decode("ascii")


def _decrypt(keyring: Keyring, sealed: str, bound: bytes) -> bytes | None:
    """What was sealed; none where the key or what it is bound to is another, or the seal was altered."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        data = base64.b64decode(sealed, validate=True)
        return AESGCM(keyring.sealing).decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], bound)
    except (InvalidTag, ValueError, binascii.Error):
        return None


def unseal(keyring: Keyring, stream: str, committed: str, sealed: str) -> bytes:
    """The seed of a seal; refused with another key, at another table or for another commitment."""
    seed = _decrypt(keyring, sealed, _associated_data(stream, committed))
    if seed is None:
        raise LedgerRefused(
            f"{stream}: key {keyring.id} does not open the seal of seed {committed[:16]}: it is the wrong key file, "
            "or the seal was altered; name the key file that was made with this ledger"
        )
    if commitment(seed) != committed:
        raise LedgerRefused(f"{stream}: the seal of seed {committed[:16]} holds another seed")
    return seed


def seal_cards(keyring: Keyring, stream: str, committed: str, names: str) -> str:
    """The cards that a shoe is made of, sealed beside its seed: one byte for each, whichever it is."""
    return _encrypt(keyring, bytes(map(PACK.index, names.split())), _associated_data(stream, f"{committed} cards"))


def open_seal(keyring: Keyring, stream: str, shoe: Seal) -> tuple[Seal, bytes]:
    """A shoe with the cards that it is made of, and its seed."""
    seed = unseal(keyring, stream, shoe.commitment, shoe.sealed)
    if not shoe.sealed_cards:
        return shoe, seed
    data = _decrypt(keyring, shoe.sealed_cards, _associated_data(stream, f"{shoe.commitment} cards"))
    if data is None:
        raise LedgerRefused(f"{stream}: the sealed cards of shoe {shoe.commitment[:16]} were altered")
    return shoe._replace(cards=" ".join(PACK[number] for number in data)), seed


def _associated_data(stream: str, committed: str) -> bytes:
    return f"seed\0{stream}\0{committed}".encode()


def mac(keyring: Keyring, text: str) -> str:
    """A mark on a text that only the owner of the key can make."""
    return hmac.new(keyring.sealing, b"text\0" + text.encode(), sha256).hexdigest()
