"""Guessing passwords: at once, from two processes, from many places; and what guessers cannot do to others."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.daily import daily
from tests.postgres import Postgres
from tests.web.inside import MOMENT, Answer, Client, Inside
from tests.web.test_api_security import PASSWORD, in_house
from twentyone.service.attempts import ALL_TRIES, TRIES
from twentyone.service.hashing import Hashing
from twentyone.service.people import NotAllowed, People
from twentyone.service.records import open_records
from twentyone.web.api.common import CSRF_COOKIE
from twentyone.web.pages.trouble import page_broken
from twentyone.web.security import Guard

GUESSES = 40


class From(Client):
    """A client at an address of its own."""

    def __init__(self, inn: Inside, address: str, **jar: str) -> None:
        super().__init__(inn.app, jar)
        self._plain, self._address = inn.app, address
        self._app = self._placed  # type: ignore[assignment]

    async def _placed(self, scope: Any, receive: Any, send: Any) -> None:
        await self._plain({**scope, "client": (self._address, 1)}, receive, send)

    async def login(self, password: str, name: str = "Olga") -> Answer:
        """Try a password."""
        if CSRF_COOKIE not in self.jar:
            await self.get("/me")
        return await self.send("POST", "/session/login", {"name": name, "password": password})


def examined(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that were compared with one that is known; quicker than a real comparison."""
    found: list[str] = []

    def right(_: Hashing, __: str, password: str) -> bool:
        found.append(password)
        return password == PASSWORD

    monkeypatch.setattr(Hashing, "_compare", right)
    return found


def test_of_forty_guesses_at_once_no_more_are_examined_than_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = examined(monkeypatch)

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "administrator", PASSWORD)
        guesser = From(inn, "10.0.0.1")
        await guesser.get("/me")
        answers = await asyncio.gather(*(guesser.login(f"guess {number}") for number in range(GUESSES)))
        assert sorted(answer.status_code for answer in answers) == [401] * TRIES + [429] * (GUESSES - TRIES)
        assert len(compared) == TRIES
        assert all(answer.header("retry-after") == "60" for answer in answers if answer.status_code == 429)

    in_house(tmp_path, work)


def of_house(ledger: str, clock: Callable[[], int] = lambda: MOMENT) -> People:
    """The people of a house; nobody has money."""
    purses: Any = SimpleNamespace(empty=lambda _: None)
    return People(open_records(ledger), clock, purses, lambda _: False)


def guess(ledger: str, start: Any, found: Any) -> None:
    """One process of several: guesses in threads, and tells what became of each."""
    people = of_house(ledger)

    def one(number: int) -> int:
        try:
            people.entering.login("Olga", f"guess {number}", "10.0.0.1")
        except NotAllowed as refused:
            return refused.status
        return 200

    start.wait()
    with ThreadPoolExecutor(10) as threads:
        found.put(list(threads.map(one, range(GUESSES // 2))))


@pytest.mark.parametrize("kind", daily(["sqlite", "postgres"], "postgres"))
def test_two_processes_examine_no_more_than_one(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if kind == "postgres":
        server: Postgres = request.getfixturevalue("postgres")
        ledger = server.new_schema()
    else:
        ledger = str(tmp_path / "t.db")
    of_house(ledger).add("Olga", "administrator", PASSWORD)
    fresh = multiprocessing.get_context("spawn")
    start, found = fresh.Barrier(2), fresh.SimpleQueue()
    guessers = [fresh.Process(target=guess, args=(ledger, start, found)) for _ in range(2)]
    for guesser in guessers:
        guesser.start()
    statuses = [*found.get(), *found.get()]
    for guesser in guessers:
        guesser.join()
    assert sorted(statuses) == [401] * TRIES + [429] * (GUESSES - TRIES)


def test_a_stranger_does_not_lock_an_administrator_out(tmp_path: Path) -> None:
    """Whoever guesses waits himself: the owner logs in from elsewhere, stays logged in, and comes back where he was."""
    now = [MOMENT]

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "administrator", PASSWORD)
        owner, stranger = From(inn, "10.0.0.2"), From(inn, "10.0.0.1")
        assert (await owner.login(PASSWORD)).status_code == 200
        for _ in range(30):
            await stranger.login("wrong")
            now[0] += 20 * 60
            assert (await owner.get("//people")).status_code == 200
            assert (await owner.get("/accounts")).status_code == 200, "the session that was there is over"
        while (await stranger.login("wrong")).status_code == 401:
            pass
        assert (await stranger.login(PASSWORD)).status_code == 429, "a place that guesses waits, whatever it brings"
        assert (await From(inn, "10.0.0.3").login(PASSWORD)).status_code == 200, "locked out elsewhere"
        beside = From(inn, "10.0.0.1", **owner.jar)
        assert (await beside.login(PASSWORD)).status_code == 200, (
            "a browser that is known waits for a stranger beside it"
        )

    in_house(tmp_path, work, clock=lambda: now[0])


def test_a_known_browser_has_no_more_guesses_than_an_address(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        for name in ("Olga", "Otto"):
            inn.service.people.add(name, "administrator", PASSWORD)
        thief = From(inn, "10.0.0.1")
        assert (await thief.login(PASSWORD)).status_code == 200
        assert [(await thief.login("wrong")).status_code for _ in range(4)] == [401, 401, 401, 429]
        others = [(await thief.login("wrong", "Otto")).status_code for _ in range(4)]
        assert others == [401, 401, 401, 429], "a browser that one account knows is not known to another"
        inn.service.people.accounts.set_hashed(
            "Olga", inn.service.people.accounts.prepare_password("Olga", "another horse battery"), "Fay"
        )
        assert (await thief.login("wrong")).status_code == 401

    in_house(tmp_path, work)


def test_each_wait_is_twice_the_one_before_up_to_an_hour_and_a_day_forgets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What docs/web.md promises: eight guesses in the first hour from one address, about thirty in a day."""
    now = [MOMENT]
    people = of_house(str(tmp_path / "t.db"), lambda: now[0])
    monkeypatch.setattr(Hashing, "_compare", lambda *_: False)

    def status() -> int:
        try:
            people.entering.login("Nobody", "wrong", "10.0.0.1")
        except NotAllowed as refused:
            return refused.wait if refused.status == 429 else 0
        raise AssertionError("a wrong password is right")

    def guesses(seconds: int) -> int:
        end, made = now[0] + seconds, 0
        while now[0] < end:
            wait = status()
            now[0] += wait
            made += not wait
        return made

    assert guesses(3600) == 8
    assert guesses(23 * 3600) in range(20, 25)
    now[0] += 26 * 3600
    assert guesses(3600) == 8


def test_an_address_has_few_guesses_at_all_accounts_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = examined(monkeypatch)

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "administrator", PASSWORD)
        guesser = From(inn, "10.0.0.1")
        for number in range(2 * ALL_TRIES):
            await guesser.login("password12", f"Name {number}")
        assert len(compared) == ALL_TRIES
        assert (await guesser.login(PASSWORD)).status_code == 429
        assert (await From(inn, "10.0.0.2").login(PASSWORD)).status_code == 200

    in_house(tmp_path, work)


def test_neighbours_in_a_network_of_version_6_are_one_place(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "administrator", PASSWORD)
        for places in (["2001:db8::{:x}"] * 4, ["10.0.0.9", "::ffff:10.0.0.9"] * 2):
            answers = [await From(inn, place.format(n)).login("wrong") for n, place in enumerate(places, 1)]
            assert [answer.status_code for answer in answers] == [401, 401, 401, 429]
        assert (await From(inn, "::ffff:10.0.0.8").login(PASSWORD)).status_code == 200
        assert (await From(inn, "2001:db8:0:1::1").login(PASSWORD)).status_code == 200

    in_house(tmp_path, work)


@contextmanager
def counting(inn: Inside) -> Iterator[list[str]]:
    """The statements that the database was given meanwhile."""
    records, statements = inn.service.people._records, list[str]()
    plain = {name: getattr(records, name) for name in ("rows", "run", "note")}

    def told(name: str) -> Callable[..., Any]:
        def call(statement: str, values: Any = ()) -> Any:
            statements.append(statement)
            return plain[name](statement, values)

        return call

    for name in plain:
        setattr(records, name, told(name))
    yield statements
    for name in plain:
        delattr(records, name)


def test_no_answer_tells_whether_there_is_an_account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Status, words, headers, and the work that was done: one comparison, and the same statements of the database."""
    compared = examined(monkeypatch)

    async def asked(inn: Inside, name: str, address: str) -> list[Any]:
        guesser, found = From(inn, address), list[Any]()
        await guesser.get("/me")
        for _ in range(TRIES + 2):
            del compared[:]
            with counting(inn) as statements:
                answer = await guesser.login("wrong horse", name)
            kept = [pair for pair in answer.headers if pair[0] not in ("x-request-id", "set-cookie")]
            found.append((answer.status_code, answer.text, kept, len(compared), statements))
        return found

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "administrator", PASSWORD)
        assert await asked(inn, "Olga", "10.0.0.1") == await asked(inn, "Ogla", "10.0.0.2")

    in_house(tmp_path, work)


def test_a_browser_that_is_known_logs_in_beside_a_flood_from_its_own_address(tmp_path: Path) -> None:
    """Behind one proxy or one router; the limit of requests counts it apart."""

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "administrator", PASSWORD)
        owner, stranger = From(inn, "10.0.0.1"), From(inn, "10.0.0.1")
        assert (await owner.login(PASSWORD)).status_code == 200
        forger = From(inn, "10.0.0.1", twentyone_device="forged")
        guard: Any = Guard(inn.app, inn.service, limited=True, broken=page_broken)
        for client in (owner, stranger, forger):
            client._plain = guard
        flood = [await stranger.login("wrong", f"Name {number}") for number in range(30)]
        assert "too many requests; wait a moment" in flood[-1].text
        assert (await stranger.login(PASSWORD)).status_code == 429
        assert (await owner.login(PASSWORD)).status_code == 200
        assert (await forger.login(PASSWORD)).status_code == 429

    in_house(tmp_path, work)
