"""Where chance may come from: nothing that makes a shoe reaches `random` or numpy, and one module reads entropy."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
WEAK = {"random", "numpy", "scipy", "numba"}
"""Sources of chance that anyone can foretell, and what brings them along."""

ENTROPY = {"secrets"}
READS_ENTROPY = "twentyone.table.shoe"
SESSIONS = {
    "twentyone.service.entering",
    "twentyone.service.factors",
    "twentyone.service.people",
    "twentyone.service.sessions",
    "twentyone.web.security",
}
"""Make secrets of people, which no card depends on."""
ROOT = "twentyone"
"""Imports its own modules when they are asked for."""


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


TEXTS = {module_name(path): path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}


def imports(name: str, texts: Mapping[str, str]) -> frozenset[str]:
    """Everything a module imports, wherever in it the import stands; of ours, the packages above too."""
    return imports_of_text(texts[name])


@cache
def imports_of_text(text: str) -> frozenset[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("__import__", "import_module"):
            found.add("importlib")
    return frozenset(part for full in found for part in above(full))


def above(name: str) -> list[str]:
    """A module and the packages that are imported with it."""
    parts = name.split(".")
    return [".".join(parts[: count + 1]) for count in range(len(parts))]


def reached(start: set[str], texts: Mapping[str, str]) -> set[str]:
    """Our modules that are imported, directly or not, by some of them."""
    known, waiting = set[str](), set(start)
    while waiting:
        name = waiting.pop()
        known.add(name)
        waiting |= {other for other in imports(name, texts) if other in texts} - known
    return known


def table(texts: Mapping[str, str]) -> set[str]:
    return {name for name in texts if name == "twentyone.table" or name.startswith("twentyone.table.")}


def weak(texts: Mapping[str, str]) -> dict[str, set[str]]:
    """Modules within the table's reach that import weak chance, or import by a name worked out at run time."""
    found = {name: set(imports(name, texts)) & (WEAK | {"importlib"}) for name in reached(table(texts), texts)}
    found[ROOT].discard("importlib")
    return {name: what for name, what in found.items() if what}


def readers(texts: Mapping[str, str]) -> set[str]:
    """Modules below the command line that read the operating system's entropy."""
    below = {name for name in texts if not name.startswith("twentyone.cli")}
    return {name for name in below if imports(name, texts) & ENTROPY or "urandom" in texts[name]}


def test_the_table_is_there() -> None:
    """The walk starts somewhere and gets somewhere."""
    assert {"twentyone.table.shoe", "twentyone.table.health"} <= table(TEXTS)
    assert {"twentyone.cards", "twentyone.rulebook.rules", "twentyone"} <= reached(table(TEXTS), TEXTS)


def test_no_weak_chance_is_within_the_tables_reach() -> None:
    assert weak(TEXTS) == {}


def test_one_module_reads_entropy() -> None:
    """Of all that can reach a card, one; sessions and tokens of people are made beside it."""
    assert readers(TEXTS) == {READS_ENTROPY} | SESSIONS
    assert not SESSIONS & reached(table(TEXTS), TEXTS)


@pytest.mark.parametrize(
    ("module", "planted"),
    [
        ("twentyone.table.shoe", "import random"),
        ("twentyone.table.health", "def f():\n    from random import Random"),
        ("twentyone.table", "import numpy.random as chance"),
        ("twentyone.cards", "from numpy import random"),
        ("twentyone.rulebook.rules", "import scipy.stats"),
        ("twentyone.table.shoe", "from twentyone.cli import house"),
        ("twentyone.table.shoe", "from importlib import import_module"),
        ("twentyone.table.shoe", "chance = __import__('random')"),
    ],
)
def test_planted_weak_chance_is_found(module: str, planted: str) -> None:
    """The check can fail."""
    assert weak({**TEXTS, module: f"{TEXTS[module]}\n{planted}\n"}) != {}


@pytest.mark.parametrize("planted", ["import secrets", "from secrets import token_bytes", "from os import urandom"])
def test_a_second_reader_of_entropy_is_found(planted: str) -> None:
    """The check can fail."""
    assert "twentyone.round.play" in readers({**TEXTS, "twentyone.round.play": planted})
