"""A copy of the package that was signed, and bytes that are flipped in it: as an intruder or a bad disk would."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from twentyone.authentic import MANIFEST, PACKAGE, TRUSTED, files_of
from twentyone.cli import REFUSED
from twentyone.ledger.keys import Keyring
from twentyone.ledger.sealing import seal

__all__ = ["KEYS", "LOADED_FIRST", "Flip", "edited", "flipped", "flips", "is_refused", "run_copy", "signed_copy"]

KEYS = Keyring(b"sealing" * 4 + b"-key", b"signing" * 4 + b"-key")
"""Whoever signs the package."""
LOADED_FIRST = ("__init__.py", "__main__.py", "authentic.py", "errors.py", "version.py")
"""What Python reads before anything can be examined: where it is no Python any more, Python itself says so."""


class Flip(NamedTuple):
    """One byte of one file."""

    file: str
    """The path in the package."""
    at: int
    """Which byte."""
    mask: int
    """The bits that are turned over."""


def signed_copy(folder: Path) -> Path:
    """The package in another folder, signed there."""
    root = folder / PACKAGE.name
    shutil.copytree(PACKAGE, root, ignore=shutil.ignore_patterns("__pycache__", MANIFEST))
    seal(root, KEYS)
    return root


def flips(root: Path, count: int, seed: int) -> list[Flip]:
    """Bytes of files, drawn at random: a file first, so that small ones are hit as often as large ones."""
    chance, files = random.Random(seed), [name for name in files_of(root) if (root / name).stat().st_size]
    chosen = [chance.choice([*files, MANIFEST]) for _ in range(count)]
    return [Flip(name, chance.randrange((root / name).stat().st_size), chance.randrange(1, 256)) for name in chosen]


@contextmanager
def edited(path: Path, content: bytes) -> Iterator[None]:
    """A file with another content, for as long as the block runs; the time of its last change stays the same."""
    before, status = path.read_bytes(), path.stat()
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    try:
        yield
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


@contextmanager
def flipped(root: Path, flip: Flip) -> Iterator[None]:
    """A package in which one byte is flipped, for as long as the block runs."""
    content = bytearray((root / flip.file).read_bytes())
    content[flip.at] ^= flip.mask
    with edited(root / flip.file, bytes(content)):
        yield


def run_copy(root: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command of a package's copy, from its folder."""
    known = {name: value for name, value in os.environ.items() if name not in (TRUSTED, "PYTHONDONTWRITEBYTECODE")}
    return subprocess.run(
        [sys.executable, "-m", "twentyone", *arguments],
        cwd=root.parent,
        env={**known, "PYTHONPATH": str(root.parent), **settings},
        capture_output=True,
        text=True,
        check=False,
    )


def is_refused(ran: subprocess.CompletedProcess[str], flip: Flip) -> bool:
    """Whether a start was refused with one sentence; where not even Python can read a first file, by Python itself."""
    by_python = flip.file in LOADED_FIRST and ran.returncode == 1
    return not ran.stdout and (by_python or (ran.returncode == REFUSED and ran.stderr.count("\n") == 1))
