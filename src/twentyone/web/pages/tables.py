"""Tables: every table with its game, limits, free boxes and meters; one click sits down."""

from __future__ import annotations

from typing import Any

import htpy as h
from fastapi.responses import Response

from twentyone.money import Amount, dollars
from twentyone.service.people import Person
from twentyone.web.api.common import ServiceHere
from twentyone.web.api.tables import SPECTATOR, in_short
from twentyone.web.pages.opening import opening_form
from twentyone.web.pages.shell import LookerHere, show

__all__ = ["show_tables"]

STAFF = ("floorperson", "administrator")
"""Who opens and closes tables."""


async def show_tables(service: ServiceHere, looker: LookerHere) -> Response:
    """The page of all tables."""
    person = looker.person
    rows = [in_short(live, person or SPECTATOR) for live in service.tables.values()]
    cards = h.div(".tw-cards")[[_card(row, person) for row in rows]]
    staff = opening_form(service.tables) if person is not None and person.role in STAFF else None
    main = h.main("#main.tw-main")[h.h1["Tables"], _lead(person), cards, staff]
    return show("Tables", "Tables", looker, main, styles=("tables",), scripts=("tables",))


def _lead(person: Person | None) -> h.Element:
    """A note on what a click does; an unknown visitor enters a name here, once."""
    says = h.p(".tw-note")["Sit down: you get $500 of play money, and the dealer follows the rulebook."]
    if person is not None and person.role != "player":
        return h.p(".tw-note")[f"You are logged in as {person.role}: your console is at each table."]
    if person is not None:
        return says
    named = h.input(
        ".tw-field",
        data_part="guest",
        maxlength=31,
        placeholder="Guest",
        autocomplete="nickname",
        aria_describedby="guest-note",
    )
    note = h.span("#guest-note.tw-note")["others at the table see it"]
    return h.div[says, h.div(".tw-row.tw-guest")[h.label(".tw-label")["Your name", named], note]]


def _card(row: dict[str, Any], person: Person | None) -> h.Element:
    free = len(row["free"])
    boxes = f"{free} of {row['boxes']} boxes free"
    meters = [
        h.div(".tw-meter")[h.span[name.replace("_", " ").capitalize()], h.b[dollars(Amount(amount))]]
        for name, amount in row["meters"].items()
    ]
    label = "Sit down" if person is None or person.role == "player" else "Go to the table"
    act = {"data_act": "sit"} if label == "Sit down" else {}
    address = f"/table/{row['table']}"
    name = f"{row['title']}, {row['source']}"
    watch = h.a(".tw-button", href=address, aria_label=f"Watch {name}")["Watch"] if act else None
    return h.article(".tw-panel.tw-game-card", data_rulebook=row["rulebook"])[
        h.img(".tw-picture", src=f"/api/v1/tables/{row['table']}/felt.svg", alt="", loading="lazy"),
        h.h2(".tw-game")[row["title"]],
        h.p(".tw-note")[row["source"], f" · table {row['table']}" if row["table"] != row["rulebook"] else None],
        h.p[_about(row)],
        h.p(".tw-note")[": ".join([boxes, *([", ".join(row["players"])] if row["players"] else [])])],
        meters,
        h.div(".tw-row")[
            h.a(".tw-button.gold", href=address, aria_label=f"{label}: {name}", data_table=row["table"], **act)[label],
            watch,
            _close(row, name) if person is not None and person.role in STAFF and row["phase"] != "closed" else None,
        ],
    ]


def _close(row: dict[str, Any], name: str) -> h.Element:
    says = {"aria_label": f"Close {name}", "data_act": "close-table", "data_table": row["table"]}
    return h.button(".tw-button", type="button", **says)["Close"]


def _about(row: dict[str, Any]) -> str:
    limits = row["limits"]
    between = f"${limits['least']}–${limits['most']}" if limits["least"] and limits["most"] else "no limits"
    state = {"round": "a round is on", "settled": "a round is on", "idle": "idle", "closed": "closed"}.get(
        row["phase"], "open"
    )
    return f"{between} · {limits['decks']} decks · {row['stopped'] or state}"
