"""Sitting down with play money, buying more, and the settings of the automatic staff."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from twentyone.service.noted import note_settings
from twentyone.service.paces import PACES, check_pace
from twentyone.service.people import NotAllowed
from twentyone.service.seating import buy_in, take_seat
from twentyone.web.api.common import ERRORS, Closed, Name, ServiceHere, Somebody, Visitor, address_of, respond
from twentyone.web.api.models import Shown, StaffShown, View
from twentyone.web.api.sessions import give_cookies

__all__ = ["router"]

router = APIRouter(tags=["tables"], responses=ERRORS)


class SitBody(Closed):
    """Where a guest sits down; without a box, the free one nearest to the middle; or whether he stands at the table."""

    box: Annotated[int, Field(ge=1, le=20)] | None = None
    stand: bool = False
    name: Annotated[str, Field(min_length=1, max_length=60)] = "Guest"


class StaffSettings(Closed):
    """The automatic staff of a table; what is not named stays as it is."""

    pace: Annotated[str, Field(max_length=20)]
    clock: Annotated[float, Field(ge=5, le=3600)] | None = None
    patience: Annotated[float, Field(ge=0, le=600)] | None = None
    absence: Annotated[float, Field(ge=30, le=86400)] | None = None


@router.post("/tables/{table}/sit", response_model=View)
async def sit(table: Name, body: SitBody, request: Request, service: ServiceHere, person: Visitor) -> Response:
    """Sit down: a guest gets a name at once, and his purse or fresh play money."""
    live, session = service.table(table), None
    if person is None:
        session = await run_in_threadpool(
            service.people.guest, body.name, address_of(request), service.doors.limits.new_guests
        )
        person = session.person
    if person.role != "player":
        raise NotAllowed(f"the {person.role} does not play")
    try:
        async with service.doors.coming(live, person):
            await take_seat(service, live, person, body.box, body.stand)
    except Exception:
        if session is not None:
            service.people.end(session.id)
            service.people.attempts.no_guest(address_of(request))
        raise
    answer = Response(live.view_cache.text(person), media_type="application/json")
    if session is not None:
        give_cookies(request, answer, session)
    return answer


@router.post("/tables/{table}/buy-in", response_model=View)
async def more_chips(table: Name, service: ServiceHere, person: Somebody) -> Response:
    """More chips for a player with less than the minimum wager left: his purse, or fresh play money."""
    live = service.table(table)
    await buy_in(service, live, person)
    return Response(live.view_cache.text(person), media_type="application/json")


@router.get("/tables/{table}/staff", response_model=StaffShown)
async def staff_settings(table: Name, service: ServiceHere) -> Response:
    """The settings of the automatic staff."""
    players = service.table(table).runner.table.state.players
    return respond({**service.settings(table).to_json(players), "paces": list(PACES)})


@router.put("/tables/{table}/staff", response_model=Shown)
async def set_staff(table: Name, body: StaffSettings, service: ServiceHere, person: Somebody) -> Response:
    """Set pace and clock; a player who is alone at the table sets its pace while he is, and no clock."""
    live, now = service.table(table), service.settings(table)
    check_pace(live, now, person, body.pace)
    if person.role == "player":
        now = service.set_staff(table, player=person.name, own=body.pace)
    else:
        before, now = now, service.set_staff(table, player="", own="", **body.model_dump(exclude_none=True))
        await note_settings(service, table, person, before, now)
    return respond(now.to_json(live.runner.table.state.players))
