"""Shoes: what a table committed to, and the check of a revealed seed in the reader's own browser."""

from __future__ import annotations

from typing import Any

import htpy as h
from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from twentyone.ledger.shoe_records import NoSuchShoe
from twentyone.ledger.timestamps import moment
from twentyone.service.chance import shoe_shown, shoes_shown
from twentyone.web.api.common import ServiceHere
from twentyone.web.api.shoes import LAST
from twentyone.web.pages.shell import LookerHere, show
from twentyone.web.pages.trouble import missing

__all__ = ["show_shoe", "show_shoes"]

HEADS = ("Shoe", "Sealed (UTC)", "Commitment", "Revealed (UTC)")
ADVICE = (
    "Before the cut the table publishes the SHA-256 of a seed: its commitment. The seed decides the order of the cards "
    "and is published when the shoe is over. Your browser can then check both, without asking this server."
)
SEALED = "This shoe is not over: its seed is sealed, and nobody at the table knows the order."


def _number(text: str) -> int:
    """A version in an address; 0 where it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < len(str(LAST)) else 0


async def show_shoes(name: str, request: Request, service: ServiceHere, looker: LookerHere) -> Response:
    """The page of the shoes of a table."""
    service.table(name)
    before = _number(request.query_params.get("before", "")) or LAST
    page = await run_in_threadpool(shoes_shown, service.store, name, before)
    older = h.a(".tw-button", rel="next", href=f"/shoes/{name}?before={page['next']}")["Older shoes"]
    newest = h.a(".tw-button", href=f"/shoes/{name}")["Newest shoes"]
    main = h.main("#main.tw-main")[
        h.h1[f"Shoes of {name}"],
        h.p(".tw-note")[ADVICE],
        _listed(name, page["shoes"]),
        h.nav(".tw-row.tw-tools", aria_label="pages of shoes")[
            newest if before != LAST else None, older if page["next"] is not None else None
        ],
    ]
    return show(f"Shoes of {name}", "Rounds", looker, main, styles=("rounds",))


def _listed(table: str, shoes: list[dict[str, Any]]) -> h.Element:
    if not shoes:
        return h.p(".tw-panel")["No shoe was sealed here: a person enters the cards, or the table was not opened yet."]
    rows = [_row(table, shoe) for shoe in shoes]
    head = h.tr[[h.th(scope="col")[name] for name in HEADS]]
    return h.div(".tw-scroll")[h.table(".tw-table.tw-rounds")[h.thead[head], h.tbody[rows]]]


def _row(table: str, shoe: dict[str, Any]) -> h.Element:
    revealed = moment(shoe["revealed"]) if shoe["revealed"] is not None else h.span(".tw-kind")["sealed"]
    link = h.a(href=f"/shoes/{table}/{shoe['version']}")[f"{shoe['batch']} {shoe['version']}"]
    cells = (link, moment(shoe["sealed"]), h.code[shoe["commitment"]], revealed)
    return h.tr[[h.td(data_label=head)[cell] for head, cell in zip(HEADS, cells, strict=True)]]


async def show_shoe(name: str, version: str, service: ServiceHere, looker: LookerHere) -> Response:
    """The page of one shoe."""
    service.table(name)
    try:
        shoe = await run_in_threadpool(shoe_shown, service.store, name, _number(version))
    except NoSuchShoe:
        says = f"“{name}” sealed no shoe {version[:20]}."
        return missing(looker, says, (f"Shoes of {name}", f"/shoes/{name}"))
    main = h.main("#main.tw-main", data_page="shoe", data_table=name, data_version=shoe["version"])[
        h.h1[f"Shoe {shoe['version']} of {name}"],
        h.p(".tw-note")[ADVICE],
        h.section(".tw-panel.tw-shoe")[
            h.h2["Commitment"],
            h.p[h.code(data_part="commitment")[shoe["commitment"]]],
            h.p(".tw-note")[f"published {moment(shoe['sealed'])} UTC"],
        ],
        _check(shoe) if shoe["revealed"] is not None else h.p(".tw-panel", data_part="sealed")[SEALED],
        h.p[h.a(href=f"/shoes/{name}")[f"All shoes of {name}"]],
    ]
    return show(f"Shoe {shoe['version']}", "Rounds", looker, main, styles=("rounds",), scripts=("shoes",))


def _check(shoe: dict[str, Any]) -> h.Element:
    address, dealt = f"/api/v1/shoes/{shoe['table']}/{shoe['version']}/record", shoe["dealt"].split()
    field = h.input(
        ".tw-field.tw-seed", name="seed", value=shoe["seed"], maxlength=64, spellcheck="false", autocomplete="off"
    )
    return h.section(".tw-panel.tw-shoe")[
        h.h2["Seed"],
        h.p(".tw-note")[f"revealed {moment(shoe['revealed'])} UTC, {shoe['cut']} cards above the cut"],
        h.form(".tw-row", data_check=True)[
            h.label(".tw-label.tw-grow")["Seed; change a digit to see the check fail", field],
            h.button(".tw-button.gold", type="submit")["Check here"],
            h.a(".tw-button", href=address, download=f"shoe-{shoe['table']}-{shoe['version']}.json")["Shoe record"],
        ],
        h.ul(".tw-checks", data_part="checks", aria_live="polite"),
        h.h2[f"Order: {len(shoe['cards'].split())} cards, {len(dealt)} left the shoe"],
        h.ol(".tw-order", data_part="order", tabindex=0, aria_label="order of the cards"),
    ]
