"""Tables: every table with its game, limits, free boxes and meters; one click sits down."""

from __future__ import annotations

from typing import Any

from twentyone.money import Amount, dollars
from twentyone.service.people import Person
from twentyone.service.service import Service
from twentyone.web.api.tables import SPECTATOR, in_short
from twentyone.web.html import Markup, h
from twentyone.web.pages.opening import opening_form
from twentyone.web.pages.shell import show

__all__ = ["show_tables"]

STAFF = ("floorperson", "administrator")
"""Who opens and closes tables."""


def show_tables(service: Service, person: Person | None) -> None:
    """The page of all tables."""
    rows = [in_short(live, person or SPECTATOR) for live in service.tables.values()]
    cards = h("div", [_card(row, person) for row in rows], class_="tw-cards")
    staff = opening_form(service.tables) if person is not None and person.role in STAFF else None
    main = h("main", h("h1", "Tables"), _lead(person), cards, staff, class_="tw-main", id="main")
    show("Tables", "Tables", person, main, styles=("tables",), scripts=("tables",))


def _lead(person: Person | None) -> Markup:
    """A note on what a click does; an unknown visitor enters a name here, once."""
    says = h("p", "Sit down: you get $500 of play money, and the dealer follows the rulebook.", class_="tw-note")
    if person is not None and person.role != "player":
        return h("p", f"You are logged in as {person.role}: your console is at each table.", class_="tw-note")
    if person is not None:
        return says
    named = h(
        "input",
        class_="tw-field",
        data_part="guest",
        maxlength=31,
        placeholder="Guest",
        autocomplete="nickname",
        aria_describedby="guest-note",
    )
    note = h("span", "others at the table see it", class_="tw-note", id="guest-note")
    return h("div", says, h("div", h("label", "Your name", named, class_="tw-label"), note, class_="tw-row tw-guest"))


def _card(row: dict[str, Any], person: Person | None) -> Markup:
    free = len(row["free"])
    boxes = f"{free} of {row['boxes']} boxes free"
    meters = [
        h("div", h("span", name.replace("_", " ").capitalize()), h("b", dollars(Amount(amount))), class_="tw-meter")
        for name, amount in row["meters"].items()
    ]
    label = "Sit down" if person is None or person.role == "player" else "Go to the table"
    act = {"data_act": "sit"} if label == "Sit down" else {}
    address = f"/table/{row['table']}"
    name = f"{row['title']}, {row['source']}"
    watch = h("a", "Watch", class_="tw-button", href=address, aria_label=f"Watch {name}") if act else None
    return h(
        "article",
        h("img", class_="tw-picture", src=f"/api/v1/tables/{row['table']}/felt.svg", alt="", loading="lazy"),
        h("h2", row["title"], class_="tw-game"),
        h(
            "p",
            row["source"],
            f" · table {row['table']}" if row["table"] != row["rulebook"] else None,
            class_="tw-note",
        ),
        h("p", _about(row)),
        h("p", ": ".join([boxes, *([", ".join(row["players"])] if row["players"] else [])]), class_="tw-note"),
        meters,
        h(
            "div",
            h(
                "a",
                label,
                class_="tw-button gold",
                href=address,
                aria_label=f"{label}: {name}",
                data_table=row["table"],
                **act,
            ),
            watch,
            _close(row, name) if person is not None and person.role in STAFF and row["phase"] != "closed" else None,
            class_="tw-row",
        ),
        class_="tw-panel tw-game-card",
        data_rulebook=row["rulebook"],
    )


def _close(row: dict[str, Any], name: str) -> Markup:
    says = {"aria_label": f"Close {name}", "data_act": "close-table", "data_table": row["table"]}
    return h("button", "Close", class_="tw-button", type="button", **says)


def _about(row: dict[str, Any]) -> str:
    limits = row["limits"]
    between = f"${limits['least']}–${limits['most']}" if limits["least"] and limits["most"] else "no limits"
    state = {"round": "a round is on", "settled": "a round is on", "idle": "idle", "closed": "closed"}.get(
        row["phase"], "open"
    )
    return f"{between} · {limits['decks']} decks · {row['stopped'] or state}"
