"""T6, T7, G5 through the interface: each command once, one answer a key, what the service does for the absent."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.patience import until_soon
from tests.web.inside import Client, Inside, give, inside, open_table
from tests.web.test_api_security import in_house
from twentyone.ledger.codec import COMMAND, read_body
from twentyone.service.attendance import SITS_OUT
from twentyone.service.live import LiveTable

CLIENTS = 64


def commands(inn: Inside, table: str) -> list[dict[str, Any]]:
    """The commands that the ledger holds."""
    return [read_body(event) for event in inn.service.store.read(table) if event.type == COMMAND]


def test_a_refusal_cites_a_paragraph_or_nothing(tmp_path: Path) -> None:
    """The key is always there: the law's paragraph where the law refuses, an empty text where the service does."""

    async def ask(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        again = await inn.clients["administrator"].send("POST", "/tables", {"name": "one", "rulebook": "pa-spanish-21"})
        assert (again.status_code, again.json()) == (409, {"why": "there is a table 'one' already", "cite": ""})
        early = await inn.clients["dealer"].command("one", "collect_cards")
        assert early.status_code == 409
        assert early.json()["cite"].startswith("58 Pa. Code § 635a.")

    in_house(tmp_path, ask)


def test_one_key_one_answer_to_the_byte(tmp_path: Path) -> None:
    """The same key and body: the same bytes, also after the table moved on and after a restart; another body: 422."""
    body = {"do": "tip", "args": {"amount": "5"}, "key": "once", "version": None}

    async def first(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        guest = inn.clients["guest"]
        answers.append((await guest.send("POST", "/tables/one/commands", body)).content)
        version = live.version
        answers.append((await guest.send("POST", "/tables/one/commands", body)).content)
        assert live.version == version
        await guest.command("one", "tip", amount="10")
        answers.append((await guest.send("POST", "/tables/one/commands", body)).content)
        other = await guest.send("POST", "/tables/one/commands", {**body, "args": {"amount": "10"}})
        assert other.status_code == 422
        assert "once" in other.json()["why"]

    async def again(inn: Inside) -> None:
        answers.append((await inn.clients["guest"].send("POST", "/tables/one/commands", body)).content)
        assert sum(command["do"] == "tip" for command in commands(inn, "one")) == 2

    answers: list[bytes] = []
    in_house(tmp_path, first)
    in_house(tmp_path, again)
    assert len(answers) == 4
    assert len(set(answers)) == 1


def test_a_stale_version_is_told_the_present_one_and_changes_nothing(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        version = live.version
        assert (await inn.clients["guest"].command("one", "tip", version=version, amount="5")).status_code == 200
        stale = await inn.clients["guest"].command("one", "tip", version=version, amount="5")
        assert (stale.status_code, stale.json()["version"]) == (409, live.version)
        assert inn.service.store.version("one") == live.version
        ahead = await inn.clients["guest"].command("one", "tip", version=live.version + 1, amount="5")
        assert ahead.status_code == 409

    in_house(tmp_path, work)


@pytest.mark.parametrize("versioned", [False, True])
def test_sixty_four_clients_at_one_table_each_command_once(tmp_path: Path, versioned: bool) -> None:
    """The same keys from many clients at once, with and without versions: every tip is paid exactly once."""

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        clients = [Client(inn.app, inn.cookies["guest"]) for _ in range(CLIENTS)]

        async def press(client: Client, number: int) -> list[int]:
            keys = [f"k{(number + place) % 16}" for place in range(4)]
            found = []
            for key in keys:
                version = live.version if versioned else None
                answer = await client.command("one", "tip", key=key, version=version, amount="1")
                found.append(answer.status_code)
            return found

        answers = await asyncio.gather(*(press(client, number) for number, client in enumerate(clients)))
        statuses = {status for row in answers for status in row}
        assert statuses <= ({200, 409} if versioned else {200})
        tips = [command for command in commands(inn, "one") if command["do"] == "tip"]
        assert len(tips) == 16 if not versioned else 1 <= len(tips) <= 16
        assert str(live.runner.table.state.chips["(tips)"]) == f"{len(tips)}"
        assert inn.service.verify()["ok"]

    in_house(tmp_path, work)


def test_every_listener_hears_every_line_once_and_in_order(tmp_path: Path) -> None:
    """Also one who comes late, and one who comes back and names the version he knows."""

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        begun = live.version
        ears = [inn.ear(kind, "one", after=begun) for kind in ("visitor", "guest", "auditor")]
        for number in range(30):
            await inn.clients["guest"].command("one", "tip", amount="1")
            if number == 10:
                middle = live.version
                ears.append(inn.ear("dealer", "one", after=begun))
        back = inn.ear("guest", "one", after=middle)
        for ear in (*ears, back):
            await ear.wait(live.version)
        expected = [line.n for line in live.lines_after(begun * 1000 + 999)]
        for ear in ears:
            assert [line["n"] for line in _log(ear)] == expected
        assert [line["n"] for line in _log(back)] == [n for n in expected if n > middle * 1000 + 999]
        for ear in (*ears, back):
            await ear.stop()
        assert len(live._listeners) == 1, "only the staff listens on"

    in_house(tmp_path, work)


def _log(ear: Any) -> list[dict[str, Any]]:
    import json

    return [line for frame in ear.frames for line in json.loads(frame)["log"]]


# -- the service acts for the absent


async def _dealt_after(live: LiveTable, before: int) -> None:
    """Wait until another round has been dealt to its end, however quick it was."""

    def dealt() -> bool:
        state = live.runner.table.state
        return state.rounds > before and state.phase == "open"

    await until_soon(dealt, f"a round comes to its end: {live.runner.table.next_steps()}")


def test_the_decision_clock_decides_for_who_is_absent_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player lays a wager and goes: the round ends, the record and the story say that the clock decided (G5)."""
    monkeypatch.setitem(__import__("twentyone.service.staff", fromlist=["PACES"]).PACES, "fast", 0.001)
    monkeypatch.setattr("twentyone.service.staff.LOOK", 1)

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        await inn.clients["guest"].command("one", "place_wager", box=1, amount="10")
        before = live.runner.table.state.rounds
        inn.service.set_staff("one", pace="fast", clock=0.05, patience=0.0)
        for number in range(before, before + 6):
            await _dealt_after(live, number)
            decided = [row for row in commands(inn, "one") if "absent" in row["args"]]
            if decided:
                break
            await inn.clients["guest"].command("one", "place_wager", box=1, amount="10")
        assert decided
        assert decided[-1]["do"] == "decide"
        assert any("the decision clock" in line.says for line in live.lines_after(0))
        assert inn.service.verify()["ok"]

    in_house(tmp_path, work)


def test_what_others_do_does_not_set_the_clock_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who keeps tipping cannot keep another's decision open for ever; by a clock that the test moves."""
    from twentyone.service.staff import Watch

    now = [100.0]
    monkeypatch.setattr("twentyone.service.staff.time", SimpleNamespace(monotonic=lambda: now[0]))

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1], "Bob": [3]})
        watch = Watch()
        watch.waited(live.runner.table)
        watch.unchanged(live.runner.table)
        now[0] += 5
        await inn.clients["other guest"].command("one", "tip", amount="1")
        assert (watch.waited(live.runner.table), watch.unchanged(live.runner.table)) == (5, 5)
        await inn.clients["guest"].command("one", "place_wager", box=1, amount="10")
        assert (watch.waited(live.runner.table), watch.unchanged(live.runner.table)) == (5, 0)
        assert watch.oldest(live.runner.table) == 0
        for _ in range(3):
            now[0] += 5
            await inn.clients["other guest"].command("one", "place_wager", box=3, amount="10")
            await inn.clients["other guest"].command("one", "take_back_wager", box=3)
        assert watch.oldest(live.runner.table) == 15

    in_house(tmp_path, work)


def test_who_sits_and_does_not_wager_stops_nobody_and_gives_up_his_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("twentyone.service.staff", fromlist=["PACES"]).PACES, "fast", 0.001)
    monkeypatch.setattr("twentyone.service.staff.LOOK", 1)
    monkeypatch.setattr("twentyone.service.staff.READY", 0.0)

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1], "Bob": [3]})
        inn.service.set_staff("one", pace="fast", clock=0.02, patience=0.3)
        for number in range(SITS_OUT + 1):
            await follow_staff(live)
            before = live.runner.table.state.rounds
            answer = await inn.clients["guest"].command("one", "place_wager", box=1, amount="5")
            assert answer.status_code == 200, f"round {number}: {answer.text}"
            await _dealt_after(live, before)
        await until_soon(lambda: "Bob" not in live.runner.table.state.players, "Bob gives up his box")
        assert "Ann" in live.runner.table.state.players
        assert any("Bob sat out" in line.says for line in live.lines_after(0))

    in_house(tmp_path, work)


async def follow_staff(live: LiveTable) -> None:
    """Wait until the automatic staff has made the table ready for wagers."""

    def ready() -> bool:
        return live.runner.table.state.phase == "open" and not live.runner.table.state.agenda

    await until_soon(ready, f"the staff is ready: {live.runner.table.next_steps()}")


def test_a_house_that_stops_keeps_the_round(tmp_path: Path) -> None:
    async def first() -> int:
        async with inside(tmp_path) as inn:
            live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
            await give(live, "place_wager", "player", "Ann", box=1, amount="10")
            await give(live, "deal", "dealer", "Dan")
            await give(live, "card", "dealer", "Dan")
            return live.version

    async def second(version: int) -> None:
        async with inside(tmp_path) as inn:
            live = inn.service.table("one")
            assert (live.version, live.runner.table.state.phase) == (version, "round")
            assert live.lines_after(0)
            while live.runner.table.next_steps()[0].do == "card":
                await give(live, "card", "dealer", "Dan")
            assert live.version > version
            assert inn.service.verify()["ok"]

    asyncio.run(second(asyncio.run(first())))
