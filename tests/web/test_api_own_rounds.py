"""Who reads whose rounds: a player his own, a visitor none, staff and auditors all; on pages as through the API."""

from __future__ import annotations

from pathlib import Path

from tests.web.inside import PEOPLE, Client, Inside, give, open_table
from tests.web.test_api_security import in_house
from twentyone.round import Draw, Offer
from twentyone.service.live import LiveTable
from twentyone.web.api.common import CSRF_COOKIE, SESSION_COOKIE

TOLD = {"visitor": (0, 401), "guest": (1, 200), "other guest": (0, 403)}
"""Rounds that are listed, and the answer to one of another: of who is not staff."""
ALL = (1, 200)


async def play(live: LiveTable, player: str, box: int) -> None:
    """One round of one player who stands, from his wager to the cards in the rack."""
    await give(live, "place_wager", "player", player, box=box, amount="10")
    await give(live, "deal", "dealer", "Dan")
    while live.runner.table.state.phase == "round":
        round_ = live.runner.table.state.round
        assert round_ is not None
        need = round_.next
        if isinstance(need, Draw):
            await give(live, "card", "dealer", "Dan")
        elif isinstance(need, Offer) and not need.optional:
            await give(live, "decide", "player", player, action="stand", box=box)
        else:
            await give(live, "decide", "dealer", "Dan", action="decline")
    await give(live, "collect_cards", "dealer", "Dan")


def test_a_round_is_read_by_whoever_wagered_in_it_and_by_staff(tmp_path: Path) -> None:
    """Ann played it; Bob sat beside her and did not."""

    async def ask(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1], "Bob": [3]})
        await play(live, "Ann", 1)
        for kind in PEOPLE:
            count, status = TOLD.get(kind, ALL)
            client = inn.clients[kind]
            listed = (await client.get("/rounds")).json()["rounds"]
            assert len(listed) == count, kind
            for path in ("/rounds/one/1", "/rounds/one/1/script", "//rounds/one/1"):
                assert (await client.get(path)).status_code == status, (kind, path)
            assert (b"one:1" in (await client.get("//rounds")).content) is bool(count), kind
            assert len((await client.get("/rounds?player=ann")).json()["rounds"]) == count, kind

    in_house(tmp_path, ask)


def test_a_name_that_is_given_anew_opens_no_round_of_before(tmp_path: Path) -> None:
    """The first Eve has gone; the next guest of that name finds nothing of hers."""
    now = [1_750_000_000]

    async def ask(inn: Inside) -> None:
        first = inn.service.people.guest("Eve")
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Eve": [1]})
        await play(live, "Eve", 1)
        jar = {SESSION_COOKIE: first.id, CSRF_COOKIE: first.csrf}
        assert len((await Client(inn.app, jar).get("/rounds")).json()["rounds"]) == 1
        await give(live, "leave", "player", "Eve")
        inn.service.people.end(first.id)
        now[0] += 60
        second = inn.service.people.guest("Eve")
        assert second.person.name == "Eve"
        eve = Client(inn.app, {SESSION_COOKIE: second.id, CSRF_COOKIE: second.csrf})
        assert (await eve.get("/rounds")).json()["rounds"] == []
        assert (await eve.get("/rounds/one/1")).status_code == 403

    in_house(tmp_path, ask, clock=lambda: now[0])


def test_of_a_table_s_story_others_hear_the_last_round_and_what_is_now(tmp_path: Path) -> None:
    """Three rounds; a visitor and a guest are not told the first, by REST as by WebSocket; staff are."""

    async def ask(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        for _ in range(3):
            await play(live, "Ann", 1)
        for kind in PEOPLE:
            rounds = 1 if kind in TOLD else 3
            story = (await inn.clients[kind].get("/tables/one/story")).json()
            assert [line["kind"] for line in story].count("round_ended") == rounds, kind
            ear = inn.ear(kind, "one")
            heard = await ear.heard(live.version)
            await ear.stop()
            assert heard["log"] == story, kind

    in_house(tmp_path, ask)
