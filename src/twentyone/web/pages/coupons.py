"""Coupons: what the house has issued, for those who look into the ledger; staff issues new ones."""

from __future__ import annotations

import uuid
from typing import Any

from twentyone.ledger.timestamps import moment
from twentyone.money import Amount, dollars
from twentyone.service.people import Person
from twentyone.service.service import Service
from twentyone.web.api.common import READERS
from twentyone.web.api.coupons import ISSUERS
from twentyone.web.html import Markup, h
from twentyone.web.pages.shell import show

__all__ = ["show_coupons"]

SHOWN = 200
"""Coupons on the page; the interface lists all."""
ADVICE = (
    "A match-play coupon is laid beside a wager by the dealer or the floorperson, at the table's console. It is used "
    "once: when its wager is won or lost."
)


def show_coupons(service: Service, person: Person | None) -> None:
    """The page of coupons."""
    if person is None or person.role not in READERS:
        only = h("p", "Coupons are kept by the staff. ", h("a", "Log in", href="/login"), class_="tw-note")
        show("Coupons", "Coupons", person, h("main", h("h1", "Coupons"), only, class_="tw-main", id="main"))
        return
    may = person.role in ISSUERS
    rows = service.coupons.listed()
    main = h(
        "main",
        h("h1", "Coupons"),
        h("p", ADVICE, class_="tw-note"),
        _listed(rows, may),
        _issuing() if may else None,
        class_="tw-main",
        id="main",
    )
    show("Coupons", "Coupons", person, main, styles=("people",), scripts=("people",))


def _listed(rows: list[dict[str, Any]], may: bool) -> Markup:
    if not rows:
        return h("p", "No coupon has been issued yet.", class_="tw-panel", data_part="coupons")
    items = [_row(row, may) for row in rows[:SHOWN]]
    more = h("li", f"and {len(rows) - SHOWN} more") if len(rows) > SHOWN else None
    return h("ul", items, more, class_="tw-panel tw-people", data_part="coupons")


def _row(row: dict[str, Any], may: bool) -> Markup:
    worth = dollars(Amount(row["amount"]))
    return h(
        "li",
        h("span", h("b", row["number"]), " ", h("span", worth, class_="tw-kind"), class_="tw-who"),
        h("span", f"for {row['person'] or 'anybody'}, until {_last(row['ends'])} (UTC)", class_="tw-note"),
        h(
            "div",
            h("span", _state(row), f" · issued by {row['issuer']}", class_="tw-note"),
            _voiding(row["number"]) if may and row["state"] in ("open", "over") else None,
            class_="tw-row tw-does",
        ),
        data_coupon=row["number"],
    )


def _last(ends: int) -> str:
    """The last minute in which a coupon is good."""
    return moment(ends - 1)[:-3]


def _state(row: dict[str, Any]) -> str:
    state = str(row["state"])
    return {"laid": f"lies at {row['place']}", "used": f"used at {row['place']}"}.get(state, state)


def _voiding(number: str) -> Markup:
    form = h(
        "form",
        _field("Why", "reason", maxlength=120, required=True),
        _key(),
        h("button", "Declare void", class_="tw-button", type="submit", aria_label=f"Declare {number} void"),
        _wrong(),
        data_ask="void",
        data_name=number,
        class_="tw-row",
    )
    return h("details", h("summary", "Void", class_="tw-link", aria_label=f"Void {number}"), form)


def _issuing() -> Markup:
    return h(
        "form",
        h("h2", "Issue a coupon"),
        _field("Amount in dollars", "amount", inputmode="decimal", maxlength=12, required=True),
        _field("Good until the end of", "ends", kind="date", required=True),
        _field("For (a player's name; empty: anybody)", "person", maxlength=40),
        _field("Number (empty: the house numbers it)", "number", maxlength=40),
        _key(),
        h("button", "Issue the coupon", class_="tw-button gold", type="submit"),
        _wrong(),
        class_="tw-panel tw-login",
        data_ask="issue",
    )


def _key() -> Markup:
    """The key that keeps a form sent twice from issuing twice."""
    return h("input", type="hidden", name="key", value=uuid.uuid4().hex)


def _field(label: str, name: str, *, kind: str = "text", **rest: object) -> Markup:
    given = h("input", class_="tw-field", name=name, type=kind, autocomplete="off", **rest)
    return h("label", label, given, class_="tw-label")


def _wrong() -> Markup:
    return h("p", "", class_="loss", role="alert", data_part="wrong")
