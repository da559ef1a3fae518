"""Where rulebooks lie: in the package, and in the folder that `TWENTYONE_RULEBOOKS` names."""

from __future__ import annotations

import os
import re
from pathlib import Path

from twentyone.errors import RulebookError

__all__ = [
    "FOLDER",
    "HEAD_FILE",
    "OWN_FOLDER",
    "book_files",
    "files_of",
    "folder_of",
    "folders",
    "id_fault",
    "own_folder_of",
    "shelf_faults",
]

FOLDER = Path(__file__).parent.parent / "rulebooks"
"""The rulebooks of the package."""
OWN_FOLDER = "TWENTYONE_RULEBOOKS"
"""The environment variable that names a folder with more of them."""
HEAD_FILE = "rulebook.toml"
"""The head of a rulebook."""
PLAIN = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""A rulebook's id: also the name of its folder, of a table and of a page."""
TAKEN = ("coverage", "diff", "due", "new", "review", "test")
"""What `twentyone law` understands as something else than a rulebook's id."""


def id_fault(name: str) -> str | None:
    """What keeps a name from being a rulebook's id."""
    if not PLAIN.fullmatch(name):
        return "an id is made of at most 40 small letters, digits and hyphens, and does not begin with a hyphen"
    return f"`twentyone law {name}` is a command, so no rulebook can have this id" if name in TAKEN else None


def folders() -> dict[str, Path]:
    """Rulebook id to its folder: those of the package, and those of one's own folder."""
    own = _own()
    return {folder.name: folder for shelf in ([own, FOLDER] if own else [FOLDER]) for folder in _on(shelf)}


def folder_of(name: str) -> Path | None:
    """The folder of a rulebook; refused where two folders have its id."""
    if id_fault(name) is not None and name not in folders():
        return None
    own, ours = _own(), FOLDER / name
    if own is not None and _is_book(own / name):
        _check_id(own / name)
        return own / name
    return ours if _is_book(ours) else None


def shelf_faults() -> list[RulebookError]:
    """What is wrong with one's own folder as a whole."""
    own = _own()
    if own is None or _is_readable(own):
        return []
    return [RulebookError(OWN_FOLDER, "what it names is no folder that can be read")]


def own_folder_of(name: str) -> Path | None:
    """The folder of a rulebook that lies outside the package; None for the others."""
    folder = folder_of(name)
    return None if folder is None or folder.parent == FOLDER else folder


def book_files(folder: Path) -> list[Path]:
    """The files of a rulebook, one per heading of the text, in its order."""
    return sorted(folder.glob("[0-9]*.md"))


def files_of(folder: Path) -> list[Path]:
    """Every file that the law of a rulebook is written in."""
    return [*book_files(folder), folder / HEAD_FILE]


def _own() -> Path | None:
    named = os.environ.get(OWN_FOLDER)
    return Path(named) if named else None


def _on(shelf: Path) -> list[Path]:
    """The folders that are rulebooks, or the beginning of one."""
    inside = sorted(shelf.iterdir()) if _is_readable(shelf) else []
    return [folder for folder in inside if not folder.name.startswith(".") and _is_book(folder)]


def _is_book(folder: Path) -> bool:
    """Whether it is a rulebook's folder, or the beginning of one; one that is closed to us is told when it is read."""
    try:
        return (folder / HEAD_FILE).exists() or any(book_files(folder))
    except OSError:
        return True


def _is_readable(shelf: Path) -> bool:
    return shelf.is_dir() and os.access(shelf, os.R_OK | os.X_OK)


def _check_id(folder: Path) -> None:
    wrong = id_fault(folder.name)
    if wrong is not None:
        raise RulebookError(folder.name, wrong, f"${OWN_FOLDER}")
    if (FOLDER / folder.name).is_dir() and FOLDER.resolve() != folder.parent.resolve():
        why = "the package has a rulebook with this id: rename the folder"
        raise RulebookError(folder.name, why, f"${OWN_FOLDER}")
