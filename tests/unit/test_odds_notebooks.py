"""The notebooks run from their first cell to their last, and are committed as nobody has run them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.notebooks import NOTEBOOKS, cells_of, notebook_page, run


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_something(path: Path) -> None:
    """Each holds its own figures against a second way: a cell that finds a difference stops it."""
    ran = list(run(path))
    assert [cell.source for cell in ran] == [cell.source for cell in cells_of(path)]
    assert sum(bool(cell.output) for cell in ran) >= 4
    assert any("assert " in cell.source for cell in ran)


def test_there_are_three_and_none_is_committed_with_what_a_run_left() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["audit-a-shift", "price-a-rule", "what-an-error-costs"]
    for path in NOTEBOOKS:
        body = json.loads(path.read_text(encoding="utf-8"))
        assert (body["nbformat"], body["nbformat_minor"]) == (4, 5)
        code = [cell for cell in body["cells"] if cell["cell_type"] == "code"]
        assert [(cell["outputs"], cell["execution_count"]) for cell in code] == [([], None)] * len(code)
        assert len({cell["id"] for cell in body["cells"]}) == len(body["cells"])


def test_a_cell_that_fails_stops_the_notebook_and_values_are_shown(tmp_path: Path) -> None:
    """The check can fail; names stay from cell to cell, and nothing is shown for a cell without a value."""
    sources = ["a = 20", "a + 1", "assert a == 21"]
    cells = [{"cell_type": "code", "source": [source]} for source in sources]
    (tmp_path / "own.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    ran = run(tmp_path / "own.ipynb")
    assert [next(ran).output, next(ran).output] == ["", "21\n"]
    with pytest.raises(AssertionError):
        next(ran)
    (tmp_path / "own.ipynb").write_text(json.dumps({"cells": cells[:2]}), encoding="utf-8")
    assert notebook_page(tmp_path / "own.ipynb", carried_out=True).endswith(
        "```python\na + 1\n```\n\n```text\n21\n```\n"
    )
