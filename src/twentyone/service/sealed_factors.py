"""Second factors as they are stored: a secret sealed under the ledger's key, recovery codes as digests made with it.

Whoever reads the database, a copy or a backup of it without the key has neither.
"""

from __future__ import annotations

import base64
import hmac
from functools import lru_cache
from hashlib import sha256

from twentyone.service.records import Records

__all__ = ["code_digest", "is_sealed", "opened", "seal_factors", "sealed"]

SEALED, KEYED = "sealed:", "keyed:"
"""How a sealed secret and the digest of a recovery code begin; those of an earlier version begin otherwise."""
NONCE_BYTES = 12
REMEMBERED = 1_000


def sealed(key: bytes, name: str, secret: str) -> str:
    """A secret, sealed for one account."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    own, bound = _own(key, b"secrets"), name.encode()
    nonce = hmac.digest(own, bound + b"\0" + secret.encode(), sha256)[:NONCE_BYTES]
    return SEALED + base64.b64encode(nonce + AESGCM(own).encrypt(nonce, secret.encode(), bound)).decode("ascii")


def is_sealed(stored: str) -> bool:
    """Whether a secret is stored sealed."""
    return stored.startswith(SEALED)


@lru_cache(REMEMBERED)
def opened(key: bytes, name: str, stored: str) -> str:
    """The secret of an account; empty where the seal is another account's, another key's, or was altered."""
    if not is_sealed(stored):
        return stored
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        data = base64.b64decode(stored.removeprefix(SEALED), validate=True)
        return AESGCM(_own(key, b"secrets")).decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], name.encode()).decode()
    except (ValueError, InvalidTag):
        return ""


def seal_factors(records: Records, key: bytes) -> None:
    """Seal what an earlier version has stored in clear; may be done again."""
    for name, stored in records.rows("SELECT name, secret FROM people_factors"):
        if not is_sealed(stored):
            change = "UPDATE people_factors SET secret = ? WHERE name = ? AND secret = ?"
            records.run(change, (sealed(key, name, stored), name, stored))


def code_digest(key: bytes, name: str, code: str) -> str:
    """What is stored of a recovery code."""
    return KEYED + hmac.digest(_own(key, b"codes"), f"{name}\0{code.strip()}".encode(), sha256).hex()


def _own(key: bytes, what: bytes) -> bytes:
    return hmac.digest(key, b"second factors: " + what, sha256)
