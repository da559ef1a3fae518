"""What names a table is answered by the process that leads it: requests and live connections are passed on.

Nothing is checked here but who passes on: the leader examines session, token and limits as if it had been asked itself.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Set
from typing import Any
from urllib.parse import quote

import orjson
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from twentyone.errors import TwentyoneError
from twentyone.ledger.leases import Member
from twentyone.service.doors import is_named
from twentyone.service.elsewhere import NO, YES
from twentyone.service.lobby import seats, table_line
from twentyone.service.ownership import Ownership
from twentyone.service.peer_client import PEER, Passed, PeerAnswer, PeerGone
from twentyone.service.people import Person
from twentyone.service.service import Service
from twentyone.web.api.common import FORWARDED, MOVES
from twentyone.web.piped import NEAR, open_far, pass_on
from twentyone.web.security import LONGEST

__all__ = ["Forwarding", "from_peer", "table_named"]

TABLE = re.compile(r"/(?:api/v1/(?:tables|rounds|shoes)|table|game|rounds|shoes)/([a-z0-9][a-z0-9-]{0,39})(?=/|$)")
"""Every path that is about one table."""
BETWEEN = "/peer/"
"""What processes ask one another begins so."""
HANDS = {b"keep-alive", b"te", b"trailer", b"transfer-encoding", b"content-length", b"expect"}
"""Headers that are not passed on with the handshake of a live connection."""
HOP = {b"connection", b"upgrade", *HANDS}
"""Headers that are not passed on with a request."""
SCHEMES = {"ws": "http", "wss": "https"}
LIVE = {there: here for here, there in SCHEMES.items()}
MINE = {b"date", b"server", *HOP}
"""Headers of an answer that this process makes itself."""
PATIENCE, AGAIN = 8.0, 0.1
"""Seconds in which a table has a leader again, and between two looks for him."""
MOVED = 421
OTHER_BODY = "this is not the body that was passed on"
AWAY = "the process that leads this table is gone: another takes over within seconds; send it again with the same key"
UNSURE = "the process that leads this table is gone, and may have done it: look at the table, then ask again"


def table_named(path: str) -> str | None:
    """The table that a path is about.

    >>> table_named("/api/v1/tables/one/commands"), table_named("/table/one"), table_named("/api/v1/tables")
    ('one', 'one', None)
    """
    found = TABLE.match(path)
    return found.group(1) if found is not None else None


def from_peer(scope: Scope) -> bool:
    """Whether another process of this ledger passed a request on."""
    return FORWARDED in scope


class Forwarding:
    """Wraps the whole application where several processes may serve a ledger."""

    def __init__(self, app: ASGIApp, service: Service, ownership: Ownership) -> None:
        self._app, self._service, self._ownership = app, service, ownership

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer here, or pass on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        passed, body = self._know(scope), b""
        if passed is not None and scope["type"] == "http":
            body = await _body(receive)
            if not passed.fits(body):
                await JSONResponse({"why": OTHER_BODY}, 403)(scope, receive, send)
                return
            receive = _given(body, receive)
        if from_peer(scope) and scope["path"].startswith(BETWEEN):
            try:
                answer = await self._between(scope["path"].removeprefix(BETWEEN), body.decode())
            except TwentyoneError as wrong:
                answer = _trouble(str(wrong))
            await answer(scope, receive, send)
            return
        name = None if from_peer(scope) else table_named(scope["path"])
        if name is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._connect(name, scope, receive, send)
        else:
            await self._ask(name, scope, receive, send)

    def _know(self, scope: Scope) -> Passed | None:
        """Take over whose request it is from a process of this ledger; nobody else can say so."""
        given = [value for name, value in scope["headers"] if name == PEER]
        if not given:
            return None
        passed = self._ownership.pass_.read(given[0], scope.get("method", "GET"), _target(scope))
        if passed is not None:
            scope[FORWARDED] = True
            scope["client"] = (passed.client, 0)
            scope["scheme"] = passed.scheme if scope["type"] == "http" else LIVE.get(passed.scheme, passed.scheme)
        return passed

    # -- between processes

    async def _between(self, what: str, about: str) -> Response:
        """What processes ask one another."""
        if what == "seats":
            await self._service.elsewhere.all_loaded()
            return Response(orjson.dumps(await seats(self._service, about)))
        if what == "named":
            await self._service.elsewhere.all_loaded()
            return Response(YES if is_named(self._service.tables, about) else NO)
        if what == "line":
            table, *person = orjson.loads(about)
            return Response(orjson.dumps(table_line(self._service, self._service.table(table), Person(*person))))
        if what == "carry":
            return Response(await self._service.day_sums.carry_out(about))
        if what == "go":
            await self._service.go(Person(about, "player"), everywhere=False)
        if what == "orders":
            self._service.orders.load()
        if what == "examined":
            self._service.watch.hear(about)
        if what == "lead":
            self._ownership.asked(about)
        return Response(b"done")

    # -- requests

    async def _ask(self, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        body, until = await _body(receive), time.monotonic() + PATIENCE
        while True:
            try:
                leader = await self._ownership.where(name)
                if leader is None:
                    if await self._here(scope, body, receive, send):
                        return
                elif (answer := await self._there(leader, scope, body)).status != MOVED:
                    await _send(answer, scope["method"], send)
                    return
            except PeerGone as gone:
                if gone.sent and not _repeatable(scope):
                    await _trouble(UNSURE)(scope, receive, send)
                    return
            except TwentyoneError as wrong:
                await _trouble(str(wrong))(scope, receive, send)
                return
            self._ownership.forget(name)
            if time.monotonic() > until:
                await _trouble(AWAY)(scope, receive, send)
                return
            await asyncio.sleep(AGAIN)

    async def _here(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> bool:
        """Answer here; false where the table has just changed hands, and nothing was answered."""
        moved = False

        async def unless_moved(message: Message) -> None:
            nonlocal moved
            moved = moved or message.get("status") == MOVED
            if not moved:
                await send(message)

        await self._app(dict(scope), _given(body, receive), unless_moved)
        return not moved

    async def _there(self, leader: Member, scope: Scope, body: bytes) -> PeerAnswer:
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        headers = self._passed(leader, scope, HOP, method, body)
        return await self._ownership.client.ask(leader.address, method, _target(scope), headers, body)

    def _passed(
        self, leader: Member, scope: Scope, but: Set[bytes], method: str = "GET", body: bytes = b""
    ) -> list[tuple[bytes, bytes]]:
        """The headers of a request as they are passed on, with whose it is."""
        client = scope["client"][0] if scope.get("client") else "-"
        scheme = str(scope["scheme"])
        whose = (client, SCHEMES.get(scheme, scheme))
        own = (PEER, self._ownership.pass_.make(leader.id, whose, method, _target(scope), body))
        kept = [pair for pair in scope["headers"] if pair[0] not in but and not _proxied(pair[0])]
        return [*kept, own]

    # -- live connections

    def _own_site(self, headers: Headers) -> bool:
        """Whether a connection is to a name of ours, and from one of our pages; if not, it is refused here."""
        host, origin = headers.get("host", ""), headers.get("origin")
        named = self._service.people.policy.is_host(host)
        return named and (origin is None or origin.partition("://")[2] == host)

    async def _connect(self, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        try:
            leader = await self._ownership.where(name)
        except TwentyoneError:
            await send({"type": "websocket.close", "code": MOVES})
            return
        if leader is None or not self._own_site(headers):
            await self._app(scope, receive, send)
            return
        near = scope["extensions"][NEAR]
        await receive()  # websocket.connect
        try:
            far, head = await open_far(leader.address, _target(scope), self._passed(leader, scope, HANDS))
        except (OSError, TimeoutError):
            self._ownership.forget(name)
            await send({"type": "websocket.close", "code": MOVES})
            return
        assert far.transport is not None
        with self._ownership.client.while_there(leader.address, far.transport.abort):
            await pass_on(near, far, head)


def _target(scope: Scope) -> str:
    """Path and query as they were asked for."""
    target = scope["raw_path"].decode("latin-1") if scope.get("raw_path") else quote(scope["path"])
    query = scope["query_string"].decode("latin-1")
    return f"{target}?{query}" if query else str(target)


def _given(body: bytes, receive: Receive) -> Receive:
    """A body that was read already, to be read again."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def _body(receive: Receive) -> bytes:
    """The body of a request; of one that is too long, enough to have it refused."""
    parts, more = bytearray(), True
    while more and len(parts) <= LONGEST:
        message: Any = await receive()
        parts += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(parts)


async def _send(answer: PeerAnswer, method: str, send: Send) -> None:
    headers = [pair for pair in answer.headers if pair[0] not in MINE]
    headers.append((b"content-length", b"%d" % len(answer.body)))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if method == "HEAD" else answer.body})


def _repeatable(scope: Scope) -> bool:
    """Whether a request may be sent twice: it only reads, or what it does has a key."""
    return scope["method"] in ("GET", "HEAD", "PUT") or scope["path"].endswith("/commands")


def _proxied(name: bytes) -> bool:
    """Whether a header says whose request it is, or where it was sent: this process says so itself."""
    return name == b"forwarded" or name.startswith((b"x-forwarded-", b"x-twentyone-"))


def _trouble(why: str) -> Response:
    return JSONResponse({"why": why}, 503, {"retry-after": "1"})
