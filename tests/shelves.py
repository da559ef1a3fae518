"""Another shelf of rulebooks in place of the package's: some changed, or gone."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.citing import known_cites
from twentyone.rulebook import folders, rulebook

__all__ = ["pay_otherwise", "put_shelf", "take_away"]


def put_shelf(patch: pytest.MonkeyPatch, folder: Path, changed: Callable[[Path], None]) -> None:
    """Let the software have rulebooks that were changed, for as long as the patch holds."""
    shelf = Path(shutil.copytree(folders.FOLDER, folder / "shelf"))
    changed(shelf)
    known_cites()
    patch.setattr(folders, "FOLDER", shelf)
    patch.setattr(rulebook, "_read", cache(rulebook._read.__wrapped__))


def pay_otherwise(shelf: Path) -> None:
    """Every book pays some hands otherwise than it did."""
    for folder in shelf.iterdir():
        for file in folder.glob("*.md"):
            text = file.read_text(encoding="utf-8")
            file.write_text(text.replace('"3:2"', '"5:4"').replace('"2:1"', '"7:4"'), encoding="utf-8")


def take_away(shelf: Path) -> None:
    """The software has none of these books any more."""
    for folder in shelf.iterdir():
        shutil.rmtree(folder)
