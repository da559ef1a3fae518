"""The pit board: all tables at once, for the floor; the script fills it with what the server pushes."""

from __future__ import annotations

import htpy as h
from fastapi.responses import Response

from twentyone.ledger.timestamps import moment
from twentyone.service.orders import Stop
from twentyone.web.api.common import READERS, ServiceHere
from twentyone.web.api.floor import CLOSERS
from twentyone.web.pages.people import field, said_wrong
from twentyone.web.pages.shell import LookerHere, show

__all__ = ["show_pit"]

COLUMNS = {
    "Table": "",
    "Now": "",
    "Who waits for whom": "",
    "Open": "",
    "Inventory": "num",
    "Drop today": "num",
    "Win today": "num",
    "Meters": "",
}
"""The columns of the board, and how each is set."""
WHICH = {"all": "all tables", "needs": "what needs a person", "open": "open tables", "closed": "closed tables"}


async def show_pit(looker: LookerHere, service: ServiceHere) -> Response:
    """The page of the board."""
    if looker.role not in READERS:
        only = h.p(".tw-note")["The pit board is for the staff of the floor. ", h.a(href="/login")["Log in"]]
        return show("Pit", "Pit", looker, h.main("#main.tw-main")[h.h1["Pit"], only])
    main = h.main("#main.tw-main", data_part="pit", data_closes="yes" if looker.role in CLOSERS else None)[
        h.h1["Pit"],
        h.p(".tw-gone", role="status", hidden=True, data_part="gone")["The connection is lost; it is tried again."],
        h.div(role="alert")[h.ul(".tw-alarms", data_part="alarms")],
        _house(service.orders.house, looker.role in CLOSERS),
        h.section(aria_labelledby="asked")[
            h.h2("#asked")["Waiting for you"],
            h.p(".sr", role="status", data_part="count"),
            h.p(".tw-note", data_part="quiet")["Nothing waits for you at any table."],
            h.ul(".tw-asked", data_part="asked"),
        ],
        h.section(aria_labelledby="tables")[h.h2("#tables")["Tables"], _filter(), _board()],
    ]
    return show("Pit", "Pit", looker, main, styles=("pit",), scripts=("pit", "people"))


def _house(stop: Stop | None, may: bool) -> h.Element | None:
    """Whether the whole house plays; who closes tables may stop it, and let it go on."""
    if stop is not None:
        says = f"Play is stopped in the whole house since {moment(stop.at)} UTC, by {stop.by}: {stop.why}"
        button = h.button(".tw-button", type="button", data_ask="resume", data_name="")["Let the house play again"]
        return h.div(".tw-alarm", data_part="stopped")[h.p[says], button if may else None]
    if not may:
        return None
    return h.details(".tw-panel")[
        h.summary["Stop play in the whole house"],
        h.form(".tw-row", data_ask="stop")[
            field("Reason, for everybody who wants to wager", "why", "text", "off", minlength=3, maxlength=200),
            h.button(".tw-button", type="submit")["Stop play"],
            said_wrong(),
        ],
        h.p(".tw-note")["Rounds in progress are played to their end; no new wager is taken at any table."],
    ]


def _filter() -> h.Element:
    words = h.input(".tw-field", type="search", data_part="words", autocomplete="off", placeholder="table, game, name")
    which = h.select(".tw-field", data_part="which")[[h.option(value=key)[says] for key, says in WHICH.items()]]
    return h.div(".tw-row.tw-filter")[h.label(".tw-label")["Find", words], h.label(".tw-label")["Show", which]]


def _board() -> h.Element:
    heads = [h.th(scope="col", class_=kind or None)[name] for name, kind in COLUMNS.items()]
    return h.table(".tw-table.tw-pit")[h.thead[h.tr[heads, h.td]], h.tbody(data_part="rows")]
