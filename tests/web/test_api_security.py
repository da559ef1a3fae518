"""T20 and T22 without a browser: tokens, sessions, locks, headers, origins, bounds, and a log without secrets."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Awaitable, Callable
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import pytest

from tests.patience import until_soon
from tests.web.inside import PEOPLE, Client, Ear, Inside, inside, open_table
from tests.web.test_api_roles import BODIES, MATRIX, address
from twentyone.service.questions import LEDGER, DeskQuestion
from twentyone.web.api.common import CSRF_COOKIE, DEEPEST, SESSION_COOKIE
from twentyone.web.api.tables import SPECTATOR
from twentyone.web.observability import begin_log
from twentyone.web.security import API_POLICY, HOSTS

UNSAFE = [cell for cell in MATRIX if cell[0] != "get"]
PASSWORD = "correct horse battery"
HEADERS = ("x-content-type-options", "x-frame-options", "referrer-policy", "permissions-policy", "x-request-id")


def in_house(folder: Path, work: Callable[[Inside], Awaitable[None]], **options: Any) -> None:
    """Run work inside the application."""

    async def run() -> None:
        async with inside(folder, **options) as inn:
            await work(inn)

    asyncio.run(run())


@pytest.mark.parametrize("kind", ["visitor", "guest", "administrator"])
def test_every_unsafe_method_without_the_token_is_refused(tmp_path: Path, kind: str) -> None:
    """Generated from the schema: no token, a wrong one, another session's."""

    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        other = inn.cookies["dealer"][CSRF_COOKIE]
        for method, path in UNSAFE:
            for token in ("", "wrong", other):
                answer = await inn.clients[kind].send(
                    method.upper(), address(path), BODIES.get((method, path)), token=token
                )
                assert answer.status_code == 403, f"{method} {path} with token {token!r}: {answer.text}"
                assert "x-csrf-token" in answer.text

    in_house(tmp_path, work)


def test_the_session_changes_at_login_and_is_dead_after_logout(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "dealer", PASSWORD)
        client = Client(inn.app, {})
        await client.get("/me")
        await client.send("POST", "/session/guest", {"name": "Olga's guest"})
        first = dict(client.jar)
        answer = await client.send("POST", "/session/login", {"name": "Olga", "password": PASSWORD})
        assert answer.status_code == 200
        assert client.jar[SESSION_COOKIE] != first[SESSION_COOKIE]
        assert client.jar[CSRF_COOKIE] != first[CSRF_COOKIE]
        assert (await Client(inn.app, first).get("/me")).json() is None, "the old session lives on"
        second = dict(client.jar)
        assert (await client.send("POST", "/session/logout")).status_code == 204
        assert (await Client(inn.app, second).get("/me")).json() is None, "the session outlives the logout"

    in_house(tmp_path, work)


def test_cookies_are_for_this_site_and_the_session_is_out_of_a_scripts_reach(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        for scheme in ("http", "https"):
            app = inn.app
            client = Client(app, {})
            await client.get("/me")
            answer = await _over(client, scheme)
            before = "__Host-" if scheme == "https" else ""
            session, csrf = (answer.cookies[f"{before}{name}"].lower() for name in (SESSION_COOKIE, CSRF_COOKIE))
            assert "httponly" in session
            assert "httponly" not in csrf
            for cookie in (session, csrf):
                assert "samesite=strict" in cookie
                assert "path=/" in cookie
                assert ("secure" in cookie) == (scheme == "https")
            assert (answer.header("strict-transport-security") is not None) == (scheme == "https")
            assert (await client.get("/me")).json()["name"].startswith("Kim")

    in_house(tmp_path, work)


def test_over_tls_a_cookie_that_another_host_could_have_given_is_not_read(tmp_path: Path) -> None:
    """A page of a neighbor's name gives cookies for the whole domain, but none that is called `__Host-`."""

    async def work(inn: Inside) -> None:
        for name, jar in inn.cookies.items():
            assert name == "visitor" or (await Client(inn.app, dict(jar)).get("/me")).json() is not None
            assert (await Client(_tls(inn.app), dict(jar)).get("/me")).json() is None, name
        log_out = Client(_tls(inn.app), {})
        await log_out.get("/me")
        await log_out.send("POST", "/session/guest", {"name": "Lee"})
        gone = (await log_out.send("POST", "/session/logout")).cookies
        assert all("secure" in gone[f"__Host-{cookie}"].lower() for cookie in (SESSION_COOKIE, CSRF_COOKIE))

    in_house(tmp_path, work)


def test_a_request_that_names_two_hosts_is_refused(tmp_path: Path) -> None:
    """One of them could be examined and the other believed; a live connection is refused as well."""

    async def work(inn: Inside) -> None:
        async def two(scope: Any, receive: Any, send: Any) -> None:
            await inn.app({**scope, "headers": [*scope["headers"], (b"host", b"127.0.0.1")]}, receive, send)

        client = Client(two, {})  # type: ignore[arg-type]
        for path in ("/me", "//law", "/health"):
            answer = await client.get(path)
            assert (answer.status_code, answer.json()["why"]) == (400, HOSTS)
        await open_table(inn.service, "one", "pa-spanish-21", {})
        ear = Ear(two, "one", {})  # type: ignore[arg-type]
        await ear.answered()
        assert ear.closed == 4403
        await ear.stop()

    in_house(tmp_path, work)


def test_an_answer_about_rounds_of_the_ledger_is_for_who_asked_and_for_readers(tmp_path: Path) -> None:
    """Its name stands in addresses of pages: a stranger who has it gets no card and no name of a player."""

    async def work(inn: Inside) -> None:
        jobs = inn.service.jobs
        jobs.answers.folder = tmp_path / "answers"
        for letter, more in (("a", {LEDGER: True}), ("b", {})):
            file = {"name": "x.html", "type": "text/html", "base64": ""}
            for kind in ("review", "session"):
                name = f"{letter}{kind[0]}".encode().hex().ljust(64, "0")
                question = DeskQuestion(kind, {"rulebook": "pa-spanish-21", **more}, name)
                jobs.answers.keep(question, {"cards": ["KS"], "file": file})
                jobs.admit(name, PEOPLE["guest"] or SPECTATOR)
                for who, client in inn.clients.items():
                    may = not more or who in ("guest", "floorperson", "auditor", "administrator")
                    for part in ("answer", "file"):
                        answer = await client.get(f"/jobs/{name}/{part}")
                        assert answer.status_code == (200 if may else 404), (who, part, more)
                        assert may or b"KS" not in answer.content
                if more:
                    assert (await inn.clients["guest"].get(f"//board?own={name}")).status_code == 404

    in_house(tmp_path, work)


def _tls(app: Any) -> Any:
    async def wrapped(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, "scheme": "https"}, receive, send)

    return wrapped


async def _over(client: Client, scheme: str) -> Any:
    app = client._app

    async def wrapped(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, "scheme": scheme}, receive, send)

    client._app = wrapped  # type: ignore[assignment]
    await client.get("/me")
    return await client.send("POST", "/session/guest", {"name": "Kim"})


def test_the_fourth_wrong_password_has_to_wait(tmp_path: Path) -> None:
    now = [1_750_000_000]

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "dealer", PASSWORD)

        async def login(password: str) -> int:
            return (
                await inn.clients["visitor"].send("POST", "/session/login", {"name": "Olga", "password": password})
            ).status_code

        assert [await login("wrong") for _ in range(4)] == [401, 401, 401, 429]
        assert await login(PASSWORD) == 429, "the right password need not wait"
        now[0] += 60
        assert await login(PASSWORD) == 200

    in_house(tmp_path, work, clock=lambda: now[0])


def test_wrong_passwords_at_the_same_time_all_count(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "dealer", PASSWORD)
        body = {"name": "Olga", "password": "wrong"}
        visitor = inn.clients["visitor"]
        answers = await asyncio.gather(*(visitor.send("POST", "/session/login", body) for _ in range(4)))
        assert {answer.status_code for answer in answers} <= {401, 429}
        assert (await visitor.send("POST", "/session/login", body)).status_code == 429

    in_house(tmp_path, work)


@pytest.mark.parametrize(("kind", "idle"), [("dealer", 30 * 60), ("administrator", 30 * 60), ("guest", 24 * 60 * 60)])
def test_a_session_that_says_nothing_is_over(tmp_path: Path, kind: str, idle: int) -> None:
    now = [1_750_000_000]

    async def work(inn: Inside) -> None:
        assert (await inn.clients[kind].get("/me")).json() is not None
        now[0] += idle + 1
        assert (await inn.clients[kind].get("/me")).json() is None

    in_house(tmp_path, work, clock=lambda: now[0])


def test_every_answer_has_its_headers_and_nothing_of_ours_may_run(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        reads = [address(path) for method, path in MATRIX if method == "get"]
        for path in (*reads, "/nothing", "/tables/none", "//static/x/app.css", "//static/x/none.js", "/openapi.json"):
            answer = await inn.clients["guest"].get(path)
            for name in HEADERS:
                assert [key for key, _ in answer.headers].count(name) == 1, f"{path} has not one {name}"
            assert answer.header("content-security-policy") == API_POLICY
            assert "unsafe" not in API_POLICY
            if not path.startswith("//"):
                assert answer.header("cache-control") == "no-store"

    in_house(tmp_path, work)


def test_what_goes_wrong_inside_is_dressed_too_and_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(inn: Inside) -> None:
        def fail(*_: object) -> None:
            raise RuntimeError("the hole card is KS")

        monkeypatch.setattr("twentyone.web.api.tables.table_line", fail)
        await open_table(inn.service, "one", "pa-spanish-21", {})
        said = io.StringIO()
        with redirect_stderr(said):
            begin_log(True)
            answer = await inn.clients["guest"].get("/tables")
        begin_log(False)
        assert answer.status_code == 500
        assert answer.header("content-security-policy") == API_POLICY
        assert "KS" not in answer.text

    in_house(tmp_path, work)


def test_a_connection_from_another_site_is_refused(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        for origin, closed in (
            ("http://evil", 4403),
            ("http://localhost.evil", 4403),
            ("null", 4403),
            ("http://localhost", None),
        ):
            ear = inn.ear("guest", "one", origin=origin)
            await ear.answered()
            assert ear.closed == closed, origin
            assert bool(ear.frames) == (closed is None), origin

    in_house(tmp_path, work)


def test_who_logs_out_hears_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twentyone.web.api.tables.LOOK_AGAIN", 0.0)

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1], "Bob": [3]})
        ear = inn.ear("guest", "one")
        await ear.wait(live.version)
        await inn.clients["guest"].send("POST", "/session/logout")
        await inn.clients["other guest"].command("one", "tip", amount="5")
        await until_soon(lambda: ear.closed is not None, "the listener is sent away")
        assert ear.closed == 4401
        assert "Ann" not in live.runner.table.state.players, "who logs out leaves his table"

    in_house(tmp_path, work)


LARGE: list[Any] = [2**63, 2**63 - 1, -(2**63), 10**400, 1.5, 1e400, True, None, [], {}, "x" * 5000, "\u0000", "\ud800"]


@pytest.mark.parametrize("place", ["version", "box", "amount", "key", "do", "args"])
def test_no_value_is_too_large_or_strange(tmp_path: Path, place: str) -> None:
    """Whatever stands in a command: a refusal that says why, never a failure; the table goes on."""

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        for value in [value for value in LARGE if place != "version" or value is not None]:
            body: dict[str, Any] = {"do": "place_wager", "args": {"box": 1, "amount": "10"}, "key": "k", "version": 1}
            if place in ("box", "amount"):
                body["args"][place] = value
            else:
                body[place] = value
            answer = await inn.clients["guest"].send("POST", "/tables/one/commands", body)
            assert answer.status_code in (409, 422), f"{place}={value!r}: {answer.status_code} {answer.text}"
            assert answer.json()["why"]
        assert (await inn.clients["guest"].command("one", "tip", amount="5")).status_code == 200
        assert not live.runner.stopped

    in_house(tmp_path, work)


@pytest.mark.parametrize("box", [True, "1", 1.5, 0, 21])
def test_a_value_of_another_kind_is_refused(tmp_path: Path, box: object) -> None:
    """Neither `true` nor `"1"` is box 1: what the schema does not allow is not made to fit."""

    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {})
        refused = await inn.clients["guest"].send("POST", "/tables/one/sit", {"box": box})
        assert (refused.status_code, "box" in refused.json()["why"]) == (422, True), refused.text
        assert (await inn.clients["guest"].send("POST", "/tables/one/sit", {"box": 1})).status_code == 200

    in_house(tmp_path, work)


def test_bodies_and_paths_are_bounded(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        guest = inn.clients["guest"]
        assert (await guest.send("POST", "/session/guest", {"name": "x" * 70_000})).status_code == 413
        chunked = await guest.send("POST", "/session/guest", {"name": "x"}, transfer_encoding="chunked")
        assert chunked.status_code == 413
        for path in (f"/rounds/one/{2**63}", "/rounds/one/0", "/rounds/one/-1", f"/tables/{'x' * 41}"):
            assert (await guest.get(path)).status_code == 422, path
        for path in ("/tables/..%2f..%2fetc", "/law/..%2f..%2fetc", f"/law/pa-spanish-21/{'x' * 121}"):
            assert (await guest.get(path)).status_code in (404, 422), path

    in_house(tmp_path, work)


def test_nobody_else_says_what_the_house_decided_for_an_absent_player(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        answer = await inn.clients["guest"].command("one", "tip", amount="5", absent="the decision clock decides")
        assert answer.status_code == 422

    in_house(tmp_path, work)


@pytest.mark.parametrize(
    "name", ["Auto dealer", "AUTO floorperson", "Dealer", "auditor", "(cage)", "<b>", "", "\u202eann"]
)
def test_names_that_nobody_may_have(tmp_path: Path, name: str) -> None:
    async def work(inn: Inside) -> None:
        answer = await inn.clients["visitor"].send("POST", "/session/guest", {"name": name})
        assert answer.status_code == 422

    in_house(tmp_path, work)


def test_a_name_is_one_persons(tmp_path: Path) -> None:
    """Guests of one name get numbers, whatever the letters; who sits at a table keeps his name without a session."""

    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1], "Zoe": [2]})
        clients = [Client(inn.app, {}) for _ in range(5)]
        for client in clients:
            await client.get("/me")
        names = ["kim", "Kim", "ＫＩＭ", "zoe", "Zoe 2"]
        found = await asyncio.gather(
            *(
                client.send("POST", "/session/guest", {"name": name})
                for client, name in zip(clients, names, strict=True)
            )
        )
        assert len({answer.json()["name"].casefold() for answer in found}) == 5
        assert found[3].json()["name"] not in ("zoe", "Zoe")

    in_house(tmp_path, work)


def test_the_log_holds_no_secret(tmp_path: Path) -> None:
    """Canaries: passwords, tokens, links, seeds and cards that lie face down are in no line; requests are."""
    said = io.StringIO()

    async def work(inn: Inside) -> None:
        begin_log(True)
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        link = inn.service.people.entering.link("administrator")
        await inn.clients["visitor"].get(f"//enter/{link}")
        inn.service.people.add("Olga", "dealer", PASSWORD)
        for password in (PASSWORD, "a-wrong-canary"):
            await inn.clients["visitor"].send("POST", "/session/login", {"name": "Olga", "password": password})
        await inn.clients["guest"].command("one", "place_wager", box=1, amount="10")
        await inn.clients["dealer"].command("one", "deal")
        for _ in range(4):
            await inn.clients["dealer"].command("one", "card")
        await inn.clients["guest"].send("POST", "/tables/one/commands", {"do": "canary-body"})
        round_ = live.runner.table.state.round
        assert round_ is not None
        secrets = [PASSWORD, "a-wrong-canary", link, "canary-body", *(card.name for card in round_.state.dealer)]
        secrets += [value for jar in inn.cookies.values() for value in jar.values()]
        begin_log(False)
        text = said.getvalue()
        assert text.count('"event": "answered"') > 8
        assert [secret for secret in secrets if f'"{secret}"' in text or (len(secret) > 4 and secret in text)] == []
        for line in text.splitlines():
            assert set(json.loads(line)) <= {"event", "level", "timestamp", "request", "method", "path", "status", "ms"}

    with redirect_stderr(said):
        in_house(tmp_path, work)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/session/login", {"name": "Ada\x00", "password": PASSWORD}),
        ("/coupons", {"amount": "5", "ends": "2099-12-31", "person": "Ann\x00", "key": "k"}),
        ("/tables/one/commands", {"do": "tip", "args": {"amount": "5", "\x00": [1]}, "key": "k"}),
        ("/tables", {"name": "two", "rulebook": "pa-spanish-21", "submission": {"x": {"y": ["\x00"]}}}),
    ],
)
def test_a_text_that_no_database_holds_is_refused_in_words(tmp_path: Path, path: str, body: dict[str, Any]) -> None:
    """With PostgreSQL a log-in was answered by 500, and a coupon stopped the ledger."""

    async def work(inn: Inside) -> None:
        answer = await inn.clients["floorperson"].send("POST", path, body)
        assert (answer.status_code, "NUL" in answer.json()["why"]) == (422, True), answer.text

    in_house(tmp_path, work)


def test_an_address_with_control_characters_is_refused_in_words(tmp_path: Path) -> None:
    """The router's patterns end at a line's end: such an address would fall through to whoever answers last."""

    async def work(inn: Inside) -> None:
        for path in ("/tables/one%0Atwo", "/law/pa-spanish-21/%00", "/rounds/one%7F/1"):
            answer = await inn.clients["visitor"].get(path)
            assert (answer.status_code, answer.json()["why"]) == (400, "the path contains characters that no name has")

    in_house(tmp_path, work)


def test_a_body_that_is_nested_without_end_is_refused_in_words(tmp_path: Path) -> None:
    """As deep as the parser reads it, and a good deal less: nothing of ours goes down after it."""

    async def work(inn: Inside) -> None:
        for depth in (DEEPEST, 400, 900):
            nested = json.loads("[" * depth + "1" + "]" * depth)
            for path, body in (("/session/login", {"name": nested}), ("/jobs", {"submission": {"decks": nested}})):
                answer = await inn.clients["guest"].send("POST", path, body)
                assert (answer.status_code, "at most 20 deep" in answer.json()["why"]) == (422, True), answer.text

    in_house(tmp_path, work)
