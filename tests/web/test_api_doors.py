"""What one person cannot do to a house: deal at a table of others, hold up a table, take every seat and keep it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.daily import daily_books
from tests.patience import PATIENCE
from tests.web.inside import MOMENT, Client, Inside, follow, give, open_table
from tests.web.test_api_guessing import From
from tests.web.test_api_security import PASSWORD, in_house
from tests.web.worlds import ORDERS, rigged
from twentyone.cards import Card
from twentyone.money import ZERO, Amount
from twentyone.round import Offer
from twentyone.rulebook import rulebook_ids
from twentyone.service.doors import REQUESTS, HouseLimits
from twentyone.service.live import LiveTable
from twentyone.service.people import Person
from twentyone.service.staff import LAID, Staff
from twentyone.table.play import COMMANDS
from twentyone.web.api.common import CSRF_COOKIE, SESSION_COOKIE

BOOK = "pa-spanish-21"
Asks = Callable[[], Awaitable[object]]


def enter(inn: Inside, name: str, role: str = "player") -> Client:
    """The program of somebody who is known."""
    session = inn.service.people.begin(Person(name, role))
    return Client(inn.app, {SESSION_COOKIE: session.id, CSRF_COOKIE: session.csrf})


# -- dealers

ARGUMENTS: dict[str, Any] = {"player": "Ann", "amount": "5", "box": 1, "dealer": "Eve", "who": "Ann", "card": "AS"}


async def refused_everything(inn: Inside, live: LiveTable, dealer: Client) -> str:
    """A dealer tries every command; returns the phase in which nothing was carried out."""
    before = live.version
    for do in COMMANDS:
        for args in ({}, {name: ARGUMENTS[name] for name in COMMANDS[do].takes if name in ARGUMENTS}):
            answer = await dealer.command(live.name, do, **args)
            assert answer.status_code in (409, 422), f"{do} in phase {live.runner.table.state.phase}: {answer.text}"
    assert live.version == before
    return live.runner.table.state.phase


def test_a_dealer_does_nothing_at_a_table_where_another_is_on_duty(tmp_path: Path) -> None:
    """Every command, in every phase: closed, made ready, open, in a round, settled, idle."""

    async def work(inn: Inside) -> None:
        inn.service.people.add("Eve", "dealer", PASSWORD)
        eve, phases = enter(inn, "Eve", "dealer"), []
        await inn.service.create("one", BOOK, {})
        live = inn.service.table("one")
        inn.service.set_staff("one", pace="by hand", clock=45.0, patience=8.0)
        phases.append(await refused_everything(inn, live, eve))
        await give(live, "open_table", "floorperson", "Fay", dealer="Dan")
        assert "receive_cards" in [todo.do for todo in live.runner.table.state.agenda]
        phases.append(await refused_everything(inn, live, eve))
        await give(live, "sit", "player", "Ann", boxes=[1])
        await give(live, "buy_in", "dealer", "Dan", player="Ann", amount="500")
        await follow(live)
        await give(live, "place_wager", "player", "Ann", box=1, amount="10")
        phases.append(await refused_everything(inn, live, eve))
        await give(live, "deal", "dealer", "Dan")
        phases.append(await refused_everything(inn, live, eve))
        inn.service.set_staff("one", pace="fast", clock=5.0, patience=8.0)
        staff = at_work(inn, "one")
        for phase in ("settled", "open", "idle"):
            while live.runner.table.state.phase != phase:
                if phase == "idle" and "Ann" in live.runner.table.state.players and not live.runner.table.state.agenda:
                    await give(live, "leave", "player", "Ann")
                NOW[0] += 50
                await staff.step()
            phases.append(await refused_everything(inn, live, eve))
        assert set(phases) == {"closed", "open", "round", "settled", "idle"}

    with moved_by_hand():
        in_house(tmp_path, work)


def test_a_dealer_is_offered_nothing_and_sets_nothing_at_anothers_table(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", BOOK, {"Ann": [1]})
        eve, dan = enter(inn, "Eve", "dealer"), inn.clients["dealer"]
        mine, others = (await dan.get("/tables/one")).json(), (await eve.get("/tables/one")).json()
        assert mine["actions"]
        assert mine["fields"]
        assert (others["actions"], others["fields"], others["dealer_on_duty"]) == ([], {}, "Dan")
        pace = {"pace": "by hand"}
        assert (await eve.send("PUT", "/tables/one/staff", pace)).status_code == 403
        assert (await dan.send("PUT", "/tables/one/staff", pace)).status_code == 200

    in_house(tmp_path, work)


# -- automatic tables

NOW = [100.0]
"""The clock of the automatic staff, which the tests move."""


@contextmanager
def moved_by_hand() -> Iterator[None]:
    """The staff's clock stands until a test moves it, in every test from the same moment, and nobody sleeps."""
    NOW[0] = 100.0
    with pytest.MonkeyPatch.context() as patch:
        for module in ("staff", "attendance"):
            patch.setattr(f"twentyone.service.{module}.time", SimpleNamespace(monotonic=lambda: NOW[0]))
        patch.setattr("twentyone.service.staff.STANDS", 0.0)
        yield


def at_work(inn: Inside, table: str) -> Staff:
    """The automatic staff of a table, which steps when it is told."""
    staff, task = inn.service._staff[table]
    task.cancel()
    return staff


async def automatic(inn: Inside, book: str, *players: str) -> tuple[LiveTable, Staff]:
    """A table that automatic staff works from here on."""
    live = await open_table(inn.service, "one", book, {name: [box] for box, name in enumerate(players, 1)})
    inn.service.set_staff("one", pace="fast", clock=45.0, patience=8.0)
    await give(live, "change_dealer", "floorperson", "Fay", dealer="Auto dealer")
    staff = at_work(inn, "one")
    while live.runner.table.state.agenda:
        await staff.step()
    return live, staff


async def a_round_comes(inn: Inside, live: LiveTable, staff: Staff, disturb: Asks, seconds: int = 400) -> int:
    """Ann wagers and waits; somebody else does something each second. Returns the seconds until cards are dealt."""
    ann, state, before = enter(inn, "Ann"), live.runner.table.state, live.runner.table.state.rounds
    for second in range(seconds):
        state = live.runner.table.state
        if state.rounds > before:
            return second
        if not any(wager.player == "Ann" for wager in state.placed):
            await ann.command("one", "place_wager", box=1, amount="5")
        await disturb()
        NOW[0] += 1
        await staff.step()
        await disturb()
    raise AssertionError(f"no round in {seconds} s: {live.runner.table.next_steps()[:3]}, {state.verbal}")


def test_a_spoken_wager_is_declined_and_the_cards_are_dealt(tmp_path: Path) -> None:
    """One anonymous verbal wager held an automatic table for good; and cash that nobody saw must not become chips."""

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, BOOK, "Ann", "Bob")
        bob, drop = enter(inn, "Bob"), live.runner.table.state.cash["(drop)"]
        said = await bob.command("one", "place_wager", box=2, amount="20", cash=True)
        assert said.status_code == 200
        assert await a_round_comes(inn, live, staff, lambda: asyncio.sleep(0)) < 60
        assert "verbal_declined" in [line.kind for line in live.lines_after(0)]
        assert live.runner.table.state.cash["(drop)"] == drop

    with moved_by_hand():
        in_house(tmp_path, work)


def test_somebody_who_speaks_again_and_again_holds_nobody_up(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, BOOK, "Ann", "Bob")
        bob = enter(inn, "Bob")
        heard = list[int]()

        async def speak() -> None:
            answer = await bob.command("one", "place_wager", box=2, amount="20", cash=True)
            heard.append(answer.status_code)

        assert await a_round_comes(inn, live, staff, speak) < 60
        assert heard.count(200) == REQUESTS
        assert 429 in heard

    with moved_by_hand():
        in_house(tmp_path, work)


def test_wagers_laid_and_taken_back_do_not_keep_the_cards_from_being_dealt(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, "classic-blackjack", "Ann", "Bob")
        bob, laid, calls = enter(inn, "Bob"), 0, 0

        async def toggle() -> None:
            nonlocal laid, calls
            calls += 1
            if calls % 4 == 1:
                laid += (await bob.command("one", "place_wager", box=2, amount="5")).status_code == 200
            elif calls % 4 == 3:
                await bob.command("one", "take_back_wager", box=2)

        assert await a_round_comes(inn, live, staff, toggle) < LAID + 10
        assert laid > 5

    with moved_by_hand():
        in_house(tmp_path, work)


def test_the_staff_gets_its_turn_among_many_commands(tmp_path: Path) -> None:
    """Commands that come without a pause: each made the staff's next one stale."""

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, BOOK, "Ann", "Bob")
        bob = enter(inn, "Bob")

        async def flood() -> None:
            tips = [asyncio.create_task(bob.command("one", "tip", amount="1")) for _ in range(3)]
            await asyncio.sleep(0)
            NOW[0] += 1
            before = live.runner.table.state.rounds
            await staff.step()
            after.append(live.runner.table.state.rounds - before)
            await asyncio.gather(*tips)

        after = list[int]()
        await enter(inn, "Ann").command("one", "place_wager", box=1, amount="5")
        for _ in range(20):
            await flood()
        assert sum(after) == 1

    with moved_by_hand():
        in_house(tmp_path, work)


def test_a_step_that_fails_does_not_leave_the_table_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a command brings about: the staff goes on with the next step."""
    monkeypatch.setattr("twentyone.service.staff.STANDS", 0.0)

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", BOOK, {"Ann": [1]})
        staff, task = inn.service._staff["one"]
        plain, failed = staff._beat, asyncio.Event()

        async def fail(bell: asyncio.Event) -> None:
            monkeypatch.setattr(staff, "_beat", plain)
            failed.set()
            raise KeyError("a fault of the program")

        monkeypatch.setattr(staff, "_beat", fail)
        await give(live, "tip", "player", "Ann", amount="5")
        await asyncio.wait_for(failed.wait(), PATIENCE)
        await asyncio.sleep(0)
        assert not task.done()

    in_house(tmp_path, work)


def noise(rng: Random, table: LiveTable) -> tuple[str, dict[str, Any]]:
    """A command of a player with arguments of all kinds, many of which fit."""
    rules = table.runner.table.rules
    usual = ("place_wager", "take_back_wager", "decide", "sit", "ask_burn_card", "ask_face_up", "consent", "cut", "tip")
    do = rng.choice(usual if rng.random() < 0.7 else [name for name in COMMANDS if name != "leave"])
    pool: dict[str, list[Any]] = {
        "box": [1, 2, 2, 3, 0, 99],
        "boxes": [[2], [3], [2, 3], [], [1, 2, 3, 4, 5, 6]],
        "amount": ["5", "5", "10", "25", "0.01", "99999999", "-5"],
        "coupon": ["5"],
        "cash": [True, False, False],
        "wager": [*rules.wagers, "none"],
        "player": ["Ann", "Bob", "Eve"],
        "action": ["hit", "stand", "double", "split", "surrender", "insure", "decline", "rescue", "none"],
        "hand": [1, 2, 9],
        "place": [0, 1, 20, 100, 10**6],
        "on": [True, False],
        "dealer": ["Bob"],
        "name": ["card_drawn_in_error", "insufficient_cards"],
        "device": ["shuffler"],
    }
    fits = {"place_wager": ("box", "amount", "cash"), "take_back_wager": ("box",), "decide": ("box", "action")}
    fits |= {"sit": ("boxes",), "tip": ("amount",), "cut": ("place",), "consent": ("box", "player")}
    known = [key for key in pool if key in COMMANDS[do].takes]
    kept = fits[do] if do in fits and rng.random() < 0.7 else [key for key in known if rng.random() < 0.7]
    return do, {key: rng.choice(pool[key]) for key in kept}


@pytest.mark.parametrize("book", daily_books("md-spanish-21", "pa-double-back-jack"))
def test_nothing_that_a_player_sends_keeps_the_next_round_from_being_dealt(book: str, tmp_path: Path) -> None:
    """Every command of a player with random arguments, from two players, between any two steps of the staff."""

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, book, "Ann", "Bob")
        rng, done = Random(book), set[str]()
        rivals = [enter(inn, "Bob"), enter(inn, "Cid")]
        await give(live, "sit", "player", "Cid", boxes=[3])
        for name in ("Bob", "Cid"):
            await give(live, "buy_in", "dealer", "Auto dealer", player=name, amount="5000")

        async def disturb() -> None:
            for rival in rivals * 2:
                do, args = noise(rng, live)
                if (await rival.command("one", do, **args)).status_code == 200:
                    done.add(do)

        for _ in range(4):
            assert await a_round_comes(inn, live, staff, disturb, 900) < 900
        assert {"place_wager", "tip"} & done

    with moved_by_hand():
        in_house(tmp_path, work)


# -- seats


def test_thirty_four_requests_do_not_take_every_seat(tmp_path: Path) -> None:
    """From one address; whoever comes from another still finds a box."""

    async def work(inn: Inside) -> None:
        inn.service.doors.limits = HouseLimits()
        for name in ("one", "two", "three"):
            await open_table(inn.service, name, BOOK, {})
        taken = 0
        for number in range(34):
            crowd = From(inn, "10.0.0.1")
            await crowd.get("/me")
            answer = await crowd.send("POST", f"/tables/{('one', 'two', 'three')[number % 3]}/sit", {"name": "Crowd"})
            assert answer.status_code in (200, 429), answer.text
            taken += answer.status_code == 200
        assert taken == HouseLimits().new_guests
        guest = From(inn, "10.0.0.1")
        await guest.get("/me")
        refused = await guest.send("POST", "/session/guest", {"name": "Crowd"})
        assert (refused.status_code, refused.header("retry-after")) == (429, "600")
        other = From(inn, "10.0.0.2")
        await other.get("/me")
        for _ in range(HouseLimits().new_guests):
            taken_box = await other.send("POST", "/tables/one/sit", {"name": "Zoe", "box": 4})
            assert taken_box.status_code == 409, "somebody sits there"
        assert (await other.send("POST", "/tables/one/sit", {"name": "Zoe"})).status_code == 200
        here[0] += 600
        assert (await guest.send("POST", "/session/guest", {"name": "Crowd"})).status_code == 200

    here = [MOMENT]
    in_house(tmp_path, work, clock=lambda: here[0])


def test_a_player_is_at_few_tables_however_he_comes(tmp_path: Path) -> None:
    """By the page's request or by a command, one after the other or all at once."""

    async def work(inn: Inside) -> None:
        names = ("one", "two", "three", "four", "five", "six")
        lives = [await open_table(inn.service, name, BOOK, {}) for name in names]
        ann, bob = inn.clients["guest"], inn.clients["other guest"]
        sits = [ann.send("POST", f"/tables/{name}/sit", {}) for name in names[:3]]
        sits += [ann.command(name, "sit", boxes=[1]) for name in names[3:5]]
        sits += [ann.command(names[5], "stand_behind")]
        answers = await asyncio.gather(*sits)
        assert sorted(answer.status_code for answer in answers) == [200, 200, 409, 409, 409, 409]
        at = [live.name for live in lives if "Ann" in live.runner.table.state.players]
        assert len(at) == 2
        last = await ann.command(next(name for name in names if name not in at), "sit", boxes=[1])
        assert last.json()["why"] == f"a player may be at 2 tables: leave {' or '.join(sorted(at))} first"
        assert (await ann.command(at[0], "sit", boxes=[2])).status_code == 200, "another box of the same table"
        assert (await ann.command(at[0], "leave")).status_code == 200
        assert (await ann.send("POST", f"/tables/{at[0]}/sit", {})).status_code == 200
        inn.service.doors.limits = HouseLimits(tables=1)
        assert (await bob.send("POST", "/tables/one/sit", {})).status_code == 200
        assert (await bob.send("POST", "/tables/two/sit", {})).status_code == 409

    in_house(tmp_path, work)


@pytest.mark.parametrize("book", rulebook_ids())
def test_nobody_holds_more_boxes_than_he_may_wager_on(book: str, tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", book, {})
        most, ann = live.runner.table.rules.submission.get("boxes_per_player", 1), inn.clients["guest"]
        boxes = list(range(1, live.runner.table.rules.boxes + 1))
        assert (await ann.command("one", "sit", boxes=boxes)).status_code == 409
        for first in boxes[: -most or None]:
            await ann.command("one", "sit", boxes=boxes[first - 1 : first - 1 + most])
            await ann.command("one", "sit", boxes=[first])
            assert len(live.runner.table.state.players["Ann"].boxes) <= most

    in_house(tmp_path, work)


@pytest.mark.parametrize("pace", ["fast", "by hand"])
def test_whoever_does_not_play_loses_his_box_by_the_clock(pace: str, tmp_path: Path) -> None:
    """His chips go where they go when he leaves; the record says why. Who plays stays."""

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, BOOK, "Ann", "Bob")
        inn.service.set_staff("one", pace=pace, clock=45.0, patience=8.0, absence=60.0)
        assert inn.service.settings("one").absence == 60.0
        chips = live.runner.table.state.chips
        for _ in range(61):
            await staff.step()
            assert set(live.runner.table.state.players) == {"Ann", "Bob"}
            NOW[0] += 1
        await enter(inn, "Ann").command("one", "place_wager", box=1, amount="5")
        await staff.step()
        state = live.runner.table.state
        assert set(state.players) == {"Ann"}, "who has a wager on the layout stays"
        assert state.chips["(cage)"] == Amount(chips.get("(cage)", ZERO) + chips["Bob"])
        assert "Bob has not played for 61 s: the box is free again" in [line.says for line in live.lines_after(0)]
        assert inn.service.verify()["ok"]

    with moved_by_hand():
        in_house(tmp_path, work)


def test_time_in_which_nobody_could_wager_is_no_absence(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, BOOK, "Ann", "Bob")
        inn.service.set_staff("one", pace="by hand", clock=45.0, patience=8.0, absence=60.0)
        await give(live, "change_dealer", "floorperson", "Fay", dealer="Dan")
        assert live.runner.table.state.agenda
        for _ in range(10):
            NOW[0] += 50
            await staff.step()
        assert set(live.runner.table.state.players) == {"Ann", "Bob"}

    with moved_by_hand():
        in_house(tmp_path, work)


CARDS = ("9S", "7D", "8H")
"""What the dealer of a real shoe enters: a hand that must be decided."""


@pytest.mark.parametrize("cards", ["shoe", "person"])
def test_a_player_who_is_gone_holds_up_no_table_that_people_work(cards: str, tmp_path: Path) -> None:
    """Nobody decided for who closed his browser in a round: the table stood, and with real cards for good."""

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", BOOK, {"Ann": [1]}, cards)
        inn.service.set_staff("one", pace="by hand", clock=45.0, patience=8.0, absence=60.0)
        staff, left = at_work(inn, "one"), iter(CARDS)
        await give(live, "place_wager", "player", "Ann", box=1, amount="5")
        await give(live, "deal", "dealer", "Dan")
        while not isinstance(need := live.runner.table.state.round.next, Offer):  # type: ignore[union-attr]
            down = getattr(need, "face_down", False)
            await give(live, "card", "dealer", "Dan", **({} if down or cards == "shoe" else {"card": next(left)}))
        asked = live.version
        for _ in range(60):
            await staff.step()
            NOW[0] += 1
        assert live.version == asked, "people who are there have time"
        NOW[0] += 1
        await staff.step()
        assert any("the decision clock" in line.says and "for Ann" in line.says for line in live.lines_after(0))

    ORDERS["one"] = [Card(name) for name in ("2C", *CARDS, "6C")]
    with moved_by_hand(), rigged():
        in_house(tmp_path, work)


def test_an_absent_player_loses_his_box_where_real_cards_are_dealt(tmp_path: Path) -> None:
    """No staff can free a box: who sat down there and went kept it for good."""

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", BOOK, {"Ann": [1]}, "person")
        inn.service.set_staff("one", pace="by hand", clock=45.0, patience=8.0, absence=60.0)
        staff = at_work(inn, "one")
        for _ in range(63):
            await staff.step()
            NOW[0] += 1
        assert not live.runner.table.state.players

    with moved_by_hand():
        in_house(tmp_path, work)


def test_a_pace_alone_changes_nothing_else_of_the_staff(tmp_path: Path) -> None:
    """The page sends the pace; clock, patience and absence stay what the administrator made them."""

    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {})
        chief = inn.clients["administrator"]
        given = {"pace": "slow", "clock": 90.0, "patience": 3.0, "absence": 600.0}
        assert (await chief.send("PUT", "/tables/one/staff", given)).status_code == 200
        changed = await chief.send("PUT", "/tables/one/staff", {"pace": "fast"})
        assert changed.json() == {**given, "pace": "fast"}

    in_house(tmp_path, work)
