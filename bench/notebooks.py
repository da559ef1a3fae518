"""The notebooks: carried out cell by cell without Jupyter, and laid out as pages of the site.

A notebook is committed without outputs: the tests (tests/unit/test_odds_notebooks.py) and `make site` carry it out.
"""

from __future__ import annotations

import ast
import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["NOTEBOOKS", "Cell", "cells_of", "notebook_page", "run"]

ROOT = Path(__file__).parents[1]
NOTEBOOKS = tuple(sorted((ROOT / "notebooks").glob("*.ipynb")))


class Cell(NamedTuple):
    """A cell of a notebook."""

    kind: str
    """`markdown` or `code`."""
    source: str
    output: str = ""
    """What its run printed, and the value of its last line."""


def cells_of(path: Path) -> list[Cell]:
    """The cells as they are committed."""
    body = json.loads(path.read_text(encoding="utf-8"))
    return [Cell(cell["cell_type"], "".join(cell["source"])) for cell in body["cells"]]


def run(path: Path) -> Iterator[Cell]:
    """The cells with their outputs, from the first to the last, in one namespace, as a reader runs them."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells_of(path):
        yield cell._replace(output=_carry_out(cell.source, names, path.name)) if cell.kind == "code" else cell


def _carry_out(source: str, names: dict[str, Any], file: str) -> str:
    tree, out = ast.parse(source, file), io.StringIO()
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(out):
        exec(compile(tree, file, "exec"), names)
        value = eval(compile(ast.Expression(last.value), file, "eval"), names) if isinstance(last, ast.Expr) else None
        if value is not None:
            print(repr(value))
    return out.getvalue()


def notebook_page(path: Path, carried_out: bool) -> str:
    """A notebook as a page of the site, with its outputs where it is to be carried out."""
    return "\n\n".join(map(_markdown, run(path) if carried_out else cells_of(path))) + "\n"


def _markdown(cell: Cell) -> str:
    if cell.kind == "markdown":
        return cell.source
    said = f"\n\n```text\n{cell.output.rstrip()}\n```" if cell.output.strip() else ""
    return f"```python\n{cell.source}\n```{said}"
