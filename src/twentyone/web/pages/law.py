"""Law: contents, paragraphs, kinds, search; each paragraph with its entry, clause, code, tests and readings."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from fastapi.responses import RedirectResponse

from twentyone.errors import RulebookError
from twentyone.rulebook import Rulebook, loaded_rulebooks
from twentyone.rulebook.coverage import carriers_of, coverage, readings_of
from twentyone.rulebook.reader import KINDS, Entry
from twentyone.service.people import Person
from twentyone.web.api.law import find
from twentyone.web.html import Markup, chip, h, join
from twentyone.web.pages.shell import show

__all__ = ["show_book", "show_contents"]

NOTHING_FOUND = "No paragraph contains these words. Try fewer words, or another kind."


def _search(asked: str, action: str) -> Markup:
    given = h(
        "input",
        class_="tw-field tw-grow",
        name="q",
        value=asked,
        type="search",
        placeholder="rescue, cover card, 635a.10(d)",
    )
    return h(
        "form",
        h("label", "Search", given, class_="tw-label tw-grow"),
        h("button", "Search", class_="tw-button gold", type="submit"),
        class_="tw-panel tw-row",
        action=action,
        method="get",
        role="search",
    )


def show_contents(asked: str, person: Person | None) -> None:
    """The rulebooks, coverage at a glance, and a search over all of them."""
    rows = find(asked[:100])[:200] if asked.strip() else []
    shown = [_result(row) for row in rows] or h("p", NOTHING_FOUND, class_="tw-note")
    results = h("section", h("h2", f"{len(rows)} entries"), shown, class_="tw-panel") if asked.strip() else None
    main = h(
        "main", h("h1", "Law"), _search(asked, "/law"), results, _books(), _coverage(), class_="tw-main", id="main"
    )
    show("Law", "Law", person, main, styles=("law",))


def _result(row: dict[str, Any]) -> Markup:
    return h("p", chip(row["rulebook"], row["paragraph"], row["cite"]), " ", row["words"], class_="tw-found")


def _books() -> Markup:
    books, faults = loaded_rulebooks()
    cards = [
        h(
            "article",
            h("h2", h("a", book.title, href=f"/law/{book.id}"), class_="tw-game"),
            h("p", book.source, class_="tw-note"),
            h("p", f"{len(book.entries)} paragraphs, {len(book.readings)} readings"),
            class_="tw-panel",
        )
        for book in books
    ]
    left_out = [h("p", f"Left out: {fault}", class_="tw-note") for fault in faults]
    return h("div", h("div", cards, class_="tw-cards"), left_out)


def _coverage() -> Markup:
    books = coverage()
    head = h(
        "tr",
        h("th", "Rulebook", scope="col"),
        [h("th", kind, scope="col", class_=f"num {_slug(kind)}") for kind in KINDS],
        h("th", "missing", scope="col", class_="num"),
    )
    rows = [
        h(
            "tr",
            h("th", _named(name), _shares(book["kinds"]), scope="row"),
            [h("td", book["kinds"][kind], class_="num") for kind in KINDS],
            h("td", len(book["missing"]), class_="num"),
        )
        for name, book in books.items()
    ]
    table = h("table", h("thead", head), h("tbody", rows), class_="tw-table tw-coverage")
    return h(
        "section",
        h("h2", "How every paragraph is accounted for"),
        h("div", table, class_="tw-scroll", tabindex=0),
        class_="tw-panel",
    )


def _slug(kind: str) -> str:
    return kind.replace(" ", "-")


def _named(name: str) -> Markup:
    book = Rulebook.load(name)
    return h("a", f"{book.title}, {book.source}", href=f"/law/{name}")


def _shares(kinds: dict[str, int]) -> Markup:
    """The kinds of a book's paragraphs as parts of a bar."""
    parts = [h("i", class_=_slug(kind), style=f"flex-grow:{kinds[kind]}") for kind in KINDS if kinds[kind]]
    return h("span", parts, class_="tw-shares", aria_hidden="true")


def show_book(rulebook: str, asked: str, kind: str, person: Person | None) -> Any:
    """One rulebook: its contents and every entry, or those of a search and a kind."""
    try:
        book = Rulebook.load(rulebook)
    except RulebookError:
        return RedirectResponse("/law", 303)
    wanted = {row["paragraph"] for row in find(asked[:100], rulebook)} if asked.strip() else None
    entries = [entry for entry in book.entries.values() if wanted is None or entry.paragraph in wanted]
    entries = [entry for entry in entries if kind not in KINDS or entry.kind == kind]
    main = h(
        "main",
        h("h1", f"{book.title}: {book.source}"),
        _search(asked, f"/law/{rulebook}"),
        h(
            "div",
            _contents(book),
            h(
                "div",
                _kinds(book, kind, asked),
                h("p", f"{len(entries)} of {len(book.entries)} paragraphs", class_="tw-note"),
                [_entry(book, entry) for entry in entries] or h("p", NOTHING_FOUND),
            ),
            class_="tw-columns",
        ),
        class_="tw-main tw-book",
        id="main",
    )
    show(book.title, "Law", person, main, styles=("law",), scripts=("law",))
    return None


def _marked(text: str) -> list[Markup | str]:
    """Text in which the parts between backticks become code."""
    return [h("code", part) if index % 2 else part for index, part in enumerate(text.split("`"))]


def _kinds(book: Rulebook, kind: str, asked: str) -> Markup:
    """How the paragraphs are accounted for: each kind is a filter; the chosen one leads back to all."""
    counts = {name: sum(entry.kind == name for entry in book.entries.values()) for name in KINDS}
    links = [
        h(
            "a",
            f"{name} {count}",
            class_="tw-kind",
            href=f"/law/{book.id}?{urlencode({'kind': '' if name == kind else name, 'q': asked})}",
            aria_current="true" if name == kind else None,
        )
        for name, count in counts.items()
        if count
    ]
    return h("div", links, class_="tw-row tw-kinds", role="group", aria_label="kinds of paragraphs")


def _contents(book: Rulebook) -> Markup:
    """The headings of the text."""
    heads = [entry for entry in book.entries.values() if entry.title and "(" not in entry.paragraph]
    links = [
        h("li", h("a", f"{entry.paragraph} {entry.title}", href=f"/law/{book.id}#{entry.paragraph}")) for entry in heads
    ]
    return h("nav", h("h2", "Contents"), h("ul", links), class_="tw-panel tw-contents", aria_label="contents")


def _entry(book: Rulebook, entry: Entry) -> Markup:
    functions, readings = carriers_of(entry), readings_of(book, entry)
    return h(
        "article",
        h(
            "h2",
            h("a", book.cite(entry.paragraph), href=f"#{entry.paragraph}"),
            " ",
            h("span", entry.title),
            " ",
            h("span", entry.kind, class_=f"tw-kind {entry.kind.replace(' ', '-')}"),
        ),
        h("p", _marked(entry.words)),
        [h("p", h("b", f"{note.kind}: "), _marked(note.text), class_="tw-note") for note in entry.notes],
        h("details", h("summary", "clause"), h("pre", entry.fence, tabindex=0)) if entry.fence else None,
        h("p", "implemented by ", [join(h("code", name), " ") for name in functions], class_="tw-note")
        if functions
        else None,
        h("p", "readings: ", "; ".join(f"{r.name} ({', '.join(r.values)})" for r in readings), class_="tw-note")
        if readings
        else None,
        h(
            "p",
            h(
                "button",
                "its tests",
                class_="tw-link",
                type="button",
                data_act="tests",
                data_rulebook=book.id,
                data_paragraph=entry.paragraph,
            ),
        ),
        class_="tw-entry",
        id=entry.paragraph,
    )
