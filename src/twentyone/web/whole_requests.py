"""Requests that do not arrive: a connection that sends half a head, or half a body, is dropped after a while.

The web server itself waits for the rest without end, and whoever opens many such connections uses them all up.
"""

from __future__ import annotations

from asyncio import Transport
from asyncio.events import TimerHandle

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["WholeRequests"]

ARRIVES = 10.0
"""Seconds in which a request arrives, from its first byte, or from the connection on, to its last."""
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class WholeRequests(HttpToolsProtocol):
    """One connection."""

    _deadline: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """The clock of the first request begins."""
        super().connection_made(transport)
        self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing more is waited for."""
        self._end()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """The first byte of a request has come."""
        super().on_message_begin()
        self._begin()

    def on_message_complete(self) -> None:
        """All of it has come; a listener's connection, which begins with a request, stays open."""
        self._end()
        super().on_message_complete()

    def _begin(self) -> None:
        self._end()
        self._deadline = self.loop.call_later(ARRIVES, self._drop)

    def _end(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _drop(self) -> None:
        """Answer, unless an answer has begun, and hang up."""
        if not self.transport.is_closing():
            if self.cycle is None or self.cycle.response_complete:
                self.transport.write(TOO_SLOW)
            self.transport.close()
