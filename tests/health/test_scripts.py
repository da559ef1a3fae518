"""The scripts of the pages: checked by `make check`, and without what would make text into markup."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WEB = ROOT / "src" / "twentyone" / "web"
SCRIPTS = sorted((WEB / "static").glob("*.js"))
DENO = Path(sys.executable).parent / "deno"
MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\b"
)
STYLED = re.compile(r"""['"]?style['"]?\s*:|setAttribute\(\s*['"]style""")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_sets_text_and_never_markup(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert MARKUP.findall(text) == []
    assert [line for line in text.splitlines() if STYLED.search(line) and "currency" not in line] == []


def checked(tree: Path, planted: str) -> dict[str, int]:
    """The statuses of both checks, as `make check` runs them, over the scripts with a line added to one."""
    web = tree / "web"
    shutil.copytree(WEB, web, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copy(ROOT / "deno.json", tree)
    with (web / "static" / "dom.js").open("a", encoding="utf-8") as file:
        file.write(planted)
    found = {}
    settings = os.environ | {"DENO_DIR": str(tree / "deno"), "DENO_NO_UPDATE_CHECK": "1"}
    for name, what in (("lint", web), ("check", web / "static")):
        run = subprocess.run([DENO, name, "--quiet", what], cwd=tree, env=settings, capture_output=True, text=True)
        found[name] = run.returncode
    return found


@pytest.mark.parametrize(
    ("planted", "statuses"),
    [
        ("", {"lint": 0, "check": 0}),
        ("export const same = (/** @type {number} */ one) => one == 1;\n", {"lint": 1, "check": 0}),
        ("export const wrong = money({});\n", {"lint": 0, "check": 1}),
        ("export const untyped = (one) => one;\n", {"lint": 0, "check": 1}),
    ],
    ids=["as they are", "another comparison", "another type", "no type"],
)
def test_the_checks_of_scripts_find_what_is_planted(tmp_path: Path, planted: str, statuses: dict[str, int]) -> None:
    """Negative control of `make check`."""
    assert checked(tmp_path, planted) == statuses
