"""Table: the layout, the decisions, the panel; consoles for the staff."""

from __future__ import annotations

from functools import lru_cache

import htpy as h
from fastapi.responses import Response
from markupsafe import Markup

from twentyone.rulebook import Rules
from twentyone.service.own_rounds import told_after
from twentyone.service.paces import PACES
from twentyone.table.layout import layout
from twentyone.table.layout_svg import draw_layout
from twentyone.web.api.common import ServiceHere
from twentyone.web.api.tables import SPECTATOR
from twentyone.web.pages.figures import source_below
from twentyone.web.pages.game import drawer
from twentyone.web.pages.shell import LookerHere, show

__all__ = ["FELT_STYLES", "show_table", "stage"]

FELT_STYLES = ("felt", "layout", "table")
"""The styles of a page with a layout on it."""

STAFF = ("dealer", "floorperson", "administrator")
"""Who has a console at a table."""
OPERATOR = "twentyone"
"""The operator's name, for layouts that show one."""
KEPT = 128
"""Layouts that are kept as they were drawn."""


async def show_table(name: str, service: ServiceHere, looker: LookerHere) -> Response:
    """The page of one table."""
    live = service.table(name)
    rules = live.runner.table.rules
    book, chosen = rules.rulebook, rules.submission
    low, high = chosen.get("table_minimum"), chosen.get("table_maximum")
    between = f" · ${low}–${high}" if low and high else ""
    person = looker.person or SPECTATOR
    now, _ = live.frame(person, told_after(live, person, 0))
    given = {"data-page": "table", "data-table": name, "data-rulebook": book.id, "data-now": now}
    main = h.main("#main.tw-table-page", given, data_works=looker.role in STAFF)[
        h.h1(".sr")[f"{book.full_title}: table {name}"],
        h.div(".tw-gone", data_part="gone", role="status", hidden=True),
        h.section(".tw-play")[stage(rules), _controls()],
        _side(),
        drawer(service, live),
    ]
    source = source_below(book.full_title, book.source)
    about = f"{book.full_title}{source and f' · {source}'}{between} · {chosen['decks']} decks"
    title = f"{book.full_title}, {name}"
    staff = ("console",) if looker.role in STAFF else ()
    styles, scripts = (*FELT_STYLES, "fit", "game", "clock", *staff), (*staff, "table", "drawer")
    return show(title, "Tables", looker, main, styles=styles, scripts=scripts, about=about)


@lru_cache(maxsize=KEPT)
def stage(rules: Rules) -> Markup:
    """The picture of the layout, drawn once for each game."""
    here = layout(rules)
    drawn = draw_layout(here, signs=False, styled=False)
    for item in here.of("name"):
        drawn = drawn.replace(f">{item.text}<", f">{OPERATOR}<")
    return Markup(h.div(".tw-stage", data_part="stage")[Markup(drawn)])


def _controls() -> h.Element:
    ring = h.svg(viewBox="-18 -18 36 36", aria_hidden="true")
    return h.div(".tw-controls")[
        h.div(".tw-saying")[
            h.div(".tw-clock", data_part="clock", role="timer", hidden=True)[ring, h.span(data_part="seconds")],
            h.p(".tw-say", data_part="say"),
        ],
        h.p(".tw-alarm", data_part="notice", role="status", hidden=True),
        h.p(".tw-note.tw-warned", data_part="warned", hidden=True),
        h.div(".tw-deck")[
            h.div(".tw-bar", data_part="actions", role="group", aria_label="decisions"),
            h.button(".tw-button", type="button", data_part="hints", aria_keyshortcuts="?", hidden=True)[
                h.kbd(aria_hidden="true")["?"], h.span["Hint"], h.small["exact odds"]
            ],
        ],
        h.div(".tw-deal", data_part="deal", role="group", aria_label="cards and guests", hidden=True),
        h.div(".sr", aria_live="polite", data_part="announce"),
    ]


def _side() -> h.Element:
    paces = [h.option(value=name, selected=name == "normal")[name] for name in PACES]
    return h.aside(".tw-panel.tw-side", aria_label="what happened and why")[
        h.section(hidden=True)[h.h2["Why"], h.div(".tw-law", data_part="why"), h.p(".tw-note", data_part="mark")],
        h.section(data_part="console", hidden=True),
        h.section(data_part="worth"),
        h.section(data_part="meters"),
        h.section(".tw-told")[
            h.h2(data_part="round")["Round"],
            h.ol(".tw-story", data_part="story"),
            h.p(".tw-note.tw-empty")["Nothing has happened here yet."],
        ],
        h.section[h.h2["Shoe"], h.p(".tw-note", data_part="shoe")],
        h.label(".tw-check")[h.input(type="checkbox", data_part="marks"), "Mark my play after each hand"],
        h.div(".tw-row.tw-foot")[
            h.label(".tw-label", hidden=True)["Dealer's pace", h.select(".tw-field", data_part="pace")[paces]],
            h.label(".tw-check", hidden=True)[h.input(type="checkbox", data_part="housecut"), "The house cuts for me"],
            h.button(".tw-button", type="button", data_part="side", hidden=True),
            h.button(".tw-button", type="button", data_act="how")["How to play"],
            h.button(".tw-button", type="button", data_part="leave", hidden=True)["Leave the table"],
        ],
    ]
