"""The application inside the test's own process: clients of every role, listeners, and what each of them receives."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from fastapi import FastAPI

from tests.patience import PATIENCE, until_soon
from twentyone.errors import Refused
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.people import Person
from twentyone.service.service import Service
from twentyone.service.staff import STAFF
from twentyone.table.follow import Follower
from twentyone.web.api.common import CSRF_COOKIE, SESSION_COOKIE
from twentyone.web.app import create_app
from twentyone.web.observability import begin_log

__all__ = ["PEOPLE", "Answer", "Client", "Ear", "Inside", "follow", "give", "inside", "open_table"]

PEOPLE = {
    "visitor": None,
    "guest": Person("Ann", "player"),
    "other guest": Person("Bob", "player"),
    "dealer": Person("Dan", "dealer"),
    "floorperson": Person("Fay", "floorperson"),
    "auditor": Person("Uma", "auditor"),
    "administrator": Person("administrator", "administrator"),
}
"""Somebody of each kind."""
MOMENT = 1_750_000_000


class Answer:
    """What the application answered, every byte."""

    def __init__(self) -> None:
        self.status_code, self.content = 0, b""
        self.headers: list[tuple[str, str]] = []

    async def take(self, message: Any) -> None:
        """One part of it."""
        if message["type"] == "http.response.start":
            self.status_code = message["status"]
            self.headers = [(name.decode().lower(), value.decode()) for name, value in message["headers"]]
        else:
            self.content += message.get("body", b"")

    @property
    def text(self) -> str:
        """The body as text."""
        return self.content.decode()

    def json(self) -> Any:
        """The body's value."""
        return json.loads(self.content)

    def header(self, name: str) -> str | None:
        """A header."""
        return next((value for key, value in self.headers if key == name), None)

    @property
    def cookies(self) -> dict[str, str]:
        """What is to be kept, with its attributes."""
        found = [value for key, value in self.headers if key == "set-cookie"]
        return {value.partition("=")[0]: value.partition("=")[2] for value in found}


class Client:
    """One person's program: requests go straight into the application."""

    def __init__(self, app: FastAPI, cookies: dict[str, str]) -> None:
        self._app, self.jar = app, dict(cookies)

    @property
    def token(self) -> str:
        """This session's token, given over TLS or without it."""
        return self.jar.get(f"__Host-{CSRF_COOKIE}", self.jar.get(CSRF_COOKIE, ""))

    async def get(self, path: str) -> Answer:
        """What a read answers; a path of the interface, or with `//` before it any other."""
        return await self.send("GET", path)

    async def send(self, method: str, path: str, body: Any = None, token: str | None = None, **headers: str) -> Answer:
        """A request with this session's token, or another."""
        content = b"" if body is None else json.dumps(body).encode()
        said = {
            "host": "localhost",
            "content-type": "application/json",
            "content-length": str(len(content)),
            "cookie": "; ".join(f"{name}={value}" for name, value in self.jar.items()),
            "x-csrf-token": self.token if token is None else token,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        place, _, query = _address(path).partition("?")
        answer, parts = Answer(), iter([{"type": "http.request", "body": content, "more_body": False}])
        await self._app(_scope("http", place, query, said) | {"method": method}, _reader(parts), answer.take)
        for name, value in answer.cookies.items():
            self.jar[name] = value.partition(";")[0].strip('"')
        return answer

    async def command(
        self,
        table: str,
        do: str,
        key: str | None = None,
        version: int | None = None,
        guest: str | None = None,
        **args: Any,
    ) -> Answer:
        """Give a command; a dealer may enter it for a guest without a device."""
        body = {"do": do, "args": args, "key": key or uuid.uuid4().hex, "version": version, "player": guest}
        return await self.send("POST", f"/tables/{table}/commands", body)


def _reader(parts: Iterator[dict[str, Any]]) -> Any:
    async def receive() -> dict[str, Any]:
        part = next(parts, None)
        if part is None:
            await asyncio.Event().wait()
        assert part is not None
        return part

    return receive


def _scope(kind: str, path: str, query: str, headers: dict[str, str]) -> dict[str, Any]:
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "scheme": "http" if kind == "http" else "ws",
        "root_path": "",
        "client": ("127.0.0.1", 1),
        "server": ("service", 80),
        "state": {},
        "extensions": {},
    }


def _address(path: str) -> str:
    return path[1:] if path.startswith("//") else f"/api/v1{path}"


class Ear:
    """A listener on a table, or on what has another path: every frame it was sent."""

    def __init__(self, app: FastAPI, table: str, cookies: dict[str, str], after: int = 0, origin: str = "") -> None:
        said = {"host": "localhost", "cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        said |= {"origin": origin} if origin else {}
        place = table if table.startswith("/") else f"/tables/{table}"
        self._scope = _scope("websocket", f"/api/v1{place}/live", f"after={after}", said) | {"subprotocols": []}
        self.frames: list[str] = []
        self.closed: int | None = None
        self._in: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._in.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(app(self._scope, self._in.get, self._send))

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.frames.append(message["text"])
        elif message["type"] == "websocket.close":
            self.closed = message.get("code", 1000)

    async def wait(self, version: int) -> None:
        """Wait until a frame of this version has come."""
        wanted = f'"version":{version},'
        await until_soon(lambda: self.frames and wanted in self.frames[-1], f"version {version} is heard", look=0)

    async def answered(self) -> None:
        """Wait until a frame has come, or the end."""
        await until_soon(lambda: self.frames or self.closed is not None, "the listener is answered")

    async def heard(self, version: int) -> dict[str, Any]:
        """The last frame, once it is of this version."""
        await self.wait(version)
        found: dict[str, Any] = json.loads(self.frames[-1])
        return found

    async def stop(self) -> None:
        """Hang up."""
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await asyncio.wait_for(self._task, PATIENCE)


class Inside:
    """The application with people of every kind in it."""

    def __init__(self, service: Service, app: FastAPI) -> None:
        self.service, self.app = service, app
        self.cookies: dict[str, dict[str, str]] = {}
        self.clients: dict[str, Client] = {}

    async def people(self) -> None:
        """Begin a session for each of `PEOPLE`."""
        for kind, person in PEOPLE.items():
            cookies: dict[str, str] = {}
            if person is not None:
                session = self.service.people.begin(person)
                cookies = {SESSION_COOKIE: session.id, CSRF_COOKIE: session.csrf}
            self.cookies[kind], self.clients[kind] = cookies, Client(self.app, cookies)
        await self.clients["visitor"].get("/me")

    def forget(self, table: str) -> None:
        """A table that no test looks at any more."""
        staff = self.service._staff.pop(table)
        staff[1].cancel()
        del self.service.tables[table]

    def ear(self, kind: str, table: str, **options: Any) -> Ear:
        """Somebody listens to a table."""
        return Ear(self.app, table, self.cookies[kind], **options)


@asynccontextmanager
async def inside(folder: Path, **options: Any) -> AsyncIterator[Inside]:
    """An application for as long as the block runs, on a ledger in the folder or `ledger`; its clock stands still."""
    ledger = options.pop("ledger", str(folder / "inside.db"))
    service = Service(ledger, clock=options.pop("clock", lambda: MOMENT), **options)
    begin_log(False)
    service.look_around = _nothing  # type: ignore[method-assign]
    app = create_app(service, first_tables=False, limited=False)
    async with app.router.lifespan_context(app):
        found = Inside(service, app)
        await found.people()
        yield found


async def _nothing() -> None:
    """No other process is there."""


async def open_table(
    service: Service, name: str, rulebook: str, players: dict[str, list[int]], cards: str = "shoe", **submission: Any
) -> LiveTable:
    """A table with players at it, worked by hand from here on, ready for wagers."""
    await service.create(name, rulebook, submission, cards)
    live = service.table(name)
    service.set_staff(name, pace="by hand", clock=45.0, patience=8.0)
    await give(live, "open_table", "floorperson", "Fay", dealer="Dan")
    for player, boxes in players.items():
        await give(live, "sit", "player", player, boxes=boxes)
        await give(live, "buy_in", "dealer", "Dan", player=player, amount="500")
    await follow(live)
    return live


async def follow(live: LiveTable) -> None:
    """Do what the procedure asks of the staff until wagers may be laid."""
    while (steps := live.runner.table.next_steps())[0].do not in ("place_wager", "deal", "sit"):
        table = live.runner.table
        if table.state.cut_offered:
            await give(live, "decline_cut", "player", table.state.cut_offered)
            continue
        step = next(step for step in steps if step.role in STAFF)
        do, role, by, _, args = Follower({**STAFF, "dealer": "Dan"}).command(table, step)
        await give(live, do, role, by, **args)


async def give(live: LiveTable, do: str, role: str, by: str, **args: Any) -> None:
    """One command, past the interface."""
    try:
        await live.give(CommandRequest(do, args, uuid.uuid4().hex), role, by)
    except Refused as refused:
        raise AssertionError(f"{do} by the {role}: {refused}") from refused
