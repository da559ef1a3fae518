"""Tables: look, sit down, give commands, listen."""

from __future__ import annotations

import asyncio
import uuid
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import Response
from pydantic import BaseModel, Field

from twentyone.errors import TwentyoneError
from twentyone.money import NOTHING, Amount
from twentyone.service.house import House
from twentyone.service.live import Given, LiveTable
from twentyone.service.people import NotAllowed, Person
from twentyone.service.staff import DEALER, PACES
from twentyone.table.felt import felt
from twentyone.table.layout import layout
from twentyone.web.api.common import ERRORS, SESSION_COOKIE, Closed, HouseHere, Name, Somebody, Visitor
from twentyone.web.api.sessions import give_cookies
from twentyone.web.telling import COMMANDS

__all__ = ["router"]

router = APIRouter(tags=["tables"], responses=ERRORS)

MOST = 2**53 - 1
"""The largest whole number that every reader of JSON keeps exactly."""
BUY_IN = Amount("500")
"""Play money of a guest who sits down."""
Small = Annotated[int, Field(ge=-MOST, le=MOST)]
Text = Annotated[str, Field(max_length=120)]
Value = bool | Small | Text | Annotated[list[Small], Field(max_length=7)] | None
SPECTATOR = Person("", "player")


class CommandBody(Closed):
    """A command, with its own key and the version it was made on."""

    do: Annotated[str, Field(max_length=40, pattern=r"^[a-z_]+$")]
    args: Annotated[dict[Annotated[str, Field(max_length=40)], Value], Field(max_length=12)] = {}
    key: Annotated[str, Field(min_length=1, max_length=80)]
    version: Annotated[int, Field(ge=0, le=MOST)] | None = None


class NewTable(Closed):
    """A table to be opened by the house."""

    name: Name
    rulebook: Name
    submission: dict[str, Any] = {}
    cards: Literal["shoe", "person"] = "shoe"


class Seat(Closed):
    """Where a guest sits down; no box: the first that is free."""

    box: Annotated[int, Field(ge=1, le=20)] | None = None
    name: Annotated[str, Field(min_length=1, max_length=60)] = "Guest"


class StaffSettings(Closed):
    """The automatic staff of a table."""

    pace: Annotated[str, Field(max_length=20)]
    clock: Annotated[float, Field(ge=5, le=3600)] = 45.0
    patience: Annotated[float, Field(ge=0, le=600)] = 8.0


class Moved(BaseModel):
    """The table after a command."""

    version: int
    events: list[str]


@router.get("/tables")
def tables(house: HouseHere, person: Visitor) -> list[dict[str, Any]]:
    """Every table: its game, limits, free boxes, meters."""
    return [in_short(live, person or SPECTATOR) for live in house.tables.values()]


def in_short(live: LiveTable, person: Person) -> dict[str, Any]:
    """A table as a line in a list."""
    view = live.seen_by(person)
    keep = ("table", "title", "rulebook", "phase", "limits", "meters", "round", "stopped")
    book = live.runner.table.rules.rulebook
    return {
        **{key: view[key] for key in keep},
        "source": book.source,
        "boxes": len(view["boxes"]),
        "free": [row["box"] for row in view["boxes"] if not row["players"]],
        "players": list(view["players"]),
    }


@router.post("/tables", status_code=201)
async def new_table(body: NewTable, house: HouseHere, person: Somebody) -> dict[str, Any]:
    """Open a table under a submission."""
    if person.role not in ("floorperson", "administrator"):
        raise NotAllowed("tables are opened by floorperson or administrator")
    live = await house.create(body.name, body.rulebook, body.submission, body.cards)
    return in_short(live, person)


@router.get("/tables/{table}")
def one_table(table: Name, house: HouseHere, person: Visitor) -> dict[str, Any]:
    """The table as you may see it."""
    return house.table(table).seen_by(person or SPECTATOR)


@router.get("/tables/{table}/story")
def story(table: Name, house: HouseHere, after: Annotated[int, Query(ge=0, le=MOST)] = 0) -> list[dict[str, Any]]:
    """What happened at the table, line by line."""
    return house.table(table).story(after)


@router.get("/tables/{table}/felt.svg", response_class=Response)
def felt_svg(table: Name, house: HouseHere) -> Response:
    """The layout, drawn."""
    return Response(felt(layout(house.table(table).runner.table.rules), signs=False), media_type="image/svg+xml")


@router.post("/tables/{table}/commands")
async def command(table: Name, body: CommandBody, house: HouseHere, person: Somebody) -> Moved:
    """Give a command; the same key and body give the same answer."""
    if person.role == "auditor":
        raise NotAllowed("an auditor reads and does nothing at a table")
    given = Given(body.do, body.args, f"{person.name}:{body.key}", body.version)
    return await _give(house.table(table), given, person)


async def _give(live: LiveTable, given: Given, person: Person) -> Moved:
    try:
        answer = await live.give(given, person.at_table, person.name)
    except TwentyoneError as refused:
        COMMANDS.labels(type(refused).__name__).inc()
        raise
    COMMANDS.labels("stored").inc()
    return Moved(version=answer.version, events=[event.type for event in answer.events])


@router.post("/tables/{table}/sit")
async def sit(
    table: Name, body: Seat, request: Request, response: Response, house: HouseHere, person: Visitor
) -> dict[str, Any]:
    """Sit down: a guest gets a name and play money at once."""
    live = house.table(table)
    if person is None:
        session = house.people.guest(body.name)
        give_cookies(request, response, session)
        person = session.person
    if person.role != "player":
        raise NotAllowed(f"the {person.role} does not play")
    await _seat(live, person, body.box)
    return live.seen_by(person)


async def _seat(live: LiveTable, person: Person, box: int | None) -> None:
    state = live.runner.table.state
    if person.name in state.players:
        return
    if state.phase == "closed":
        await _until_open(live)
    taken = {number for player in state.players.values() for number in player.boxes}
    boxes = range(1, len(live.seen_by(person)["boxes"]) + 1)
    middle = sorted(boxes, key=lambda number: abs(number - (len(boxes) + 1) / 2))
    chosen = box if box is not None else next((number for number in middle if number not in taken), 1)
    await live.give(Given("sit", {"boxes": [chosen]}, f"sit-{uuid.uuid4()}"), "player", person.name)
    await _buy(live, person)


@router.post("/tables/{table}/buy-in")
async def buy_in(table: Name, house: HouseHere, person: Somebody) -> dict[str, Any]:
    """More play money for a guest who has less than the least wager left."""
    live = house.table(table)
    state, chosen = live.runner.table.state, live.runner.table.rules.submission
    if person.role != "player" or person.name not in state.players:
        raise NotAllowed("chips are for those who sit at this table")
    least = Amount(chosen.get("table_minimum") or chosen["chip_unit"])
    if state.chips.get(person.name, NOTHING) >= least:
        raise NotAllowed(f"you still have what the least wager takes: ${least}", 409)
    await _buy(live, person)
    return live.seen_by(person)


async def _buy(live: LiveTable, person: Person) -> None:
    args = {"player": person.name, "amount": str(BUY_IN)}
    dealer = live.runner.table.state.dealer or DEALER
    await live.give(Given("buy_in", args, f"buy-in-{uuid.uuid4()}"), "dealer", dealer)


async def _until_open(live: LiveTable) -> None:
    """The staff opens a closed table as soon as somebody is there."""
    for _ in range(100):
        if live.runner.table.state.phase != "closed":
            return
        await asyncio.sleep(0.05)


@router.get("/tables/{table}/staff")
def staff_settings(table: Name, house: HouseHere) -> dict[str, Any]:
    """How the automatic staff is set."""
    house.table(table)
    settings = house.settings(table)
    return {**vars(settings), "paces": list(PACES)}


@router.put("/tables/{table}/staff")
def set_staff(table: Name, body: StaffSettings, house: HouseHere, person: Somebody) -> dict[str, Any]:
    """Set pace and clock; a player at the table may set the pace, not the clock."""
    house.table(table)
    now = house.settings(table)
    if person.role == "auditor":
        raise NotAllowed("an auditor reads and does nothing at a table")
    clock, patience = (now.clock, now.patience) if person.role == "player" else (body.clock, body.patience)
    if person.role == "player" and (body.pace == "by hand" or now.pace == "by hand"):
        raise NotAllowed("people work this table: its pace is theirs")
    return vars(house.set_staff(table, body.pace, clock, patience))


# -- live


@router.websocket("/tables/{table}/live")
async def live_table(socket: WebSocket, table: str, after: int = 0) -> None:
    """What the connected person may see, as it happens; goes on from the last version."""
    house: House = socket.app.state.house
    origin, host = socket.headers.get("origin"), socket.headers.get("host")
    if origin is not None and origin.partition("://")[2] != host:
        await socket.close(4403)
        return
    if table not in house.tables:
        await socket.accept()
        await socket.close(4404)
        return
    await socket.accept()
    found = house.people.whose(socket.cookies.get(SESSION_COOKIE))
    await _push_all(socket, house.table(table), found[0] if found else SPECTATOR, max(0, min(after, MOST)))


async def _push_all(socket: WebSocket, live: LiveTable, person: Person, after: int) -> None:
    queue = live.listen()
    gone = asyncio.create_task(_until_gone(socket))
    try:
        await socket.send_json({"view": live.seen_by(person), "log": live.story(after * 1000)})
        while not gone.done():
            getting = asyncio.create_task(queue.get())
            await asyncio.wait({getting, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not getting.done():
                getting.cancel()
                return
            log = list(getting.result().lines)
            while not queue.empty():
                log += queue.get_nowait().lines
            await socket.send_json({"view": live.seen_by(person), "log": [line._asdict() for line in log]})
    except (WebSocketDisconnect, RuntimeError):
        return
    finally:
        gone.cancel()
        live.leave(queue)


async def _until_gone(socket: WebSocket) -> None:
    try:
        while True:
            await socket.receive_text()
    except (WebSocketDisconnect, RuntimeError):
        return
