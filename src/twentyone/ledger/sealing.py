"""The manifest of a package: its files with their digests, and the code of each source, signed at build."""

from __future__ import annotations

import json
import marshal
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

from twentyone.authentic import MANIFEST, MANIFEST_FORMAT, code_digest, files_of, signed_part
from twentyone.ledger.keys import Keyring
from twentyone.version import __version__

__all__ = ["manifest_of", "seal"]


def manifest_of(root: Path, keyring: Keyring, only: Collection[str] | None = None) -> dict[str, Any]:
    """The signed manifest of the package in a folder; `only` names the files that go into it."""
    files = {name: own for name, own in files_of(root).items() if only is None or name in only}
    manifest = {
        "format": MANIFEST_FORMAT,
        "version": __version__,
        "files": files,
        "python": sys.implementation.cache_tag,
        "code": {name: _code(root / name) for name in files if name.endswith(".py")},
        "public": keyring.public.hex(),
    }
    return {**manifest, "signature": keyring.signer.sign(signed_part(manifest)).hex()}


def seal(root: Path, keyring: Keyring) -> None:
    """Write the signed manifest of a package into it."""
    (root / MANIFEST).write_text(json.dumps(manifest_of(root, keyring), indent=1) + "\n", encoding="ascii")


def _code(source: Path) -> str:
    return code_digest(marshal.dumps(compile(source.read_bytes(), str(source), "exec", dont_inherit=True)))
