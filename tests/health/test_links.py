"""No link between the documents is dead: every file, every anchor; every page stands in the site's contents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from bench.build_site import DOCUMENTS as ELSEWHERE
from bench.build_site import stage
from bench.notebooks import NOTEBOOKS
from bench.site_reference import MODULES
from bench.site_rulebooks import anchor
from tests.shown import DOCUMENTS, FENCE, ROOT

from twentyone.rulebook import Rulebook, rulebook_ids

LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+?)(?: \{#(?P<id>[\w-]+)\})?$", re.MULTILINE)
"""A heading, and its anchor where one is given."""
CODE = re.compile(r"`+[^`\n]*`+")
PAGE = re.compile(r"^\s*- (?:.+: )?(?P<page>\S+\.md)$", re.MULTILINE)
"""A page in the contents of mkdocs.yml."""


def slug(heading: str) -> str:
    """What a heading is called in an address, as the site and code hosts have it.

    >>> slug("`twentyone.odds`: how & why"), slug("A new text")
    ('twentyoneodds-how-why', 'a-new-text')
    """
    plain = (
        unicodedata.normalize("NFKD", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading))
        .encode("ascii", "ignore")
        .decode()
    )
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


@cache
def anchors(path: Path) -> frozenset[str]:
    """The anchors of a document's headings; the second of a name is `name_1`."""
    found: set[str] = set()
    for heading, given in HEADING.findall(FENCE.sub("", path.read_text(encoding="utf-8"))):
        name, number = given or slug(heading), 0
        while (unique := f"{name}_{number}" if number else name) in found:
            number += 1
        found.add(unique)
    return frozenset(found)


def dead_links(place: Path, text: str, root: Path = ROOT) -> Iterator[str]:
    """The links of a document at this place that lead nowhere; those into the web are not looked at."""
    prose = CODE.sub("", FENCE.sub("", text))
    for target in (link["target"] for link in LINK.finditer(prose)):
        file, _, anchor = target.partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        path = (place.parent / file).resolve() if file else place
        if not path.exists() or root not in (path, *path.parents):
            yield f"{target}: there is no such file"
        elif anchor and anchor not in anchors(path):
            yield f"{target}: there is no such heading"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_link_of_a_document_is_dead(name: str) -> None:
    path = ROOT / name
    assert list(dead_links(path, path.read_text(encoding="utf-8"))) == []


def test_no_link_of_the_site_is_dead_and_rulebooks_are_whole(tmp_path: Path) -> None:
    """The pages that are made from rulebooks and code among them."""
    stage(tmp_path)
    pages = {path: path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.md")}
    faults = [(path.name, fault) for path, text in pages.items() for fault in dead_links(path, text, tmp_path)]
    assert faults == []
    for name in rulebook_ids():
        page = tmp_path / "docs" / "rulebooks" / f"{name}.md"
        book = Rulebook.load(name)
        assert {anchor(paragraph) for paragraph in book.entries} <= anchors(page)
        assert [entry.paragraph for entry in book.entries.values() if entry.fence not in pages[page]] == []
        priced = pages[page].partition("## The text")[0]
        assert [reading.name for reading in book.readings if f"[`{reading.name}`]" not in priced] == []


def test_every_page_stands_in_the_contents_of_the_site() -> None:
    """Readings are reached from their list."""
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = PAGE.findall(contents[contents.index("nav:") :])
    made = {f"docs/rulebooks/{name}.md" for name in rulebook_ids()}
    made |= {f"notebooks/{path.stem}.md" for path in NOTEBOOKS}
    made |= {f"docs/reference/{name.rpartition('.')[2]}.md" for name in MODULES} | {"docs/reference/commands.md"}
    readings = {name for name in DOCUMENTS if name.startswith("docs/readings/") and not name.endswith("README.md")}
    assert sorted(listed) == sorted((set(DOCUMENTS) | made) - readings)
    assert set(ELSEWHERE) == {name for name in DOCUMENTS if not name.startswith("docs/")}


def test_every_reading_is_reached_from_the_list() -> None:
    folder = ROOT / "docs" / "readings"
    listed = (folder / "README.md").read_text(encoding="utf-8")
    assert [
        path.name for path in folder.glob("*.md") if path.name != "README.md" and f"]({path.name})" not in listed
    ] == []


def test_the_readme_has_a_picture_that_is_small() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    picture = re.search(r"!\[[^\]]+\]\((\S+)\)", text)
    assert picture is not None
    assert (ROOT / picture[1]).stat().st_size < 200_000


def test_a_dead_link_is_noticed() -> None:
    """The check can fail: a file, a heading, a place outside the project; code and the web are let be."""
    text = (
        "[a](none.md) [b](web.md#none) [c](#odds) [d](../../x.md) [e](web.md#for-players) [f](https://x.org) `[g](h)`"
    )
    found = [fault.partition(":")[0] for fault in dead_links(ROOT / "docs" / "odds.md", text)]
    assert found == ["none.md", "web.md#none", "../../x.md"]
