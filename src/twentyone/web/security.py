"""Between the network and the service: tokens against forged requests, limits, headers, a log without secrets."""

from __future__ import annotations

import hmac
import secrets
import time
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path

import structlog
from fastapi import Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from twentyone.service.attempts import digest
from twentyone.service.people import Person
from twentyone.service.service import Service
from twentyone.web.api.common import (
    API,
    CSRF_COOKIE,
    DEVICE_COOKIE,
    KNOWN,
    SESSION_COOKIE,
    address_of,
    cookie_name,
    cookie_of,
)
from twentyone.web.moving_window import MovingSum, MovingWindow
from twentyone.web.observability import ANSWERS
from twentyone.web.outages import AGAIN, outage
from twentyone.web.rendering import PAYER, TOO_COSTLY, Payer, metered

__all__ = ["API_POLICY", "BROKEN", "LONGEST", "PAGE_POLICY", "Guard"]

API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""For the interface and the static files: nothing may run."""
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
"""For pages: our own files and nothing else; what is written into a page does not run, whoever wrote it."""
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
RAW = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
"""Headers of every response; nothing else sets them."""
NUMBERS = count(secrets.randbits(47))
"""The numbers of requests, from anywhere on."""
BROKEN = "internal error; see the log"
SAFE = ("GET", "HEAD", "OPTIONS")
STATIC = "/static/"
LONGEST = 64 * 1024
"""The most bytes of a request's body."""
LOGIN = "/api/v1/session/"
LOGINS, LOGIN_TIME = 20, 60
"""Login attempts of an address or a known browser, and the seconds in which they are counted."""
CHANGES, CHANGE_TIME = 400, 10
"""All requests of a person or an address to change something, likewise."""
READING = 10
"""Seconds in which pages and readings are counted."""
STRANGERS = 2
"""How many times what a person may read all strangers at an address may."""
UNCOUNTED = ("/api/v1/health", "/api/v1/ready")
"""What watches the server may ask for it as often as it likes."""
TOO_MANY = "too many pages and readings in ten seconds: wait a moment"
LISTENERS = {"person": 24, "address": 200}
"""Live connections at once: of a person, and of all strangers at an address."""
SETTING_UP = ("/account", "/api/v1/me", "/api/v1/me/password", "/api/v1/me/factor", "/api/v1/session/logout")
"""What somebody may ask for who must set up a second factor first."""
FIRST = "your role needs a second factor: set it up on the page /account first"
OPENING = ("/people", "/login", *(f"/api/v1/{name}" for name in ("me", "accounts", "session/login", "session/logout")))
"""What a session of the printed link may ask for: it has no account, and a second factor belongs to an account."""
OPEN_FIRST = "this session has no account: open one on the page /people, then log in with it"
HOSTS = "a request names one host, and this one names several"
OTHER_HOST = "this server does not go by that name: call it by its address, or let its operator allow the name"
Known = tuple[Person, str] | None
"""The person and the token of a session, if any."""


Broken = Callable[[Request, Exception], Response]
"""The page that is shown after an internal error, or while something of the machine fails."""


class Guard:
    """Wraps the whole application: checks each request and adds headers to each response."""

    def __init__(self, app: ASGIApp, service: Service, limited: bool, broken: Broken) -> None:
        self._app, self._service, self._limited, self._broken = app, service, limited, broken
        self._logins, self._changes = MovingWindow(LOGIN_TIME), MovingWindow(CHANGE_TIME)
        self._readings, self._costs = MovingWindow(READING), MovingSum(READING)
        self._listeners = Counter[str]()
        self._log = structlog.get_logger("twentyone.web")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or one connection."""
        if scope["type"] == "websocket":
            await self._listen(HTTPConnection(scope), receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _listen(self, asked: HTTPConnection, receive: Receive, send: Send) -> None:
        """A live connection, unless it is another site's, or one too many."""
        if not self._own_site(asked.headers) or self._first_of_all(asked) is not None:
            await send({"type": "websocket.close", "code": 4403})
            return
        session = self._service.people.whose(cookie_of(asked, SESSION_COOKIE), watches=True)
        who, most = _counted(asked, session), LISTENERS["address" if session is None else "person"]
        if self._limited and self._listeners[who] >= most:
            await send({"type": "websocket.close", "code": 4429})
            return
        self._listeners[who] += 1
        try:
            await self._app(asked.scope, receive, send)
        finally:
            self._listeners[who] -= 1
            if not self._listeners[who]:
                del self._listeners[who]

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request, begun = Request(scope), time.perf_counter()
        dressed = Dressed(request, send)
        try:
            stopped = self._stopped(request)
            payer: Payer | None = scope.get(PAYER)
            if stopped is not None or payer is None:
                await (stopped or self._app)(scope, receive, dressed)
            else:
                await metered(self._app(scope, receive, dressed), payer.pay)  # type: ignore[arg-type]
        except Exception as fault:
            tell = self._log.warning if outage(fault) else self._log.error
            tell("failed", request=dressed.number, path=request.scope["path"], why=_where(fault))
            if not dressed.status:
                page = not request.scope["path"].startswith((API, STATIC))
                await (self._broken(request, fault) if page else _failed(fault))(scope, receive, dressed)
            elif not dressed.complete:
                raise ConnectionAbortedError("the response was not completed") from None
        seconds = time.perf_counter() - begun
        ANSWERS.labels(request.method, str(dressed.status)).observe(seconds)
        if request.scope["path"].startswith(API):
            self._log.info(
                "answered",
                request=dressed.number,
                method=request.method,
                path=request.scope["path"],
                status=dressed.status,
                ms=round(seconds * 1000, 1),
            )

    def _stopped(self, request: Request) -> Response | None:
        """The refusal of a request that is not passed on, if any."""
        path = request.scope["path"]
        if len(request.headers.getlist("host")) > 1:
            return _trouble(400, HOSTS)
        if not self._service.people.policy.is_host(request.headers.get("host", "")):
            return _trouble(421, OTHER_HOST)
        if (first := self._first_of_all(request)) is not None and path not in first[0]:
            page, why = first[0][0], first[1]
            return _trouble(403, why) if path.startswith(API) else RedirectResponse(page, 303)
        if path.startswith(API) and not path.isprintable():
            return _trouble(400, "the path contains characters that no name has")
        if request.method in SAFE or not path.startswith(API):
            why = self._too_much(request)
            return _too_many(path, why) if why else None
        session = self._service.people.whose(cookie_of(request, SESSION_COOKIE))
        request.scope[KNOWN] = (session,)
        if self._limited and not self._within(request, session):
            return _trouble(429, "too many requests; wait a moment", {"retry-after": "10"})
        if not _honest(request, session):
            return _trouble(403, "the request lacks this session's token (x-csrf-token)")
        if _too_long(request.headers):
            return _trouble(413, f"a request has at most {LONGEST} bytes and a content-length header")
        return None

    def _within(self, request: Request, session: Known) -> bool:
        """Whether whoever asks is within his limits: a person is counted for himself, strangers by their address.

        A browser that is known logs in beside whoever shares its address.
        """
        place, device = _counted(request, None), cookie_of(request, DEVICE_COOKIE)
        if not self._changes.admits(_counted(request, session), CHANGES):
            return False
        if not request.scope["path"].startswith(LOGIN):
            return True
        known = self._service.people.attempts.knows(device)
        return self._logins.admits(digest(device) if device and known else place, LOGINS)

    def _too_much(self, request: Request) -> str:
        """Why whoever asks for a page is over a limit, if so; a file of ours costs nothing."""
        path, limits = request.scope["path"], self._service.doors.limits
        if not self._limited or path.startswith(STATIC) or path in UNCOUNTED:
            return ""
        session = self._service.people.whose(cookie_of(request, SESSION_COOKIE), watches=path.startswith(API))
        request.scope[KNOWN] = (session,)
        who, times = _counted(request, session), STRANGERS if session is None else 1
        if not self._readings.admits(who, limits.reads * times):
            return TOO_MANY
        payer = Payer(self._costs, who, limits.work * times / 1000, session is None)
        request.scope[PAYER] = payer
        return "" if payer.can else TOO_COSTLY

    def _own_site(self, headers: Headers) -> bool:
        """Whether a connection is to a name of ours, and from one of our pages or a program that is not a browser."""
        host, origin = headers.get("host", ""), headers.get("origin")
        return (
            len(headers.getlist("host")) == 1
            and self._service.people.policy.is_host(host)
            and (origin is None or origin.partition("://")[2] == headers.get("host"))
        )

    def _first_of_all(self, request: HTTPConnection) -> tuple[tuple[str, ...], str] | None:
        """The paths open to a session that lacks the second factor of its role, its page first, and why."""
        people = self._service.people
        if not people.policy.factor_roles or request.scope["path"].startswith(STATIC):
            return None
        session = people.whose(cookie_of(request, SESSION_COOKIE), watches=True)
        if session is None or not people.needs_factor(session[0]):
            return None
        return (SETTING_UP, FIRST) if people.has_account(session[0]) else (OPENING, OPEN_FIRST)


def _counted(asked: HTTPConnection, session: Known) -> str:
    """Under whose name somebody is counted."""
    return f"person {session[0].name}" if session is not None else f"address {address_of(asked)}"


def _too_many(path: str, why: str) -> Response:
    wait = {"retry-after": str(READING)}
    return _trouble(429, why, wait) if path.startswith(API) else PlainTextResponse(why, 429, wait)


def _honest(request: Request, session: Known) -> bool:
    """Whether the request has its session's token or, without a session, the token that only our page can read."""
    given = request.headers.get("x-csrf-token", "").encode()
    if session is not None:
        return hmac.compare_digest(session[1].encode(), given)
    cookie = (cookie_of(request, CSRF_COOKIE) or "").encode()
    return bool(cookie) and hmac.compare_digest(cookie, given)


class Dressed:
    """Sends a response with the common headers."""

    def __init__(self, request: Request, send: Send) -> None:
        self._request, self._send = request, send
        self.number = f"{next(NUMBERS):012x}"
        """The number of the request, in the response and in the log."""
        self.status = 0
        """The status of the response, once it is sent."""
        self.complete = False
        """Whether all of it is sent."""

    async def __call__(self, message: Message) -> None:
        """Send one part of the response."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self._dress(MutableHeaders(scope=message))
        elif not message.get("more_body"):
            self.complete = True
        await self._send(message)

    def _dress(self, headers: MutableHeaders) -> None:
        path, secure = self._request.scope["path"], self._request.scope["scheme"] == "https"
        headers.raw.extend(RAW)
        headers.raw.append((b"x-request-id", self.number.encode()))
        headers.setdefault("content-security-policy", API_POLICY if path.startswith((API, STATIC)) else PAGE_POLICY)
        if path.startswith(API):
            headers["cache-control"] = "no-store"
        if secure:
            headers["strict-transport-security"] = "max-age=31536000"
        if cookie_of(self._request, CSRF_COOKIE) is None and not path.startswith(STATIC):
            _first_token(headers, secure, cookie_name(self._request, CSRF_COOKIE))


def _first_token(headers: MutableHeaders, secure: bool, name: str) -> None:
    if not any(value.startswith(f"{name}=") for value in headers.getlist("set-cookie")):
        dress = Response()
        dress.set_cookie(name, secrets.token_urlsafe(32), secure=secure, samesite="strict", path="/")
        headers.append("set-cookie", dress.headers["set-cookie"])


def _too_long(headers: Headers) -> bool:
    said = headers.get("content-length", "0")
    return "transfer-encoding" in headers or not said.isdecimal() or int(said) > LONGEST


def _trouble(status: int, why: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"why": why}, status, headers)


def _failed(fault: Exception) -> Response:
    """An internal error, or what passes by itself."""
    why = outage(fault)
    return _trouble(503, why, {"retry-after": str(AGAIN)}) if why else _trouble(500, BROKEN)


def _where(fault: BaseException) -> str:
    """The type of an error and where it was raised; its message could contain what a log must not."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    location = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace is not None else "?"
    return f"{type(fault).__name__} at {location}"
