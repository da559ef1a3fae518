"""The server: its state and its ledger's, sessions, backups, settings of the tables; for the administrator."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from pydantic import BaseModel

from twentyone.service.people import NotAllowed, Person
from twentyone.service.service import Service
from twentyone.service.state import server_state, table_settings
from twentyone.web.api.accounts import Administrator
from twentyone.web.api.common import ERRORS, SESSION_COOKIE, ServiceHere, cookie_of, everywhere, respond
from twentyone.web.api.models import Shown
from twentyone.web.api.sessions import Words

__all__ = ["all_settings", "router"]

router = APIRouter(tags=["server"], responses=ERRORS)


class CheckpointShown(BaseModel):
    """The last signed checkpoint."""

    number: int
    at: int
    events: int


class ServerShown(BaseModel):
    """The server and its ledger; `signature` says what is wrong with the last checkpoint, empty: nothing."""

    version: str
    package: str
    authentic: str
    examined: int
    stopped: list[str]
    watched: int
    watches: bool
    python: str
    started: int
    now: int
    database: str
    ledger: str
    bytes: int | None
    disk_free: int
    streams: int
    events: int
    tables: int
    unloaded: dict[str, str]
    accepts_commands: bool
    outage: str
    checkpoint: CheckpointShown | None
    signature: str
    start_checks: list[str]


class SessionShown(BaseModel):
    """A session: whose, from where, from when to when; `you`: the one that asks."""

    number: str
    name: str
    role: str
    address: str
    begun: int
    seen: int | None
    ended: int | None
    why: str
    you: bool


class WrongShown(BaseModel):
    """Wrong passwords for an account from one place, and until when it waits."""

    name: str
    place: str
    failed: int
    until: int


class SessionsShown(BaseModel):
    """The sessions that go on and those that ended; wrong passwords."""

    sessions: list[SessionShown]
    wrong: list[WrongShown]


class BackupShown(BaseModel):
    """A backup: when it was made, how large it is, whether it was verified, what has become of its file."""

    file: str
    made: int
    by: str
    size: int
    events: int
    verified: bool
    why: str


class SettingsShown(Shown):
    """A table with its pace, its clocks and the most that one command may move."""

    table: str
    title: str
    phase: str
    limits: dict[str, str]


@router.get("/server", response_model=ServerShown)
async def state(_: Administrator, service: ServiceHere) -> Response:
    """The state of the server and its ledger."""
    return respond(await run_in_threadpool(server_state, service))


@router.get("/server/tables", response_model=list[SettingsShown])
async def settings(_: Administrator, request: Request, service: ServiceHere) -> Response:
    """Pace, clocks and limits of every table."""
    return respond(await all_settings(request, service))


async def all_settings(request: Request, service: Service) -> list[dict[str, Any]]:
    """The same, as plain values."""
    await service.elsewhere.all_loaded()
    return await everywhere(request, service, "/api/v1/server/tables", table_settings(service))


@router.get("/sessions")
async def sessions(_: Administrator, request: Request, service: ServiceHere) -> SessionsShown:
    """Who is logged in, from where, since when; who was."""
    known = service.people.sessions
    own = known.number(cookie_of(request, SESSION_COOKIE))
    rows = [SessionShown(**row._asdict(), you=row.number == own) for row in known.listed()]
    wrong = [WrongShown(name=n, place=p, failed=f, until=u) for n, p, f, u in service.people.attempts.wrong()]
    return SessionsShown(sessions=rows, wrong=wrong)


@router.delete("/sessions/{session}", status_code=204)
async def end_session(session: Words, person: Administrator, request: Request, service: ServiceHere) -> None:
    """End a session; a player leaves the tables that he may leave."""
    known = service.people.sessions
    if session == known.number(cookie_of(request, SESSION_COOKIE)):
        raise NotAllowed("this is the session that you use: log out", 409)
    ended = known.end_numbered(session, person.name)
    if ended is None:
        raise NotAllowed("there is no such session, or it has ended", 404)
    await service.go(Person(*ended))


@router.get("/backups")
async def backups(_: Administrator, service: ServiceHere) -> list[BackupShown]:
    """The backups that were made from here, the newest first."""
    return [BackupShown(**row._asdict()) for row in service.backups.listed()]


@router.post("/backups", status_code=201)
async def make_backup(person: Administrator, service: ServiceHere) -> BackupShown:
    """Make a backup and verify it; one that fails is in the list, with the reason."""
    return BackupShown(**(await run_in_threadpool(service.backups.make, person.name))._asdict())
