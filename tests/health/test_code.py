"""The taste of the code as failing checks: literals, names, sizes, exports."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TypeVar

import pytest

from twentyone.rulebook import Rulebook, rulebook_ids

SOURCE = Path(__file__).parents[2] / "src" / "twentyone"
FILES = sorted(path for path in SOURCE.rglob("*.py"))
ROUND = sorted((SOURCE / "round").glob("*.py"))
CHAPTER = re.compile(r"\b(635a|673a|685a)\b|\bCh\. \d|Section 13|\bCOMAR\b")
ODDS = re.compile(r"\b\d+ ?(:|to) ?\d+\b|\$\d")
BOOKS = frozenset(rulebook_ids())
Found = TypeVar("Found")


def name_of(path: Path) -> str:
    return str(path.relative_to(SOURCE))


@cache
def walked(source: str) -> tuple[ast.AST, ...]:
    """Everything in a source, parsed once for all checks."""
    return tuple(ast.walk(ast.parse(source)))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Everything in a module."""
    return walked(path.read_text(encoding="utf-8"))


def found_in(paths: Iterable[Path], check: Callable[[Path], Found]) -> dict[str, Found]:
    """What a check finds, by module; a module in which it finds nothing is left out."""
    return {name_of(path): found for path in paths if (found := check(path))}


def literals(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, object]]:
    nodes = tuple(nodes)
    documents = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    documents |= {
        id(node.value) for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in documents:
            yield node.lineno, node.value


def faults_in_literals(nodes: Iterable[ast.AST]) -> list[str]:
    """What a literal in `round/` may not be: a number of the law, a rulebook, a chapter, odds, an amount."""
    faults = []
    for line, value in literals(nodes):
        if isinstance(value, int | float) and not isinstance(value, bool) and value not in (-1, 0, 1, 2):
            faults.append(f"{line}: the number {value}")
        if isinstance(value, str) and (value in BOOKS or CHAPTER.search(value) or ODDS.search(value)):
            faults.append(f"{line}: {value!r}")
    return faults


def test_round_has_no_number_of_the_law() -> None:
    """Numbers, odds, chapters and rulebooks come from clauses, never from a literal in `round/`."""
    assert found_in(ROUND, lambda path: faults_in_literals(nodes_of(path))) == {}


@pytest.mark.parametrize(
    "planted", ["x = 21", "y = 1.5", "b = 'pa-spanish-21'", "c = '635a.12(a)'", "o = '3:2'", "a = '$50'"]
)
def test_planted_literals_are_found(planted: str) -> None:
    """The check can fail."""
    assert faults_in_literals(ast.walk(ast.parse(planted))) != []


IDS = {*rulebook_ids(), *(reading.name for book in rulebook_ids() for reading in Rulebook.load(book).readings)}
NAMED = re.compile(rf"(?<![\w-])({'|'.join(sorted(IDS, key=len, reverse=True))})(?![\w-])")


def ids_in_literals(nodes: Iterable[ast.AST], help_texts: bool = False) -> list[str]:
    """The rulebooks and readings that literals name; a help text is one of several lines."""
    values = [value for _, value in literals(nodes) if isinstance(value, str)]
    return [name for value in values if not (help_texts and "\n" in value) for name in NAMED.findall(value)]


def in_cli(path: Path) -> bool:
    return path.relative_to(SOURCE).parts[0] == "cli"


def test_no_code_knows_a_rulebook_or_a_reading_by_name() -> None:
    """No literal names a rulebook or a reading (docstrings and the help texts of commands excepted)."""
    assert found_in(FILES, lambda path: ids_in_literals(nodes_of(path), help_texts=in_cli(path))) == {}


@pytest.mark.parametrize(
    ("planted", "ids"),
    [
        ("x = readings.get('face-up-ten') != 'ten-only'", ["face-up-ten"]),
        ("if book.id == 'md-spanish-21': pass", ["md-spanish-21"]),
        ("x = f'{a} of s13-spanish-21'", ["s13-spanish-21"]),
        ("x = 'two lines\\nof split-21'", ["split-21"]),
        ("def f():\n    'as in pa-spanish-21'\n    return 'not-a-split-21'", []),
    ],
)
def test_planted_ids_are_found(planted: str, ids: list[str]) -> None:
    """The check can fail."""
    assert ids_in_literals(list(ast.walk(ast.parse(planted)))) == ids


ANSWERED = {
    "ChanceResult", "ChanceSettled", "Envy", "Expose", "PaidAtOnce", "PayBlackjack", "Spared", "SurrenderSettled",
    "WheelPrize", "WheelSpin", "draws_for", "either_order", "if_up", "readings.get", "trigger", "wins_on",
    "with_double",
}  # fmt: skip
"""Clauses, and fields of clauses, whose meaning `Rules` answers."""
LAW = ("rulebook", "clauses")
NOT_ASKED = {
    "odds/side_wagers.py": {"wins_on"},
    "odds/variants.py": {"Spared"},
    "redline/restated.py": {"SurrenderSettled"},
    "table/layout.py": {"Envy"},
}
"""What is counted, taken away or compared as a whole, or printed on the layout as it is written."""


def meanings_in(nodes: Sequence[ast.AST]) -> set[str]:
    """The clauses and fields in a source that only `Rules` should look at."""
    names = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    names |= {
        f"{node.value.attr}.{node.attr}"
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute)
    }
    return names & ANSWERED


def test_a_meaning_is_answered_once() -> None:
    """Outside `rulebook/` nobody works out what these clauses mean: they ask `Rules`."""
    others = [path for path in FILES if path.parent.name not in LAW]
    assert found_in(others, lambda path: meanings_in(nodes_of(path))) == NOT_ASKED


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("from twentyone.rulebook.clauses import Spared", {"Spared"}),
        ("x = rules.all(c.PaidAtOnce)", {"PaidAtOnce"}),
        ("x = up.rank in step.if_up", {"if_up"}),
        ("x = rules.submission.readings.get(name)", {"readings.get"}),
        ("x = rules.spares('double')", set()),
    ],
)
def test_planted_meanings_are_found(planted: str, found: set[str]) -> None:
    """The check can fail."""
    assert meanings_in(list(ast.walk(ast.parse(planted)))) == found


def long_functions(nodes: Iterable[ast.AST]) -> list[str]:
    """Functions of more than 50 lines, asynchronous ones too."""
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [node.name for node in functions if (node.end_lineno or 0) - node.lineno >= 50]


def test_sizes() -> None:
    """Files under 400 lines, functions of at most 50."""
    assert found_in(FILES, lambda path: long_functions(nodes_of(path))) == {}
    lengths = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert {name: length for name, length in lengths.items() if length >= 400} == {}


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_a_planted_long_function_is_found(kind: str) -> None:
    """The check can fail, and one line less is no fault."""
    lines = [f"{kind} long():", *["    x = 1"] * 50]
    assert long_functions(ast.walk(ast.parse("\n".join(lines)))) == ["long"]
    assert long_functions(ast.walk(ast.parse("\n".join(lines[:-1])))) == []


def not_offered(path: Path) -> list[str]:
    """What a module says that it offers and has not; or that it does not say what it offers."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    module = import_module(".".join(parts).removesuffix(".__init__"))
    return [name for name in ("__all__", *getattr(module, "__all__", ())) if not hasattr(module, name)]


def test_all_is_complete() -> None:
    """Every module says what it offers, and has it."""
    assert found_in((path for path in FILES if path.name != "__main__.py"), not_offered) == {}


SERVING = {"secrets", "time", "datetime", "uuid"}
"""What sessions, commands and waiting people need."""


def test_core_does_not_print_or_draw_lots() -> None:
    """Below the command line nothing prints, reads a clock or draws lots, and no float touches money.

    The odds, the simulator and the workers that run them work in floats, in wagers and not in dollars, and measure how
    long they take. Service and web keep waiting times and make names of sessions and commands; nothing of that reaches
    a card. The people of a shift follow from its seed: they do neither. Training tells its scheduler the time that it
    is given as a date.
    """
    assert found_in((path for path in FILES if "cli" not in path.parts), forbidden_in) == {}


def forbidden_in(path: Path) -> set[str]:
    """What a module calls or imports and may not."""
    folder = "shift" if "shift" in path.parts else path.relative_to(SOURCE).parts[0]
    numeric = folder in ("desk", "odds", "review", "sim")
    nodes = nodes_of(path)
    calls = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    imports = {name.name.partition(".")[0] for node in nodes if isinstance(node, ast.Import) for name in node.names} | {
        (node.module or "").partition(".")[0] for node in nodes if isinstance(node, ast.ImportFrom)
    }
    called = calls & {"print", "input", "eval", "exec", *(() if numeric else ("float",))}
    allowed = {
        **{name: {"time"} for name in ("desk", "odds", "sim")},
        **dict.fromkeys(("service", "web"), SERVING),
        "training": {"datetime"},
    }.get(folder, set())
    entropy = {"secrets"} if name_of(path) == "table/shoe.py" else allowed
    return called | imports & {"random", "secrets", "time", "datetime", "uuid"} - entropy
