"""Tables: every table with its game, limits, free boxes and meters; one click sits down, or returns to one's seat."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import htpy as h
import orjson
from fastapi import Request
from fastapi.responses import Response
from markupsafe import Markup

from twentyone.money import Amount, dollars
from twentyone.service.lobby import table_names
from twentyone.service.seating import GIVEN
from twentyone.web.api.common import ServiceHere
from twentyone.web.api.tables import table_lines
from twentyone.web.pages.figures import edge_words, source_below
from twentyone.web.pages.opening import opening_form
from twentyone.web.pages.shell import Looker, LookerHere, show

__all__ = ["show_tables"]

STAFF = ("floorperson", "administrator")
"""Who opens and closes tables."""
DRAWN = 2_000
"""Cards that are kept as they were drawn."""


async def show_tables(request: Request, service: ServiceHere, looker: LookerHere) -> Response:
    """The page of all tables."""
    person = looker.person
    rows = await table_lines(request, service, person)
    rows.sort(key=lambda row: row["yours"] is None)
    closed = [_closed(name, why) for name, why in service.unloaded.items()]
    cards = h.div(".tw-cards", data_part="tables")[[_drawn(orjson.dumps(row), looker.role) for row in rows], closed]
    staff = opening_form(table_names(service)) if person is not None and person.role in STAFF else None
    main = h.main("#main.tw-main")[h.h1["Tables"], _lead(looker), cards, staff]
    return show("Tables", "Tables", looker, main, styles=("tables",), scripts=("tables",))


def _lead(looker: Looker) -> h.Element:
    """A note on what a click does; an unknown visitor enters a name here, once."""
    person = looker.person
    fresh = (
        f"Sit down: you get {dollars(GIVEN).removesuffix('.00')} of play money, and the dealer follows the rulebook."
    )
    if person is None:
        return h.div[h.p(".tw-note")[fresh], _name()]
    if person.role != "player":
        says = f"You are logged in as {person.role}: your console is at each table."
        return h.p(".tw-note")[says, " ", h.span(data_part="last-login")[f"Your {looker.last}."]]
    purse = looker.purse
    if looker.at_tables:
        lying = ", ".join(f"{dollars(amount)} at table {name}" for name, amount in looker.at_tables.items())
        return h.p(".tw-note")[f"You have {lying}. Chips come with you when you leave a table, not before."]
    return h.p(".tw-note")[f"Sit down: you bring the {dollars(purse)} of your purse." if purse else fresh]


def _closed(name: str, why: str) -> h.Element:
    """A table of this ledger that cannot be served, and why."""
    said = h.p[h.b(".loss")["Closed"], f": {why}."]
    note = h.p(".tw-note")["Its chips and its record stay as they are; the other tables are not affected."]
    return h.article(".tw-panel.tw-game-card.shut", data_closed=name)[h.h2(".tw-game")[f"Table {name}"], said, note]


def _name() -> h.Element:
    named = h.input(
        ".tw-field",
        data_part="guest",
        maxlength=31,
        placeholder="Guest",
        autocomplete="nickname",
        aria_describedby="guest-note",
    )
    note = h.span("#guest-note.tw-note")["others at the table see it"]
    return h.div(".tw-row.tw-guest")[h.label(".tw-label")["Your name", named], note]


@lru_cache(maxsize=DRAWN)
def _drawn(row: bytes, role: str) -> Markup:
    """A table's card, drawn once for everybody to whom it looks the same."""
    return Markup(_card(orjson.loads(row), role))


def _card(row: dict[str, Any], role: str) -> h.Element:
    name, yours = f"{row['full_title']}, table {row['table']}", row["yours"]
    own_name = f"table {row['table']}" if row["table"] != row["rulebook"] else ""
    below = " · ".join(filter(None, (source_below(row["full_title"], row["source"]), own_name)))
    kind = ".tw-panel.tw-game-card.mine" if yours else ".tw-panel.tw-game-card"
    return h.article(kind, data_rulebook=row["rulebook"], data_card=row["table"])[
        h.img(".tw-picture", src=f"/api/v1/tables/{row['table']}/felt.svg", alt="", loading="lazy"),
        h.h2(".tw-game")[row["full_title"]],
        h.p(".tw-note")[below] if below else None,
        _seat(yours) if yours else None,
        h.p[row["differs"]],
        _facts(row),
        h.p(".tw-now", data_part="says")[row["says"]],
        h.p(".tw-note", data_part="free")[_free(row)],
        h.div(data_part="meters")[
            [_meter(name, amount, row["fixed_meters"]) for name, amount in row["meters"].items()]
        ],
        h.div(".tw-row")[_doors(row, name, role)],
    ]


def _seat(yours: dict[str, Any]) -> h.Element:
    boxes = " and ".join(map(str, yours["boxes"]))
    place = f"Your seat: box {boxes}" if boxes else "You stand at this table"
    return h.p(".tw-seat")[f"{place}, with {dollars(Amount(yours['chips']))}"]


def _facts(row: dict[str, Any]) -> h.Fragment:
    """Limits, decks, house edge and side wagers."""
    limits = row["limits"]
    between = f"${limits['least']}–${limits['most']}" if limits["least"] and limits["most"] else "no limits"
    known = row["house_edge"]
    edge = h.fragment[
        h.dt(title=row["basis"])["House edge ", h.small["best play, fresh shoe"]],
        h.dd(data_part="edge")[edge_words(known)],
    ]
    sides = [
        h.fragment[h.dt[f"{side['title'][:1].upper()}{side['title'][1:]}"], h.dd[edge_words(side["edge"])]]
        for side in row["sides"]
    ]
    return h.fragment[h.p[f"{between} · {limits['decks']} decks"], h.dl(".tw-facts")[edge, sides]]


def _free(row: dict[str, Any]) -> str:
    return f"{len(row['free'])} of {row['boxes']} boxes are free"


def _meter(name: str, amount: str, fixed: list[str]) -> h.Element:
    """What a meter shows; one to which nothing is added says so."""
    says = f"{name.replace('_', ' ').capitalize()}{', a fixed amount' if name in fixed else ''}"
    return h.div(".tw-meter")[h.span[says], h.b(data_meter=name)[dollars(Amount(amount))]]


def _doors(row: dict[str, Any], name: str, role: str) -> list[h.Element | None]:
    """What one may do there: return, sit down where that is possible, watch; staff go to the console, or close it."""
    address, player = f"/table/{row['table']}", role in ("", "player")
    how = h.a(".tw-button", href=f"/game/{row['table']}", aria_label=f"How to play {name}")["How to play"]
    if row["yours"]:
        return [
            h.a(".tw-button.gold", href=address, aria_label=f"Return to your seat: {name}")["Return to your seat"],
            how,
        ]
    watch = h.a(".tw-button", href=address, aria_label=f"Watch {name}")["Watch"]
    if player:
        sit = {"data_act": "sit", "data_table": row["table"], "hidden": not row["can_sit"]}
        return [h.a(".tw-button.gold", href=address, aria_label=f"Sit down: {name}", **sit)["Sit down"], watch, how]
    go = h.a(".tw-button.gold", href=address, aria_label=f"Go to the table: {name}")["Go to the table"]
    return [go, how, _close(row, name) if role in STAFF else None]


def _close(row: dict[str, Any], name: str) -> h.Element:
    says = {"aria_label": f"Close {name}", "data_act": "close-table", "data_table": row["table"]}
    return h.button(".tw-button", type="button", hidden=row["phase"] == "closed", **says)["Close"]
