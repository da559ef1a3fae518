"""Pages and static files compressed for browsers that take it; never what has a secret beside a text of a stranger.

Whoever reads the length of a compressed page and chooses a part of it can guess a secret that stands in it, letter by
letter. So a page is compressed only for somebody without a session, or where its address chooses nothing in it and it
keeps no secret. No page has the token of a session: that is in a cookie, which no other site's request carries.
"""

from __future__ import annotations

import gzip
import re
from functools import lru_cache

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from twentyone.web.api.common import SESSION_COOKIE

__all__ = ["Compression", "packed", "takes_gzip"]

LEAST = 1024
"""The least bytes that are worth it."""
QUICK = 5
"""How hard a page is compressed at each request; what is kept is compressed as far as it goes."""
GZIP = re.compile(r"gzip(;q=(?!0(\.0*)?$).*)?")
"""How a browser says that it takes it: anything but never."""
SECRET = ("/account", "/people", "/server", "/enter", "/login")
"""Pages with secrets: of second factors, links, log-ins."""


def takes_gzip(headers: Headers) -> bool:
    """Whether a browser takes what is compressed."""
    offered = "".join(headers.get("accept-encoding", "").lower().split()).split(",")
    return any(GZIP.fullmatch(each) for each in offered)


@lru_cache(maxsize=128)
def packed(body: bytes) -> bytes:
    """What does not change, compressed once."""
    return gzip.compress(body, 9, mtime=0)


class Compression:
    """Wraps the pages."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "http" and scope["method"] == "GET" and takes_gzip(Headers(scope=scope)):
            send = _Packing(scope, send)
        await self._app(scope, receive, send)


class _Packing:
    """Sends a page, compressed if nothing can be guessed by that."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope, self._send = scope, send
        self._start: Message | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and self._may(message):
            self._start = message
            return
        start, self._start = self._start, None
        if start is not None:
            message = self._pack(start, message)
            await self._send(start)
        await self._send(message)

    def _may(self, start: Message) -> bool:
        headers = Headers(raw=start["headers"])
        page = headers.get("content-type", "").startswith("text/html")
        if not page or start["status"] != 200 or "content-encoding" in headers:
            return False
        path = self._scope["path"]
        if any(path == secret or path.startswith(f"{secret}/") for secret in SECRET):
            return False
        return not self._scope["query_string"] or SESSION_COOKIE not in Headers(scope=self._scope).get("cookie", "")

    def _pack(self, start: Message, message: Message) -> Message:
        """The body compressed, and headers that say so; a body in several parts stays as it is."""
        headers = MutableHeaders(scope=start)
        headers.add_vary_header("accept-encoding")
        body = message.get("body", b"")
        if message.get("more_body") or len(body) < LEAST:
            return message
        small = gzip.compress(body, QUICK, mtime=0)
        headers["content-encoding"], headers["content-length"] = "gzip", str(len(small))
        return {**message, "body": small}
