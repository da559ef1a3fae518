"""Shift report: the figures of every table, of the meters, the coupons and the purses, and whether they agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from urllib.parse import urlencode

import htpy as h
from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from twentyone.ledger.report import ShiftReport, pages, share
from twentyone.ledger.tally import Tally
from twentyone.money import ZERO, Amount, dollars
from twentyone.service.people import NotAllowed
from twentyone.web.api.common import READERS, ServiceHere
from twentyone.web.api.shift import report_of
from twentyone.web.pages.shell import LookerHere, show
from twentyone.web.pages.trouble import show_trouble

__all__ = ["show_report"]

FIGURES: dict[str, Callable[[Tally], Amount]] = {
    "Drop": lambda table: table.drop,
    "Win": lambda table: table.win,
    "Wagered": lambda table: table.wagered,
    "Fills": lambda table: table.fills,
    "Credits": lambda table: table.credits,
}
"""The columns in money."""
COUNTS = ("rounds", "voids", "shoes")
HEADS = ("Table", "Drop", "Win", "Hold", *list(FIGURES)[2:], "Rounds", "Void", "Shoes", "Irregularities")
METER_HEADS = ("Table", "Meter", "Base", "Added", "Paid", "Wins", "Shows")
FIELDS = ("from", "to", "table")


async def show_report(request: Request, service: ServiceHere, looker: LookerHere) -> Response:
    """The page of the shift report; nothing is counted before a shift is asked for."""
    if looker.role not in READERS:
        on = ("Log in", "/login") if looker.person is None else ("All tables", "/")
        says = "The shift report is for floorperson, auditor and administrator."
        return show_trouble(looker, 401 if looker.person is None else 403, says, on)
    given = {name: request.query_params.get(name, "").strip()[:60] for name in FIELDS}
    shift = f"{given['from']}/{given['to']}" if given["from"] or given["to"] else "all"
    made, wrong = None, ""
    if request.query_params:
        try:
            made = await run_in_threadpool(report_of, service, shift, given["table"])
        except NotAllowed as refused:
            wrong = str(refused)
    main = h.main("#main.tw-main")[
        h.h1["Shift report"],
        _form(given, sorted(service.tables)),
        h.p(".tw-alarm", role="alert")[f"{wrong[:1].upper()}{wrong[1:]}."] if wrong else None,
        _shown(made, {"shift": shift, **({"table": given["table"]} if given["table"] else {})}) if made else None,
    ]
    return show(
        "Shift report", "Rounds", looker, main, styles=("rounds",), scripts=("rounds",), status=422 if wrong else 200
    )


def _form(given: dict[str, str], tables: Iterable[str]) -> h.Element:
    def moment(label: str, name: str) -> h.Element:
        return h.label(".tw-label")[label, h.input(".tw-field", type="datetime-local", name=name, value=given[name])]

    chosen = [h.option(value=name, selected=name == given["table"])[name] for name in tables]
    return h.form(".tw-panel.tw-row", method="get", action="/report", data_wait="Reading every event of the ledger …")[
        moment("From (UTC)", "from"),
        moment("To (UTC)", "to"),
        h.label(".tw-label")["Table", h.select(".tw-field", name="table")[h.option(value="")["all tables"], chosen]],
        h.button(".tw-button.gold", type="submit")["Make the report"],
        h.p(".tw-note", role="status", data_part="waiting"),
    ]


def _shown(report: ShiftReport, query: dict[str, str]) -> h.Element:
    agrees = "Every chip is accounted for." if report.reconciled else "The figures do not agree."
    verdict = h.p(class_="tw-verdict" if report.reconciled else "tw-alarm", role="status", data_part="verdict")[agrees]
    if not report.active:
        return h.div[h.p(".tw-panel")["Nothing happened in this shift."], verdict]
    return h.div(".tw-stack")[
        verdict,
        _figures(report),
        _meters(report.tables),
        _mishaps(report),
        h.section(".tw-panel")[h.h2["Coupons"], h.pre(tabindex=0)["\n".join(report.coupons.lines())]],
        h.section(".tw-panel")[h.h2["Purses and chips"], h.pre(tabindex=0)["\n".join(report.house.lines())]]
        if report.house is not None
        else None,
        h.details(".tw-panel")[h.summary["On paper"], h.pre(tabindex=0)["\n\n".join(pages(report))]],
        h.p[h.a(".tw-button", href=f"/api/v1/report?{urlencode(query)}", download="report.json")["Report as JSON"]],
    ]


def _figures(report: ShiftReport) -> h.Element:
    rows = [h.tr[_row(table.table, (table,), table.hold)] for table in report.tables]
    total = h.tr(".tw-total")[_row("All tables", report.tables, report.hold)]
    table = h.table(".tw-table")[h.thead[_head(HEADS)], h.tbody[rows, total]]
    return h.section(".tw-panel")[h.h2["Tables"], h.div(".tw-scroll", tabindex=0)[table]]


def _row(name: str, tables: Sequence[Tally], hold: Fraction | None) -> list[h.Element]:
    """The figures of some tables together."""
    money = [dollars(sum(map(figure, tables), ZERO)) for figure in FIGURES.values()]
    counts = [str(sum(getattr(table, count) for table in tables)) for count in COUNTS]
    percent = f"{share(hold * 100, 2)} %" if hold is not None else "–"
    wrong = str(sum(sum(table.irregularities.values()) for table in tables))
    cells = [*money[:2], percent, *money[2:], *counts, wrong]
    return [h.th(scope="row")[name], *(h.td(".num")[cell.replace("-", "−")] for cell in cells)]


def _head(names: Iterable[str]) -> h.Element:
    return h.tr[[h.th(scope="col", class_=None if name in ("Table", "Meter") else "num")[name] for name in names]]


def _meters(tables: Iterable[Tally]) -> h.Element | None:
    rows = [
        h.tr[
            h.th(scope="row")[table.table],
            h.td[name.replace("_", " ")],
            [
                h.td(".num")[cell]
                for cell in (
                    dollars(meter.base),
                    dollars(Amount(int(meter.contributed))),
                    dollars(meter.paid),
                    str(meter.hits),
                    dollars(meter.shown),
                )
            ],
        ]
        for table in tables
        for name, meter in table.meters.items()
    ]
    if not rows:
        return None
    body = h.table(".tw-table")[h.thead[_head(METER_HEADS)], h.tbody[rows]]
    return h.section(".tw-panel")[h.h2["Meters"], h.div(".tw-scroll", tabindex=0)[body]]


def _mishaps(report: ShiftReport) -> h.Element | None:
    lines = [
        h.li[
            f"{name.replace('_', ' ')}: {count} ",
            h.a(href=f"/rounds?{urlencode({'irregularity': name, 'paragraph': cite})}")[cite],
        ]
        for (name, cite), count in sorted(report.irregularities.items())
    ]
    return h.section(".tw-panel")[h.h2["Irregularities"], h.ul[lines]] if lines else None
