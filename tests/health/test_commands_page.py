"""docs/commands.md says of every command of a table what it does and which arguments it takes."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import twentyone.table.table  # noqa: F401 (registers the commands)
from twentyone.cards import Card
from twentyone.money import Amount
from twentyone.table.play import COMMANDS, Handler

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
TYPES: dict[type[Any], str] = {
    int: "whole number", str: "text", bool: "yes or no", Amount: "money", Card: "card", list: "list of boxes",
}  # fmt: skip


def row(name: str, handler: Handler) -> str:
    first, *others = (inspect.getdoc(handler.function) or "").splitlines()
    own = [line.removeprefix(f"{name}: ") for line in others if line.startswith(f"{name}: ")]
    says = own[0] if own else first
    takes = ", ".join(f"`{argument}` ({TYPES[kind]})" for argument, kind in handler.takes.items())
    return f"| `{name}` | {takes or '-'} | {says} |"


def test_the_page_has_each_command_as_it_is_declared() -> None:
    """A function that carries out several commands says in its docstring what each of them does."""
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert rows == [row(name, COMMANDS[name]) for name in sorted(COMMANDS)]
    said = [line.rpartition(" | ")[2] for line in rows]
    assert len(set(said)) == len(said)
