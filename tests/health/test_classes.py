"""Classes: at most twelve public methods each, and one definition of a name; the exceptions can only become fewer."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping

from tests.health.test_code import FILES, name_of, walked

MOST_METHODS = 12

LARGER = {
    "Play": (14, "round/play: what every step of the procedure asks of a round"),
    "Totals": (16, "sim/stats: one figure of the same sums each"),
}
"""Class to the public methods it has, and why they stay together."""

SHARED = {
    "Decision": "the clause, and the command of a round: both public",
}
"""Class names with several definitions, and what they are."""


def sources() -> dict[str, str]:
    """The modules of the package by name."""
    return {name_of(path): path.read_text(encoding="utf-8") for path in FILES}


def classes(modules: Mapping[str, str]) -> Iterator[tuple[str, ast.ClassDef]]:
    """Every public class and the module that defines it."""
    for module, source in modules.items():
        for node in walked(source):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield module, node


def larger(modules: Mapping[str, str]) -> dict[str, int]:
    """Classes with more public methods than there should be (properties are methods), and how many."""
    counts = sorted((len(_public_methods(node)), node.name) for _, node in classes(modules))
    return {name: count for count, name in counts if count > MOST_METHODS}


def _public_methods(node: ast.ClassDef) -> set[str]:
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {method.name for method in methods if not method.name.startswith("_")}


def shared(modules: Mapping[str, str]) -> dict[str, list[str]]:
    """Class names with several definitions, and where these are."""
    where = defaultdict(list)
    for module, node in classes(modules):
        where[node.name].append(module)
    return {name: found for name, found in where.items() if len(found) > 1}


def test_a_class_has_at_most_twelve_public_methods() -> None:
    """Those that have more are listed with their number: one more is too many, one less is to be written down."""
    assert larger(sources()) == {name: count for name, (count, _) in LARGER.items()}


def test_one_class_name_one_definition() -> None:
    """No name is shared but those that are listed, and no name is listed that is not shared any more."""
    names = shared(sources())
    assert {name: where for name, where in names.items() if name not in SHARED} == {}
    assert {name: why for name, why in SHARED.items() if name not in names} == {}


def test_a_planted_class_is_noticed() -> None:
    """The checks can fail: thirteen methods, asynchronous ones and properties too, and a name with two definitions."""
    methods = [f"    def m{number}(self): ..." for number in range(11)]
    twelve = "\n".join(["class Large:", *methods, "    async def m11(self): ...", "    def _private(self): ..."])
    assert larger({"a.py": twelve}) == {}
    assert larger({"a.py": f"{twelve}\n    @property\n    def m12(self): ..."}) == {"Large": 13}
    assert shared({"a.py": "class A: ...\nclass _B: ...", "b.py": "class B: ...\nclass _B: ..."}) == {}
    assert shared({"a.py": "class A: ...", "b.py": "class A: ..."}) == {"A": ["a.py", "b.py"]}
