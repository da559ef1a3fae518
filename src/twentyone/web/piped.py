"""A live connection that another process answers: its bytes are passed on as they are, in both directions.

The browser's handshake goes to the process that leads the table, whose answer comes back; nothing is read on the way,
so that a push costs little more than the two calls that move it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, cast
from urllib.parse import urlsplit

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

__all__ = ["NEAR", "LiveConnection", "open_far", "pass_on"]

NEAR = "twentyone.connection"
"""The extension under which a request has its own connection."""
ANSWERS = 2.0
"""Seconds in which the other process takes the connection, and answers the handshake."""
LONGEST = 16 * 1024
"""The most bytes of an answer to a handshake."""
TAKEN = b"HTTP/1.1 101 "


class LiveConnection(WebSocketsSansIOProtocol):
    """A live connection of this server, which can be given to another process."""

    def handle_connect(self, event: Request) -> None:
        """Let whoever answers the request have the connection itself."""
        super().handle_connect(event)
        if not self.handshake_complete:
            cast(dict[str, Any], self.scope["extensions"])[NEAR] = self

    def give(self, to: End) -> None:
        """From now on another protocol hears what comes; this one only ends the connection when the server stops."""
        self.handshake_complete = self.close_sent = True
        self.transport.set_protocol(to)

    def ended(self) -> None:
        """The connection is over."""
        self.connections.discard(self)


class End(asyncio.Protocol):
    """One end of a pipe: what it hears is written at the other end."""

    def __init__(self, over: asyncio.Event) -> None:
        self.transport: asyncio.Transport | None = None
        self.other: End | None = None
        self.over = over
        """Set once one of the two ends is gone."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is open."""
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Pass it on."""
        if self.other is not None and self.other.transport is not None:
            self.other.transport.write(data)

    def pause_writing(self) -> None:
        """This end is slow: the other one is not read meanwhile."""
        if self.other is not None and self.other.transport is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        """This end has caught up."""
        if self.other is not None and self.other.transport is not None and not self.other.transport.is_closing():
            self.other.transport.resume_reading()

    def connection_lost(self, _: Exception | None) -> None:
        """Both ends are over."""
        self.over.set()
        if self.other is not None and self.other.transport is not None:
            self.other.transport.close()


class FarEnd(End):
    """The end at the other process: first it hears the answer to the handshake."""

    def __init__(self, over: asyncio.Event) -> None:
        super().__init__(over)
        self.head: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        """What was answered, once all of its head has come."""
        self._heard = b""

    def data_received(self, data: bytes) -> None:
        """Pass it on, once the handshake is over."""
        if self.other is not None:
            super().data_received(data)
            return
        self._heard += data
        if (b"\r\n\r\n" in self._heard or len(self._heard) > LONGEST) and not self.head.done():
            self.head.set_result(self._heard)
            self.transport.pause_reading()  # type: ignore[union-attr]

    def connection_lost(self, exc: Exception | None) -> None:
        """Whoever waits for an answer is told."""
        if not self.head.done():
            self.head.set_exception(ConnectionResetError())
        super().connection_lost(exc)


async def open_far(address: str, path: str, headers: Iterable[tuple[bytes, bytes]]) -> tuple[FarEnd, bytes]:
    """Connect to another process and shake hands; `OSError` where it does not take the connection."""
    parts, loop = urlsplit(address), asyncio.get_running_loop()
    secure = parts.scheme == "https" or None
    host, port = parts.hostname or "", parts.port or (443 if secure else 80)
    async with asyncio.timeout(ANSWERS):
        _, far = await loop.create_connection(lambda: FarEnd(asyncio.Event()), host, port, ssl=secure)
        assert far.transport is not None
        lines = [f"GET {path} HTTP/1.1".encode("latin-1"), *(b"%b: %b" % pair for pair in headers), b"", b""]
        far.transport.write(b"\r\n".join(lines))
        try:
            head = await far.head
            if not head.startswith(TAKEN):
                raise ConnectionRefusedError
        except BaseException:
            far.transport.abort()
            raise
    return far, head


async def pass_on(near: LiveConnection, far: FarEnd, head: bytes) -> None:
    """Pass on what either side says, until one of them goes."""
    end = End(far.over)
    end.transport, end.other, far.other = near.transport, far, end
    near.give(end)
    try:
        near.transport.write(head)
        far.transport.resume_reading()  # type: ignore[union-attr]
        await far.over.wait()
    finally:
        near.ended()
        for side in (end, far):
            if side.transport is not None:
                side.transport.close()
