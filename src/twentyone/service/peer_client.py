"""One process asks another: HTTP over connections that are kept, and closed as soon as the other is gone."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httptools

__all__ = ["PEER", "Pass", "Passed", "PeerAnswer", "PeerClient", "PeerGone"]

PEER = b"x-twentyone-peer"
"""The header with which a process shows that it is one of this ledger's."""
CONNECT = 2.0
"""Seconds in which a process takes a connection, if it is there."""
KEPT, FRESH = 64, 3.0
"""Connections to one process that are kept for the next request, and for how many seconds: less than it keeps them."""
LATE = 30_000
"""Milliseconds that a request between processes may be on its way; what was taken is remembered for twice as long."""
FINAL = 200
"""The first status of an answer; those below it announce one."""
Headers = Iterable[tuple[bytes, bytes]]


class PeerGone(Exception):
    """The other process did not answer; `sent`: it may have done what was asked."""

    def __init__(self, sent: bool) -> None:
        super().__init__("the other process did not answer")
        self.sent = sent
        """Whether the request had left."""


class Passed(NamedTuple):
    """What another process says of a request that it passes on."""

    client: str
    """Whose it is: an address."""
    scheme: str
    """How it came."""
    digest: str
    """What its body must be."""

    def fits(self, body: bytes) -> bool:
        """Whether a body is the one that was passed on."""
        return hmac.compare_digest(self.digest, sha256(body).hexdigest())


class _Seen:
    """The requests of one process that were taken lately, by number, and its clock."""

    def __init__(self, at: int) -> None:
        self.latest = self.swept = at
        self.taken: dict[int, int] = {}


class Pass:
    """What shows one process that a request comes from another of the same ledger, and whose it was.

    It is made for one process, whose name is new at every start, for one request with its body, and is taken once:
    nobody else can use it, nor can whoever has seen it send it again, or another request with it.
    """

    def __init__(self, secret: bytes, me: str) -> None:
        self._secret, self._me = sha256(b"processes of a ledger" + secret).digest(), me
        self._numbers = count(1)
        self._seen: dict[str, _Seen] = {}

    def make(self, to: str, whose: tuple[str, str], method: str, target: str, body: bytes = b"") -> bytes:
        """The value of the header, for one process and one request; `whose`: the client's address, and the scheme."""
        sent = f"{self._me} {_milliseconds()} {next(self._numbers)}"
        said = f"{' '.join(whose)} {sent} {sha256(body).hexdigest()}"
        return f"{said} {self._mark(to, method, target, said)}".encode("latin-1")

    def read(self, value: bytes, method: str, target: str) -> Passed | None:
        """What another process says of a request; none if it is not from there, or was taken before."""
        said, _, mark = value.decode("latin-1").rpartition(" ")
        if not hmac.compare_digest(mark.encode(), self._mark(self._me, method, target, said).encode()):
            return None
        client, scheme, sender, at, number, digest = said.split(" ")
        return Passed(client, scheme, digest) if self._is_new(sender, int(at), int(number)) else None

    def _is_new(self, sender: str, at: int, number: int) -> bool:
        """Whether a request was not taken before; one that was long on its way is not taken at all."""
        seen = self._seen.setdefault(sender, _Seen(at))
        if at < seen.latest - LATE or number in seen.taken:
            return False
        seen.taken[number], seen.latest = at, max(seen.latest, at)
        if seen.latest - seen.swept >= LATE:
            seen.swept = seen.latest
            seen.taken = {one: since for one, since in seen.taken.items() if since >= seen.latest - LATE}
        return True

    def _mark(self, to: str, method: str, target: str, said: str) -> str:
        return hmac.new(self._secret, f"{to}\n{method}\n{target}\n{said}".encode(), "sha256").hexdigest()


def _milliseconds() -> int:
    return time.monotonic_ns() // 10**6


class PeerAnswer(NamedTuple):
    """What another process answered."""

    status: int
    """Its status."""
    headers: list[tuple[bytes, bytes]]
    """Its headers."""
    body: bytes
    """All of it."""


class _Line(asyncio.Protocol):
    """One connection to another process: one request, then its answer; what only announces one is passed over."""

    def __init__(self) -> None:
        self.transport: Any = None
        self._waiting: asyncio.Future[PeerAnswer] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def ask(self, request: bytes) -> asyncio.Future[PeerAnswer]:
        """Send a request; what will be answered."""
        self._headers: list[tuple[bytes, bytes]] = []
        self._body, self._whole = bytearray(), False
        self._parser: Any = httptools.HttpResponseParser(self)
        self._waiting = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return self._waiting

    def data_received(self, data: bytes) -> None:
        if self._waiting is None or self._waiting.done():
            self.transport.abort()
            return
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self.transport.abort()
            return
        if self._whole:
            self._waiting.set_result(PeerAnswer(self._parser.get_status_code(), self._headers, bytes(self._body)))

    def on_message_begin(self) -> None:
        if self._whole:
            raise EOFError("more was answered than was asked")
        self._headers, self._body = [], bytearray()

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers.append((name.lower(), value))

    def on_body(self, part: bytes) -> None:
        self._body += part

    def on_message_complete(self) -> None:
        self._whole = self._parser.get_status_code() >= FINAL

    def connection_lost(self, _: Exception | None) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(PeerGone(sent=True))


class PeerClient:
    """Connections to the other processes."""

    def __init__(self) -> None:
        self._idle: defaultdict[str, list[tuple[float, _Line]]] = defaultdict(list)
        self._ends: defaultdict[str, set[Callable[[], object]]] = defaultdict(set)

    async def ask(self, address: str, method: str, target: str, headers: Headers, body: bytes = b"") -> PeerAnswer:
        """Send one request and wait for its answer; `PeerGone` where none comes."""
        line = self._kept(address) or await _connect(address)
        try:
            with self.while_there(address, line.transport.abort):
                answer = await line.ask(_request(method, target, headers, body))
        except BaseException:
            line.transport.close()
            raise
        self._keep(address, line)
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
            if time.monotonic() - used < FRESH and not line.transport.is_closing():
                return line
            line.transport.close()
        return None

    def _keep(self, address: str, line: _Line) -> None:
        if len(self._idle[address]) < KEPT:
            self._idle[address].append((time.monotonic(), line))
        else:
            line.transport.close()

    def drop(self, address: str) -> None:
        """A process is gone: whoever waits for its answer is told."""
        for _, line in self._idle.pop(address, ()):
            line.transport.close()
        for end in [*self._ends[address]]:
            end()

    def close(self) -> None:
        """Close all connections."""
        for address in {*self._idle, *self._ends}:
            self.drop(address)


async def _connect(address: str) -> _Line:
    parts, loop = urlsplit(address), asyncio.get_running_loop()
    try:
        async with asyncio.timeout(CONNECT):
            secure = parts.scheme == "https" or None
            host, port = parts.hostname or "", parts.port or (443 if secure else 80)
            return (await loop.create_connection(_Line, host, port, ssl=secure))[1]
    except (OSError, TimeoutError):
        raise PeerGone(sent=False) from None


def _request(method: str, target: str, headers: Headers, body: bytes) -> bytes:
    lines = [f"{method} {target} HTTP/1.1".encode("latin-1"), *(b"%b: %b" % pair for pair in headers)]
    return b"\r\n".join([*lines, b"content-length: %d" % len(body), b"", body])
