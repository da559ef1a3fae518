"""Guests without a device through the interface: who seats them, who enters for them, and under which names."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.web.inside import Inside, give, open_table
from tests.web.test_api_commands import commands
from tests.web.test_api_security import in_house

WAGER: dict[str, Any] = {"box": 3, "amount": "10"}


async def seated(inn: Inside) -> None:
    """Ann with her browser at box 1, Gil without one at box 3."""
    await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]}, "person")
    answer = await inn.clients["dealer"].command("one", "seat_guest", player="Gil", boxes=[3])
    assert answer.status_code == 200, answer.text
    await inn.clients["dealer"].command("one", "buy_in", player="Gil", amount="100")


def test_the_dealer_enters_and_the_record_says_so(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        await seated(inn)
        answer = await inn.clients["dealer"].command("one", "place_wager", guest="Gil", **WAGER)
        assert answer.status_code == 200, answer.text
        last = commands(inn, "one")[-1]
        assert (last["role"], last["by"], last["args"]["entered_by"]) == ("player", "Gil", "Dan")
        view = (await inn.clients["visitor"].get("/tables/one")).json()
        assert view["players"]["Gil"] == {"boxes": [3], "chips": "90", "device": False}
        assert not {"guests", "payments", "entries"} & view.keys()
        [guest] = (await inn.clients["dealer"].get("/tables/one")).json()["guests"]
        assert (guest["name"], guest["chips"]) == ("Gil", "90")

    in_house(tmp_path, ask)


@pytest.mark.parametrize("kind", ["visitor", "guest", "other guest", "floorperson", "auditor", "administrator"])
def test_nobody_but_the_dealer_enters(tmp_path: Path, kind: str) -> None:
    async def ask(inn: Inside) -> None:
        await seated(inn)
        answer = await inn.clients[kind].command("one", "place_wager", guest="Gil", **WAGER)
        assert answer.status_code == (401 if kind == "visitor" else 403)
        seats = await inn.clients[kind].command("one", "seat_guest", player="Hal", boxes=[4])
        assert seats.status_code in (401, 403, 409)
        assert all(command["do"] != "place_wager" for command in commands(inn, "one"))

    in_house(tmp_path, ask)


def test_nobody_enters_for_a_player_with_a_browser(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        await seated(inn)
        answer = await inn.clients["dealer"].command("one", "place_wager", guest="Ann", box=1, amount="10")
        assert (answer.status_code, "nobody enters anything for him" in answer.text) == (409, True)
        forged = await inn.clients["guest"].command("one", "tip", amount="5", entered_by="Dan")
        assert forged.status_code == 422

    in_house(tmp_path, ask)


def test_the_name_of_a_guest_is_nobody_elses(tmp_path: Path) -> None:
    """Neither an account's nor a browser's name, in whatever case; and who comes later under it gets another."""

    async def ask(inn: Inside) -> None:
        await seated(inn)
        await give(
            await open_table(inn.service, "two", "pa-spanish-21", {}, "person"),
            "fill",
            "floorperson",
            "Fay",
            amount="5",
        )
        for name in ("Ann", "ann", "Bob", "Fay", "dealer", "Auto dealer", "gil"):
            answer = await inn.clients["dealer"].command("one", "seat_guest", player=name, boxes=[5])
            assert answer.status_code in (409, 422), (name, answer.text)
        answer = await inn.clients["dealer"].command("two", "seat_guest", player="Gil", boxes=[5])
        assert (answer.status_code, "taken" in answer.text) == (409, True)
        session = inn.service.people.guest("Gil")
        assert session.person.name == "Gil 2"
        left = await inn.clients["dealer"].command("one", "leave", guest="Gil")
        assert left.status_code == 200
        assert inn.service.people.guest("Gil").person.name == "Gil 3"
        back = await inn.clients["dealer"].command("one", "seat_guest", player="Gil", boxes=[5])
        assert back.status_code == 200
        chips = await inn.clients["dealer"].command("one", "bring_chips", guest="Gil", amount="100")
        assert chips.status_code == 200, chips.text

    in_house(tmp_path, ask)


def test_who_sits_where_is_asked_while_a_table_is_opened(tmp_path: Path) -> None:
    """A new guest's name is looked for in a thread of its own, and the loop opens tables meanwhile."""

    async def ask(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        asked = [asyncio.to_thread(inn.service.people.take, name) for name in ("ANN", "Bob", "Cid") * 5]
        opened = open_table(inn.service, "two", "pa-spanish-21", {"Bob": [1]})
        *taken, _ = await asyncio.gather(*asked, opened)
        assert not any(taken[0::3]), "in whatever case"
        assert taken[2::3].count(True) == 1

    in_house(tmp_path, ask)
