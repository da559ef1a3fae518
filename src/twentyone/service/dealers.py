"""Who can be called to a table, to deal or as its floorperson: nobody who does not exist."""

from __future__ import annotations

from twentyone.errors import Refused
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.people import People
from twentyone.service.staff import DEALER, FLOORPERSON
from twentyone.table.duty import ASSIGN
from twentyone.table.play import assigned_cite

__all__ = ["check_dealer", "check_floorperson", "dealers"]

CALLS = ("open_table", "change_dealer")
"""Commands that call a dealer to a table."""


def dealers(people: People) -> list[str]:
    """The accounts of dealers, and the automatic one."""
    return [*(account.name for account in people.accounts.listed() if account.role == "dealer"), DEALER]


def check_dealer(people: People, live: LiveTable, request: CommandRequest) -> None:
    """Refuse to call somebody to a table who is no dealer."""
    named = request.args.get("dealer") if request.do in CALLS else None
    if isinstance(named, str) and named not in dealers(people):
        raise Refused(f"{named!r} is no dealer here", live.runner.table.rules.rulebook.tasks["change_dealer"].cite)


def check_floorperson(people: People, live: LiveTable, request: CommandRequest) -> None:
    """Refuse to assign somebody to a table who is no floorperson."""
    named = request.args.get("floorperson") if request.do == ASSIGN else None
    known = [FLOORPERSON, *(account.name for account in people.accounts.listed() if account.role == "floorperson")]
    if isinstance(named, str) and named not in known:
        raise Refused(f"{named!r} is no floorperson here", assigned_cite(live.runner.table.rules.rulebook))
