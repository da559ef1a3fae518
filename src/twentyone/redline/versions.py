"""Which law is meant: `ID`, `ID@DATE`, a folder with a changed rulebook, an amendment of another."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from twentyone.errors import NotAScript, RulebookError
from twentyone.redline.model import Version
from twentyone.rulebook import Rulebook
from twentyone.rulebook.amending import amended
from twentyone.rulebook.editions import EDITIONS_FILE
from twentyone.rulebook.folders import HEAD_FILE, files_of
from twentyone.rulebook.rulebook import rulebook_from, text_of
from twentyone.rulebook.toml import read_toml

__all__ = ["amended_version", "asked_versions", "fingerprint", "folder_version", "named_version"]

Given = Mapping[str, Any] | None


def named_version(name: str, given: Given = None) -> Version:
    """The law of a rulebook by its id, on a day where one is named behind an `@`.

    >>> named_version("pa-spanish-21@2020-01-01")
    Version(name='pa-spanish-21@2020-01-01', rules=<Rules pa-spanish-21>, stated=False, folder=None)
    """
    book, at, day = name.partition("@")
    law = Rulebook.load(book, at=day) if at else Rulebook.load(book)
    return Version(name, law.under(given), given is not None)


def folder_version(folder: Path, given: Given = None) -> Version:
    """The law of a folder that is not on the shelf; its scripts lie beside it."""
    if not (folder / HEAD_FILE).is_file():
        raise RulebookError(folder.name, f"it is no rulebook's folder: it has no {HEAD_FILE}")
    paths = [*files_of(folder), *([folder / EDITIONS_FILE] if (folder / EDITIONS_FILE).is_file() else [])]
    try:
        texts = {path.name: path.read_text(encoding="utf-8") for path in paths}
    except (UnicodeDecodeError, OSError) as wrong:
        raise RulebookError(folder.name, f"it cannot be read as text: {wrong}") from None
    law = rulebook_from(folder.resolve().name, texts)
    return Version(str(folder), law.under(given), given is not None, folder.resolve())


def amended_version(version: Version, text: str, name: str, given: Given = None) -> Version:
    """A law with fences changed by hand, under its own submission or another."""
    submission = version.rules.submission.given if given is None else given
    law = amended(version.book, text, name)
    return Version(name, law.under(submission), version.stated or given is not None)


AMENDMENT = "amendment"
"""What an amendment is called that came in no file."""


def asked_versions(asked: Mapping[str, Any]) -> tuple[Version, Version]:
    """Two laws as a page asks for them: `a`, `b` (else the first again), `amend`, and their submissions as TOML."""
    left = named_version(str(asked.get("a", "")), _submission(asked, "given"))
    other = _submission(asked, "other_given")
    right = named_version(str(asked.get("b") or asked.get("a", "")), other)
    amend = str(asked.get("amend") or "").replace("\r\n", "\n")
    return left, amended_version(right, amend, AMENDMENT, other) if amend.strip() else right


def _submission(asked: Mapping[str, Any], key: str) -> dict[str, Any] | None:
    text = str(asked.get(key) or "")
    if not text.strip():
        return None
    try:
        return read_toml(text)
    except ValueError as wrong:
        raise NotAScript(key, f"the submission is not TOML: {wrong}") from None


def fingerprint(*versions: Version) -> str:
    """What tells a comparison from another of the same names: the texts of both laws, and this code."""
    digest = hashlib.sha256(_code().encode())
    for version in versions:
        digest.update(text_of(version.book).encode())
    return digest.hexdigest()[:16]


@cache
def _code() -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.*")))).hexdigest()
