"""The pit board, and what closing a table would do."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import orjson
from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import Response
from pydantic import BaseModel
from starlette.requests import HTTPConnection

from twentyone.errors import TwentyoneError
from twentyone.service.closing import closing
from twentyone.service.people import NotAllowed, Person
from twentyone.service.pit import merged
from twentyone.service.service import Service
from twentyone.web.api.common import (
    ERRORS,
    FORWARDED,
    READERS,
    SESSION_COOKIE,
    Name,
    ServiceHere,
    Somebody,
    Staff,
    cookie_of,
    respond,
)

__all__ = ["CLOSERS", "router"]

router = APIRouter(tags=["floor"], responses=ERRORS)

CLOSERS = ("floorperson", "administrator")
"""Who opens and closes tables."""
LOOK = 1.0
"""Seconds between two looks at all tables."""


class Noted(BaseModel):
    """Something a person is to know, under its paragraph."""

    says: str
    cite: str | None


class WaitsShown(BaseModel):
    """Whom a table waits for, and for what."""

    role: str
    whom: list[str]
    says: str
    cite: str


class AskedShown(BaseModel):
    """A step of yours: what is known of it, and the fields to fill in."""

    do: str
    role: str
    says: str
    cite: str
    about: str
    args: dict[str, Any]
    fields: list[dict[str, Any]]


class PitRow(BaseModel):
    """A table on the board; drop, win and counts are those of its gaming day."""

    table: str
    version: int
    title: str
    source: str
    rulebook: str
    phase: str
    round: int
    automatic: bool
    dealer: str | None
    players: list[str]
    waiting: str
    waits: WaitsShown | None
    since: int
    urgency: int
    alarms: list[Noted]
    irregularities: list[Noted]
    overdue: list[Noted]
    inventory: str | None
    drop: str | None
    win: str | None
    rounds: int | None
    mishaps: int | None
    meters: dict[str, str]
    asked: list[AskedShown]


class PitShown(BaseModel):
    """The board: what is wrong with the house, then its tables; what needs a person comes first."""

    now: int
    alarms: list[Noted]
    rows: list[PitRow]


class ClosingShown(BaseModel):
    """The chips that closing a table sends away, or why it cannot be closed now."""

    players: dict[str, str]
    sum: str
    inventory: str
    why: str
    cite: str
    ordered: str = ""
    """Who ordered it closed after its round."""
    closed: bool = False


@router.get("/pit", response_model=PitShown)
async def pit(request: Request, service: ServiceHere, person: Staff) -> Response:
    """Every table: what it waits for, what is wrong, what is due, what it won."""
    await service.pit.count()
    return respond({"now": service.now, **await _board(request, service, person)})


async def _board(request: HTTPConnection, service: Service, person: Person) -> dict[str, Any]:
    """The board with the tables of all processes."""
    await service.elsewhere.all_loaded()
    shown = service.pit.shown(person)
    if FORWARDED in request.scope:
        return shown
    return merged([shown, *await service.elsewhere.rows("/api/v1/pit", request.headers)])


@router.get("/tables/{table}/closing", response_model=ClosingShown)
async def before_closing(table: Name, service: ServiceHere, person: Somebody) -> Response:
    """What closing the table would do to the chips there."""
    if person.role not in CLOSERS:
        raise NotAllowed("only a floorperson or the administrator closes tables")
    live = service.table(table)
    stop, closed = service.orders.closing.get(table), live.runner.table.state.phase == "closed"
    ordered = {"ordered": stop.by if stop is not None else "", "closed": closed}
    return respond({**closing(live.runner.table, person), **ordered})


@router.websocket("/pit/live")
async def live_pit(socket: WebSocket) -> None:
    """Pushes the board whenever it has changed, as long as its reader is known."""
    service: Service = socket.app.state.service
    await socket.accept()
    last: dict[str, Any] = {}
    with suppress(WebSocketDisconnect, RuntimeError):
        while person := _reader(socket, service):
            with suppress(TwentyoneError):
                await service.pit.count()
            shown = await _board(socket, service, person)
            if shown != last:
                await socket.send_text(orjson.dumps({"now": service.now, **shown}).decode())
                last = shown
            with suppress(TimeoutError):
                await asyncio.wait_for(socket.receive_text(), LOOK)
        await socket.close(4401)


def _reader(socket: WebSocket, service: Service) -> Person | None:
    """Who looks, if he may; looking does not keep his session alive."""
    known = service.people.whose(cookie_of(socket, SESSION_COOKIE), watches=True)
    return known[0] if known is not None and known[0].role in READERS else None
