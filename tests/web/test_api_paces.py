"""Time at an automatic table: nobody waits for nothing, every clock is told, and who is alone sets the pace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.patience import until_soon
from tests.web.inside import Client, Ear, Inside, give, open_table
from tests.web.test_api_doors import BOOK, NOW, automatic, enter, moved_by_hand
from tests.web.test_api_security import in_house
from tests.web.worlds import ORDERS, rigged
from twentyone.cards import Card
from twentyone.rulebook import rulebook_ids
from twentyone.service.clocks import asked_offer
from twentyone.service.live import LiveTable
from twentyone.service.paces import PREPARING
from twentyone.service.staff import CUT, READY, Staff

ACE_UP = {1: "9S AH 8H 7S", 2: "9S 9C AH 8D 8H 7S"}
"""What one or two players and a dealer with an ace are dealt."""


def shoe_is(live: LiveTable, cards: str) -> None:
    """These cards come next."""
    shoe = live.runner.table.state.shoe
    assert shoe is not None
    ORDERS["one"] = [Card("2C")] * (shoe.size - shoe.left) + [Card(name) for name in f"{cards} {'5D ' * 60}".split()]


async def asked(live: LiveTable, staff: Staff) -> str:
    """The staff works until a player is asked; answers about what."""
    while (offer := asked_offer(live.runner.table)) is None:
        before = live.version
        await staff.step()
        assert live.version > before, f"nobody is asked: {live.steps}"
    return offer.kind


async def dealt(inn: Inside, live: LiveTable, staff: Staff, cards: str, *players: str) -> str:
    """These players wager, and the cards are dealt until somebody is asked; answers about what."""
    shoe_is(live, cards)
    for box, name in enumerate(players, 1):
        assert (await enter(inn, name).command("one", "place_wager", box=box, amount="10")).status_code == 200
    await staff.step()
    NOW[0] += 10
    return await asked(live, staff)


async def clocks(client: Client) -> list[tuple[Any, ...]]:
    """The clocks that somebody is told of: what, for whom, where, of how many seconds, how many are left."""
    view = (await client.get("/tables/one")).json()
    return [tuple(clock[key] for key in ("what", "players", "box", "seconds", "left")) for clock in view["clocks"]]


@pytest.mark.parametrize("players", [("Ann",), ("Ann", "Bob")])
@pytest.mark.parametrize("book", rulebook_ids())
def test_an_offer_is_over_as_soon_as_nobody_is_left_to_answer(
    book: str, players: tuple[str, ...], tmp_path: Path
) -> None:
    """Whoever took insurance waited 45 seconds for nothing; here no time passes until he is asked to play."""

    async def work(inn: Inside) -> None:
        ORDERS["one"] = [Card("2C")] * 60
        live, staff = await automatic(inn, book, *players)
        assert await dealt(inn, live, staff, ACE_UP[len(players)], *players) == "insurance"
        for name in players:
            assert await asked(live, staff) == "insurance"
            answer = await enter(inn, name).command("one", "decide", action="insure")
            assert answer.status_code == 200, answer.text
        assert await asked(live, staff) == "turn"

    with moved_by_hand(), rigged():
        in_house(tmp_path, work)


def test_every_clock_is_in_the_view_of_everybody(tmp_path: Path) -> None:
    """Until a box is lost, for others' wagers, for a decision: of each the whole time, and what is left."""

    async def work(inn: Inside) -> None:
        ORDERS["one"] = [Card("2C")] * 60
        live, staff = await automatic(inn, BOOK, "Ann", "Bob")
        visitor = inn.clients["visitor"]
        assert await clocks(visitor) == [("absence", [name], box, 300, 300) for box, name in ((1, "Ann"), (2, "Bob"))]
        NOW[0] += 40
        bob_goes = ("absence", ["Bob"], 2, 300.0)
        assert (*bob_goes, 260.0) in await clocks(visitor)
        shoe_is(live, "9S 7D 5H 8C")
        await enter(inn, "Ann").command("one", "place_wager", box=1, amount="10")
        assert await clocks(visitor) == [("wagers", ["Bob"], None, 8.0, 8.0), (*bob_goes, 260.0)]
        NOW[0] += 3
        assert await clocks(visitor) == [("wagers", ["Bob"], None, 8.0, 5.0), (*bob_goes, 257.0)]
        NOW[0] += 5.125
        await asked(live, staff)
        ear = inn.ear("other guest", "one")
        await ear.answered()
        NOW[0] += 20.25
        assert await clocks(visitor) == [("decision", ["Ann"], 1, 45.0, 24.75)]
        assert json.loads(ear.frames[-1])["view"]["clocks"][0]["what"] == "decision"
        await ear.stop()
        NOW[0] += 24.75
        await staff.step()
        assert await clocks(visitor) == [("decision", ["Ann"], 1, 45.0, 0.0)]
        NOW[0] += 0.125
        await staff.step()
        assert "the decision clock decides for Ann: stand" in [line.says for line in live.lines_after(0)]

    with moved_by_hand(), rigged():
        in_house(tmp_path, work)


def test_where_people_deal_the_clock_of_a_decision_is_that_of_absence(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        ORDERS["one"] = [Card("2C")] * 60
        live, staff = await automatic(inn, BOOK, "Ann")
        await dealt(inn, live, staff, "9S 7D 5H 8C", "Ann")
        inn.service.set_staff("one", pace="by hand", clock=45.0, patience=8.0, absence=60.0)
        assert await clocks(inn.clients["guest"]) == [("decision", ["Ann"], 1, 60.0, 60.0)]

    with moved_by_hand(), rigged():
        in_house(tmp_path, work)


async def cut_offered(live: LiveTable, staff: Staff) -> str:
    """The cards are shuffled again, until the cut is offered; answers to whom."""
    await give(live, "reshuffle", "floorperson", "Fay")
    while not live.runner.table.state.cut_offered:
        await staff.step()
    return live.runner.table.state.cut_offered


def test_the_clock_declines_a_cut_and_the_player_did_not(tmp_path: Path) -> None:
    """The story told that the player declined, when nobody had asked his hand; who declines himself is named."""

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, BOOK, "Ann")
        assert await cut_offered(live, staff) == "Ann"
        said = len(live.lines_after(0))
        assert await clocks(inn.clients["visitor"]) == [("cut", ["Ann"], 1, CUT, CUT)]
        NOW[0] += CUT
        await staff.step()
        assert live.runner.table.state.cut_offered == "Ann"
        NOW[0] += 0.1
        await staff.step()
        told = [line.says for line in live.lines_after(0)][said:]
        assert told == ["the clock declines the cut for Ann"]
        while live.runner.table.state.agenda:
            await staff.step()
        await cut_offered(live, staff)
        assert (await inn.clients["guest"].command("one", "decline_cut")).status_code == 200
        assert live.lines_after(0)[-1].says == "Ann declines the cut"
        assert inn.service.verify()["ok"]

    with moved_by_hand():
        in_house(tmp_path, work)


async def pace(client: Client) -> tuple[str, list[str]]:
    """The pace that somebody is told, and those that he may set."""
    view = (await client.get("/tables/one")).json()
    return view["pace"], view["paces"]


def _paces_heard(ear: Ear) -> list[str]:
    return [json.loads(frame)["view"]["pace"] for frame in ear.frames]


def test_a_player_sets_the_pace_where_he_is_alone(tmp_path: Path) -> None:
    """It is his for as long as he is alone there: whoever comes finds the house's pace, and may not change it."""
    alone = ["slow", "normal", "fast", "instant"]

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", BOOK, {"Ann": [1]})
        inn.service.set_staff("one", pace="fast", clock=45.0, patience=8.0)
        inn.service._staff["one"][1].cancel()
        ann, bob, visitor = (inn.clients[kind] for kind in ("guest", "other guest", "visitor"))
        assert [await pace(one) for one in (ann, bob, visitor)] == [("fast", alone), ("fast", []), ("fast", [])]
        ear, version = inn.ear("visitor", "one"), live.version
        await ear.answered()
        assert (await bob.send("PUT", "/tables/one/staff", {"pace": "slow"})).status_code == 403
        assert (await ann.send("PUT", "/tables/one/staff", {"pace": "by hand"})).status_code == 403
        answer = await ann.send("PUT", "/tables/one/staff", {"pace": "instant", "clock": 5})
        assert (answer.json()["pace"], answer.json()["clock"]) == ("instant", 45.0), "the clock is not his"
        await until_soon(lambda: "instant" in _paces_heard(ear), "everybody is told")
        assert live.version == version
        await ear.stop()
        await give(live, "sit", "player", "Bob", boxes=[3])
        assert [await pace(one) for one in (ann, bob)] == [("fast", [])] * 2
        refused = await ann.send("PUT", "/tables/one/staff", {"pace": "instant"})
        assert (refused.status_code, "alone" in refused.json()["why"]) == (403, True)
        assert (await inn.clients["floorperson"].get("/tables/one")).json()["paces"] == ["by hand", *alone]
        await give(live, "leave", "player", "Bob")
        assert await pace(ann) == ("instant", alone)
        await give(live, "leave", "player", "Ann")
        await give(live, "sit", "player", "Bob", boxes=[3])
        assert await pace(bob) == ("fast", alone)

    in_house(tmp_path, work)


def test_instant_is_for_who_is_alone_whoever_set_it(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        live, _ = await automatic(inn, BOOK, "Ann")
        inn.service.set_staff("one", pace="instant", clock=45.0, patience=8.0)
        assert (await pace(inn.clients["guest"]))[0] == "instant"
        await give(live, "sit", "player", "Bob", boxes=[3])
        assert (await pace(inn.clients["guest"]))[0] == "normal"

    in_house(tmp_path, work)


def test_a_player_who_is_alone_waits_for_nothing(tmp_path: Path) -> None:
    """From his wager to his decision the staff pauses once, for his other wagers; and cards are made ready quickly."""

    async def work(inn: Inside) -> None:
        ORDERS["one"] = [Card("2C")] * 60
        live, staff = await automatic(inn, BOOK, "Ann")
        inn.service.set_staff("one", player="Ann", own="instant")
        shoe_is(live, "9S 7D 5H 8C")
        await inn.clients["guest"].command("one", "place_wager", box=1, amount="10")
        assert await clocks(inn.clients["guest"]) == [("wagers", [], None, READY, READY)]
        NOW[0] += READY + 0.1
        delays = list[float]()
        while asked_offer(live.runner.table) is None:
            delays.append(staff._delay(live.runner.table))
            await staff.step()
        assert (len(delays) > 3, set(delays)) == (True, {0.0})
        inn.service.set_staff("one", player="", own="", pace="normal")
        dealing = staff._delay(live.runner.table)
        await inn.clients["guest"].command("one", "decide", action="stand")
        while live.runner.table.state.phase != "open":
            await staff.step()
        await give(live, "reshuffle", "floorperson", "Fay")
        assert staff._delay(live.runner.table) == PREPARING["normal"] < dealing

    with moved_by_hand(), rigged():
        in_house(tmp_path, work)


def test_a_box_is_freed_though_nothing_happens_at_the_table(tmp_path: Path) -> None:
    """The staff looks at the clock by itself: whoever closed his browser keeps no box, though nobody plays."""

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", BOOK, {"Ann": [1]})
        inn.service.set_staff("one", pace="normal", clock=45.0, patience=8.0, absence=60.0)
        await until_soon(lambda: live.steps[0].do == "place_wager", "the table waits for her")
        seen = inn.service._staff["one"][0]._absent
        await until_soon(lambda: seen._looked == NOW[0], "the staff has seen her")
        NOW[0] += 61
        await until_soon(lambda: not live.runner.table.state.players, "her box is free")
        assert live.runner.table.state.chips["(cage)"]

    with moved_by_hand():
        in_house(tmp_path, work)
