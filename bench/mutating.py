"""Mutants of a Python module: one comparison, operator, number or condition is another, everything else the same."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

__all__ = ["Mutant", "mutants_of"]

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitXor: ast.BitOr,
}  # fmt: skip


class Mutant(NamedTuple):
    """One change."""

    line: int
    """Where it is."""
    says: str
    """What became what."""
    source: str
    """The whole module with it."""


def mutants_of(source: str) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its tree."""
    tree = ast.parse(source)
    silent = {id(inner) for part in _silent(tree) for inner in ast.walk(part)}
    for place, node in enumerate(ast.walk(tree)):
        for change in () if id(node) in silent else _changes(node):
            mutated = copy.deepcopy(tree)
            twin = next(found for number, found in enumerate(ast.walk(mutated)) if number == place)
            new = change(twin)
            if new is not None:
                _replace(mutated, twin, new)
            said = f"{ast.unparse(node)[:70]} -> {ast.unparse(new if new is not None else twin)[:70]}"
            yield Mutant(getattr(node, "lineno", 0), said, ast.unparse(mutated))


def _silent(tree: ast.Module) -> Iterator[ast.AST]:
    """What is no behaviour: annotations, what is raised or asserted, texts, `__all__`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from filter(None, [node.returns, *(argument.annotation for argument in node.args.args)])
        elif isinstance(node, ast.AnnAssign):
            yield node.annotation
        elif isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr) or _is_list_of_names(node):
            yield node


def _is_list_of_names(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith("__")


def _changes(node: ast.AST) -> Iterator[Callable[[Any], ast.AST | None]]:
    """What can be done to a node, each a function of its twin; where the function answers a node, that replaces it."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        yield lambda twin: twin.ops.__setitem__(0, COMPARISONS[type(twin.ops[0])]())
    elif isinstance(node, ast.BoolOp):
        yield lambda twin: setattr(twin, "op", ast.Or() if isinstance(twin.op, ast.And) else ast.And())
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in OPERATORS:
        yield lambda twin: setattr(twin, "op", OPERATORS[type(twin.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield lambda twin: twin.operand
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield lambda twin: setattr(twin, "value", twin.value + 1)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield lambda twin: setattr(twin, "value", not twin.value)
    elif isinstance(node, ast.IfExp):
        yield lambda twin: twin.orelse
    elif isinstance(node, ast.If | ast.While) and not isinstance(node.test, ast.Compare | ast.BoolOp):
        yield lambda twin: setattr(twin, "test", ast.UnaryOp(ast.Not(), twin.test))


def _replace(tree: ast.Module, old: ast.AST, new: ast.AST) -> None:
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if value is old:
                setattr(node, name, new)
                return
            if isinstance(value, list) and any(item is old for item in value):
                value[next(place for place, item in enumerate(value) if item is old)] = new
                return
