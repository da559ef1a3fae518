"""What a client cannot make one process tell another, and whose answer he gets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from twentyone.ledger.leases import Member
from twentyone.service.peer_client import LATE, PEER, Pass, PeerClient, PeerGone
from twentyone.service.policy import AccessPolicy
from twentyone.web.forwarding import HOP, Forwarding

ANSWER = b"HTTP/1.1 200 OK\r\nset-cookie: %b\r\ncontent-length: %d\r\n\r\n%b"
LEADER = Member("two", "http://127.0.0.1:1", True)


def answer(whose: bytes) -> bytes:
    return ANSWER % (whose, len(whose), whose)


def between(parts: list[list[bytes]], work: Callable[[PeerClient, str], Awaitable[None]]) -> None:
    """A process that answers each request with parts, one after the other, and one that asks."""
    answers = iter(parts)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.readline():
            while await reader.readline() != b"\r\n":
                pass
            for part in next(answers):
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(0.01)

    async def go() -> None:
        server, client = await asyncio.start_server(serve, "127.0.0.1", 0), PeerClient()
        try:
            await work(client, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        finally:
            client.close()
            server.close()
            await asyncio.sleep(0)

    asyncio.run(go())


def test_whoever_has_his_answer_announced_gets_it_himself() -> None:
    """With `expect: 100-continue` two answers come; taken for one, everybody after him got that of somebody else."""

    async def work(client: PeerClient, address: str) -> None:
        for whose in (b"ann", b"bob"):
            found = await client.ask(address, "GET", "/", [(b"host", b"peer")])
            assert (found.status, found.body) == (200, whose)
            assert [value for name, value in found.headers if name == b"set-cookie"] == [whose]

    between([[b"HTTP/1.1 100 Continue\r\n\r\n", answer(b"ann")], [answer(b"bob")]], work)


def test_more_than_was_asked_for_is_nobodys_answer() -> None:
    async def work(client: PeerClient, address: str) -> None:
        with pytest.raises(PeerGone):
            await client.ask(address, "GET", "/", [(b"host", b"peer")])
        assert (await client.ask(address, "GET", "/", [(b"host", b"peer")])).body == b"bob"

    between([[answer(b"ann") + answer(b"eve")], [answer(b"bob")]], work)


FORGED = [
    (b"x-twentyone-peer", b"192.0.2.9 https 0"),
    (b"x-twentyone-host", b"127.0.0.1"),
    (b"x-forwarded-for", b"192.0.2.9"),
    (b"x-forwarded-proto", b"https"),
    (b"forwarded", b"for=192.0.2.9"),
    (b"expect", b"100-continue"),
    (b"transfer-encoding", b"chunked"),
    (b"content-length", b"7"),
]
"""What a client may say that only a process says: who he is, which name he called, how long his request is."""


def forwarding() -> Any:
    """The part of a process that passes requests on."""
    ownership: Any = SimpleNamespace(me="one", pass_=Pass(b"key", "one"))
    service: Any = SimpleNamespace(people=SimpleNamespace(policy=AccessPolicy()))
    return Forwarding(SimpleNamespace(), service, ownership)  # type: ignore[arg-type]


def scope(headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    """A request as the web server gives it."""
    return {
        "type": "http", "method": "GET", "path": "/table/one", "query_string": b"", "scheme": "http",
        "client": ("198.51.100.1", 1), "headers": headers,
    }  # fmt: skip


def test_what_only_a_process_says_is_not_passed_on() -> None:
    """Else a page of another site names a host that is ours, and the leader answers it."""
    own = [(b"host", b"evil.example"), (b"cookie", b"a=b")]
    passed = forwarding()._passed(LEADER, scope([*own, *FORGED]), HOP)
    assert passed[:-1] == own
    assert passed[-1][0] == PEER
    read = Pass(b"key", "two").read(passed[-1][1], "GET", "/table/one")
    assert read is not None
    assert (read.client, read.scheme) == ("198.51.100.1", "http")


def made(key: bytes, to: str, method: str, target: str, body: bytes = b"") -> bytes:
    """What a process with this key says when it passes a request on."""
    return Pass(key, "two").make(to, ("192.0.2.1", "https"), method, target, body)


def test_an_address_is_believed_from_a_process_alone_and_another_host_from_nobody() -> None:
    here = forwarding()
    marks = {
        "a process": made(b"key", "one", "GET", "/table/one"),
        "a stranger": made(b"guess", "one", "GET", "/table/one"),
        "seen on the way to another": made(b"key", "two", "GET", "/table/one"),
        "of another path": made(b"key", "one", "GET", "/table/two"),
        "of another query": made(b"key", "one", "GET", "/table/one?all=1"),
        "of another method": made(b"key", "one", "POST", "/table/one"),
        "nothing": b"",
        "no text": b"\xff \xff \xff",
    }
    for who, mark in marks.items():
        asked = scope([(b"host", b"evil.example"), (PEER, mark), (b"x-twentyone-host", b"127.0.0.1")])
        here._know(asked)
        assert (asked["client"][0] == "192.0.2.1") is (who == "a process"), who
        assert (b"host", b"evil.example") in asked["headers"], who


def test_what_was_seen_on_the_network_is_of_no_use() -> None:
    """The same request again, the same with another body, or one that was long on its way: refused, and not done."""
    here, told = forwarding(), list[str]()

    here._service.watch = SimpleNamespace(hear=told.append)

    async def ask(mark: bytes, body: bytes) -> int:
        asked = scope([(PEER, mark)]) | {"method": "POST", "path": "/peer/examined"}
        parts, sent = iter([{"type": "http.request", "body": body, "more_body": False}]), list[dict[str, Any]]()

        async def receive() -> dict[str, Any]:
            return next(parts)

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        async def unknown(*_: Any) -> None:
            await send({"type": "http.response.start", "status": 404})

        here._app = unknown
        await here(asked, receive, send)
        return int(sent[0]["status"])

    async def work() -> None:
        two, whose = Pass(b"key", "two"), ("192.0.2.1", "https")
        marks = [two.make("one", whose, "POST", "/peer/examined", b"all is well") for _ in range(2)]
        assert await ask(marks[0], b"the ledger differs") == 403
        assert told == []
        assert await ask(marks[1], b"all is well") == 200
        assert await ask(marks[1], b"all is well") == 404
        assert told == ["all is well"]

    asyncio.run(work())


def test_a_request_is_taken_once_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that come out of order are taken; what is too old is not, and what was taken long ago is forgotten."""
    now = 100_000
    monkeypatch.setattr("twentyone.service.peer_client._milliseconds", lambda: now)
    two, one = Pass(b"key", "two"), Pass(b"key", "one")
    marks = [two.make("one", ("192.0.2.1", "http"), "GET", "/") for _ in range(3)]
    assert [one.read(mark, "GET", "/") is not None for mark in (marks[2], marks[0], marks[2])] == [True, True, False]
    now += LATE + 1
    assert one.read(two.make("one", ("192.0.2.1", "http"), "GET", "/"), "GET", "/") is not None
    assert one.read(marks[1], "GET", "/") is None
    assert one.read(marks[0], "GET", "/") is None
    for _ in range(10):
        now += LATE + 1
        one.read(two.make("one", ("192.0.2.1", "http"), "GET", "/"), "GET", "/")
    assert len(one._seen["two"].taken) <= 2
