"""Modules joined to one file: the forms that are known are all that our scripts have."""

from __future__ import annotations

import re

import pytest

from twentyone.web.joined_modules import joined
from twentyone.web.static_files import FILES, content

SCRIPTS = {name.removesuffix(".js"): text.decode() for name, text in FILES.items() if name.endswith(".js")}


def test_each_module_has_a_scope_and_comes_after_what_it_needs() -> None:
    modules = {
        "a": "/** A note. */\nimport { two } from './b.js';\nimport './c.js';\nexport const one = two + 1;\n",
        "b": "import './c.js';\nconst own = 2;\nexport const two = own;\nexport class Three {}\n",
        "c": "globalThis.seen = 1;\n",
    }
    assert joined(["a"], modules) == (
        "const $c = (() => {\nglobalThis.seen = 1;\nreturn {  };\n})();\n"
        "const $b = (() => {\nconst own = 2;\nconst two = own;\nclass Three {}\nreturn { two, Three };\n})();\n"
        "const $a = (() => {\nconst { two } = $b;\nconst one = two + 1;\nreturn { one };\n})();\n"
    )


def test_a_module_that_is_loaded_later_is_taken_from_the_file_if_it_is_in_it() -> None:
    modules = {"a": "const load = () => import('./b.js');\n", "b": "export const two = 2;\n"}
    assert "Promise.resolve($b)" in joined(["b", "a"], modules)
    assert "import('./b.js')" in joined(["a"], modules)


def test_a_circle_is_refused() -> None:
    modules = {"a": "import { b } from './b.js';\n", "b": "import { a } from './a.js';\n"}
    with pytest.raises(ValueError, match="a -> b -> a"):
        joined(["a"], modules)


def test_all_our_modules_join() -> None:
    """No import or export is left, and no line of code is lost with a comment."""
    together = joined(SCRIPTS, SCRIPTS)
    squeezed = together.replace(" ", "")
    assert re.findall(r"^\s*(?:import|export)\b.*", together, re.MULTILINE) == []
    for name, text in SCRIPTS.items():
        assert not [said for said in re.findall(r"`[^`]*`", text) if "\n" in said], f"{name}: a text over several lines"
        lines = map(str.strip, "".join(part.split("*/", 1)[-1] for part in f"*/{text}".split("/*")).splitlines())
        kept = [line for line in lines if line and not re.match(r"import|export|.*import\(", line)]
        missing = [line for line in kept if line.replace(" ", "") not in squeezed]
        assert missing == [], name


def test_nothing_else_is_served_under_a_joined_name() -> None:
    for name in ("table+table.js", "table+none.js", "app+table+app.css", "+.js", "../app.py"):
        assert content(name) is None, name
