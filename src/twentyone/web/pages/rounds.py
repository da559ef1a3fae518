"""Rounds: search the ledger, replay a round event by event on the same layout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi.responses import RedirectResponse

from twentyone.ledger.rounds import NoSuchRound, RoundRow, Wanted
from twentyone.ledger.rows import LedgerRefused
from twentyone.ledger.timestamps import moment
from twentyone.money import ZERO, Amount, dollars
from twentyone.service.people import Person
from twentyone.service.service import Service
from twentyone.web.api.rounds import found_rounds
from twentyone.web.html import Markup, h, join
from twentyone.web.pages.shell import show
from twentyone.web.pages.table import stage

__all__ = ["show_round", "show_rounds"]

FIELDS = {
    "table": "",
    "box": "3",
    "player": "Ada",
    "outcome": "win",
    "paragraph": "635a.10(d)",
    "irregularity": "box missed",
}
"""The search fields, each with an example; that of `table` is a table of the service."""
STAFF = ("floorperson", "auditor", "administrator")
"""Roles that verify the ledger and rebuild hands from the discard rack."""
SHOWN = 100
HEADS = ("Round", "When (UTC)", "Players", "Outcomes", "Irregularities")


def show_rounds(service: Service, asked: Mapping[str, str], person: Person | None) -> None:
    """The page to search rounds."""
    given = {name: asked.get(name, "").strip()[:120] for name in FIELDS}
    box = int(given["box"]) if given["box"].isdecimal() and len(given["box"]) < 4 else None
    words = {name: given[name] or None for name in FIELDS if name != "box"}
    words["irregularity"] = given["irregularity"].lower().replace(" ", "_") or None
    found = _found(service, Wanted(box=box, **words))
    own = next(iter(service.tables), "")
    form = h(
        "form",
        [
            h(
                "label",
                name.title(),
                h("input", class_="tw-field", name=name, value=given[name], placeholder=example or own),
                class_="tw-label",
            )
            for name, example in FIELDS.items()
        ],
        h("button", "Search", class_="tw-button gold", type="submit"),
        class_="tw-panel tw-query",
        method="get",
        action="/rounds",
        role="search",
    )
    check = None
    if person is not None and person.role in STAFF:
        check = h(
            "p",
            h("button", "Verify the ledger", class_="tw-button", type="button", data_act="verify"),
            " ",
            h("span", "", role="status", data_part="verified"),
        )
    main = h("main", h("h1", "Rounds"), form, check, found, class_="tw-main", id="main")
    show("Rounds", "Rounds", person, main, scripts=("rounds",))


def _found(service: Service, wanted: Wanted) -> Markup:
    """The rounds that match, or why the list is not shown: it is not what the ledger's events lead to."""
    try:
        return _table(found_rounds(service, wanted, SHOWN))
    except LedgerRefused as refused:
        return h("p", str(refused), class_="tw-alarm", role="alert")


def _table(rows: list[RoundRow]) -> Markup:
    if not rows:
        return h("p", "No round matches. ", h("a", "Show all rounds", href="/rounds"), class_="tw-note")
    head = h("tr", [h("th", name, scope="col") for name in HEADS])
    return h(
        "div",
        h("table", h("thead", head), h("tbody", [_row(row) for row in rows]), class_="tw-table tw-rounds"),
        class_="tw-scroll",
    )


def _row(row: RoundRow) -> Markup:
    nets = [_net(player, Amount(net)) for player, net in row.net.items()]
    link = h("a", row.id, href=f"/rounds/{row.table}/{row.number}" if row.over else f"/table/{row.table}")
    link = link if row.over else join(link, " ", h("span", "in progress", class_="tw-kind"))
    wrong = ", ".join(name.replace("_", " ") for name in row.irregularities)
    cells = (link, moment(row.begun), nets, ", ".join(row.outcomes), wrong)
    return h("tr", [h("td", cell, data_label=head) for head, cell in zip(HEADS, cells, strict=True)])


def _net(player: str, net: Amount) -> Markup:
    """The net result of a player in a round."""
    said = dollars(net).replace("-", "−")
    kind = "loss" if net < ZERO else "win" if net > ZERO else None
    return h("span", f"{player} ", h("b", said, class_=kind), class_="tw-net")


def _rack(service: Service, row: RoundRow) -> Markup:
    """The round's hands as they lie in the discard rack, in the order of the pick-up."""
    lying = [bundle for bundle in service.table(row.table).runner.table.state.rack if bundle.round == row.number]
    hands = [h("li", h("span", " ".join(card.symbol for card in hand))) for bundle in lying for hand in bundle.hands]
    empty = h(
        "p",
        "The cards of this round are no longer in the discard rack: the shoe has been shuffled since.",
        class_="tw-note",
    )
    return h(
        "details",
        h("summary", "Rebuilt from the discard rack"),
        h("ol", hands, class_="tw-story", data_part="rack") if hands else empty,
        class_="tw-agenda",
    )


def _controls(row: RoundRow) -> Markup:
    """The slider over the events, its buttons and the link to the script."""

    def button(says: str, act: str, label: str | None = None, kind: str = "tw-button") -> Markup:
        return h("button", says, class_=kind, type="button", data_act=act, aria_label=label)

    address, file = f"/api/v1/rounds/{row.table}/{row.number}/script", f"{row.table}-{row.number}.json"
    bar = h(
        "div",
        button("◀", "back", "one event back"),
        h("input", type="range", min=0, max=0, value=0, data_part="slider", aria_label="event", class_="tw-slider"),
        button("▶", "on", "one event forward"),
        button("Play", "play", kind="tw-button gold"),
        h("a", "Round script", class_="tw-button", href=address, download=file),
        class_="tw-bar",
    )
    return h("div", h("p", "", class_="tw-say", data_part="say", aria_live="polite"), bar, class_="tw-controls")


def _story(row: RoundRow, rack: Markup | None) -> Markup:
    return h(
        "aside",
        h("h2", f"Round {row.number}"),
        h("p", f"table {row.table}, {moment(row.begun)} UTC", class_="tw-note"),
        h("div", "", class_="tw-law", data_part="why"),
        h("ol", "", class_="tw-story long", data_part="story"),
        rack,
        class_="tw-panel tw-side",
    )


def show_round(service: Service, name: str, number: int, person: Person | None) -> Any:
    """The page that replays one round."""
    try:
        row = service.rounds.find(f"{name}:{number}")
    except (NoSuchRound, LedgerRefused):
        return RedirectResponse("/rounds", 303)
    if not row.over:
        return RedirectResponse(f"/table/{row.table}", 303)
    rules = service.table(row.table).runner.table.rules
    rack = _rack(service, row) if person is not None and person.role in STAFF else None
    main = h(
        "main",
        h("h1", f"Round {row.id}", class_="sr"),
        h("section", stage(rules), _controls(row), class_="tw-play"),
        _story(row, rack),
        class_="tw-table-page",
        id="main",
        data_page="round",
        data_table=row.table,
        data_round=row.number,
        data_rulebook=row.rulebook,
    )
    about = f"{rules.rulebook.title} · round {row.id}"
    show(f"Round {row.id}", "Rounds", person, main, styles=("layout", "table"), scripts=("replay",), about=about)
    return None
