"""Tables: look, open, give commands, listen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import lru_cache
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from fastapi.routing import APIRoute
from pydantic import Field, ValidationError, model_validator
from starlette.requests import HTTPConnection

from twentyone.errors import TwentyoneError
from twentyone.ledger.rows import Superseded
from twentyone.rulebook import Rules
from twentyone.service.approvals import Approval
from twentyone.service.dealers import check_dealer, check_floorperson
from twentyone.service.guests import SEATS as SEATS_GUEST
from twentyone.service.guests import check_guest, entered_for
from twentyone.service.lines import PARTS
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.lobby import STRANGER, game_shown, stranger_line, table_line
from twentyone.service.noted import NOTED, note_command
from twentyone.service.own_rounds import told_after
from twentyone.service.people import NotAllowed, Person
from twentyone.service.service import Service
from twentyone.service.view_cache import log_text
from twentyone.table.layout import layout
from twentyone.table.layout_svg import draw_layout
from twentyone.table.play import ABSENT, ENTERED_BY
from twentyone.table.play import COMMANDS as KNOWN
from twentyone.web.api.accounts import WAITS, told_to_wait
from twentyone.web.api.common import (
    ERRORS,
    MOVES,
    SESSION_COOKIE,
    Closed,
    Name,
    ServiceHere,
    Somebody,
    Visitor,
    cookie_of,
    everywhere,
    respond,
    service_of,
)
from twentyone.web.api.common import KNOWN as SESSION
from twentyone.web.api.lobby_models import GameShown, TableLine
from twentyone.web.api.models import LineShown, Moved, View
from twentyone.web.observability import COMMANDS

__all__ = ["SPECTATOR", "commands", "router", "table_lines"]

router = APIRouter(tags=["tables"], responses=ERRORS)

MOST = 2**53 - 1
"""The largest whole number that every JSON parser keeps exactly."""
AMOUNT = 12
"""The most characters of an amount: up to a hundred million dollars."""
AMOUNTS = {name for handler in KNOWN.values() for name in handler.amounts}
"""Arguments of commands that are amounts."""
LOOK_AGAIN = 5.0
"""Seconds after which a listener's session is checked again."""
DRAWN = 128
"""Layouts that are kept as they were drawn."""
Small = Annotated[int, Field(ge=-MOST, le=MOST)]
Text = Annotated[str, Field(max_length=120)]
Value = bool | Small | Text | Annotated[list[Small], Field(max_length=7)] | None
Entry = Annotated[str, Field(max_length=40)]
Figures = Annotated[dict[Entry, Small | Text], Field(max_length=200)]
"""One level of a table: the figures of a meter, the weights of a wheel, odds."""
Nested = Annotated[dict[Entry, Small | Text | Figures], Field(max_length=200)]
Submitted = bool | Small | Text | Annotated[list[Small | Text], Field(max_length=40)] | Nested | None
SPECTATOR = STRANGER


class CommandBody(Closed):
    """A command, with its idempotency key and the version that it was made for."""

    do: Annotated[str, Field(max_length=40, pattern=r"^[a-z_]+$", json_schema_extra={"enum": sorted(KNOWN)})]
    args: Annotated[dict[Annotated[str, Field(max_length=40)], Value], Field(max_length=12)] = {}
    key: Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[!-~]+$")]
    version: Annotated[int, Field(ge=0, le=MOST)] | None = None
    player: Annotated[str, Field(min_length=1, max_length=60)] | None = None
    """The guest without a device for whom the dealer enters it."""

    @model_validator(mode="after")
    def _check(self) -> CommandBody:
        if {ABSENT, ENTERED_BY} & self.args.keys():
            raise ValueError("only the service says what it did for an absent player, and who entered a command")
        for name in AMOUNTS:
            if isinstance(value := self.args.get(name), str) and len(value) > AMOUNT:
                raise ValueError(f"{name} has at most {AMOUNT} characters")
        return self


class NewTable(Closed):
    """A table to open."""

    name: Name
    rulebook: Name
    submission: Annotated[dict[Annotated[str, Field(max_length=60)], Submitted], Field(max_length=80)] = {}
    cards: Literal["shoe", "person"] = "shoe"


class CommandRoute(APIRoute):
    """The route of commands, most of what is asked: what is as it should be is read at once.

    Anything else goes the whole way through the framework, which says what is wrong with it.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request."""
        whole = super().get_route_handler()

        async def handle(request: Request) -> Response:
            read = await _read_command(request)
            return await whole(request) if read is None else await command(*read)

        return handle


async def _read_command(request: Request) -> tuple[str, CommandBody, Request, Person] | None:
    """The arguments of a command whose giver, table and body are known and valid."""
    (session,), table = request.scope.get(SESSION, (None,)), request.path_params["table"]
    if session is None or table not in service_of(request).tables:
        return None
    if request.headers.get("content-type") != "application/json":
        return None
    try:
        return table, CommandBody.model_validate_json(await request.body()), request, session[0]
    except ValidationError:
        return None


commands = APIRouter(tags=["tables"], responses=ERRORS, route_class=CommandRoute)
"""The commands at tables."""


@commands.post("/tables/{table}/commands", response_model=Moved, responses=WAITS)
async def command(table: Name, body: CommandBody, request: Request, person: Somebody) -> Response:
    """Give a command; the same key and body give the same response. Above your sum of a day it waits for approval."""
    if person.role == "auditor":
        raise NotAllowed("an auditor may only read")
    given = CommandRequest(body.do, body.args, f"{person.name}:{body.key}", body.version)
    service = service_of(request)
    try:
        live = service.table(table)
        before = live.runner.table
        works = service.settings(table).works and not live.entered
        check_dealer(service.people, live, given)
        check_floorperson(service.people, live, given)
        if body.do == SEATS_GUEST:
            given = await run_in_threadpool(check_guest, service.people, live, person, given)
        giving = (given, person.at_table, person.name)
        if body.player is not None:
            giving = entered_for(person, body.player, given)
        async with service.doors.giving(live, person, given, works):
            answer = await service.day_sums.give(live, *giving)
    except TwentyoneError as refused:
        COMMANDS.labels(type(refused).__name__).inc()
        raise
    if isinstance(answer, Approval):
        COMMANDS.labels("waits").inc()
        return told_to_wait(answer)
    COMMANDS.labels("stored").inc()
    if body.do in NOTED:
        await note_command(service, table, before, person, body.do, body.args)
    return respond({"version": answer.version, "events": [event.type for event in answer.events]})


@router.get("/tables", response_model=list[TableLine])
async def tables(request: Request, service: ServiceHere, person: Visitor) -> Response:
    """Every table: its game and what sets it apart, limits, free boxes, meters, what happens there; where you sit."""
    return respond(await table_lines(request, service, person))


async def table_lines(request: HTTPConnection, service: Service, person: Person | None) -> list[dict[str, Any]]:
    """A line for every table, whichever process leads it."""
    await service.elsewhere.all_loaded()
    lines = [
        stranger_line(service, live) if person is None else table_line(service, live, person)
        for live in service.tables.values()
    ]
    return await everywhere(request, service, "/api/v1/tables", lines)


@router.post("/tables", status_code=201, response_model=TableLine)
async def new_table(body: NewTable, service: ServiceHere, person: Somebody) -> Response:
    """Open a table under a submission."""
    if person.role not in ("floorperson", "administrator"):
        raise NotAllowed("only a floorperson or the administrator opens tables")
    await service.create(body.name, body.rulebook, body.submission, body.cards)
    await run_in_threadpool(service.people.note, "table_made", by=person.name, table=body.name, rulebook=body.rulebook)
    there = await service.elsewhere.line(body.name, person)
    if there:
        return Response(there, 201, media_type="application/json")
    return respond(table_line(service, service.table(body.name), person), 201)


@router.get("/tables/{table}", response_model=View)
async def one_table(table: Name, service: ServiceHere, person: Visitor) -> Response:
    """The table as you may see it."""
    live = service.table(table)
    if person is not None:
        live.presence.heard(person.name)
    return Response(live.view_cache.text(person or SPECTATOR), media_type="application/json")


@router.get("/tables/{table}/game", response_model=GameShown)
async def game(table: Name, service: ServiceHere) -> Response:
    """How the game of the table is played: what differs from Blackjack, what is paid, what each wager costs."""
    return respond(game_shown(service, service.table(table)))


@router.get("/tables/{table}/story", response_model=list[LineShown])
async def story(
    table: Name, service: ServiceHere, person: Visitor, after: Annotated[int, Query(ge=0, le=MOST)] = 0
) -> Response:
    """What happens at the table, line by line: the last round and what is now; for staff, what came before, too."""
    live = service.table(table)
    told = live.lines_after(told_after(live, person or SPECTATOR, after))
    return Response(log_text(told), media_type="application/json")


@router.get("/tables/{table}/felt.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
async def felt_svg(table: Name, service: ServiceHere) -> Response:
    """The layout as a picture."""
    return Response(_drawn(service.table(table).runner.table.rules), media_type="image/svg+xml")


@lru_cache(maxsize=DRAWN)
def _drawn(rules: Rules) -> bytes:
    return draw_layout(layout(rules), signs=False).encode()


# -- live


@router.websocket("/tables/{table}/live")
async def live_table(socket: WebSocket, table: str, after: int = 0) -> None:
    """Pushes what the connected person may see, as it happens; continues from the last version."""
    service: Service = socket.app.state.service
    await socket.accept()
    try:
        live = service.table(table)
        await Listener(socket, service, live).listen(max(0, min(after, MOST)) * PARTS)
    except Superseded:
        await socket.close(MOVES)
    except TwentyoneError:
        await socket.close(4404)


class Listener:
    """One connection that looks at one table."""

    def __init__(self, socket: WebSocket, service: Service, live: LiveTable) -> None:
        self._socket, self._service, self._live = socket, service, live
        self._session = cookie_of(socket, SESSION_COOKIE)
        self._person, self._looked = self._who() or SPECTATOR, time.monotonic()
        self._since = service.people.version_of(self._person.name)

    def _who(self) -> Person | None:
        session = self._service.people.whose(self._session, watches=True)
        return session[0] if session is not None else None

    async def listen(self, heard: int) -> None:
        """Send the table now and after every change, until the listener disconnects or his session ends."""
        gone, heard = asyncio.create_task(_until_gone(self._socket)), told_after(self._live, self._person, heard)
        try:
            with self._live.listening() as bell, self._live.presence.connected(self._person.name):
                gone.add_done_callback(lambda _: bell.set())
                while not gone.done():
                    if self._live.moved:
                        await self._socket.close(MOVES)
                        return
                    if not self._still_known():
                        await self._socket.close(4401)
                        return
                    text, heard = self._live.frame(self._person, heard)
                    await self._socket.send_text(text)
                    await bell.wait()
                    bell.clear()
        except (WebSocketDisconnect, RuntimeError):
            return
        finally:
            gone.cancel()

    def _still_known(self) -> bool:
        """Whether the session is still that of the person who began to listen."""
        since = self._service.people.version_of(self._person.name)
        soon = since == self._since and time.monotonic() - self._looked < LOOK_AGAIN
        if self._person is SPECTATOR or soon:
            return True
        self._looked, self._since = time.monotonic(), since
        return self._who() == self._person


async def _until_gone(socket: WebSocket) -> None:
    try:
        while True:
            await socket.receive_text()
    except (WebSocketDisconnect, RuntimeError, KeyError):
        return
