"""The shift report: drop, win, hold, purses, coupons and meters, reconciled."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

from twentyone.ledger.report import ShiftReport
from twentyone.ledger.timestamps import NotAPeriod, Period
from twentyone.service.closed_periods import ClosedPeriod, closed_periods
from twentyone.service.people import NotAllowed
from twentyone.service.reporting import make_report
from twentyone.service.service import Service
from twentyone.web.api.common import ERRORS, Name, ServiceHere, Staff

__all__ = ["KNOWS", "periods_of", "report_of", "router"]

router = APIRouter(tags=["report"], responses=ERRORS)

KNOWS = ("auditor", "administrator")
"""Who may know where somebody logged in from."""
Shift = Annotated[str, Query(max_length=60)]


def report_of(service: Service, shift: str, table: str | None) -> ShiftReport:
    """The report of a shift, as the command line names it, over all tables or one."""
    try:
        period = Period.parse(shift)
    except NotAPeriod as wrong:
        raise NotAllowed(str(wrong), 422) from None
    return make_report(service.ledger, period, service.now, [table] if table else [])


class PeriodsShown(BaseModel):
    """The closed periods, the oldest first, and what is wrong with their list."""

    periods: list[ClosedPeriod]
    faults: list[str]


@router.get("/archives")
def archives(service: ServiceHere, person: Staff) -> PeriodsShown:
    """The archives of closed periods."""
    if person.role not in KNOWS:
        raise NotAllowed("only for auditor and administrator")
    periods, faults = periods_of(service)
    return PeriodsShown(periods=periods, faults=faults)


def periods_of(service: Service) -> tuple[list[ClosedPeriod], list[str]]:
    """The closed periods of a house, and what is wrong with their list."""
    try:
        return closed_periods(service.archives)
    except (OSError, KeyError, TypeError, ValueError):
        return [], ["the list of archives cannot be read"]


@router.get("/report")
def report(service: ServiceHere, person: Staff, shift: Shift = "all", table: Name | None = None) -> dict[str, Any]:
    """The report of a shift: `all`, a day such as 2026-01-31, or FROM/TO (UTC)."""
    found = report_of(service, shift, table)
    return (found if person.role in KNOWS else found.without_addresses()).to_json()
