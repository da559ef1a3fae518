"""Server, for the administrator: its state and its ledger's, who is logged in, backups, paces and limits."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import htpy as h
from fastapi import Request
from fastapi.responses import Response

from twentyone.ledger.timestamps import moment
from twentyone.money import Amount, dollars
from twentyone.service.backups import BackupRow
from twentyone.service.service import Service
from twentyone.service.sessions import SessionRow
from twentyone.service.staff import PACES
from twentyone.service.state import server_state
from twentyone.web.api.common import SESSION_COOKIE, ServiceHere, cookie_of
from twentyone.web.api.server import all_settings
from twentyone.web.pages.shell import LookerHere, show

__all__ = ["show_server"]

CLOCKS = {
    "clock": ("Seconds for a decision", 5, 3600),
    "patience": ("Seconds for wagers after the first", 0, 600),
    "absence": ("Seconds without playing", 30, 86400),
}
"""The clocks of a table, with the least and the most of each."""
KEPT_APART = "The key, the checkpoints and the accounts are not in it: keep copies of those files elsewhere."


async def show_server(service: ServiceHere, looker: LookerHere, request: Request) -> Response:
    """The page of the server."""
    if looker.role != "administrator":
        only = h.p(".tw-note")["The server is kept by the administrator. ", h.a(href="/login")["Log in"]]
        return show("Server", "Server", looker, h.main("#main.tw-main")[h.h1["Server"], only])
    state = await asyncio.to_thread(server_state, service)
    own = service.people.sessions.number(cookie_of(request, SESSION_COOKIE))
    main = h.main("#main.tw-main")[
        h.h1["Server"],
        _state(state),
        _sessions(service.people.sessions.listed(), own),
        _wrong_passwords(service),
        _backups(service),
        _tables(await all_settings(request, service)),
    ]
    return show("Server", "Server", looker, main, styles=("people", "server"), scripts=("people",))


def _section(name: str, title: str, *inside: Any) -> h.Element:
    return h.section(".tw-panel", aria_labelledby=name)[h.h2(id=name)[title], *inside]


# -- state


def _examined(state: dict[str, Any]) -> str:
    """When the ledger was looked at, and whether another process does so for all."""
    when = f"{moment(state['watched'])} UTC" if state["watched"] else "not yet since the start"
    return when if state["watches"] else f"{when}, by another process for all"


def _state(state: dict[str, Any]) -> h.Element:
    facts = {
        "Version": f"twentyone {state['version']}, Python {state['python']}",
        "Package": h.span[
            h.code[state["package"]], f", {state['authentic']}, examined {moment(state['examined'])} UTC"
        ],
        "Started": f"{moment(state['started'])} UTC, {timedelta(seconds=state['now'] - state['started'])} ago",
        "Ledger": f"{state['database']}, {state['ledger']}" + (f", {_size(state['bytes'])}" if state["bytes"] else ""),
        "Disk free": _size(state["disk_free"]),
        "Streams": f"{state['streams']:,}, of them {state['tables']:,} tables",
        "Events": f"{state['events']:,}",
        "Commands": "accepted" if state["accepts_commands"] else _loss(f"none are accepted: {state['outage']}"),
        "Dealing": _loss(f"stopped: {'; '.join(state['stopped'])}") if state["stopped"] else "goes on",
        "Ledger examined": _examined(state),
        "Last checkpoint": _checkpoint(state),
        "Not served": _loss("; ".join(f"{name}: {why}" for name, why in state["unloaded"].items()))
        if state["unloaded"]
        else "no table",
    }
    rows = [[h.dt[name], h.dd[value]] for name, value in facts.items()]
    checks = [h.li[check] for check in state["start_checks"]]
    return _section(
        "state",
        "State",
        h.dl(".tw-facts", data_part="state")[rows],
        h.details[h.summary["What was compared at the start"], h.ul(data_part="checks")[checks]],
    )


def _checkpoint(state: dict[str, Any]) -> h.Node:
    point = state["checkpoint"]
    if point is None:
        return _loss("there is none")
    behind = state["events"] - point["events"]
    says = f"number {point['number']:,}, {moment(point['at'])} UTC, {point['events']:,} events, {behind:,} since"
    return [says, "; ", _loss(state["signature"]) if state["signature"] else "its signature is good"]


def _loss(says: str) -> h.Element:
    return h.span(".loss")[says]


def _size(size: int) -> str:
    """Bytes as a person reads them.

    >>> _size(999), _size(2_500_000)
    ('999 bytes', '2.5 MB')
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= unit:
            return f"{size // unit}.{size % unit * 10 // unit} {name}"
    return f"{size} bytes"


# -- sessions


def _sessions(rows: list[SessionRow], own: str) -> h.Element:
    now = [row for row in rows if row.ended is None]
    past = [row for row in rows if row.ended is not None]
    return _section(
        "sessions",
        "Sessions",
        _listed("Who is logged in", [_now(row, row.number == own) for row in now], "last seen"),
        h.details[
            h.summary[f"{len(past)} that ended"],
            _listed("Who was logged in", [_past(row) for row in past], "ended"),
        ]
        if past
        else None,
    )


def _listed(caption: str, rows: list[h.Element], last: str) -> h.Element:
    heads = [h.th(scope="col")[name] for name in ("who", "from", "begun", last)]
    return h.table(".tw-table.tw-stack")[h.caption(".sr")[caption], h.thead[h.tr[heads, h.td]], h.tbody[rows]]


def _cells(row: SessionRow, label: str, last: str, end: h.Node) -> h.Element:
    return h.tr(data_session=row.number)[
        h.th(scope="row")[row.name, " ", h.span(".tw-kind")[row.role]],
        h.td(data_label="from")[row.address or "not known"],
        h.td(data_label="begun")[moment(row.begun)],
        h.td(data_label=label)[last],
        h.td[end],
    ]


def _now(row: SessionRow, own: bool) -> h.Element:
    says = {"aria_label": f"End the session of {row.name}", "data_ask": "session", "data_name": row.number}
    button = h.button(".tw-button", type="button", **says)["End"]
    return _cells(row, "last seen", moment(row.seen or row.begun), h.span(".tw-note")["you"] if own else button)


def _past(row: SessionRow) -> h.Element:
    return _cells(row, "ended", f"{moment(row.ended or 0)}, {row.why}", None)


def _wrong_passwords(service: Service) -> h.Element | None:
    rows = service.people.attempts.wrong()
    if not rows:
        return None
    items = [
        h.li[f"{name}: {failed} from {place}", f", waits until {moment(until)} UTC" if until > service.now else None]
        for name, place, failed, until in rows
    ]
    return _section("wrong", "Wrong passwords", h.ul(data_part="wrong-passwords")[items])


# -- backups


def _backups(service: Service) -> h.Element:
    rows = service.backups.listed()
    heads = [h.th(scope="col")[name] for name in ("file", "made (UTC)", "by", "size", "state")]
    table = h.table(".tw-table.tw-stack")[
        h.caption(".sr")["Backups"], h.thead[h.tr[heads]], h.tbody[[_backup(row) for row in rows]]
    ]
    return _section(
        "backups",
        "Backups",
        h.p(".tw-note")[f"A copy of the whole ledger, verified, in {service.backups.folder}. {KEPT_APART}"],
        table if rows else h.p["None has been made from here."],
        h.button(".tw-button", type="button", data_ask="backup", data_name="")["Make a backup now"],
    )


def _backup(row: BackupRow) -> h.Element:
    good = row.verified and not row.why
    state = f"verified, {row.events:,} events" if row.verified else "not made"
    return h.tr(data_backup=row.file)[
        h.th(scope="row")[row.file],
        h.td(data_label="made")[moment(row.made)],
        h.td(data_label="by")[row.by],
        h.td(data_label="size")[_size(row.size)],
        h.td(data_label="state", class_=None if good else "loss")["; ".join(filter(None, (state, row.why)))],
    ]


# -- tables


def _tables(rows: list[dict[str, Any]]) -> h.Element:
    note = "A pace or a limit holds from the next step on. The limits of wagers are part of the submission."
    items = [_table(row) for row in rows]
    return _section(
        "tables", "Paces and limits", h.p(".tw-note")[note], h.ul(".tw-settings", data_part="settings")[items]
    )


def _table(row: dict[str, Any]) -> h.Element:
    name = row["table"]
    clocks = ", ".join(f"{row[key]:g} s" for key in CLOCKS)
    pace = h.form(".tw-row", data_ask="pace", data_name=name, aria_label=f"pace of {name}")[
        _pace(row["pace"]),
        [_clock(key, row[key]) for key in CLOCKS],
        h.button(".tw-button", type="submit", aria_label=f"Set the pace of {name}")["Set"],
        _wrong(),
    ]
    summary = h.summary[h.b[name], f" · {row['title']} · {row['phase']} · {row['pace']}: {clocks}"]
    limits = h.div(".tw-choices")[[_limit(name, *bound) for bound in row["limits"].items()]]
    return h.li(data_table=name)[
        h.details(id=f"of-{name}")[summary, pace, h.h3["The most that one command may move"], limits]
    ]


def _pace(chosen: str) -> h.Element:
    options = [h.option(value=pace, selected=pace == chosen)[pace] for pace in PACES]
    return h.label(".tw-label")["Pace", h.select(".tw-field", name="pace")[options]]


def _clock(key: str, value: float) -> h.Element:
    says, least, most = CLOCKS[key]
    bounds = {"min": least, "max": most}
    given = h.input(".tw-field", bounds, type="number", name=key, value=f"{value:g}", step="any", required=True)
    return h.label(".tw-label")[says, given]


def _limit(table: str, about: str, most: str) -> h.Element:
    plain = about.replace("_", " ")
    amount = h.input(".tw-field", name="amount", value=most, inputmode="decimal", maxlength=12, required=True)
    return h.form(".tw-row", data_ask="limit", data_name=table, data_about=about)[
        h.label(".tw-label")[f"{plain.capitalize()}: {dollars(Amount(most))}", amount],
        h.button(".tw-button", type="submit", aria_label=f"Set the limit of {plain} at {table}")["Set"],
        _wrong(),
    ]


def _wrong() -> h.Element:
    return h.p(".loss", role="alert", data_part="wrong")
