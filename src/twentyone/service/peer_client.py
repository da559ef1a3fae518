"""One process asks another: HTTP over connections that are kept, and closed as soon as the other is gone."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httptools

__all__ = ["PEER", "Pass", "PeerAnswer", "PeerClient", "PeerGone"]

PEER = "x-twentyone-peer"
"""The header with which a process shows that it is one of this ledger's."""
CONNECT = 2.0
"""Seconds in which a process takes a connection, if it is there."""
KEPT, FRESH = 64, 3.0
"""Connections to one process that are kept for the next request, and for how many seconds: less than it keeps them."""
FINAL = 200
"""The first status of an answer; those below it announce one."""
Headers = Iterable[tuple[bytes, bytes]]


class PeerGone(Exception):
    """The other process did not answer; `sent`: it may have done what was asked."""

    def __init__(self, sent: bool) -> None:
        super().__init__("the other process did not answer")
        self.sent = sent
        """Whether the request had left."""


class Pass:
    """What shows one process that a request comes from another of the same ledger, and whose it was.

    It is made for one process, whose name is new at every start: nobody else can use it, nor can he later.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = sha256(b"processes of a ledger" + secret).digest()

    def make(self, to: str, client: str, scheme: str, path: str) -> bytes:
        """The value of the header, for one process, one path and one client's address."""
        return f"{client} {scheme} {self._mark(to, client, scheme, path)}".encode("latin-1")

    def read(self, value: bytes, me: str, path: str) -> tuple[str, str] | None:
        """Client and scheme of a request that another process passes on to `me`; none if it is not from there."""
        client, _, rest = value.decode("latin-1").partition(" ")
        scheme, _, mark = rest.partition(" ")
        made = self._mark(me, client, scheme, path)
        return (client, scheme) if hmac.compare_digest(mark.encode(), made.encode()) else None

    def _mark(self, to: str, client: str, scheme: str, path: str) -> str:
        return hmac.new(self._secret, f"{to}\n{client}\n{scheme}\n{path}".encode(), "sha256").hexdigest()


class PeerAnswer(NamedTuple):
    """What another process answered."""

    status: int
    """Its status."""
    headers: list[tuple[bytes, bytes]]
    """Its headers."""
    body: bytes
    """All of it."""


class _Reply:
    """Collects one answer, as the parser reads it; what only announces one is passed over."""

    def __init__(self) -> None:
        self.parser: Any = httptools.HttpResponseParser(self)
        self.headers: list[tuple[bytes, bytes]] = []
        self.body, self.whole = bytearray(), False

    def on_message_begin(self) -> None:
        if self.whole:
            raise EOFError("more was answered than was asked")
        self.headers, self.body = [], bytearray()

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name.lower(), value))

    def on_body(self, part: bytes) -> None:
        self.body += part

    def on_message_complete(self) -> None:
        self.whole = self.parser.get_status_code() >= FINAL


_Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class PeerClient:
    """Connections to the other processes."""

    def __init__(self) -> None:
        self._idle: defaultdict[str, list[tuple[float, _Line]]] = defaultdict(list)
        self._ends: defaultdict[str, set[Callable[[], object]]] = defaultdict(set)

    async def ask(self, address: str, method: str, target: str, headers: Headers, body: bytes = b"") -> PeerAnswer:
        """Send one request and wait for its answer; `PeerGone` where none comes."""
        reader, writer = self._kept(address) or await _connect(address)
        try:
            with self.while_there(address, writer.transport.abort):
                writer.write(_request(method, target, headers, body))
                answer = await _answer(reader)
        except (OSError, EOFError, httptools.HttpParserError):
            writer.close()
            raise PeerGone(sent=True) from None
        except BaseException:
            writer.close()
            raise
        self._keep(address, (reader, writer))
        return answer

    @contextmanager
    def while_there(self, address: str, end: Callable[[], object]) -> Iterator[None]:
        """Somebody waits for a process: `end` is called if it is gone."""
        self._ends[address].add(end)
        try:
            yield
        finally:
            self._ends[address].discard(end)

    def _kept(self, address: str) -> _Line | None:
        """A connection that was used a moment ago and is still open."""
        while self._idle[address]:
            used, line = self._idle[address].pop()
            if time.monotonic() - used < FRESH and not line[0].at_eof():
                return line
            line[1].close()
        return None

    def _keep(self, address: str, line: _Line) -> None:
        if len(self._idle[address]) < KEPT:
            self._idle[address].append((time.monotonic(), line))
        else:
            line[1].close()

    def drop(self, address: str) -> None:
        """A process is gone: whoever waits for its answer is told."""
        for _, (_, writer) in self._idle.pop(address, ()):
            writer.close()
        for end in [*self._ends[address]]:
            end()

    def close(self) -> None:
        """Close all connections."""
        for address in {*self._idle, *self._ends}:
            self.drop(address)


async def _connect(address: str) -> _Line:
    parts = urlsplit(address)
    try:
        async with asyncio.timeout(CONNECT):
            return await asyncio.open_connection(parts.hostname, parts.port, ssl=parts.scheme == "https" or None)
    except (OSError, TimeoutError):
        raise PeerGone(sent=False) from None


def _request(method: str, target: str, headers: Headers, body: bytes) -> bytes:
    lines = [f"{method} {target} HTTP/1.1".encode("latin-1"), *(b"%b: %b" % pair for pair in headers)]
    return b"\r\n".join([*lines, b"content-length: %d" % len(body), b"", body])


async def _answer(reader: asyncio.StreamReader) -> PeerAnswer:
    reply = _Reply()
    while not reply.whole:
        data = await reader.read(65536)
        if not data:
            raise EOFError
        reply.parser.feed_data(data)
    return PeerAnswer(reply.parser.get_status_code(), reply.headers, bytes(reply.body))
