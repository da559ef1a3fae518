"""No more wagers: in the whole house, or at a table that closes after its round."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field

from twentyone.service.people import NotAllowed, Person
from twentyone.web.api.accounts import WAITS, do_or_ask, told_to_wait
from twentyone.web.api.common import ERRORS, Closed, Name, ServiceHere, Somebody, Staff
from twentyone.web.api.floor import CLOSERS

__all__ = ["router"]

router = APIRouter(tags=["floor"], responses=ERRORS)


class Reason(Closed):
    """Why play is stopped, for those who want to wager."""

    why: Annotated[str, Field(min_length=3, max_length=200, pattern=r"^[^\x00-\x1f]*$")]


class StopShown(BaseModel):
    """Whether play is stopped in the whole house, since when, by whom and why; tables that close after their round."""

    stopped: bool
    by: str = ""
    at: int | None = None
    why: str = ""
    closing: dict[str, str] = {}


def _may(person: Person) -> None:
    if person.role not in CLOSERS:
        raise NotAllowed("only a floorperson or the administrator stops play and closes tables")


@router.get("/house/stop")
async def stopped(_: Staff, service: ServiceHere) -> StopShown:
    """Whether play is stopped."""
    closing = {name: stop.by for name, stop in service.orders.closing.items()}
    stop = service.orders.house
    if stop is None:
        return StopShown(stopped=False, closing=closing)
    return StopShown(stopped=True, by=stop.by, at=stop.at, why=stop.why, closing=closing)


@router.put("/house/stop", status_code=204)
async def stop(body: Reason, person: Somebody, service: ServiceHere) -> None:
    """Stop play in the whole house; the rounds in progress conclude, no new wager is taken."""
    _may(person)
    service.orders.stop(person, body.why)


@router.delete("/house/stop", status_code=204, responses=WAITS)
async def resume(person: Somebody, service: ServiceHere) -> Response:
    """Let the house play again; where two persons are wanted, another administrator approves it."""
    _may(person)
    if service.orders.house is None:
        raise NotAllowed("play is not stopped", 409)
    asked = await do_or_ask(service, "resume", "let the house play again", person)
    return Response(status_code=204) if asked is None else told_to_wait(asked)


@router.put("/tables/{table}/closing", status_code=204)
async def order_closing(table: Name, person: Somebody, service: ServiceHere) -> None:
    """Order a table closed after its round, whoever keeps wagering."""
    _may(person)
    service.orders.order(service.table(table), person)


@router.delete("/tables/{table}/closing", status_code=204)
async def withdraw_closing(table: Name, person: Somebody, service: ServiceHere) -> None:
    """Let a table that was to be closed go on."""
    _may(person)
    await run_in_threadpool(service.orders.withdraw, table, person.name)
