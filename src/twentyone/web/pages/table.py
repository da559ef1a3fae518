"""Table: the layout, the decisions, the panel; consoles for the staff."""

from __future__ import annotations

from typing import Any

from fastapi.responses import RedirectResponse

from twentyone.service.people import Person
from twentyone.service.service import Service
from twentyone.service.staff import PACES
from twentyone.table.layout import layout
from twentyone.table.layout_svg import draw_layout
from twentyone.web.html import Markup, h, raw
from twentyone.web.pages.shell import show

__all__ = ["show_table", "stage"]

OPERATOR = "twentyone"
"""The operator's name, for layouts that show one."""


def show_table(service: Service, name: str, person: Person | None) -> Any:
    """The page of one table."""
    if name not in service.tables:
        return RedirectResponse("/", 303)
    live = service.table(name)
    rules = live.runner.table.rules
    book, chosen = rules.rulebook, rules.submission
    low, high = chosen.get("table_minimum"), chosen.get("table_maximum")
    between = f" · ${low}–${high}" if low and high else ""
    main = h(
        "main",
        h("h1", f"{book.title}: table {name}", class_="sr"),
        h("div", "", class_="tw-gone", data_part="gone", role="status", hidden=True),
        h(
            "section",
            stage(rules),
            h("div", "", class_="tw-wheelbox", data_part="wheel", hidden=True),
            _controls(),
            class_="tw-play",
        ),
        _side(dealt_by_people=live.entered),
        class_="tw-table-page",
        id="main",
        data_page="table",
        data_table=name,
        data_rulebook=book.id,
    )
    about = f"{book.title} · {book.source}{between} · {chosen['decks']} decks"
    show(f"{book.title}, {name}", "Tables", person, main, styles=("layout", "table"), scripts=("table",), about=about)
    return None


def stage(rules: Any) -> Markup:
    """The picture of the layout."""
    here = layout(rules)
    drawn = draw_layout(here, signs=False)
    for item in here.of("name"):
        drawn = drawn.replace(f">{item.text}<", f">{OPERATOR}<")
    return h("div", raw(drawn), class_="tw-stage", data_part="stage")


def _controls() -> Markup:
    return h(
        "div",
        h("p", "", class_="tw-say", data_part="say"),
        h(
            "div",
            h("div", "", class_="tw-bar", data_part="actions", role="group", aria_label="decisions"),
            h(
                "button",
                h("kbd", "?", aria_hidden="true"),
                h("span", "Hint"),
                h("small", "exact odds"),
                class_="tw-button",
                type="button",
                data_part="hints",
                aria_keyshortcuts="?",
                hidden=True,
            ),
            class_="tw-deck",
        ),
        h("div", "", class_="sr", aria_live="polite", data_part="announce"),
        class_="tw-controls",
    )


def _side(dealt_by_people: bool) -> Markup:
    paces = [h("option", name, value=name, selected=name == "normal") for name in PACES]
    return h(
        "aside",
        h("section", h("h2", "Why"), h("div", "", class_="tw-law", data_part="why"), hidden=True),
        h("section", "", data_part="console", hidden=True),
        h("section", "", data_part="worth"),
        h("section", "", data_part="meters"),
        h(
            "section",
            h("h2", "Round", data_part="round"),
            h("ol", "", class_="tw-story", data_part="story"),
            h("p", "Nothing has happened here yet.", class_="tw-note tw-empty"),
            class_="tw-told",
        ),
        h("section", h("h2", "Shoe"), h("p", "", class_="tw-note", data_part="shoe")),
        h(
            "div",
            h(
                "label",
                "Dealer's pace",
                h("select", paces, class_="tw-field", data_part="pace"),
                class_="tw-label",
                hidden=dealt_by_people,
            ),
            h("button", "Leave the table", class_="tw-button", type="button", data_part="leave", hidden=True),
            class_="tw-row tw-foot",
        ),
        class_="tw-panel tw-side",
        aria_label="what happened and why",
    )
