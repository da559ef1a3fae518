"""Every file and folder that the documents of the project name is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = ("ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "docs/command-line.md")
FOLDERS = ("bench", "conformance", "docs", "notebooks", "src", "tests")
"""Folders of the project whose files documents speak of."""
PACKAGES = tuple(path.name for path in (ROOT / "src" / "twentyone").iterdir() if path.is_dir())
"""The packages under `twentyone`, from which paths are written."""
SUFFIXES = (".py", ".md", ".toml", ".css", ".js", ".json", ".sql", ".txt")
QUOTED = re.compile(r"`([^`\s]+)`|\]\(([^)\s#]+)")
"""A word in backquotes, or the target of a link."""
OPEN = re.compile(r"<[^>]*>|\*")
"""A part of a path that stands for any name."""

OWN = ("law/", "my-game/")
"""How paths in a folder of one's own rulebooks begin."""
EXAMPLES = {
    "tests/law/pa-spanish-21/635a.12/b.4-what-happens.json": "how a law script is named",
    "NN-heading.md": "how a file of a rulebook is named",
    "SUBMISSION.toml": "an argument",
    "SCRIPT.json": "an argument",
}
"""Names that stand for files, and what they show."""


@cache
def project_paths() -> str:
    """Files and folders of the project, each on a line: `/src/twentyone/cards.py`, `/src/twentyone/round/`."""
    paths = [path for folder in FOLDERS for path in (ROOT / folder, *(ROOT / folder).rglob("*"))]
    paths += [path for path in ROOT.iterdir() if path.is_file()]
    return "\n".join(f"/{path.relative_to(ROOT).as_posix()}{'/' if path.is_dir() else ''}" for path in paths)


def named_in(text: str) -> Iterator[str]:
    """What looks like a file or a folder: by its suffix, a slash at its end, or the folder that it begins with."""
    for word in (one or two for one, two in QUOTED.findall(text)):
        name = word.removeprefix("src/twentyone/")
        if "://" in word or word.startswith(OWN) or word in EXAMPLES:
            continue
        first, slash, _ = name.partition("/")
        if word.endswith((*SUFFIXES, "/")) or (slash and first in (*FOLDERS, *PACKAGES)):
            yield word


def missing_from(text: str) -> list[str]:
    """The files and folders that a text names and the project does not have; a path may leave out its first folders."""
    return [name for name in named_in(text) if not _exists(name)]


def _exists(name: str) -> bool:
    pattern = r"[^/\n]+".join(re.escape(part) for part in OPEN.split(name.removeprefix("../")))
    return re.search(f"/{pattern}/?$", project_paths(), re.MULTILINE) is not None


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_in_a_document_exists(document: str) -> None:
    """A file that is renamed is renamed in the documents too."""
    text = (ROOT / document).read_text(encoding="utf-8")
    assert missing_from(text) == []
    assert len(set(named_in(text))) > 5, "the check reads no paths out of it"


def test_no_example_is_kept_that_no_document_has() -> None:
    """The list of exceptions can only become shorter."""
    texts = "".join((ROOT / document).read_text(encoding="utf-8") for document in DOCUMENTS)
    assert {name: why for name, why in EXAMPLES.items() if name not in texts} == {}


def test_a_path_that_is_not_there_is_noticed() -> None:
    """The check can fail: a module that became a package, a folder, a link; names that are no paths are let be."""
    text = (
        "`rulebook/clauses.py`, `rulebook/clauses/`, `clauses/base.py`, `rulebooks/<id>/*.md`, `web/none/`, `round/x`"
    )
    assert missing_from(text) == ["rulebook/clauses.py", "web/none/", "round/x"]
    assert missing_from("[a page](docs/none.md), [another](docs/web.md#people), `cards.py`, `ards.py`") == [
        "docs/none.md",
        "ards.py",
    ]
    assert missing_from("`round-script/1`, `@carries(...)`, `Rules`, [out](https://example.org/x.md)") == []
