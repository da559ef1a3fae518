"""Reports: a shift by table, dealer and hour, meters, irregularities, significant events, log-ins; do they agree?"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

import htpy as h
from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from twentyone.ledger.report import ShiftReport, pages
from twentyone.ledger.report_details import by_hour
from twentyone.ledger.timestamps import moment
from twentyone.money import Amount
from twentyone.service.closed_periods import ClosedPeriod
from twentyone.service.lobby import table_names
from twentyone.service.people import NotAllowed
from twentyone.service.service import Service
from twentyone.web.api.common import READERS, ServiceHere
from twentyone.web.api.shift import KNOWS, periods_of, report_of
from twentyone.web.pages.report_pictures import drawn_beside, hours_drawn
from twentyone.web.pages.report_sheets import (
    Cell,
    Hold,
    Share,
    Sheet,
    access_sheet,
    as_csv,
    log_in_sheets,
    said,
    sheets_of,
)
from twentyone.web.pages.shell import Looker, LookerHere, show
from twentyone.web.pages.trouble import show_trouble

__all__ = ["show_report", "take_csv"]

FIELDS = ("from", "to", "table")
SHOWN = 300
"""Rows of a sheet on the page; its file has all."""


async def show_report(request: Request, service: ServiceHere, looker: LookerHere) -> Response:
    """The page of the shift report; nothing is counted before a shift is asked for."""
    if looker.role not in READERS:
        return _not_for(looker)
    given = _given(request)
    shift = f"{given['from']}/{given['to']}" if given["from"] or given["to"] else "all"
    made, wrong = None, ""
    if request.query_params:
        try:
            made = await run_in_threadpool(report_of, service, shift, given["table"])
        except NotAllowed as refused:
            wrong = str(refused)
    main = h.main("#main.tw-main.tw-desk.tw-report")[
        h.h1["Shift report"],
        _form(given, table_names(service)),
        h.p(".tw-alarm", role="alert")[f"{wrong[:1].upper()}{wrong[1:]}."] if wrong else None,
        _shown(service, looker, made, given, shift) if made else None,
        _archives(*periods_of(service)) if looker.role in KNOWS else None,
    ]
    styles, status = ("rounds", "desk", "report"), 422 if wrong else 200
    return show("Shift report", "Reports", looker, main, styles=styles, scripts=("rounds", "desk"), status=status)


async def take_csv(name: str, request: Request, service: ServiceHere, looker: LookerHere) -> Response:
    """One sheet of the report as a file."""
    if looker.role not in READERS:
        return _not_for(looker)
    given = _given(request)
    shift = f"{given['from']}/{given['to']}" if given["from"] or given["to"] else "all"
    report = await run_in_threadpool(report_of, service, shift, given["table"])
    sheets = {sheet.name: sheet for sheet in (*sheets_of(report), *_log_ins(service, looker, report))}
    if name not in sheets:
        raise NotAllowed(
            f"the report of this shift has no sheet {name[:40]!r}; it has {', '.join(sheets) or 'none'}", 404
        )
    headers = {"content-disposition": f'attachment; filename="{name}.csv"', "cache-control": "no-store"}
    return Response(as_csv(sheets[name]), media_type="text/csv", headers=headers)


def _not_for(looker: Looker) -> Response:
    on = ("Log in", "/login") if looker.person is None else ("All tables", "/")
    says = "The shift report is for floorperson, auditor and administrator."
    return show_trouble(looker, 401 if looker.person is None else 403, says, on)


def _given(request: Request) -> dict[str, str]:
    return {name: request.query_params.get(name, "").strip()[:60] for name in FIELDS}


def _form(given: dict[str, str], tables: Iterable[str]) -> h.Element:
    def when(label: str, name: str) -> h.Element:
        return h.label(".tw-label")[label, h.input(".tw-field", type="datetime-local", name=name, value=given[name])]

    chosen = [h.option(value=name, selected=name == given["table"])[name] for name in tables]
    return h.form(".tw-panel.tw-row", method="get", action="/report", data_wait="Reading every event of the ledger …")[
        when("From (UTC)", "from"),
        when("To (UTC)", "to"),
        h.label(".tw-label")["Table", h.select(".tw-field", name="table")[h.option(value="")["all tables"], chosen]],
        h.button(".tw-button.gold", type="submit")["Make the report"],
        h.p(".tw-note", role="status", data_part="waiting"),
    ]


def _shown(service: Service, looker: Looker, report: ShiftReport, given: dict[str, str], shift: str) -> h.Element:
    agrees = "Every chip is accounted for." if report.reconciled else "The figures do not agree."
    verdict = h.p(class_="tw-verdict" if report.reconciled else "tw-alarm", role="status", data_part="verdict")[agrees]
    log_ins = [_sheet(sheet, given) for sheet in _log_ins(service, looker, report)]
    if not report.active:
        return h.div(".tw-stack")[h.p(".tw-panel")["Nothing happened in this shift."], verdict, log_ins]
    query = {"shift": shift, **({"table": given["table"]} if given["table"] else {})}
    return h.div(".tw-stack")[
        verdict,
        h.section(".tw-panel")[h.h2["Drop and win"], hours_drawn(by_hour(report.tables))],
        [_sheet(sheet, given) for sheet in sheets_of(report)],
        _mishaps(report),
        h.section(".tw-panel")[h.h2["Coupons"], h.pre(tabindex=0)["\n".join(report.coupons.lines())]],
        h.section(".tw-panel")[h.h2["Purses and chips"], h.pre(tabindex=0)["\n".join(report.house.lines())]]
        if report.house is not None
        else None,
        log_ins,
        h.details(".tw-panel")[h.summary["On paper"], h.pre(tabindex=0)["\n\n".join(pages(_for(looker, report)))]],
        h.p(".tw-row.tw-tools")[
            h.a(".tw-button", href=f"/api/v1/report?{urlencode(query)}", download="report.json")["Report as JSON"],
            h.button(".tw-button", type="button", data_act="print")["Print"],
        ],
    ]


def _for(looker: Looker, report: ShiftReport) -> ShiftReport:
    """The report without what its reader may not know."""
    return report if looker.role in KNOWS else report.without_addresses()


def _log_ins(service: Service, looker: Looker, report: ShiftReport) -> list[Sheet]:
    people, period = service.people, report.period
    knows = looker.role in KNOWS
    logged = log_in_sheets(people.sessions.begun_in(period), people.attempts.wrong(), knows)
    return [*logged, *access_sheet(report.access, knows)]


# -- a sheet on the page


def _sheet(sheet: Sheet, given: dict[str, str]) -> h.Element:
    pictures = drawn_beside(sheet)[:SHOWN] if sheet.picture else []
    rows = [
        h.tr[_cells(row), h.td[pictures[number]] if pictures else None] for number, row in enumerate(sheet.rows[:SHOWN])
    ]
    total = h.tr(".tw-total")[_cells(sheet.total), h.td if pictures else None] if sheet.total else None
    titles = [
        h.th(scope="col", class_="num" if _is_number(sheet, at) else None)[title] for at, title in enumerate(sheet.head)
    ]
    drawn = h.th(scope="col")["Win, drawn"] if pictures else None
    body = h.table(".tw-table")[h.thead[h.tr[titles, drawn]], h.tbody[rows, total]]
    more = len(sheet.rows) - SHOWN
    name = f"{sheet.name}.csv"
    return h.section(".tw-panel", data_part=f"sheet-{sheet.name}")[
        h.h2[sheet.title],
        h.div(".tw-scroll", tabindex=0)[body],
        h.p(".tw-note")[f"and {more:,} more, in the file"] if more > 0 else None,
        h.p(".tw-tools")[h.a(href=f"/report/{name}?{urlencode(given)}", download=name)[f"{sheet.title} as CSV"]],
    ]


def _cells(row: tuple[Cell, ...]) -> list[h.Element]:
    first, *rest = row
    return [
        h.th(scope="row")[said(first)],
        *(h.td(class_="num" if _figure(cell) else None)[said(cell)] for cell in rest),
    ]


def _figure(cell: Cell) -> bool:
    return isinstance(cell, Amount | Hold | Share | int)


def _is_number(sheet: Sheet, column: int) -> bool:
    return bool(sheet.rows) and _figure(sheet.rows[0][column])


# -- closed periods

PERIOD_HEAD = ("Period", "Ledger", "From (UTC)", "Closed (UTC)", "By", "Events", "SHA-256", "Kept in", "State")


def _archives(periods: list[ClosedPeriod], faults: list[str]) -> h.Element:
    rows = [
        h.tr[
            h.th(scope="row")[str(period.number)],
            h.td[period.ledger],
            h.td[moment(period.begun)],
            h.td[moment(period.closed)],
            h.td[period.by],
            h.td(".num")[f"{period.events:,}"],
            h.td[h.code[period.sha256]],
            h.td[period.file],
            h.td(class_=None if period.state == "kept" else "loss")[period.state],
        ]
        for period in periods
    ]
    head = h.thead[h.tr[[h.th(scope="col", class_="num" if name == "Events" else None)[name] for name in PERIOD_HEAD]]]
    none = h.p(".tw-note")["No period has been closed yet, or its archives are not where the server looks for them."]
    return h.section(".tw-panel", data_part="archives")[
        h.h2["Closed periods"],
        [h.p(".tw-alarm", role="alert")[f"{fault[:1].upper()}{fault[1:]}."] for fault in faults],
        h.div(".tw-scroll", tabindex=0)[h.table(".tw-table")[head, h.tbody[rows]]] if rows else none,
    ]


def _mishaps(report: ShiftReport) -> h.Element | None:
    lines = [
        h.li[
            f"{name.replace('_', ' ')}: {count} ",
            h.a(href=f"/rounds?{urlencode({'irregularity': name, 'paragraph': cite})}")[cite],
        ]
        for (name, cite), count in sorted(report.irregularities.items())
    ]
    return h.section(".tw-panel")[h.h2["Irregularities"], h.ul[lines]] if lines else None
