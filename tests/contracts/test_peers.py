"""What a client cannot make one process tell another, and whose answer he gets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from twentyone.ledger.leases import Member
from twentyone.service.peer_client import PEER, Pass, PeerClient, PeerGone
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
    ownership: Any = SimpleNamespace(me="one", pass_=Pass(b"key"))
    service: Any = SimpleNamespace(people=SimpleNamespace(policy=AccessPolicy()))
    return Forwarding(SimpleNamespace(), service, ownership)  # type: ignore[arg-type]


def scope(headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    """A request as the web server gives it."""
    return {
        "type": "http", "path": "/table/one", "scheme": "http", "client": ("198.51.100.1", 1), "headers": headers
    }  # fmt: skip


def test_what_only_a_process_says_is_not_passed_on() -> None:
    """Else a page of another site names a host that is ours, and the leader answers it."""
    own = [(b"host", b"evil.example"), (b"cookie", b"a=b")]
    passed = forwarding()._passed(LEADER, scope([*own, *FORGED]), HOP)
    assert passed[:-1] == own
    assert passed[-1][0] == PEER
    assert Pass(b"key").read(passed[-1][1], "two", "/table/one") == ("198.51.100.1", "http")


def test_an_address_is_believed_from_a_process_alone_and_another_host_from_nobody() -> None:
    here = forwarding()
    marks = {
        "a process": Pass(b"key").make("one", "192.0.2.1", "https", "/table/one"),
        "a stranger": Pass(b"guess").make("one", "192.0.2.1", "https", "/table/one"),
        "seen on the way to another": Pass(b"key").make("two", "192.0.2.1", "https", "/table/one"),
        "of another path": Pass(b"key").make("one", "192.0.2.1", "https", "/table/two"),
        "nothing": b"",
        "no text": b"\xff \xff \xff",
    }
    for who, mark in marks.items():
        asked = scope([(b"host", b"evil.example"), (PEER, mark), (b"x-twentyone-host", b"127.0.0.1")])
        here._know(asked)
        assert (asked["client"][0] == "192.0.2.1") is (who == "a process"), who
        assert (b"host", b"evil.example") in asked["headers"], who
