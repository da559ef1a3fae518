"""Files that the commands write: completely or not at all, over nothing that is not theirs."""

from __future__ import annotations

import os
from pathlib import Path

from twentyone.cli import UsageError

__all__ = ["write_file"]


def write_file(name: str, content: bytes) -> None:
    """Write a file completely or not at all; what is no ordinary file (a device, a pipe) is written to as it is."""
    path = Path(name)
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            _replace(path, content)
    except (OSError, ValueError) as wrong:
        why = getattr(wrong, "strerror", None) or wrong
        raise UsageError(f"{name}: {why}: choose a place where this user may write") from None


def _replace(path: Path, content: bytes) -> None:
    """Write beside it, under a name that nobody has, then give it its name."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
