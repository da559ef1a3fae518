"""The key file, which opens sealed shoes and signs checkpoints: kept apart from the database, for its owner only."""

from __future__ import annotations

import base64
import binascii
import json
import os
import stat
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twentyone.ledger.private_files import OWNER_ONLY
from twentyone.ledger.rows import LedgerRefused

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from twentyone.table.health import Source

__all__ = ["KEY_FORMAT", "Keyring", "default_key_path", "key_id"]

KEY_FORMAT = "ledger-key/1"
KEY_BYTES = 32


class Keyring:
    """The secrets of one ledger: a sealing key (AES-256) and a signing key (Ed25519)."""

    def __init__(self, sealing: bytes, signing: bytes) -> None:
        self.sealing = sealing
        """The key that seals seeds."""
        self._signing = signing

    @cached_property
    def signer(self) -> Ed25519PrivateKey:
        """The key that signs checkpoints."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self._signing)

    @cached_property
    def public(self) -> bytes:
        """What a signature is checked with."""
        return self.signer.public_key().public_bytes_raw()

    @cached_property
    def id(self) -> str:
        """Its name, which a ledger may show to anybody."""
        return key_id(sha256(self.sealing).digest(), self.public)

    def __repr__(self) -> str:
        return f"<Keyring {self.id}>"

    @classmethod
    def new(cls, entropy: Source) -> Keyring:
        """Fresh keys, from the source of entropy that shoes come from."""
        return cls(entropy.take(KEY_BYTES), entropy.take(KEY_BYTES))

    @classmethod
    def create(cls, path: str | Path, entropy: Source) -> Keyring:
        """Fresh keys in a new file, readable by its owner alone; refused where there is a file."""
        keys = cls.new(entropy)
        signing = keys.signer.private_bytes_raw()
        body = {"format": KEY_FORMAT, "sealing": _text(keys.sealing), "signing": _text(signing)}
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        except FileExistsError:
            raise LedgerRefused(f"{path}: there is a file already; a key is never written over another") from None
        except OSError as wrong:
            raise LedgerRefused(f"{path}: the key file cannot be written: {wrong.strerror}") from None
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(json.dumps(body) + "\n")
                file.flush()
                os.fsync(file.fileno())
            _sync(Path(path).parent)
        except OSError as wrong:
            Path(path).unlink(missing_ok=True)
            raise LedgerRefused(f"{path}: the key file cannot be written: {wrong.strerror}") from None
        return keys

    @classmethod
    def load(cls, path: str | Path) -> Keyring:
        """The keys in a file; refused where others may read it, or where it is none."""
        try:
            mode = stat.S_IMODE(Path(path).stat().st_mode)
            text = Path(path).read_text(encoding="ascii")
        except FileNotFoundError:
            raise LedgerRefused(
                f"{path}: there is no key file; say where it is, or restore it from its backup"
            ) from None
        except (OSError, UnicodeDecodeError) as wrong:
            raise LedgerRefused(f"{path}: the key file cannot be read: {wrong}") from None
        if mode & ~OWNER_ONLY:
            raise LedgerRefused(
                f"{path}: others may read this key file (mode {mode:04o}); make it 0600 and change the keys"
            )
        return cls(*_read(path, text))


def key_id(sealing: bytes, public: bytes) -> str:
    """The name of a key, from the digest of its sealing part and from its public part: neither tells a secret."""
    return sha256(b"key of a ledger" + sealing + public).hexdigest()[:16]


def _sync(folder: Path) -> None:
    """Sync a folder, so that a new name in it survives a power cut: a ledger without its key is of no use."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _read(path: str | Path, text: str) -> tuple[bytes, bytes]:
    try:
        body: Any = json.loads(text)
        sealing, signing = (base64.b64decode(body[name], validate=True) for name in ("sealing", "signing"))
        right = body["format"] == KEY_FORMAT and len(sealing) == len(signing) == KEY_BYTES
    except (ValueError, TypeError, KeyError, RecursionError, binascii.Error):
        right = False
    if not right:
        raise LedgerRefused(
            f"{path}: this is not a key file ({KEY_FORMAT}); name the one that was made with the ledger"
        )
    return sealing, signing


def default_key_path(where: str) -> Path:
    """The key file beside a ledger: `LEDGER.key`; of a database server, by its database's name in this folder."""
    if "://" not in where:
        return Path(f"{where}.key")
    scheme, _, rest = where.partition("://")
    if scheme == "sqlite":
        return Path(f"{rest.removeprefix('/')}.key")
    return Path(f"{rest.partition('?')[0].partition('/')[2] or 'ledger'}.key")
