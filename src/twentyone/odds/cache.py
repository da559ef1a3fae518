"""Results kept on disk by rulebook, submission and code; a cache that cannot be written is no error."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.rulebook import text_of

__all__ = ["code_hash", "folder", "kept", "key_of", "rulebook_hash", "submission_json"]

READ = ("cards.py", "hands.py", "money.py", "rulebook/**/*.py", "strategy/*.py", "odds/*.py")
"""The code that a result depends on."""


def folder() -> Path:
    """Where results are kept: `$XDG_CACHE_HOME/twentyone`, or `~/.cache/twentyone`."""
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    with contextlib.suppress(RuntimeError):
        return Path(base).expanduser() / "twentyone" / "odds"
    return Path(os.devnull)


@cache
def code_hash() -> str:
    """A hash of the code of the odds and all that it reads."""
    root = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for pattern in READ:
        for path in sorted(root.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def rulebook_hash(book: Rulebook) -> str:
    """A hash of a rulebook's literate files."""
    return hashlib.sha256(text_of(book).encode()).hexdigest()


def submission_json(rules: Rules) -> dict[str, Any]:
    """The submission in force, as JSON: every key, and every reading."""
    return rules.submission.to_json()


def key_of(rules: Rules, *what: str) -> str:
    """The name under which a result of these rules is kept."""
    parts = [rules.rulebook.id, rulebook_hash(rules.rulebook), submission_json(rules), code_hash(), *what]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def kept(key: str, make: Callable[[], dict[str, Any]], where: Path | None = None) -> tuple[dict[str, Any], bool]:
    """The result kept under a key and whether it was there; else what `make` answers, which is then kept."""
    path = (where or folder()) / f"{key}.json"
    body = _read(path)
    if body is not None:
        return body, True
    made = make()
    _write(path, made)
    return made, False


def _read(path: Path) -> dict[str, Any] | None:
    """The result of a file, if it is whole."""
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return body if isinstance(body, dict) else None


def _write(path: Path, body: dict[str, Any]) -> None:
    """Write a result whole or not at all."""
    part = path.with_suffix(f".{os.getpid()}.part")
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(body), encoding="utf-8")
        part.replace(path)
