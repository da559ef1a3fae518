"""Rounds: search the ledger, replay a round event by event on the same layout."""

from __future__ import annotations

import htpy as h
from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from twentyone.ledger.rounds import NoSuchRound, RoundRow, Wanted
from twentyone.ledger.rows import LedgerRefused
from twentyone.ledger.timestamps import moment
from twentyone.money import ZERO, Amount, dollars
from twentyone.service.own_rounds import check_readable
from twentyone.service.people import Person
from twentyone.service.service import Service
from twentyone.web.api.common import ServiceHere
from twentyone.web.api.rounds import found_rounds
from twentyone.web.pages.shell import LookerHere, show
from twentyone.web.pages.table import FELT_STYLES, stage
from twentyone.web.pages.trouble import missing

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
DIGITS = 12
"""More than the number of any round has."""
HEADS = ("Round", "When (UTC)", "Players", "Outcomes", "Irregularities")


async def show_rounds(request: Request, service: ServiceHere, looker: LookerHere) -> Response:
    """The page to search rounds."""
    given = {name: request.query_params.get(name, "").strip()[:120] for name in FIELDS}
    box = int(given["box"]) if given["box"].isdecimal() and len(given["box"]) < 4 else None
    words = {name: given[name] or None for name in FIELDS if name != "box"}
    words["irregularity"] = given["irregularity"].lower().replace(" ", "_") or None
    found = _found(service, looker.person, Wanted(box=box, **words))
    own = next(iter(service.tables), "")
    form = h.form(".tw-panel.tw-query", method="get", action="/rounds", role="search")[
        [
            h.label(".tw-label")[
                name.title(), h.input(".tw-field", name=name, value=given[name], placeholder=example or own)
            ]
            for name, example in FIELDS.items()
        ],
        h.button(".tw-button.gold", type="submit")["Search"],
    ]
    main = h.main("#main.tw-main")[h.h1["Rounds"], form, _verifying() if looker.role in STAFF else None, found]
    return show("Rounds", "Rounds", looker, main, scripts=("rounds",))


def _verifying() -> h.Element:
    return h.p[
        h.button(".tw-button", type="button", data_act="verify")["Verify the ledger"],
        " ",
        h.span(role="status", data_part="verified"),
    ]


def _found(service: Service, person: Person | None, wanted: Wanted) -> h.Element:
    """The rounds that match, or why the list is not shown: it is not what the ledger's events lead to."""
    try:
        return _table(found_rounds(service, person, wanted, SHOWN))
    except LedgerRefused as refused:
        return h.p(".tw-alarm", role="alert")[str(refused)]


def _table(rows: list[RoundRow]) -> h.Element:
    if not rows:
        return h.p(".tw-note")["No round matches. ", h.a(href="/rounds")["Show all rounds"]]
    head = h.tr[[h.th(scope="col")[name] for name in HEADS]]
    return h.div(".tw-scroll")[h.table(".tw-table.tw-rounds")[h.thead[head], h.tbody[[_row(row) for row in rows]]]]


def _row(row: RoundRow) -> h.Element:
    nets = [_net(player, Amount(net)) for player, net in row.net.items()]
    link = h.a(href=f"/rounds/{row.table}/{row.number}" if row.over else f"/table/{row.table}")[row.id]
    named = link if row.over else h.fragment[link, " ", h.span(".tw-kind")["in progress"]]
    wrong = ", ".join(name.replace("_", " ") for name in row.irregularities)
    cells = (named, moment(row.begun), nets, ", ".join(row.outcomes), wrong)
    return h.tr[[h.td(data_label=head)[cell] for head, cell in zip(HEADS, cells, strict=True)]]


def _net(player: str, net: Amount) -> h.Element:
    """The net result of a player in a round."""
    said = dollars(net).replace("-", "−")
    kind = "loss" if net < ZERO else "win" if net > ZERO else None
    return h.span(".tw-net")[f"{player} ", h.b(class_=kind)[said]]


def _rack(service: Service, row: RoundRow) -> h.Element:
    """The round's hands as they lie in the discard rack, in the order of the pick-up."""
    lying = [bundle for bundle in service.table(row.table).runner.table.state.rack if bundle.round == row.number]
    hands = [h.li[h.span[" ".join(card.symbol for card in hand)]] for bundle in lying for hand in bundle.hands]
    empty = h.p(".tw-note")[
        "The cards of this round are no longer in the discard rack: the shoe has been shuffled since."
    ]
    return h.details(".tw-agenda")[
        h.summary["Rebuilt from the discard rack"], h.ol(".tw-story", data_part="rack")[hands] if hands else empty
    ]


def _controls(row: RoundRow) -> h.Element:
    """The slider over the events, its buttons and the link to the script."""

    def button(says: str, act: str, label: str | None = None, kind: str = "tw-button") -> h.Element:
        return h.button(class_=kind, type="button", data_act=act, aria_label=label)[says]

    address, file = f"/api/v1/rounds/{row.table}/{row.number}/script", f"{row.table}-{row.number}.json"
    bar = h.div(".tw-bar")[
        button("◀", "back", "one event back"),
        h.input(".tw-slider", type="range", min=0, max=0, value=0, data_part="slider", aria_label="event"),
        button("▶", "on", "one event forward"),
        button("Play", "play", kind="tw-button gold"),
        h.a(".tw-button", href=address, download=file)["Round script"],
    ]
    return h.div(".tw-controls")[h.p(".tw-say", data_part="say", aria_live="polite"), bar]


def _story(row: RoundRow, rack: h.Element | None) -> h.Element:
    return h.aside(".tw-panel.tw-side")[
        h.h2[f"Round {row.number}"],
        h.p(".tw-note")[f"table {row.table}, {moment(row.begun)} UTC"],
        h.div(".tw-law", data_part="why"),
        h.ol(".tw-story.long", data_part="story"),
        rack,
    ]


async def show_round(name: str, number: str, service: ServiceHere, looker: LookerHere) -> Response:
    """The page that replays one round."""
    try:
        row = service.rounds.find(f"{name}:{number[:DIGITS]}")
    except NoSuchRound:
        return missing(looker, f"There is no round {number[:DIGITS]} of a table “{name}”.", ("All rounds", "/rounds"))
    if not row.over:
        return RedirectResponse(f"/table/{row.table}", 303)
    check_readable(service, looker.person, row)
    rules = service.table(row.table).runner.table.rules
    rack = _rack(service, row) if looker.role in STAFF else None
    main = h.main(
        "#main.tw-table-page",
        data_page="round",
        data_table=row.table,
        data_round=row.number,
        data_rulebook=row.rulebook,
    )[h.h1(".sr")[f"Round {row.id}"], h.section(".tw-play")[stage(rules), _controls(row)], _story(row, rack)]
    about = f"{rules.rulebook.title} · round {row.id}"
    return show(f"Round {row.id}", "Rounds", looker, main, styles=FELT_STYLES, scripts=("replay",), about=about)
