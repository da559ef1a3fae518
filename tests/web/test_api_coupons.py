"""Coupons through the interface: staff issues and lays them, a player's own are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.web.inside import Inside, open_table
from tests.web.test_api_security import in_house

ENDS = "2099-12-31"


def new(key: str = "k", **more: Any) -> dict[str, Any]:
    return {"amount": "10", "ends": ENDS, "key": key, **more}


def test_one_key_issues_one_coupon(tmp_path: Path) -> None:
    async def story(inn: Inside) -> None:
        fay = inn.clients["floorperson"]
        first = await fay.send("POST", "/coupons", new())
        again = await fay.send("POST", "/coupons", new())
        assert (first.status_code, again.status_code) == (201, 201)
        assert first.json() == again.json()
        other = await fay.send("POST", "/coupons", new(amount="20"))
        assert (other.status_code, "key" in other.json()["why"]) == (422, True)
        listed = (await fay.get("/coupons")).json()
        assert [row["number"] for row in listed] == [first.json()["number"]]
        assert {"amount": "10", "issuer": "Fay", "state": "open", "person": "", "place": ""}.items() <= listed[
            0
        ].items()

    in_house(tmp_path, story)


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"amount": "1e30"}, 409),
        ({"amount": "999999999999"}, 409),
        ({"amount": "1000.01"}, 409),
        ({"amount": "٥"}, 409),
        ({"amount": "NaN"}, 409),
        ({"amount": "0"}, 409),
        ({"amount": "9" * 40}, 422),
        ({"amount": 10}, 422),
        ({"ends": "2001-01-01"}, 409),
        ({"ends": "soon"}, 409),
        ({"ends": "2099-02-30"}, 409),
        ({"number": "A 1"}, 409),
        ({"number": "A" * 41}, 422),
        ({"issuer": "Ann"}, 422),
    ],
    ids=str,
)
def test_a_coupon_that_is_none_is_not_issued(tmp_path: Path, wrong: dict[str, Any], status: int) -> None:
    async def story(inn: Inside) -> None:
        fay = inn.clients["floorperson"]
        answer = await fay.send("POST", "/coupons", {**new(), **wrong})
        assert (answer.status_code, bool(answer.json()["why"])) == (status, True)
        assert (await fay.get("/coupons")).json() == []

    in_house(tmp_path, story)


def test_a_player_prints_no_money_with_a_coupon(tmp_path: Path) -> None:
    """Before, one win with this argument put $150,000,506 into a guest's purse."""

    async def story(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "s13-spanish-21", {"Ann": [1]})
        ann, dan = inn.clients["guest"], inn.clients["dealer"]
        forged = await ann.command("one", "place_wager", box=1, amount="10", coupon="99999999")
        assert (forged.status_code, "has no argument 'coupon'" in forged.json()["why"]) == (409, True)
        assert (await ann.command("one", "place_wager", box=1, amount="10")).status_code == 200
        coupon: dict[str, Any] = {"box": 1, "player": "Ann", "number": "99999999", "amount": "10"}
        assert "not for the player" in (await ann.command("one", "lay_coupon", **coupon)).json()["why"]
        assert "issued no coupon" in (await dan.command("one", "lay_coupon", **coupon)).json()["why"]
        assert live.runner.table.state.placed[0].coupon == 0
        issued = (await inn.clients["floorperson"].send("POST", "/coupons", new(person="Bob"))).json()["number"]
        refused = await dan.command("one", "lay_coupon", **coupon | {"number": issued})
        assert refused.json()["why"] == f"the coupon {issued} is for Bob, not for Ann"

    in_house(tmp_path, story)


def test_a_dealer_sells_no_billion(tmp_path: Path) -> None:
    async def story(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "s13-spanish-21", {"Ann": [1]})
        dan = inn.clients["dealer"]
        for amount in (str(10**9), "100000.5", "1e9", "٥"):
            assert (await dan.command("one", "buy_in", player="Ann", amount=amount)).status_code == 409
        assert (await dan.command("one", "buy_in", player="Ann", amount="9" * 30)).status_code == 422
        assert str(live.runner.table.state.chips["Ann"]) == "500"
        limit = await inn.clients["administrator"].command("one", "set_limit", about="buy_in", amount="50")
        assert limit.status_code == 200
        assert "limit of $50.00" in (await dan.command("one", "buy_in", player="Ann", amount="51")).json()["why"]

    in_house(tmp_path, story)


def test_a_coupon_is_laid_by_staff_and_seen_at_the_table(tmp_path: Path) -> None:
    async def story(inn: Inside) -> None:
        await open_table(inn.service, "one", "s13-spanish-21", {"Ann": [1]})
        fay = inn.clients["floorperson"]
        assert (await inn.clients["guest"].command("one", "place_wager", box=1, amount="10")).status_code == 200
        await fay.send("POST", "/coupons", new(number="A-1", person="Ann"))
        laid = await fay.command("one", "lay_coupon", box=1, player="Ann", number="A-1", amount="10")
        assert laid.json()["events"] == ["command", "coupon_laid"]
        assert [row["state"] for row in (await fay.get("/coupons")).json()] == ["laid"]
        void = await fay.send("POST", "/coupons/A-1/void", {"reason": "lost", "key": "v"})
        assert (void.status_code, "lies at one" in void.json()["why"]) == (409, True)
        assert "Fay lays the coupon A-1" in (await inn.clients["visitor"].get("/tables/one/story")).text

    in_house(tmp_path, story)
