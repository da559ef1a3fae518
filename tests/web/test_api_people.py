"""Who may do what at a table, through the interface: the dealer on duty deals, spoken wagers wait for him."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.inside import Inside, open_table
from tests.web.test_api_security import in_house
from twentyone.money import Amount

PASSWORD = "correct horse"


def test_only_the_dealer_on_duty_deals(tmp_path: Path) -> None:
    """635a.7(c): a new dealer is called by the floorperson; whom he relieved gets the paragraph for an answer."""

    async def ask(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        inn.service.people.add("Eve", "dealer", PASSWORD)
        floor, dan = inn.clients["floorperson"], inn.clients["dealer"]
        nobody = await floor.command("one", "change_dealer", dealer="Zoe")
        assert (nobody.status_code, nobody.json()["cite"]) == (409, "58 Pa. Code § 635a.7(c)")
        assert live.runner.table.state.dealer == "Dan"
        assert (await floor.command("one", "change_dealer", dealer="Eve")).status_code == 200
        relieved = await dan.command("one", "burn")
        assert (relieved.status_code, relieved.json()["cite"]) == (409, "58 Pa. Code § 635a.7(c)")

    in_house(tmp_path, ask)


def test_the_floorperson_chooses_from_the_dealers_there_are(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        inn.service.people.add("Eve", "dealer", PASSWORD)
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        view = (await inn.clients["floorperson"].get("/tables/one")).json()
        change = next(action for action in view["actions"] if action["do"] == "change_dealer")
        assert change["fields"][0]["choices"] == ["Eve", "Auto dealer"]

    in_house(tmp_path, ask)


def test_a_spoken_wager_waits_and_may_be_declined(tmp_path: Path) -> None:
    """635a.6(a): no cash is booked before the dealer confirms; he may turn it away."""

    async def ask(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        guest, dealer = inn.clients["guest"], inn.clients["dealer"]
        assert (await guest.get("/tables/one")).json()["manners"]["verbal"]
        said: dict[str, Any] = {"box": 1, "amount": "20", "cash": True}
        assert (await guest.command("one", "place_wager", **said)).status_code == 200
        view = (await dealer.get("/tables/one")).json()
        assert view["verbal"][0] == {
            "player": "Ann",
            "wager": "main",
            "amount": "20",
            "cash": True,
            "box": 1,
            "confirmed": [],
        }
        assert [step["do"] for step in view["next"]][:2] == ["confirm_verbal_wager", "decline_verbal_wager"]
        assert live.runner.table.state.cash["(drop)"] == Amount("500")
        assert (await dealer.command("one", "decline_verbal_wager", box=1, player="Ann")).status_code == 200
        assert live.runner.table.state.cash["(drop)"] == Amount("500")
        await guest.command("one", "place_wager", **said)
        await dealer.command("one", "confirm_verbal_wager", box=1, player="Ann")
        assert live.runner.table.state.cash["(drop)"] == Amount("520")

    in_house(tmp_path, ask)


def test_a_guest_may_stand_at_the_table(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {})
        view = (await inn.clients["guest"].send("POST", "/tables/one/sit", {"stand": True})).json()
        assert (view["you"]["standing"], view["you"]["boxes"]) == (True, [])
        assert live.runner.table.state.chips[view["you"]["name"]] > 0

    in_house(tmp_path, ask)
