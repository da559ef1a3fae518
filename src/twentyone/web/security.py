"""Between the network and the house: tokens against forged requests, limits, headers, a log without secrets."""

from __future__ import annotations

import hmac
import secrets
import time
import uuid
from collections.abc import Awaitable, Callable

import structlog
from fastapi import Request, Response
from fastapi.responses import JSONResponse
from limits import RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from twentyone.service.house import House
from twentyone.web.api.common import CSRF_COOKIE, SESSION_COOKIE
from twentyone.web.telling import ANSWERS

__all__ = ["API_POLICY", "PAGE_POLICY", "Guard"]

API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""For everything we answer ourselves: nothing may run."""
PAGE_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'none'"
)
"""For pages of the widget library, which compiles templates in the browser: the tightest that works (docs/web.md)."""
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
SAFE = ("GET", "HEAD", "OPTIONS")
API = "/api/"
LOGIN = "/api/v1/session/"
LIMITS = {"login": RateLimitItemPerSecond(20, 60), "unsafe": RateLimitItemPerSecond(400, 10)}
"""Requests of one address: attempts to get in, and everything that changes something."""

Next = Callable[[Request], Awaitable[Response]]


class Guard:
    """Checks each request and dresses each answer."""

    def __init__(self, house: House, limited: bool = True) -> None:
        self._house, self._limited = house, limited
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._log = structlog.get_logger("twentyone.web")

    async def __call__(self, request: Request, following: Next) -> Response:
        """One request."""
        begun, number = time.perf_counter(), uuid.uuid4().hex[:12]
        answer = self._stopped(request) or await following(request)
        self._dress(request, answer)
        answer.headers["x-request-id"] = number
        seconds = time.perf_counter() - begun
        ANSWERS.labels(request.method, str(answer.status_code)).observe(seconds)
        took = round(seconds * 1000, 1)
        path = request.url.path
        if path.startswith(API):
            self._log.info(
                "answered", request=number, method=request.method, path=path, status=answer.status_code, ms=took
            )
        return answer

    def _stopped(self, request: Request) -> Response | None:
        if request.method in SAFE or not request.url.path.startswith(API):
            return None
        if self._limited and not self._within(request):
            return JSONResponse({"why": "too many requests; wait a moment"}, 429, {"retry-after": "10"})
        if not self._honest(request):
            return JSONResponse({"why": "the request does not bring this session's token (x-csrf-token)"}, 403)
        return None

    def _within(self, request: Request) -> bool:
        who = request.client.host if request.client is not None else "?"
        kinds = ["unsafe", *(["login"] if request.url.path.startswith(LOGIN) else [])]
        return all(self._limiter.hit(LIMITS[kind], kind, who) for kind in kinds)

    def _honest(self, request: Request) -> bool:
        """A session's own token, or, before there is one, the token that only our page could read."""
        given = request.headers.get("x-csrf-token", "")
        session = request.cookies.get(SESSION_COOKIE)
        if self._house.people.whose(session) is not None:
            return self._house.people.right_token(session, given)
        cookie = request.cookies.get(CSRF_COOKIE, "")
        return bool(cookie) and hmac.compare_digest(cookie, given)

    def _dress(self, request: Request, answer: Response) -> None:
        path = request.url.path
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        ours = path.startswith((API, "/static/"))
        answer.headers.setdefault("content-security-policy", API_POLICY if ours else PAGE_POLICY)
        if path.startswith(API):
            answer.headers["cache-control"] = "no-store"
        if request.url.scheme == "https":
            answer.headers["strict-transport-security"] = "max-age=31536000"
        if CSRF_COOKIE not in request.cookies and not path.startswith(("/static/", "/_nicegui/")):
            _first_token(request, answer)


def _first_token(request: Request, answer: Response) -> None:
    if not any(value.startswith(f"{CSRF_COOKIE}=") for value in answer.headers.getlist("set-cookie")):
        token, secure = secrets.token_urlsafe(32), request.url.scheme == "https"
        answer.set_cookie(CSRF_COOKIE, token, secure=secure, samesite="strict", path="/")
