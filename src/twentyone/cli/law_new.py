"""`twentyone law new ID`: the folder of a new rulebook, which loads and plays at once."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import load_rulebook, say
from twentyone.rulebook import Rulebook, loaded_rulebooks, rulebook_ids
from twentyone.rulebook.coverage import law_folder, scripts_of
from twentyone.rulebook.folders import FOLDER, HEAD_FILE, OWN_FOLDER, book_files, folders, id_fault
from twentyone.rulebook.head import read_head

__all__ = ["write_new_book"]

BARE = re.compile(r"[A-Za-z0-9_-]+")
"""Keys that TOML takes without quotes."""


def write_new_book(name: str, options: argparse.Namespace) -> int:
    """Write the folder, and print how commands find it."""
    shelf = Path(options.folder or os.environ.get(OWN_FOLDER) or "rulebooks")
    title = options.title or name
    fault = _fault(name, title, shelf)
    if fault is not None:
        say(f"twentyone law new: {fault}")
        return REFUSED
    like = load_rulebook(options.like) if options.like else _our_own()
    try:
        _write(shelf / name, like, title)
    except OSError as wrong:
        why = f"{wrong.strerror or wrong}: choose a place where this user may write"
        say(f"twentyone law new: {shelf / name} cannot be written: {why}")
        return REFUSED
    print("\n".join(_next_steps(shelf / name, like)))
    return DONE


def _fault(name: str, title: str, shelf: Path) -> str | None:
    wrong = id_fault(name)
    if wrong is not None:
        return f"{name!r}: {wrong}"
    if not title.strip() or not title.isprintable():
        return f"--title {title!r}: a title consists of printable words"
    if name in rulebook_ids():
        return f"{name!r}: a rulebook with this id exists already"
    return f"{shelf / name} exists already" if (shelf / name).exists() else None


def _our_own() -> Rulebook:
    """The rulebook of the package that is not a regulation."""
    return next(book for book in loaded_rulebooks()[0] if not book.regulation and folders()[book.id].parent == FOLDER)


def _write(folder: Path, like: Rulebook, title: str) -> None:
    """Write the folder completely or not at all."""
    part = folder.with_name(f".{folder.name}.part")
    part.mkdir(parents=True)
    try:
        head = _head(read_head(folders()[like.id] / HEAD_FILE), like, title)
        (part / HEAD_FILE).write_text(head, encoding="utf-8")
        for file in book_files(folders()[like.id]):
            shutil.copyfile(file, part / file.name)
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    _copy_scripts(folder, like, f"{title} § ")


# -- the head


def _head(head: dict[str, Any], like: Rulebook, title: str) -> str:
    """The head of the copied book under its new name, as TOML."""
    own = {"title": title, "source": f"Our own, after {like.source}", "prefix": f"{title} § ", "regulation": False}
    rows = {**own, **{key: value for key, value in head.items() if key not in own}}
    return "".join(f"{key} = {_toml(value)}\n" for key, value in rows.items())


def _key(name: str) -> str:
    """A key, quoted where TOML wants it."""
    return name if BARE.fullmatch(name) else json.dumps(name)


def _toml(value: Any) -> str:
    """A value of the head as TOML; a list has one member per line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[\n" + "".join(f"    {_toml(inner)},\n" for inner in value) + "]"
    return json.dumps(value, ensure_ascii=False)


# -- the law scripts


def _copy_scripts(folder: Path, like: Rulebook, prefix: str) -> None:
    """The scripts of the copied book, with the new id and the new citations."""
    for script in scripts_of(like):
        body = json.loads(script.read_text(encoding="utf-8"))
        copy = law_folder(folder) / script.parent.name / script.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        renamed = {**_renamed(body, like.prefix, prefix), "rulebook": folder.name}
        copy.write_text(json.dumps(renamed, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(inner, old, new) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, old, new) for inner in value]
    return new + value.removeprefix(old) if isinstance(value, str) and value.startswith(old) else value


# -- what to do next


def _next_steps(folder: Path, like: Rulebook) -> list[str]:
    name, shelf = folder.name, folder.parent.resolve()
    named = os.environ.get(OWN_FOLDER)
    lines = [f"written: {folder} (a copy of {like.id})"]
    if shelf != FOLDER.resolve() and (not named or Path(named).resolve() != shelf):
        lines += ["commands find it after:", f"  export {OWN_FOLDER}={shelf}"]
    lines += [
        "then:",
        f"  twentyone law {name}                        its paragraphs",
        f"  twentyone law test {name}                   its law scripts",
        f"  twentyone play {name}",
        f"  python -m twentyone.odds.generate {name}    its chart, once its rules are final",
    ]
    return lines
