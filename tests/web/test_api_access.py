"""Who comes in: floods of log-ins, forged addresses, foreign names, sessions that nobody uses, names that tell."""

from __future__ import annotations

import argparse
import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio.to_thread
import pytest
import uvicorn

from tests.patience import PATIENCE, until_soon
from tests.web.inside import MOMENT, Client, Ear, Inside, open_table
from tests.web.test_api_guessing import From
from tests.web.test_api_security import PASSWORD, in_house
from twentyone.cli.serve_access import access_settings, add_access, choose_access
from twentyone.service import sessions
from twentyone.service.doors import HouseLimits
from twentyone.service.entering import LINK_LIFE
from twentyone.service.hashing import KEPT, PLACES, Hashing
from twentyone.service.people import NotAllowed, Person
from twentyone.service.policy import AccessPolicy
from twentyone.service.sessions import AT_ONCE, IDLE, LIFE
from twentyone.web import security, whole_requests
from twentyone.web.api import tables
from twentyone.web.api.common import SESSION_COOKIE
from twentyone.web.pages.trouble import page_broken
from twentyone.web.security import Guard

FLOOD = 120


@contextmanager
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Comparisons of passwords that do not end before the block does; the passwords that came so far."""
    over, begun = threading.Event(), list[str]()

    def compare(_: Hashing, __: str, password: str) -> bool:
        begun.append(password)
        over.wait()
        return password == PASSWORD

    monkeypatch.setattr(Hashing, "_compare", compare)
    try:
        yield begun
    finally:
        over.set()


def test_a_flood_of_log_ins_holds_up_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """120 strangers at once: few wait, the others are told so; a read that needs a thread is answered meanwhile."""

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "administrator", PASSWORD)
        owner = From(inn, "10.1.0.1")
        assert (await owner.login(PASSWORD)).status_code == 200
        strangers = [From(inn, f"10.0.0.{number}") for number in range(FLOOD)]
        await asyncio.gather(*(stranger.get("/me") for stranger in strangers))
        with hanging(monkeypatch) as begun:
            flood = [asyncio.create_task(stranger.login("wrong")) for stranger in strangers]
            await until_soon(lambda: sum(task.done() for task in flood) == FLOOD - PLACES + KEPT, "the rest are told")
            known = asyncio.create_task(owner.login(PASSWORD))
            await until_soon(lambda: inn.service.people.hashing._held == PLACES - KEPT + 1, "the owner waits, too")
            assert (await inn.clients["administrator"].get("/server")).status_code == 200
            assert (await inn.clients["visitor"].get("/ready")).status_code == 200
            assert anyio.to_thread.current_default_thread_limiter().borrowed_tokens == 0
            assert len(begun) <= 2
        answers = [await task for task in flood]
        refused = [answer for answer in answers if answer.status_code == 503]
        assert len(refused) == FLOOD - PLACES + KEPT
        assert {answer.header("retry-after") for answer in refused} == {"5"}
        assert all(answer.status_code == 401 for answer in answers if answer not in refused)
        assert (await known).status_code == 200, "a browser that is known found no place"

    in_house(tmp_path, work)


def served(inn: Inside, *options: str) -> Any:
    """The application as `twentyone serve` would run it with these options."""
    settings = uvicorn.Config(inn.app, **access_settings(chosen_access(*options)))
    settings.load()
    return settings.loaded_app


async def guesses(inn: Inside, app: Any, address: str, *forwarded: str) -> list[int]:
    """The answers to a guess for each value of the header."""
    client, found = From(inn, address), list[int]()
    client._plain = app
    await client.get("/me")
    body = {"name": "Olga", "password": "wrong"}
    for value in forwarded:
        answer = await client.send("POST", "/session/login", body, x_forwarded_for=value)
        found.append(answer.status_code)
    return found


def test_only_a_trusted_proxy_says_where_a_client_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hashing, "_compare", lambda *_: False)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")

    async def work(inn: Inside) -> None:
        plain, behind = served(inn), served(inn, "--trusted-proxy", "10.0.0.0/30")
        forged = [f"192.0.2.{number}" for number in range(1, 6)]
        assert await guesses(inn, plain, "127.0.0.1", *forged) == [401] * 3 + [429] * 2, "loopback is believed"
        assert await guesses(inn, behind, "10.0.0.9", *forged) == [401] * 3 + [429] * 2, "a stranger is believed"
        assert await guesses(inn, behind, "10.0.0.1", *forged) == [401] * 5, "all clients of the proxy are one"
        told = [f"198.51.100.{number}, 203.0.113.7" for number in range(5)]
        assert await guesses(inn, behind, "10.0.0.2", *told) == [401] * 3 + [429] * 2, "a client forges the list"
        believing = uvicorn.Config(inn.app, proxy_headers=True, forwarded_allow_ips="*")
        believing.load()
        assert await guesses(inn, believing.loaded_app, "10.0.0.8", *[f"198.18.0.{n}" for n in range(5)]) == [401] * 5

    in_house(tmp_path, work)


@pytest.mark.parametrize("wrong", ["proxy.example", "10.0.0.1/24", ""])
def test_a_proxy_is_an_address_or_a_network(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_access(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(["--trusted-proxy", wrong])
    assert "neither an address nor a network" in capsys.readouterr().err


HALVES = [
    b"",
    b"GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\nx-wait",
    b"POST /api/v1/session/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 40\r\n\r\n{",
    b"GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\n\r\nGET /api/v1/he",
]
"""Nothing, half a head, half a body, half a second request."""
KEY = "dGhlIHNhbXBsZSBub25jZQ=="  # pragma: allowlist secret


def test_half_a_request_is_dropped_and_a_listener_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the plain web server, which still waits when ours has hung up on all of them."""
    monkeypatch.setattr(whole_requests, "ARRIVES", 0.1)

    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {})
        ours, plain = [await listening(inn, **chosen) for chosen in (access_settings(chosen_access()), {})]
        waiting = [await sent(plain, half) for half in HALVES]
        asks = ["connection: Upgrade", "upgrade: websocket", "sec-websocket-version: 13", f"sec-websocket-key: {KEY}"]
        head = ["GET /api/v1/tables/one/live HTTP/1.1", "host: localhost", *asks, "", ""]
        listener = await sent(ours, "\r\n".join(head).encode())
        assert b"101" in await listener.readline()
        for half in HALVES:
            said = await asyncio.wait_for((await sent(ours, half)).read(), PATIENCE)
            assert said.startswith((b"HTTP/1.1 408", b"HTTP/1.1 200")) or b"content-length: 40" in half
        assert not [reader for reader in waiting if reader.at_eof()]
        assert not listener.at_eof(), "a listener is hung up on as well"
        for up in (ours, plain):
            up.should_exit = up.force_exit = True
        await until_soon(lambda: not any(up.servers and up.servers[0].is_serving() for up in (ours, plain)), "stopped")

    in_house(tmp_path, work)


def chosen_access(*options: str) -> argparse.Namespace:
    """The options about access."""
    parser = argparse.ArgumentParser()
    add_access(parser)
    return parser.parse_args(options)


async def listening(inn: Inside, **settings: Any) -> uvicorn.Server:
    """A web server on loopback, with these settings."""
    server = uvicorn.Server(uvicorn.Config(inn.app, port=0, lifespan="off", log_level="error", **settings))
    server.served = asyncio.create_task(server.serve())  # type: ignore[attr-defined]
    await until_soon(lambda: server.started, "it listens")
    return server


async def sent(server: uvicorn.Server, text: bytes) -> asyncio.StreamReader:
    """A connection that sends this and waits."""
    port = server.servers[0].sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(text)
    await writer.drain()
    OPEN.append(writer)
    return reader


OPEN: list[asyncio.StreamWriter] = []
"""Connections that nobody closes, so that they are not collected."""


def test_one_visitor_does_not_use_up_the_requests_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two players and a stranger behind one address; each is counted for himself."""
    monkeypatch.setattr(security, "CHANGES", 20)
    monkeypatch.setattr(security, "CHANGE_TIME", 3600)

    async def work(inn: Inside) -> None:
        guard: Any = Guard(inn.app, inn.service, limited=True, broken=page_broken)
        ann, bob, stranger = (
            From(inn, "10.0.0.1", **inn.cookies[kind]) for kind in ("guest", "other guest", "visitor")
        )
        for client in (ann, bob, stranger):
            client._plain = guard
        await stranger.get("/me")
        for client in (ann, stranger):
            flood = [await client.send("POST", "/tables/none/buy-in") for _ in range(security.CHANGES + 1)]
            assert flood[-1].status_code == 429
            assert flood[-2].status_code != 429
        assert (await bob.send("POST", "/tables/none/buy-in")).status_code == 404

    in_house(tmp_path, work)


READS = 5
PAGES = ("//rounds", "//law", "/rounds", "/rounds.csv", "//nowhere")


def test_whoever_asks_for_pages_in_a_loop_does_not_starve_others(tmp_path: Path) -> None:
    """Two players and strangers behind one address: each person is counted for himself, strangers together.

    Files, and what watches the server, are not counted; a cookie that nobody gave makes nobody a person.
    """

    async def work(inn: Inside) -> None:
        inn.service.doors.limits = inn.service.doors.limits._replace(reads=READS)
        guard: Any = Guard(inn.app, inn.service, limited=True, broken=page_broken)
        ann, bob, stranger = (
            From(inn, "10.0.0.1", **inn.cookies[kind]) for kind in ("guest", "other guest", "visitor")
        )
        liar = From(inn, "10.0.0.1", **{SESSION_COOKIE: "made up"})
        for client in (ann, bob, stranger, liar):
            client._plain = guard
        for client, most in ((ann, READS), (stranger, READS * 2)):
            flood = [await client.get(PAGES[number % len(PAGES)]) for number in range(most + len(PAGES))]
            assert [answer.status_code == 429 for answer in flood] == [False] * most + [True] * len(PAGES)
            assert {answer.header("retry-after") for answer in flood[most:]} == {"10"}
            assert all("too many pages and readings" in answer.text for answer in flood[most:])
            assert (await client.get("/health")).status_code == 200
            assert (await client.get("//static/none/none.js")).status_code == 404
        assert (await liar.get("//rounds")).status_code == 429
        assert (await bob.get("//rounds")).status_code == 200
        assert (await ann.send("POST", "/tables/none/buy-in")).status_code == 404, "it waits for what she reads"

    in_house(tmp_path, work)


@pytest.mark.parametrize(("given", "most"), [(["--reads", "7"], 7), ([], 300)])
def test_the_operator_says_how_much_one_may_read(given: list[str], most: int) -> None:
    house = SimpleNamespace(doors=SimpleNamespace(limits=HouseLimits()), people=SimpleNamespace(policy=AccessPolicy()))
    parser = argparse.ArgumentParser()
    add_access(parser)
    choose_access(house, parser.parse_args(given))
    assert house.doors.limits.reads == most


def test_one_visitor_does_not_use_up_the_live_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each holds a file of the server open: who has too many gets no more, others do, and so does he once some end."""
    monkeypatch.setattr(security, "LISTENERS", {"person": 2, "address": 3})

    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        guard: Any = Guard(inn.app, inn.service, limited=True, broken=page_broken)

        async def heard(kind: str, count: int) -> list[Ear]:
            ears = [Ear(guard, "one", inn.cookies[kind]) for _ in range(count)]
            await asyncio.gather(*(ear.answered() for ear in ears))
            return ears

        strangers, anns = await heard("visitor", 4), await heard("guest", 3)
        assert [ear.closed for ear in strangers] == [None] * 3 + [4429]
        assert [ear.closed for ear in anns] == [None] * 2 + [4429]
        (bob,) = await heard("other guest", 1)
        assert bob.closed is None, "somebody else at the same address is refused as well"
        await strangers[0].stop()
        (again,) = await heard("visitor", 1)
        assert again.closed is None
        for ear in (*strangers[1:3], *anns[:2], bob, again):
            await ear.stop()
        assert not guard._listeners

    in_house(tmp_path, work)


def test_a_name_that_is_not_ours_is_not_answered(tmp_path: Path) -> None:
    """A browser that was led here by another site's name is told nothing, not even by a socket."""

    async def work(inn: Inside) -> None:
        client = inn.clients["administrator"]
        inn.service.people.policy = AccessPolicy(("games.example",))
        for host in (
            "evil.example",
            "games.example.evil",
            "localhost.evil",
            "",
            "127.0.0.1.evil",
            "games.example@evil",
        ):
            for path in ("/me", "//", "/health"):
                answer = await client.send("GET", path, host=host)
                assert answer.status_code == 421, (host, path)
                assert "administrator" not in answer.text
        for host in ("games.example", "GAMES.example:443", "127.0.0.1:8021", "[::1]:8021", "[::1]", "localhost"):
            assert (await client.send("GET", "/me", host=host)).status_code == 200, host
        await open_table(inn.service, "one", "pa-spanish-21", {})
        ear = inn.ear("administrator", "one")
        await ear.answered()
        assert ear.frames
        await ear.stop()
        ear._scope["headers"] = [(b"host", b"evil.example")]
        await inn.app(ear._scope, ear._in.get, ear._send)
        assert ear.closed == 4403

    in_house(tmp_path, work)


def test_the_number_of_a_guest_tells_nothing(tmp_path: Path) -> None:
    """A name that an account has, one that a guest has and one that nobody has get numbers of one kind."""

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "administrator", PASSWORD)
        inn.service.people.policy = AccessPolicy()
        for name in ("Olga", "Ann", "Nobody"):
            client = Client(inn.app, {})
            await client.get("/me")
            answer = await client.send("POST", "/session/guest", {"name": name})
            said, _, number = answer.json()["name"].rpartition(" ")
            assert said == name
            assert len(number) == 4
            assert number.isdecimal()
        inn.service.people.policy = AccessPolicy(numbered_guests=False)
        assert inn.service.people.guest("Olga").person.name == "Olga 2", "the control tells, and is not seen to"

    in_house(tmp_path, work)


def _is_told(ear: Ear, before: int) -> bool:
    return len(ear.frames) > before or ear.closed is not None


@pytest.mark.parametrize("kind", ["floorperson", "administrator"])
def test_a_session_ends_though_its_pages_stay_open(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what is pushed nor what a page asks for by itself is activity; opening a page is."""
    now = [MOMENT]
    monkeypatch.setattr(tables, "LOOK_AGAIN", -1.0)

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        ear, client, other = inn.ear(kind, "one"), inn.clients[kind], inn.clients["auditor"]
        await ear.answered()
        for minute in range(4):
            now[0] += IDLE // 3
            assert (await other.get("//rounds")).status_code == 200
            if minute < 3:
                assert (await client.get("/pit")).status_code == 200
            heard = len(ear.frames)
            live._ring()
            await until_soon(partial(_is_told, ear, heard), "the page is told, or hung up on")
        assert ear.closed == 4401
        assert (await client.get("/me")).json() is None
        assert (await other.get("/me")).json() is not None, "the control, who opened pages, is out as well"

    in_house(tmp_path, work, clock=lambda: now[0])


def test_a_former_floorperson_is_shown_nothing_more_of_his_table(tmp_path: Path) -> None:
    """The first thing that happens there after his role has changed is not told to him, however soon it is."""

    async def work(inn: Inside) -> None:
        people = inn.service.people
        people.add("Olga", "floorperson", PASSWORD)
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        session = people.begin(Person("Olga", "floorperson"))
        inn.cookies["olga"] = {SESSION_COOKIE: session.id}
        ears = [inn.ear(kind, "one") for kind in ("olga", "floorperson")]
        for ear in ears:
            await ear.answered()
        people.accounts.change_role("Olga", "dealer", "Ada")
        live._ring()
        for ear in ears:
            await until_soon(partial(_is_told, ear, 1), "the page is told, or hung up on")
        assert (ears[0].closed, len(ears[0].frames)) == (4401, 1)
        assert ears[1].closed is None, "the control: another floorperson looks on"
        for ear in ears:
            await ear.stop()

    in_house(tmp_path, work)


def test_a_session_ends_after_twelve_hours_of_work_and_a_guest_plays_on(tmp_path: Path) -> None:
    now = [MOMENT]

    async def work(inn: Inside) -> None:
        while now[0] <= MOMENT + LIFE:
            for kind in ("dealer", "guest"):
                assert (await inn.clients[kind].get("//rounds")).status_code == 200
                assert (await inn.clients[kind].get("/me")).json() is not None, now[0] - MOMENT
            now[0] += IDLE - 60
        assert (await inn.clients["dealer"].get("/me")).json() is None
        assert (await inn.clients["guest"].get("/me")).json() is not None
        ended = [row for row in inn.service.people.sessions.listed() if row.name == "Dan"]
        assert ended[0].why == sessions.TOO_OLD

    in_house(tmp_path, work, clock=lambda: now[0])


def test_an_account_has_few_sessions_and_the_oldest_gives_way(tmp_path: Path) -> None:
    now = [MOMENT]

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "auditor", PASSWORD)
        browsers = [From(inn, f"10.0.0.{number}") for number in range(AT_ONCE + 1)]
        for browser in browsers:
            now[0] += 1
            assert (await browser.login(PASSWORD)).status_code == 200
        there = [(await browser.get("/me")).json() is not None for browser in browsers]
        assert there == [False] + [True] * AT_ONCE
        assert (await inn.clients["auditor"].get("/me")).json() is not None, "somebody else's session ended"

    in_house(tmp_path, work, clock=lambda: now[0])


def test_a_one_time_link_is_short_lived(tmp_path: Path) -> None:
    now = [MOMENT]

    async def work(inn: Inside) -> None:
        people = inn.service.people
        late, soon = people.entering.link("administrator"), people.entering.link("administrator")
        now[0] += LINK_LIFE
        assert people.entering.follow(soon).person == Person("administrator", "administrator")
        now[0] += 1
        for link in (late, soon):
            with pytest.raises(NotAllowed, match="used already, or is too old"):
                people.entering.follow(link)

    in_house(tmp_path, work, clock=lambda: now[0])
