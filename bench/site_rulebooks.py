"""Pages of the site that are made from the rulebooks: a literate source as one page, readings with their prices."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from twentyone.odds.edges import known_edge
from twentyone.rulebook import Entry, Rulebook, editions_of, rulebook_ids
from twentyone.rulebook.declared import allowed_words, keys_of
from twentyone.rulebook.reader import is_under

__all__ = ["prices_in", "rulebook_page", "rulebook_pages"]

READINGS = Path(__file__).parents[1] / "docs" / "readings"
PRICE = re.compile(r"^\| (?P<book>[a-z][a-z0-9-]+) \| `(?P<value>[^`]+)` \| (?P<price>[^|]+) \|$", re.MULTILINE)
"""A row of what a reading costs, on its page."""
NAMED = re.compile(r"`([a-z0-9-]+)`")
DEPTH = 6
"""The deepest heading that a page has."""


def prices_in(page: str) -> dict[str, dict[str, str]]:
    """What a reading's page says that each of its values costs, by rulebook.

    >>> prices_in("| pa-spanish-21 | `one-card` | +0.3414 % |")
    {'pa-spanish-21': {'one-card': '+0.3414 %'}}
    """
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for row in PRICE.finditer(page):
        found[row["book"]][row["value"]] = row["price"].strip()
    return dict(found)


def rulebook_pages() -> dict[str, str]:
    """The page of every rulebook of the package, by its place in the site."""
    return {f"docs/rulebooks/{name}.md": rulebook_page(Rulebook.load(name)) for name in rulebook_ids()}


def rulebook_page(book: Rulebook) -> str:
    """A rulebook as one page: what may be chosen, what can be read two ways, then the text."""
    known = {path.stem for path in READINGS.glob("*.md")}
    lines = [f"# {book.full_title}", *_head(book), *_readings(book), *_choices(book), "## The text", ""]
    for entry in book.entries.values():
        depth = 2 + sum(is_under(entry.paragraph, over) for over in book.entries)
        lines += _entry(entry, min(depth, DEPTH), known)
    return "\n".join(lines) + "\n"


def _head(book: Rulebook) -> Iterator[str]:
    yield f"\n`{book.id}`, {book.source}: {len(book.entries)} paragraphs in our own words, each with the fence that"
    yield "says it to the machine. `twentyone law` tells of each which function carries it and which scripts hold it.\n"
    edge = known_edge(book.under())
    if edge is not None:
        yield f"House edge under the default submission, best play from a full shoe: **{100 * edge:.4f} %**.\n"
    editions = editions_of(book.id)
    yield f"In force since: {editions.undated or editions.first}.\n"


def _readings(book: Rulebook) -> Iterator[str]:
    if not book.readings:
        return
    yield "\n## Readings and their prices\n"
    yield "The first value is the default. A price is what the other value adds to the house edge, both played best.\n"
    yield from ("| reading | paragraph | values | price |", "|---|---|---|---|")
    for reading in book.readings:
        price = prices_in((READINGS / f"{reading.name}.md").read_text(encoding="utf-8")).get(book.id, {})
        told = "; ".join(f"`{value}` {text}" for value, text in price.items()) or "none: there is nothing to choose"
        values = " ".join(f"`{value}`" for value in reading.values)
        yield f"| [`{reading.name}`](../readings/{reading.name}.md) | {_link(reading.paragraph)} | {values} | {told} |"


def _choices(book: Rulebook) -> Iterator[str]:
    yield "\n## What the operator chooses\n"
    yield from ("| key | what | allowed | default | paragraph |", "|---|---|---|---|---|")
    for name, key in sorted(keys_of(book).items()):
        default = "" if key.default is None else f"`{key.default}`"
        yield f"| `{name}` | {key.says} | {allowed_words(key)} | {default} | {_link(key.paragraph)} |"
    yield ""


def _entry(entry: Entry, depth: int, known: set[str]) -> Iterator[str]:
    title = f" {entry.title}" if entry.title else ""
    yield f"{'#' * depth} {entry.paragraph}{title} {{#{anchor(entry.paragraph)}}}\n"
    yield f"{entry.words}\n"
    if entry.fence:
        yield f"```toml\n{entry.fence}\n```\n"
    yield "\n>\n".join(f"> *{note.kind}*: {_linked(note.text, known)}" for note in entry.notes) + "\n"


def _linked(text: str, known: set[str]) -> str:
    """A note in which the name of a reading leads to its page."""
    return NAMED.sub(lambda name: f"[{name[0]}](../readings/{name[1]}.md)" if name[1] in known else name[0], text)


def _link(paragraph: str) -> str:
    return f"[{paragraph}](#{anchor(paragraph)})"


def anchor(paragraph: str) -> str:
    """What a paragraph is called in an address.

    >>> anchor("Ch. 12.D(3)(j)[2]"), anchor("635a.10(d)")
    ('ch-12-d-3-j-2', '635a-10-d')
    """
    return re.sub(r"[^a-z0-9]+", "-", paragraph.lower()).strip("-")
