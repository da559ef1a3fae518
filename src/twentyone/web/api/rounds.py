"""Rounds: search, replay, round script, reconstruction, verification."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import chain
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response, StreamingResponse

from twentyone.ledger.export import export_round
from twentyone.ledger.newest_rounds import Page
from twentyone.ledger.round_rows import RoundRow
from twentyone.ledger.rounds import NoSuchRound
from twentyone.ledger.timestamps import moment
from twentyone.money import Amount
from twentyone.service.chance import wheel_shown
from twentyone.service.frames import all_shown, frames
from twentyone.service.own_rounds import check_readable
from twentyone.service.people import NotAllowed, Person
from twentyone.service.service import Service
from twentyone.strategy.spreadsheets import as_text
from twentyone.web.api.common import ERRORS, READERS, Name, ServiceHere, Staff, Visitor, respond
from twentyone.web.api.models import DealtShown, ReplayShown, ReportShown, RoundLine, RoundsShown, WheelShown
from twentyone.web.api.round_filters import PARAMETERS, Search, SearchHere

__all__ = ["finished", "found_rounds", "router"]

router = APIRouter(tags=["rounds"], responses=ERRORS)

RoundNumber = Annotated[int, Path(ge=1, le=2**53 - 1)]
PAGE = 100
"""Rounds on a page."""
COLUMNS = (
    "round",
    "table",
    "rulebook",
    "number",
    "begun_utc",
    "over",
    "void",
    "boxes",
    "wagered",
    "net",
    "outcomes",
    "irregularities",
    "cites",
)
"""The columns of the file of rounds."""
CSV: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}


def found_rounds(service: Service, asked: Search) -> Page:
    """A page of the rounds that somebody asks for, the newest first."""
    return service.rounds.page(asked.wanted, asked.before, PAGE)


@router.get("/rounds", response_model=RoundsShown, openapi_extra=PARAMETERS)
def rounds(service: ServiceHere, asked: SearchHere) -> Response:
    """Search the ledger, a page at a time: the next one begins `before` what this one calls `next`."""
    page = found_rounds(service, asked)
    return respond({**page._asdict(), "rounds": [row.to_json() for row in page.rounds]})


@router.get("/rounds.json", response_model=list[RoundLine], openapi_extra=PARAMETERS)
def rounds_as_json(service: ServiceHere, asked: SearchHere) -> Response:
    """Every round of the same search, in one file."""
    lines = (orjson.dumps(row.to_json()) for row in service.rounds.every(asked.wanted))
    return _file(_listed(lines), "application/json", "json")


@router.get("/rounds.csv", responses=CSV, response_class=StreamingResponse, openapi_extra=PARAMETERS)
def rounds_as_csv(service: ServiceHere, asked: SearchHere) -> Response:
    """The same as a table for a spreadsheet; a cell that a spreadsheet would calculate begins with an apostrophe."""
    lines = (_line(_cells(row)) for row in service.rounds.every(asked.wanted))
    return _file(chain([_line(COLUMNS)], lines), "text/csv", "csv")


def _file(parts: Iterator[Any], kind: str, ending: str) -> Response:
    """A file that is sent while it is made."""
    name = f'attachment; filename="rounds.{ending}"'
    return StreamingResponse(parts, 200, {"content-disposition": name}, kind)


def _listed(items: Iterator[bytes]) -> Iterator[bytes]:
    """A JSON list of items, part by part."""
    first = next(items, b"")
    yield b"[" + first
    for item in items:
        yield b",\n" + item
    yield b"]"


def _line(cells: Iterable[str]) -> str:
    text = StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue()


def _cells(row: RoundRow) -> list[str]:
    net = "; ".join(f"{player} {Amount.from_thousandths(amount)}" for player, amount in row.net.items())
    facts = (row.id, row.table, row.rulebook, row.number, moment(row.begun), row.over, row.void)
    lists = (row.outcomes, row.irregularities, row.cites)
    figures = (" ".join(map(str, row.boxes)), Amount.from_thousandths(row.wagered))
    texts = [str(cell) for cell in (*facts, *figures, net, *("; ".join(each) for each in lists))]
    return [as_text(text) for text in texts]


def finished(service: Service, person: Person | None, table: str, number: int) -> RoundRow:
    """A round that is over, for who may read it."""
    try:
        row = service.rounds.find(f"{table}:{number}")
    except NoSuchRound as wrong:
        raise NotAllowed(str(wrong), 404) from None
    check_readable(service, person, row)
    if not row.over:
        raise NotAllowed("this round is in progress: look at the table", 409)
    return row


@router.get("/rounds/{table}/{number}", response_model=ReplayShown)
def one_round(table: Name, number: RoundNumber, service: ServiceHere, person: Visitor) -> Response:
    """A round, frame by frame: every event with its paragraph and the table after it."""
    row = finished(service, person, table, number)
    return respond({**row.to_json(), "frames": frames(service.store, row)})


@router.get("/rounds/{table}/{number}/script")
def round_script(table: Name, number: RoundNumber, service: ServiceHere, person: Visitor) -> dict[str, Any]:
    """The round as a round script: round-script/1 where it can say the round, else round-script/2."""
    row = finished(service, person, table, number)
    if not all_shown(service.store, row) and (person is None or person.role not in READERS):
        raise NotAllowed(
            "a card of this round was never shown: its script is only for floorperson, auditor and administrator"
        )
    return dict(export_round(service.store, row))


@router.get("/rounds/{table}/{number}/dealt", response_model=DealtShown)
def dealt_again(table: Name, number: RoundNumber, service: ServiceHere, person: Visitor) -> Response:
    """Deal the round again from what it was brought, and compare every event with the ledger."""
    dealt = service.dealing_again.deal(finished(service, person, table, number))
    shown = dealt if person is not None and person.role in READERS else dealt._replace(why="")
    return respond(shown._asdict())


@router.get("/rounds/{table}/{number}/wheel", response_model=WheelShown)
def wheel_of_round(table: Name, number: RoundNumber, service: ServiceHere, person: Visitor) -> Response:
    """The wheels of the round: commitment, seed and where they stopped; what their check needs."""
    return respond(wheel_shown(service.store, finished(service, person, table, number)))


@router.post("/verify", response_model=ReportShown)
async def verify(service: ServiceHere, _: Staff) -> Response:
    """Check the whole ledger: chain, double entry, shoes, every round dealt again."""
    return respond(await run_in_threadpool(service.verify))
