"""The modules of a page as one file: a browser that has seen nothing yet asks once, not once for each module.

Each module keeps a scope of its own: `export` becomes what its function returns, `import` takes it from there. Only the
forms that our scripts have are known: named imports on one line, exported declarations, no
text over several lines, no circle.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

__all__ = ["joined", "joined_styles"]

IMPORT = re.compile(r"^import (?:\{ (?P<names>[\w, ]+) \} from )?'\./(?P<module>\w+)\.js';\n", re.MULTILINE)
LATER = re.compile(r"(?<!\{)\bimport\('\./(?P<module>\w+)\.js'\)")
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (?P<name>\w+))", re.MULTILINE)
COMMENT = re.compile(r"/\*(?:(?!\*/).)*\*/[ \n]?", re.DOTALL)
"""Comments and types, which nobody reads in a browser."""
INDENT = re.compile(r"^\s+", re.MULTILINE)
BETWEEN = re.compile(r"(?<=[{};,])\s+")
"""Space that a style has for its reader."""


def joined_styles(texts: Iterable[str]) -> str:
    """Styles one after the other."""
    return BETWEEN.sub("", COMMENT.sub("", "".join(texts)))


def joined(entries: Iterable[str], modules: Mapping[str, str]) -> str:
    """Some modules by their names and all that they import, each after those that it needs."""
    order = list[str]()
    for entry in entries:
        _add(entry, modules, order, ())
    return "".join(_scope(name, modules[name], order) for name in order)


def _add(name: str, modules: Mapping[str, str], order: list[str], within: tuple[str, ...]) -> None:
    if name in within:
        raise ValueError(f"modules import each other in a circle: {' -> '.join((*within, name))}")
    if name in order:
        return
    for found in IMPORT.finditer(modules[name]):
        _add(found["module"], modules, order, (*within, name))
    order.append(name)


def _scope(name: str, text: str, order: list[str]) -> str:
    exported = ", ".join(found["name"] for found in EXPORT.finditer(text))
    body = EXPORT.sub("", IMPORT.sub(_taken, INDENT.sub("", COMMENT.sub("", text))))
    body = LATER.sub(
        lambda found: f"Promise.resolve(${found['module']})" if found["module"] in order else found[0], body
    )
    return f"const ${name} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"


def _taken(found: re.Match[str]) -> str:
    return f"const {{ {found['names']} }} = ${found['module']};\n" if found["names"] else ""
