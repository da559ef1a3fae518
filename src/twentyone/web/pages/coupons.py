"""Coupons: what the house has issued, for those who look into the ledger; staff issues new ones."""

from __future__ import annotations

import uuid
from typing import Any

import htpy as h
from fastapi.responses import Response

from twentyone.ledger.coupons import last_minute
from twentyone.money import Amount, dollars
from twentyone.web.api.common import READERS, ServiceHere
from twentyone.web.api.coupons import ISSUERS
from twentyone.web.pages.shell import LookerHere, show

__all__ = ["show_coupons"]

SHOWN = 200
"""Coupons on the page; the interface lists all."""
ADVICE = (
    "A match-play coupon is laid beside a wager by the dealer or the floorperson, at the table's console. It is used "
    "once: when its wager is won or lost."
)


async def show_coupons(service: ServiceHere, looker: LookerHere) -> Response:
    """The page of coupons."""
    person = looker.person
    if person is None or person.role not in READERS:
        only = h.p(".tw-note")["Coupons are kept by the staff. ", h.a(href="/login")["Log in"]]
        return show("Coupons", "Coupons", looker, h.main("#main.tw-main")[h.h1["Coupons"], only])
    may = person.role in ISSUERS
    rows = service.coupons.listed()
    main = h.main("#main.tw-main")[
        h.h1["Coupons"], h.p(".tw-note")[ADVICE], _listed(rows, may), _issuing() if may else None
    ]
    return show("Coupons", "Coupons", looker, main, styles=("people",), scripts=("people",))


def _listed(rows: list[dict[str, Any]], may: bool) -> h.Element:
    if not rows:
        return h.p(".tw-panel", data_part="coupons")["No coupon has been issued yet."]
    items = [_row(row, may) for row in rows[:SHOWN]]
    more = h.li[f"and {len(rows) - SHOWN} more"] if len(rows) > SHOWN else None
    return h.ul(".tw-panel.tw-people", data_part="coupons")[items, more]


def _row(row: dict[str, Any], may: bool) -> h.Element:
    worth = dollars(Amount(row["amount"]))
    return h.li(data_coupon=row["number"])[
        h.span(".tw-who")[h.b[row["number"]], " ", h.span(".tw-kind")[worth]],
        h.span(".tw-note")[f"for {row['person'] or 'anybody'}, until {last_minute(row['ends'])} (UTC)"],
        h.div(".tw-row.tw-does")[
            h.span(".tw-note")[_state(row), f" · issued by {row['issuer']}"],
            _voiding(row["number"]) if may and row["state"] in ("open", "over") else None,
        ],
    ]


def _state(row: dict[str, Any]) -> str:
    state = str(row["state"])
    return {"laid": f"lies at {row['place']}", "used": f"used at {row['place']}"}.get(state, state)


def _voiding(number: str) -> h.Element:
    form = h.form(".tw-row", data_ask="void", data_name=number)[
        _field("Why", "reason", maxlength=120, required=True),
        _key(),
        h.button(".tw-button", type="submit", aria_label=f"Declare {number} void")["Declare void"],
        _wrong(),
    ]
    return h.details[h.summary(".tw-link", aria_label=f"Void {number}")["Void"], form]


def _issuing() -> h.Element:
    return h.form(".tw-panel.tw-login", data_ask="issue")[
        h.h2["Issue a coupon"],
        _field("Amount in dollars", "amount", inputmode="decimal", maxlength=12, required=True),
        _field("Good until the end of", "ends", kind="date", required=True),
        _field("For (a player's name; empty: anybody)", "person", maxlength=40),
        _field("Number (empty: the house numbers it)", "number", maxlength=40),
        _key(),
        h.button(".tw-button.gold", type="submit")["Issue the coupon"],
        _wrong(),
    ]


def _key() -> h.VoidElement:
    """The key that keeps a form sent twice from issuing twice."""
    return h.input(type="hidden", name="key", value=uuid.uuid4().hex)


def _field(label: str, name: str, *, kind: str = "text", **rest: str | int | bool) -> h.Element:
    given = h.input(".tw-field", name=name, type=kind, autocomplete="off", **rest)
    return h.label(".tw-label")[label, given]


def _wrong() -> h.Element:
    return h.p(".loss", role="alert", data_part="wrong")
