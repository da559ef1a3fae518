"""No test judges by the clock of a machine that may be busy: tests wait for what happens, `make bench` measures."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
MAY = {"patience.py", "web/timing.py"}
"""The one limit of all waits, and what compares two worlds by the same clock."""
CLOCKS = {f"{name}{unit}" for name in ("perf_counter", "monotonic") for unit in ("", "_ns")} | {"time.time"}
NAMES = {name.rpartition(".")[2] for name in CLOCKS}


def reads_clock(node: ast.AST) -> bool:
    """Whether something asks how late it is, or stops waiting after a number of seconds that stands there."""
    if isinstance(node, ast.keyword):
        value = node.value
        return node.arg == "timeout" and isinstance(value, ast.Constant) and bool(value.value)
    if not isinstance(node, ast.Call):
        return False
    if getattr(node.func, "attr", getattr(node.func, "id", "")) not in NAMES:
        return False
    called = ast.unparse(node.func)
    return called in CLOCKS or called.rpartition(".")[2] in CLOCKS


def clocks(text: str) -> list[int]:
    """The lines that do so."""
    return [node.lineno for node in ast.walk(ast.parse(text)) if reads_clock(node)]  # type: ignore[attr-defined]


def test_no_test_judges_by_a_clock() -> None:
    files = {str(path.relative_to(TESTS)): path for path in TESTS.rglob("*.py")}
    read = {name: clocks(path.read_text(encoding="utf-8")) for name, path in files.items() if name not in MAY}
    assert {name: lines for name, lines in read.items() if lines} == {}


@pytest.mark.parametrize(
    "planted",
    [
        "begun = time.monotonic()",
        "from time import perf_counter\nbegun = perf_counter()",
        "assert time.time() < end",
        "process.communicate(timeout=60)",
    ],
)
def test_a_planted_clock_is_found(planted: str) -> None:
    """The check can fail."""
    assert clocks(planted) != []


@pytest.mark.parametrize("allowed", ["future.result(timeout=PATIENCE)", "clock.time()", "future.result(timeout=0)"])
def test_what_does_not_judge_is_not_found(allowed: str) -> None:
    assert clocks(allowed) == []
