"""One stranger stops nobody: what is expensive is written once, beside the event loop, and paid for by whoever asks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.web.inside import Answer, Inside, open_table
from tests.web.test_api_guessing import From
from tests.web.test_api_security import in_house
from twentyone.rulebook.reader import KINDS
from twentyone.service.people import Person
from twentyone.web import rendering
from twentyone.web.api.common import CSRF_COOKIE, SESSION_COOKIE
from twentyone.web.moving_window import MovingSum
from twentyone.web.pages import law
from twentyone.web.pages.trouble import page_broken
from twentyone.web.rendering import AT_ONCE, TOO_COSTLY, Rendering, metered
from twentyone.web.security import Guard

EXPENSIVE = ("//law", "//law/md-spanish-21", "//law/pa-spanish-21?q=card", "//strategy", "//learn/pa-spanish-21")


class Processor:
    """The processor's time, which goes on by a millisecond whenever somebody looks at it, and by what work takes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = 0.0
        monkeypatch.setattr(rendering, "processor_time", self)

    def __call__(self) -> float:
        self.time += 0.001
        return self.time


class Written:
    """What is written of the pages of one book: how often, how many at once, in which threads."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.processor = Processor(monkeypatch)
        self.times = self.most = self._now = 0
        self.threads = set[int]()
        self._real, self._lock = law._one_book, threading.Lock()
        self.going_on = threading.Event()
        self.going_on.set()
        monkeypatch.setattr(law, "_one_book", self)

    def __call__(self, *args: Any) -> Any:
        with self._lock:
            self.times, self._now = self.times + 1, self._now + 1
            self.most = max(self.most, self._now)
            self.threads.add(threading.get_ident())
        try:
            self.going_on.wait(20)
            self.processor.time += 0.03
            return self._real(*args)
        finally:
            with self._lock:
                self._now -= 1


def known_at(guard: Any, jar: dict[str, str], address: str) -> From:
    """The program of somebody at an address."""
    client = From(SimpleNamespace(app=guard), address)  # type: ignore[arg-type]
    client.jar.update(jar)
    return client


def guarded(folder: Path, work: Callable[[Inside, Any], Awaitable[None]], milliseconds: int) -> None:
    """Work in a house with limits, in which a person may spend so much."""

    async def ask(inn: Inside) -> None:
        inn.service.doors.limits = inn.service.doors.limits._replace(work=milliseconds)
        await work(inn, Guard(inn.app, inn.service, limited=True, broken=page_broken))

    in_house(folder, ask)


def test_a_page_of_the_law_is_written_once_for_all_and_outside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty readers at once, then as many again: one of them has it written; who reviews the law has a page of his."""
    written = Written(monkeypatch)

    async def ask(inn: Inside) -> None:
        pages = [inn.clients["visitor"].get("//law/md-spanish-21") for _ in range(60)]
        first = [answer.text for answer in await asyncio.gather(*pages)]
        assert written.times == 1
        assert threading.get_ident() not in written.threads
        assert (await inn.clients["guest"].get("//law/md-spanish-21")).status_code == 200
        assert written.times == 1
        assert set(first) == {first[0]}
        assert "review it beside" not in first[0]
        assert "review it beside" in (await inn.clients["auditor"].get("//law/md-spanish-21")).text
        other = (await inn.clients["visitor"].get(f"//law/md-spanish-21?kind={KINDS[0].replace(' ', '%20')}")).text
        assert (written.times, other == first[0]) == (3, False)

    in_house(tmp_path, ask)


def test_strangers_have_two_pages_written_at_once_and_hold_up_nobody_who_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty different searches: two are written at a time, the event loop answers commands, a person has his page."""
    written = Written(monkeypatch)

    async def ask(inn: Inside, guard: Any) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        written.going_on.clear()
        stranger = known_at(guard, {}, "198.51.100.7")
        pages = [asyncio.create_task(stranger.get(f"//law/md-spanish-21?q={number}")) for number in range(60)]
        person = asyncio.create_task(known_at(guard, inn.cookies["auditor"], "198.51.100.8").get("//law/pa-spanish-21"))
        for _ in range(400):
            await asyncio.sleep(0.005)
            if written.times == AT_ONCE + 1:
                break
        given = await known_at(guard, inn.cookies["guest"], "198.51.100.9").command("one", "tip", amount="1")
        assert given.status_code == 200
        assert written.times == AT_ONCE + 1, "two of the stranger's, and the auditor's"
        written.going_on.set()
        assert (await person).status_code == 200
        await asyncio.gather(*pages)
        assert written.most <= AT_ONCE + 1

    guarded(tmp_path, ask, 10**6)


@pytest.mark.parametrize("path", EXPENSIVE)
def test_whoever_has_spent_his_time_is_refused_in_words_and_others_are_not(
    tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """429 with the wait; who is known, and who asks from another address, is answered."""
    Processor(monkeypatch)

    async def ask(inn: Inside, guard: Any) -> None:
        stranger, other = known_at(guard, {}, "198.51.100.7"), known_at(guard, {}, "198.51.100.8")
        assert (await stranger.get(path)).status_code == 200
        refused: Answer = await stranger.get("//law")
        assert (refused.status_code, refused.text, refused.header("retry-after")) == (429, TOO_COSTLY, "10")
        assert (await stranger.get("/tables")).json() == {"why": TOO_COSTLY}
        assert (await other.get("/tables")).status_code == 200
        session = inn.service.people.begin(Person("Cleo", "player"))
        known = known_at(guard, {SESSION_COOKIE: session.id, CSRF_COOKIE: session.csrf}, "198.51.100.7")
        assert (await known.get("/tables")).status_code == 200
        assert (await stranger.get("/health")).status_code in (200, 503), "what watches the server is not counted"

    guarded(tmp_path, ask, milliseconds=1)


def test_who_waits_for_his_turn_is_refused_when_what_went_before_has_spent_his_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty searches sent at once are all let in; those that would be written after the limit are not written."""
    written = Written(monkeypatch)

    async def ask(inn: Inside, guard: Any) -> None:
        stranger = known_at(guard, {}, "198.51.100.7")
        pages = [stranger.get(f"//law/md-spanish-21?q={number}") for number in range(60)]
        answers = await asyncio.gather(*pages)
        assert {answer.status_code for answer in answers} == {200, 429}
        assert written.times < len(pages) // 2
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert "too much of the server" in refused.text
        assert refused.header("retry-after") == "10"

    guarded(tmp_path, ask, milliseconds=60)


def test_what_is_kept_has_a_limit() -> None:
    """The parts that nobody asked for the longest go first."""
    made = list[str]()

    async def ask() -> None:
        rendering, asked = Rendering(most=25), Bare()

        async def part(name: str) -> None:
            found = await rendering.part(asked, name, lambda: made.append(name) or "0123456789")  # type: ignore[arg-type,return-value,func-returns-value]
            assert found == "0123456789"

        for name in ("a", "b", "a", "c", "a", "b"):
            await part(name)

    asyncio.run(ask())
    assert made == ["a", "b", "c", "b"]


class Bare:
    """A request of which nothing is known."""

    scope: dict[str, Any] = {}


def test_the_time_of_a_request_is_what_it_takes_of_the_loop_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting costs nothing, working does; what it raises, and what is thrown into it, goes its way."""
    spent, processor = list[float](), Processor(monkeypatch)

    async def works() -> str:
        await asyncio.sleep(0)
        processor.time += 3
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await asyncio.Event().wait()
        return "done"

    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("as it is")

    async def ask() -> None:
        assert await metered(works(), spent.append) == "done"
        with pytest.raises(ValueError, match="as it is"):
            await metered(fails(), spent.append)

    asyncio.run(ask())
    assert spent == pytest.approx([0.001, 3.001, 0.001, 0.001, 0.001])


def test_costs_are_forgotten() -> None:
    """A visitor who comes from a new address each time leaves nothing behind after two windows."""
    now = 0.0
    costs = MovingSum(10, clock=lambda: now)
    for number in range(1_000):
        costs.add(f"address {number}", 0.1)
        assert costs.of(f"address {number}") == 0.1
    now += 20
    costs.add("Ann", 1)
    assert (len(costs), costs.of("address 7")) == (1, 0)
