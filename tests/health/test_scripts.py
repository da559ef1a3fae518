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


def checked(tree: Path, planted: dict[str, str]) -> tuple[dict[str, int], str]:
    """The statuses of both checks, as `make check` runs them, over the scripts with lines added, and what they say."""
    web = tree / "web"
    shutil.copytree(WEB, web, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copy(ROOT / "deno.json", tree)
    for name, line in planted.items():
        with (web / "static" / name).open("a", encoding="utf-8") as file:
            file.write(line)
    found, said = {}, ""
    settings = os.environ | {"DENO_DIR": str(tree / "deno"), "DENO_NO_UPDATE_CHECK": "1"}
    for name, what in (("lint", web), ("check", web / "static")):
        run = subprocess.run([DENO, name, "--quiet", what], cwd=tree, env=settings, capture_output=True, text=True)
        found[name], said = run.returncode, said + run.stderr
    return found, said


@pytest.mark.parametrize(
    ("planted", "statuses"),
    [
        (
            {"dom.js": "export const same = (/** @type {number} */ one) => one == 1;\n"},
            {"lint": 1, "check": 0},
        ),
        (
            {
                "dom.js": "export const wrong = money({});\n",
                "theme.js": "export const untyped = (one) => one;\n",
            },
            {"lint": 0, "check": 1},
        ),
    ],
    ids=["another comparison", "another type, and none"],
)
def test_the_checks_of_scripts_find_what_is_planted(
    tmp_path: Path, planted: dict[str, str], statuses: dict[str, int]
) -> None:
    """Negative control of `make check`: each fault is found, by the check that is for it and by no other."""
    found, said = checked(tmp_path, planted)
    assert found == statuses
    assert [name for name in planted if f"static/{name}" not in said] == []
