"""Play money: what a guest takes away from a table comes back with him; fresh money is given once it is gone."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.web.inside import Client, Inside, give, open_table
from tests.web.test_api_commands import commands
from tests.web.test_api_security import in_house
from twentyone.money import Amount
from twentyone.service.live import LiveTable
from twentyone.service.people import Person
from twentyone.service.purses import FRESH, PLAY_MONEY, PURSE

TABLES = ("one", "two")


async def two_tables(inn: Inside) -> tuple[LiveTable, LiveTable]:
    """Two tables of different games that people work."""
    one = await open_table(inn.service, "one", "pa-spanish-21", {})
    two = await open_table(inn.service, "two", "s13-spanish-21", {}, table_minimum="10")
    return one, two


async def sit(inn: Inside, table: str, kind: str = "guest") -> str | None:
    """Sit down by the interface; answers the chips."""
    answer = await inn.clients[kind].send("POST", f"/tables/{table}/sit", {})
    assert answer.status_code == 200, answer.text
    chips: str | None = answer.json()["you"]["chips"]
    return chips


def given(inn: Inside) -> list[tuple[str, str]]:
    """Where the play money of the ledger came from, and how much."""
    found = [command["args"] for table in TABLES for command in commands(inn, table)]
    return [(args[PLAY_MONEY], str(Amount(args["amount"]))) for args in found if PLAY_MONEY in args]


async def purse(client: Client) -> str:
    """What somebody has beside the tables."""
    found: str = (await client.get("/me")).json()["purse"]
    return found


def test_what_is_taken_away_comes_back(tmp_path: Path) -> None:
    """$500 once; $480 are taken away and brought to another table, and back to the first."""

    async def work(inn: Inside) -> None:
        one, two = await two_tables(inn)
        guest = inn.clients["guest"]
        assert await sit(inn, "one") == "500"
        assert await purse(guest) == "0"
        await guest.command("one", "tip", amount="20")
        await guest.command("one", "leave")
        assert await purse(guest) == "480"
        assert await sit(inn, "two") == "480"
        await give(two, "leave", "player", "Ann")
        assert await sit(inn, "one") == "480"
        assert given(inn) == [(FRESH, "500"), (PURSE, "480"), (PURSE, "480")]
        told = [line.says for line in one.lines_after(0)]
        assert "Ann gets $500.00 of fresh play money" in told
        assert "Ann brings $480.00 of play money along" in told
        assert inn.service.verify()["ok"]

    in_house(tmp_path, work)


def test_the_purse_outlives_the_server_and_a_record_that_was_not_written(tmp_path: Path) -> None:
    """The ledger has it: a process that ended between the event and the record loses nothing."""

    async def first(inn: Inside) -> None:
        one, _ = await two_tables(inn)
        await sit(inn, "one")
        await give(one, "tip", "player", "Ann", amount="20")
        await give(one, "leave", "player", "Ann")
        inn.service._records.run("DELETE FROM people_purses")

    async def second(inn: Inside) -> None:
        assert await purse(inn.clients["guest"]) == "480"
        assert await sit(inn, "two") == "480"

    async def third(inn: Inside) -> None:
        assert await purse(inn.clients["guest"]) == "0", "the purse was brought to the table already"

    for work in (first, second, third):
        in_house(tmp_path, work)


def test_money_that_is_gone_is_given_again_and_the_record_says_so(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        one, _ = await two_tables(inn)
        await sit(inn, "one")
        await give(one, "tip", "player", "Ann", amount="492")
        await give(one, "leave", "player", "Ann")
        assert await sit(inn, "two") == "508", "8 are less than the least wager there"
        assert given(inn) == [(FRESH, "500"), (PURSE, "8"), (FRESH, "500")]

    in_house(tmp_path, work)


def test_at_a_second_table_fresh_money_is_asked_for(tmp_path: Path) -> None:
    """Chips that lie at another table are not lost: the seat is free of charge, fresh money a step of its own."""

    async def work(inn: Inside) -> None:
        await two_tables(inn)
        guest = inn.clients["guest"]
        assert await sit(inn, "one") == "500"
        assert await sit(inn, "two") == "0"
        assert given(inn) == [(FRESH, "500")]
        assert (await guest.send("POST", "/tables/two/buy-in")).json()["you"]["chips"] == "500"
        assert (await guest.send("POST", "/tables/two/buy-in")).status_code == 409
        assert given(inn) == [(FRESH, "500"), (FRESH, "500")]

    in_house(tmp_path, work)


def test_two_tables_at_once_get_the_purse_once(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        one, _ = await two_tables(inn)
        await sit(inn, "one")
        await give(one, "leave", "player", "Ann")
        chips = await asyncio.gather(sit(inn, "one"), sit(inn, "two"))
        assert sorted(chips, key=str) == ["0", "500"]
        assert given(inn) == [(FRESH, "500"), (PURSE, "500")]

    in_house(tmp_path, work)


def test_a_guest_of_the_same_name_finds_an_empty_purse(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        one, _ = await two_tables(inn)
        people = inn.service.people
        session = people.guest("Zoe")
        await give(one, "sit", "player", "Zoe", boxes=[2])
        await give(one, "buy_in", "dealer", "Dan", player="Zoe", amount="900")
        people.end(session.id)
        await give(one, "leave", "player", "Zoe")
        assert str(people.purses.of("Zoe")) == "900"
        assert people.guest("Zoe").person == Person("Zoe", "player")
        assert str(people.purses.of("Zoe")) == "0"

    in_house(tmp_path, work)


@pytest.mark.parametrize("comes_from", [PURSE, FRESH])
def test_nobody_else_says_where_money_comes_from(tmp_path: Path, comes_from: str) -> None:
    """Negative control: a buy-in that names a purse is the service's alone; one of the dealer leaves purses alone."""

    async def work(inn: Inside) -> None:
        one, _ = await two_tables(inn)
        await sit(inn, "one")
        await give(one, "leave", "player", "Ann")
        await give(one, "sit", "player", "Ann", boxes=[1])
        args: dict[str, Any] = {"player": "Ann", "amount": "100"}
        refused = await inn.clients["dealer"].command("one", "buy_in", **(args | {PLAY_MONEY: comes_from}))
        assert refused.status_code == 422, refused.text
        await give(one, "buy_in", "dealer", "Dan", **args)
        assert await purse(inn.clients["guest"]) == "500"

    in_house(tmp_path, work)
