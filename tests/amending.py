"""Amendments of rulebooks for tests: a shelf in place of the package's, and editions written into it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.citing import known_cites
from twentyone.rulebook import Entry, folders, rulebook
from twentyone.rulebook.editions import EDITIONS_FILE
from twentyone.rulebook.reader import read_book

__all__ = ["Shelf", "add_edition", "entry_text", "put_shelf", "write_amendment"]

Shelf = Callable[[Callable[[Path], None]], Path]
"""Puts a changed copy of the package's shelf in its place."""


def put_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """What puts another shelf in place of the package's; each call changes the last one."""

    def put(change: Callable[[Path], None]) -> Path:
        shelf = tmp_path / "shelf"
        if not shelf.exists():
            shutil.copytree(folders.FOLDER, shelf)
        change(shelf)
        known_cites()
        monkeypatch.setattr(folders, "FOLDER", shelf)
        monkeypatch.setattr(rulebook, "_read", cache(rulebook._read.__wrapped__))
        return shelf

    return put


def add_edition(folder: Path, day: str, files: dict[str, str], *, held: bool = True, paragraphs: str = "") -> None:
    """List an edition, and write what its folder holds."""
    listed = folder / EDITIONS_FILE
    touched = f"paragraphs = [{paragraphs}]\n" if paragraphs else ""
    row = f'\n[[edition]]\nbegins = {day}\nsource = "a test"\n{touched}held = {str(held).lower()}\n'
    before = listed.read_text(encoding="utf-8") if listed.exists() else 'undated = "a test"\n'
    listed.write_text(before + row, encoding="utf-8")
    for name, text in files.items():
        (folder / day).mkdir(exist_ok=True)
        (folder / day / name).write_text(text, encoding="utf-8")


def entry_text(folder: Path, entry: Entry) -> str:
    """An entry as its file has it, under the bare headings over it."""
    file, _, line = entry.place.rpartition(":")
    lines = (folder.parent / file).read_text(encoding="utf-8").splitlines()
    begin = int(line) - 1
    end = next((at for at in range(begin + 1, len(lines)) if lines[at].startswith("#")), len(lines))
    over, depth = list[str](), _depth(lines[begin])
    for written in reversed(lines[:begin]):
        if written.startswith("#") and _depth(written) < depth:
            over, depth = [written, *over], _depth(written)
    return "\n\n".join([*over, "\n".join(lines[begin:end])]) + "\n"


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip("#"))


def write_amendment(folder: Path, day: str, old: str, new: str) -> None:
    """An edition that writes something otherwise in every entry whose fences have it."""
    changed = [entry for entry in read_book(folder, "") if old in entry.fence]
    assert changed, f"{folder.name} has no {old}"
    files = {f"{number:02}.md": entry_text(folder, entry).replace(old, new) for number, entry in enumerate(changed)}
    add_edition(folder, day, files)
