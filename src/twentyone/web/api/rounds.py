"""Rounds: search, replay, round script, reconstruction, verification."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from twentyone.ledger.rounds import NoSuchRound, RoundRow, Wanted
from twentyone.service.frames import all_shown, frames
from twentyone.service.own_rounds import check_readable, readable_rounds
from twentyone.service.people import NotAllowed, Person
from twentyone.service.service import Service
from twentyone.web.api.common import ERRORS, READERS, Name, ServiceHere, Staff, Visitor, respond
from twentyone.web.api.models import ReplayShown, ReportShown, RoundLine

__all__ = ["found_rounds", "router"]

router = APIRouter(tags=["rounds"], responses=ERRORS)

RoundNumber = Annotated[int, Path(ge=1, le=2**53 - 1)]
Word = Annotated[str, Query(max_length=120)]
MOST = 500
"""The most rounds that are listed."""


def found_rounds(service: Service, person: Person | None, wanted: Wanted, most: int = MOST) -> list[RoundRow]:
    """The last rounds that match and that this person may read, the newest first."""
    return readable_rounds(service, person, wanted)[:most]


@router.get("/rounds", response_model=list[RoundLine])
def rounds(
    service: ServiceHere,
    person: Visitor,
    table: Name | None = None,
    box: Annotated[int, Query(ge=1, le=20)] | None = None,
    player: Word | None = None,
    outcome: Word | None = None,
    paragraph: Word | None = None,
    irregularity: Word | None = None,
) -> Response:
    """Search the ledger: a player his own rounds, staff and auditors all."""
    wanted = Wanted(table, box, player, outcome, paragraph, irregularity)
    return respond([row.to_json() for row in found_rounds(service, person, wanted)])


def _finished(service: Service, person: Person | None, table: str, number: int) -> RoundRow:
    try:
        row = service.rounds.find(f"{table}:{number}")
    except NoSuchRound as wrong:
        raise NotAllowed(str(wrong), 404) from None
    if not row.over:
        raise NotAllowed("this round is in progress: look at the table", 409)
    check_readable(service, person, row)
    return row


@router.get("/rounds/{table}/{number}", response_model=ReplayShown)
def one_round(table: Name, number: RoundNumber, service: ServiceHere, person: Visitor) -> Response:
    """A round, frame by frame: every event with its paragraph and the table after it."""
    row = _finished(service, person, table, number)
    return respond({**row.to_json(), "frames": frames(service.store, row)})


@router.get("/rounds/{table}/{number}/script")
def round_script(table: Name, number: RoundNumber, service: ServiceHere, person: Visitor) -> dict[str, Any]:
    """The round as a round script: round-script/1 where it can say the round, else round-script/2."""
    from twentyone.ledger.export import export_round

    row = _finished(service, person, table, number)
    if not all_shown(service.store, row) and (person is None or person.role not in READERS):
        raise NotAllowed(
            "a card of this round was never shown: its script is only for floorperson, auditor and administrator"
        )
    return dict(export_round(service.store, row))


@router.post("/verify", response_model=ReportShown)
async def verify(service: ServiceHere, _: Staff) -> Response:
    """Check the whole ledger: chain, double entry, shoes, every round dealt again."""
    return respond(await run_in_threadpool(service.verify))
