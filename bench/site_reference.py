"""Pages of the site that are made from the code: the Python API from its docstrings, every command from its help."""

from __future__ import annotations

import ast
import inspect
import os
import re
import textwrap
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any
from unittest.mock import patch

from twentyone.cli import COMMANDS, whole_parser

__all__ = ["MODULES", "command_page", "reference_page", "reference_pages"]

MODULES = (
    *("twentyone.rulebook", "twentyone.round", "twentyone.script", "twentyone.strategy", "twentyone.odds"),
    *("twentyone.sim", "twentyone.table", "twentyone.learn", "twentyone.money", "twentyone.cards", "twentyone.errors"),
)
"""What a program may import, in the order in which a reader meets it."""
WIDTH = "88"
"""Columns of a help text."""
MOST = 400
"""Characters of a value that is shown."""
SIGNATURE = 80
"""Columns of a signature."""
QUOTED = re.compile(r"(: |-> )'([^']+)'")
"""A type as `inspect` writes one that was not evaluated."""
SESSION = re.compile(r"(?m)^>>> (?:.*\n)+?(?=\n|\Z)")


def reference_pages() -> dict[str, str]:
    """A page for each module of the API, and one of all commands, by their places in the site."""
    pages = {f"docs/reference/{name.rpartition('.')[2]}.md": reference_page(import_module(name)) for name in MODULES}
    return {**pages, "docs/reference/commands.md": command_page()}


# -- the API


def reference_page(module: ModuleType) -> str:
    """What a module offers: every public name with its signature and what is said of it."""
    parts = [f"# {module.__name__}", said(module.__doc__), *(_named(module, name) for name in sorted(module.__all__))]
    return "\n\n".join(parts) + "\n"


def _named(module: ModuleType, name: str) -> str:
    value = getattr(module, name)
    if inspect.isclass(value):
        return "\n\n".join(_class(name, value))
    if callable(value):
        return f"## {name}\n\n{_signature(name, value)}\n\n{said(inspect.getdoc(value))}"
    shown = textwrap.shorten(repr(value).replace("twentyone.", ""), MOST, placeholder=" ...")
    return f"## {name}\n\n```python\n{textwrap.fill(f'{name} = {shown}', SIGNATURE, subsequent_indent='    ')}\n```"


def _class(name: str, value: type[Any]) -> Iterator[str]:
    fields = dict(_fields(value))
    signature = _signature(name, value)
    yield f"## {name}"
    yield f"```python\n{name}({', '.join(fields)})\n```" if "(*given" in signature else signature
    yield said(inspect.getdoc(value) if value.__doc__ else "")
    if fields:
        rows = (f"| `{field}` | {' '.join(text.split())} |" for field, text in fields.items())
        yield "\n".join(("| field | meaning |", "|---|---|", *rows))
    for other, member in vars(value).items():
        plain = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        says = inspect.getdoc(getattr(plain, "func", plain))
        if other.startswith("_") or not says or other in fields:
            continue
        if inspect.isfunction(plain):
            yield f"### {name}.{other}\n\n{_signature(other, plain)}\n\n{said(says)}"
        elif isinstance(plain, property) or hasattr(plain, "func"):
            yield f"### {name}.{other}\n\n{said(says)}"


def _signature(name: str, value: Any) -> str:
    try:
        signature = str(inspect.signature(value))
    except (TypeError, ValueError):
        signature = "(...)"
    written = textwrap.fill(
        QUOTED.sub(r"\1\2", f"{name}{signature}"), SIGNATURE, subsequent_indent="    ", break_on_hyphens=False
    )
    return f"```python\n{written}\n```"


def _fields(value: type[Any]) -> Iterator[tuple[str, str]]:
    """The fields of a class that have a docstring under them."""
    try:
        body = ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]
    except (OSError, TypeError):
        return
    assert isinstance(body, ast.ClassDef)
    for field, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            yield ast.unparse(field.target), str(text.value.value)


def said(text: str | None) -> str:
    r"""A docstring as Markdown: its sessions as blocks.

    >>> said("Add.\n\n>>> 1 + 1\n2")
    'Add.\n\n```python\n>>> 1 + 1\n2\n```'
    """
    return SESSION.sub(
        lambda block: f"```python\n{block[0].rstrip()}\n```\n", f"{inspect.cleandoc(text or '')}\n"
    ).strip()


# -- the commands


def command_page() -> str:
    """The help of every command, as it prints it."""
    actions = whole_parser()._subparsers
    assert actions is not None
    helps = actions._group_actions[0].choices
    assert isinstance(helps, dict)
    with patch.dict(os.environ, COLUMNS=WIDTH):
        parts = [f"## twentyone {name}\n\n```text\n{helps[name].format_help().rstrip()}\n```" for name in COMMANDS]
    return "\n\n".join(["# Every command and its options", "What `--help` prints.", *parts]) + "\n"
