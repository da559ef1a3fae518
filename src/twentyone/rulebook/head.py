"""Reads the head of a rulebook, `rulebook.toml`: what it is called, its paragraphs, the order of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from twentyone.errors import RulebookError
from twentyone.rulebook.toml import read_toml
from twentyone.rulebook.values import UnknownWord, none_of, read_field
from twentyone.rulebook.vocabulary import Name, StepName, TaskName, Text

__all__ = ["read_changes", "read_head"]

NEEDED: dict[str, Any] = {
    "title": Text,
    "source": Text,
    "prefix": Text,
    "order": tuple[StepName, ...],
    "paragraphs": tuple[Name, ...],
}
"""The keys that every head has, with their types."""
OTHERS: dict[str, Any] = {
    "place": Text,
    "choices": Text,
    "regulation": bool,
    "opening": tuple[TaskName, ...],
    "showcase": Mapping[str, Any],
}
"""The keys that it may have."""


def read_head(file: Path) -> dict[str, Any]:
    """The head of a rulebook, checked."""
    head = _read(file, NEEDED | OTHERS)
    book, where = file.parent.name, _where(file)
    missing = [key for key in NEEDED if key not in head]
    if missing:
        raise RulebookError(book, f"the head needs {', '.join(missing)}", where)
    if head.get("choices", head["paragraphs"][0]) not in head["paragraphs"]:
        why = f"choices: {none_of(head['choices'], tuple(head['paragraphs'][:3]))} and the other paragraphs"
        raise RulebookError(book, why, where)
    return head


def read_changes(file: Path) -> dict[str, Any]:
    """What an edition changes in the head: any key but the paragraphs, which its entries say."""
    known = NEEDED | OTHERS
    return _read(file, {key: kind for key, kind in known.items() if key != "paragraphs"})


def _where(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"


def _read(file: Path, known: Mapping[str, Any]) -> dict[str, Any]:
    book, where = file.parent.name, _where(file)
    try:
        head = read_toml(file.read_text(encoding="utf-8"))
    except (ValueError, OSError) as wrong:
        why = getattr(wrong, "strerror", None) or wrong
        raise RulebookError(book, f"the head cannot be read: {why}", where) from None
    for key, value in head.items():
        if key not in known:
            raise RulebookError(book, f"key {none_of(key, tuple(known))}", where)
        try:
            read_field(known[key], value)
        except UnknownWord as wrong:
            raise RulebookError(book, f"{key}: {wrong}", where) from None
    return head
