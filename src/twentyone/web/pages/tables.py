"""Tables: every table with its game, limits, free boxes and meters; one click sits down."""

from __future__ import annotations

from typing import Any

from twentyone.money import Amount, dollars
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.service.house import House
from twentyone.service.people import Person
from twentyone.web.api.tables import SPECTATOR, in_short
from twentyone.web.html import Markup, h
from twentyone.web.pages.shell import show

__all__ = ["show_tables"]


def show_tables(house: House, person: Person | None) -> None:
    """The page of all tables."""
    rows = [in_short(live, person or SPECTATOR) for live in house.tables.values()]
    cards = h("div", [_card(row, person) for row in rows], class_="tw-cards")
    staff = _opening() if person is not None and person.role in ("floorperson", "administrator") else None
    lead = h("p", "Sit down: you are a guest with $500 of play money, the dealer works by the book.", class_="tw-note")
    main = h("main", h("h1", "Tables"), lead, cards, staff, class_="tw-main", id="main")
    show("Tables", "Tables", person, main, scripts=("tables",))


def _card(row: dict[str, Any], person: Person | None) -> Markup:
    free = len(row["free"])
    boxes = f"{free} of {row['boxes']} boxes free"
    meters = [
        h("div", h("span", name.replace("_", " ")), h("b", dollars(Amount(amount))), class_="tw-meter")
        for name, amount in row["meters"].items()
    ]
    label = "Sit down" if person is None or person.role == "player" else "Go to the table"
    act = {"data_act": "sit"} if label == "Sit down" else {}
    address = f"/table/{row['table']}"
    return h(
        "article",
        h("h2", row["title"], class_="tw-game"),
        h("p", row["source"], class_="tw-note"),
        h("p", _about(row)),
        h("p", boxes, ", ".join(["", *row["players"]]) if row["players"] else None, class_="tw-note"),
        meters,
        h(
            "div",
            h("a", label, class_="tw-button gold", href=address, data_table=row["table"], **act),
            h("a", "watch", class_="tw-button", href=address),
            class_="tw-row",
        ),
        class_="tw-panel tw-game-card",
        data_rulebook=row["rulebook"],
    )


def _about(row: dict[str, Any]) -> str:
    limits = row["limits"]
    between = f"${limits['least']}–${limits['most']}" if limits["least"] and limits["most"] else "no limits"
    state = {"round": "a round is on", "idle": "idle", "closed": "opens when you sit down"}.get(row["phase"], "open")
    return f"{between} · {limits['decks']} decks · {row['stopped'] or state}"


def _opening() -> Markup:
    """The form with which staff opens another table."""
    books = [h("option", f"{Rulebook.load(name).title}, {name}", value=name) for name in rulebook_ids()]
    return h(
        "form",
        h("h2", "Open another table"),
        h(
            "label",
            "Name",
            h("input", class_="tw-field", name="name", required=True, pattern="[a-z0-9][a-z0-9\\-]*"),
            class_="tw-label",
        ),
        h("label", "Rulebook", h("select", books, class_="tw-field", name="rulebook"), class_="tw-label"),
        h(
            "label",
            "Submission (JSON)",
            h("textarea", '{"decks": 6}', class_="tw-field", name="submission", rows=3),
            class_="tw-label",
        ),
        h("button", "Open", class_="tw-button gold", type="submit"),
        h("p", "", class_="loss", role="alert", data_part="wrong"),
        class_="tw-panel tw-opening",
        data_act="open-table",
    )
