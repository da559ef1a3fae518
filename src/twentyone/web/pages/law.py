"""Law: contents, paragraphs, kinds, search; each paragraph with its entry, clause, code, tests and readings."""

from __future__ import annotations

from itertools import accumulate
from typing import Any
from urllib.parse import urlencode

import htpy as h
from fastapi import Request
from fastapi.responses import Response

from twentyone.errors import NoSuchEdition, NoSuchRulebook
from twentyone.rulebook import Edition, Rulebook, editions_of, loaded_rulebooks
from twentyone.rulebook.coverage import carriers_of, coverage, readings_of
from twentyone.rulebook.reader import KINDS, Entry
from twentyone.web.api.law import find
from twentyone.web.api.law_review import REVIEWERS
from twentyone.web.pages.figures import source_below
from twentyone.web.pages.shell import LookerHere, chip, show
from twentyone.web.pages.trouble import missing
from twentyone.web.rendering import rendering_of

__all__ = ["show_book", "show_contents"]

LONGEST = 100
"""Characters of a search."""
NOTHING_FOUND = "No paragraph contains these words. Try fewer words, or another kind."


def _search(asked: str, action: str) -> h.Element:
    given = h.input(
        ".tw-field.tw-grow", name="q", value=asked, type="search", placeholder="rescue, cover card, 635a.10(d)"
    )
    return h.form(".tw-panel.tw-row", action=action, method="get", role="search")[
        h.label(".tw-label.tw-grow")["Search", given], h.button(".tw-button.gold", type="submit")["Search"]
    ]


async def show_contents(request: Request, looker: LookerHere, q: str = "") -> Response:
    """The rulebooks, coverage at a glance, and a search over all of them."""
    asked, (books, faults) = q[:LONGEST], loaded_rulebooks()
    key = ("law", asked, *books, *map(str, faults))
    main = await rendering_of(request).part(request, key, lambda: _all_books(asked))
    return show("Law", "Law", looker, main, styles=("law",))


def _all_books(asked: str) -> h.Element:
    rows = find(asked)[:200] if asked.strip() else []
    shown = [_result(row) for row in rows] or h.p(".tw-note")[NOTHING_FOUND]
    results = h.section(".tw-panel")[h.h2[f"{len(rows)} entries"], shown] if asked.strip() else None
    compare = h.p[h.a(href="/compare")["Compare two of them, or price a changed clause"]]
    return h.main("#main.tw-main")[h.h1["Law"], _search(asked, "/law"), results, _books(), compare, _coverage()]


def _result(row: dict[str, Any]) -> h.Element:
    return h.p(".tw-found")[chip(row["rulebook"], row["paragraph"], row["cite"]), " ", row["words"]]


def _books() -> h.Element:
    books, faults = loaded_rulebooks()
    cards = [
        h.article(".tw-panel")[
            h.h2(".tw-game")[h.a(href=f"/law/{book.id}")[book.full_title]],
            h.p(".tw-note")[below] if (below := source_below(book.full_title, book.source)) else None,
            h.p[f"{len(book.entries)} paragraphs, {len(book.readings)} readings"],
        ]
        for book in books
    ]
    left_out = [h.p(".tw-note")[f"Left out: {fault}"] for fault in faults]
    return h.div[h.div(".tw-cards")[cards], left_out]


def _coverage() -> h.Element:
    books = coverage()
    head = h.tr[
        h.th(scope="col")["Rulebook"],
        [h.th(scope="col", class_=f"num {_slug(kind)}")[kind] for kind in KINDS],
        h.th(".num", scope="col")["missing"],
    ]
    rows = [
        h.tr[
            h.th(scope="row")[_named(name), _shares(book["kinds"])],
            [h.td(".num")[book["kinds"][kind]] for kind in KINDS],
            h.td(".num")[len(book["missing"])],
        ]
        for name, book in books.items()
    ]
    table = h.table(".tw-table.tw-coverage")[h.thead[head], h.tbody[rows]]
    return h.section(".tw-panel")[h.h2["How every paragraph is accounted for"], h.div(".tw-scroll", tabindex=0)[table]]


def _slug(kind: str) -> str:
    return kind.replace(" ", "-")


def _named(name: str) -> h.Element:
    book = Rulebook.load(name)
    return h.a(href=f"/law/{name}")[book.full_title]


def _shares(kinds: dict[str, int]) -> h.Element:
    """The kinds of a book's paragraphs as parts of a bar."""
    ends = list(accumulate(kinds[kind] for kind in KINDS))
    parts = [
        h.rect(class_=_slug(kind), x=end - kinds[kind], width=kinds[kind], height=1)
        for kind, end in zip(KINDS, ends, strict=True)
        if kinds[kind]
    ]
    return h.svg(".tw-shares", viewBox=f"0 0 {ends[-1]} 1", preserveAspectRatio="none", aria_hidden="true")[parts]


async def show_book(
    request: Request, rulebook: str, looker: LookerHere, q: str = "", kind: str = "", at: str = ""
) -> Response:
    """One rulebook, as it is law on a day: its contents and every entry, or those of a search and a kind."""
    try:
        book = Rulebook.load(rulebook, at=at[:40] or None)
    except NoSuchRulebook:
        return missing(looker, f"There is no rulebook “{rulebook}”.", ("All rulebooks", "/law"))
    except NoSuchEdition as refused:
        return missing(looker, f"{refused}.", ("The text that is held", f"/law/{rulebook}"))
    asked, chosen, reviews = q[:LONGEST], kind if kind in KINDS else "", looker.role in REVIEWERS
    key = ("law", book, asked, chosen, reviews)
    main = await rendering_of(request).part(request, key, lambda: _one_book(book, asked, chosen, reviews))
    return show(book.title, "Law", looker, main, styles=("law",), scripts=("law",))


def _one_book(book: Rulebook, asked: str, kind: str, reviews: bool) -> h.Element:
    wanted = {row["paragraph"] for row in find(asked, book.id)} if asked.strip() else None
    entries = [entry for entry in book.entries.values() if wanted is None or entry.paragraph in wanted]
    entries = [entry for entry in entries if not kind or entry.kind == kind]
    return h.main("#main.tw-main.tw-book")[
        h.h1[f"{book.title}: {book.source}"],
        h.p[
            h.a(href=f"/compare?{urlencode({'a': book.id})}")[
                "Compare it with another law, or change a clause and see its price"
            ]
        ],
        h.p[h.a(href=f"/review?rulebook={book.id}")["review it beside your own copy"]] if reviews else None,
        _editions(book),
        _search(asked, f"/law/{book.id}"),
        h.div(".tw-columns")[
            _contents(book),
            h.div[
                _kinds(book, kind, asked),
                h.p(".tw-note")[f"{len(entries)} of {len(book.entries)} paragraphs"],
                [_entry(book, entry) for entry in entries] or h.p[NOTHING_FOUND],
            ],
        ],
    ]


def _editions(book: Rulebook) -> h.Element:
    """Since when each text of a book is law, and which of them are held."""
    editions = editions_of(book.id)
    shown = book.edition or (editions.first.begins if editions.first is not None else "")
    rows = [h.li[_edition(book, edition, edition.begins == shown)] for edition in editions.all]
    why = editions.undated or ("" if rows else "no list says since when it is law")
    head = f"Law since {shown}" if shown else f"Without a date: {why}"
    return h.details(".tw-panel")[h.summary[head], h.ul[rows]] if rows else h.p(".tw-note")[head]


def _edition(book: Rulebook, edition: Edition, shown: bool) -> h.Node:
    touched = f": {', '.join(edition.paragraphs)}" if edition.paragraphs else ""
    says = f"{edition.begins}, {edition.source}{touched}"
    if shown or not edition.held:
        return f"{says} ({'shown here' if shown else 'not held'})"
    return h.a(href=f"/law/{book.id}?{urlencode({'at': edition.begins})}")[says]


def _marked(text: str) -> list[h.Element | str]:
    """Text in which the parts between backticks become code."""
    return [h.code[part] if index % 2 else part for index, part in enumerate(text.split("`"))]


def _kinds(book: Rulebook, kind: str, asked: str) -> h.Element:
    """How the paragraphs are accounted for: each kind is a filter; the chosen one leads back to all."""
    counts = {name: sum(entry.kind == name for entry in book.entries.values()) for name in KINDS}
    links = [
        h.a(
            ".tw-kind",
            href=f"/law/{book.id}?{urlencode({'kind': '' if name == kind else name, 'q': asked})}",
            aria_current="true" if name == kind else None,
        )[f"{name} {count}"]
        for name, count in counts.items()
        if count
    ]
    return h.div(".tw-row.tw-kinds", role="group", aria_label="kinds of paragraphs")[links]


def _contents(book: Rulebook) -> h.Element:
    """The headings of the text."""
    heads = [entry for entry in book.entries.values() if entry.title and "(" not in entry.paragraph]
    links = [h.li[h.a(href=f"/law/{book.id}#{entry.paragraph}")[f"{entry.paragraph} {entry.title}"]] for entry in heads]
    return h.nav(".tw-panel.tw-contents", aria_label="contents")[h.h2["Contents"], h.ul[links]]


def _entry(book: Rulebook, entry: Entry) -> h.Element:
    functions, readings = carriers_of(entry), readings_of(book, entry)
    return h.article(".tw-entry", id=entry.paragraph)[
        h.h2[
            h.a(href=f"#{entry.paragraph}")[book.cite(entry.paragraph)],
            " ",
            h.span[entry.title],
            " ",
            h.span(class_=f"tw-kind {entry.kind.replace(' ', '-')}")[entry.kind],
        ],
        h.p[_marked(entry.words)],
        [h.p(".tw-note")[h.b[f"{note.kind}: "], _marked(note.text)] for note in entry.notes],
        h.details[h.summary["clause"], h.pre(tabindex=0)[entry.fence]] if entry.fence else None,
        h.p(".tw-note")["implemented by ", [h.fragment[h.code[name], " "] for name in functions]]
        if functions
        else None,
        h.p(".tw-note")["readings: ", "; ".join(f"{r.name} ({', '.join(r.values)})" for r in readings)]
        if readings
        else None,
        h.p[
            h.button(
                ".tw-link", type="button", data_act="tests", data_rulebook=book.id, data_paragraph=entry.paragraph
            )["its tests"],
            " ",
            h.a(".tw-link", href=f"/rounds?{urlencode({'paragraph': book.cite(entry.paragraph)})}")[
                "rounds that cite it"
            ],
        ],
    ]
