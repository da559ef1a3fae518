"""Coupons through the interface: staff issues and lays them, a player's own are refused."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.web.inside import MOMENT, Inside, open_table
from tests.web.test_api_doors import enter
from tests.web.test_api_security import PASSWORD, in_house

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


def test_one_floorperson_alone_does_not_issue_what_he_likes(tmp_path: Path) -> None:
    """Sixty coupons of $1,000 in a day: five are issued, the others wait for approval; the next day begins anew.

    Nobody approves his own, a coupon that is none is refused and not put to anybody, and a key counts once.
    """
    now = [MOMENT]

    async def story(inn: Inside) -> None:
        for name, role in (("Fay", "floorperson"), ("Gus", "floorperson"), ("Ada", "administrator")):
            inn.service.people.add(name, role, PASSWORD)
        fay, ada = enter(inn, "Fay", "floorperson"), enter(inn, "Ada", "administrator")
        worth: dict[str, Any] = {"amount": "1000", "person": "Ann"}
        answers = [await fay.send("POST", "/coupons", new(f"k{n}", **worth)) for n in range(60)]
        assert [answer.status_code for answer in answers] == [201] * 5 + [202] * 55
        issued = (await fay.get("/coupons")).json()
        assert sum(int(row["amount"]) for row in issued) == 5000
        assert "Fay has issued $5,000.00 today" in answers[5].json()["what"]
        again = await fay.send("POST", "/coupons", new("k0", **worth))
        assert (again.status_code, again.json()) == (201, answers[0].json()), "the same key is the same coupon"
        assert (await fay.send("POST", "/coupons", new("bad", amount="1001"))).status_code == 409
        number = answers[5].json()["number"]
        assert (await fay.send("POST", f"/approvals/{number}")).status_code == 403
        assert (await enter(inn, "Gus", "floorperson").send("POST", "/coupons", new("g"))).status_code == 201
        approved = await ada.send("POST", f"/approvals/{number}")
        assert approved.status_code == 204, approved.text
        assert len((await fay.get("/coupons")).json()) == 7
        assert (await fay.send("POST", "/coupons", new("more", amount="1"))).status_code == 202
        now[0] += 24 * 60 * 60
        fresh = enter(inn, "Fay", "floorperson")
        assert (await fresh.send("POST", "/coupons", new("next", **worth))).status_code == 201

    in_house(tmp_path, story, clock=lambda: now[0])


def test_many_coupons_at_once_are_one_sum(tmp_path: Path) -> None:
    """Requests that come together do not each find room for themselves."""

    async def story(inn: Inside) -> None:
        inn.service.people.add("Fay", "floorperson", PASSWORD)
        fay = enter(inn, "Fay", "floorperson")
        asks = [fay.send("POST", "/coupons", new(f"k{n}", amount="900")) for n in range(12)]
        statuses = [answer.status_code for answer in await asyncio.gather(*asks)]
        assert sorted(statuses) == [201] * 5 + [202] * 7

    in_house(tmp_path, story)
