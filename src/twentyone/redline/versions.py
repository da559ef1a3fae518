"""Which law is meant: `ID`, `ID@DATE`, a folder with a changed rulebook, an amendment of another."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from twentyone.errors import RulebookError
from twentyone.redline.model import Version
from twentyone.rulebook import Rulebook
from twentyone.rulebook.amending import amended
from twentyone.rulebook.editions import EDITIONS_FILE
from twentyone.rulebook.folders import HEAD_FILE, files_of
from twentyone.rulebook.rulebook import rulebook_from

__all__ = ["amended_version", "folder_version", "named_version"]

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
