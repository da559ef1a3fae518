"""Play money: what a guest takes away from a table comes back with him; fresh money is given once it is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.inside import PEOPLE, Client, Inside, give, inside, open_table
from tests.web.test_api_security import in_house
from twentyone.ledger.codec import read_body
from twentyone.ledger.kept_law import KEPT
from twentyone.ledger.leases import Member
from twentyone.ledger.purses import ISSUED
from twentyone.ledger.rows import HOUSE, Superseded
from twentyone.ledger.runner import Answer
from twentyone.ledger.software import BEGUN
from twentyone.money import Amount
from twentyone.service.elsewhere import Elsewhere
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.lobby import seats
from twentyone.service.people import Person
from twentyone.service.purses import CASHIER

if TYPE_CHECKING:
    from tests.postgres import Postgres

FRESH, PURSE = "fresh", "purse"


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
    """What was issued into purses and brought to tables, in the order of the house's stream."""
    events = [event for event in inn.service.store.read(HOUSE) if event.type not in (KEPT, BEGUN)]
    found = [(event.type, read_body(event)["amount"]) for event in events]
    fresh = [(FRESH, amount) if kind == ISSUED else (PURSE, -amount) for kind, amount in found]
    return [(kind, str(Amount.from_thousandths(amount))) for kind, amount in fresh if amount > 0]


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
        assert given(inn) == [(FRESH, "500"), (PURSE, "500"), (PURSE, "480"), (PURSE, "480")]
        told = [line.says for line in one.lines_after(0)]
        assert "Ann brings $500.00 along" in told
        assert "Ann brings $480.00 along" in told
        first = read_body(next(event for event in inn.service.store.read(HOUSE) if event.type == ISSUED))
        assert (first["issuer"], first["reason"]) == (CASHIER, "at one, with less than the minimum wager")
        assert inn.service.verify()["ok"]

    in_house(tmp_path, work)


def test_who_was_seated_by_a_process_that_is_gone_gets_his_chips(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table changed hands when he had his box: he asked again, sat there, and had nothing to wager."""

    async def work(inn: Inside) -> None:
        one, _ = await two_tables(inn)
        gives = LiveTable.give

        async def lost(live: LiveTable, request: CommandRequest, role: str, by: str) -> Answer:
            if request.do == "bring_chips":
                raise Superseded(live.name)
            return await gives(live, request, role, by)

        with monkeypatch.context() as patch:
            patch.setattr(LiveTable, "give", lost)
            answer = await inn.clients["guest"].send("POST", "/tables/one/sit", {})
        assert answer.status_code == 421, "asked again of the next process"
        assert one.runner.table.state.players["Ann"].boxes
        for _ in range(2):
            assert await sit(inn, "one") == "500"
        assert (await inn.clients["guest"].command("one", "place_wager", box=4, amount="500")).status_code == 200
        assert await sit(inn, "one") == "0", "all of it is laid"
        assert given(inn) == [(FRESH, "500"), (PURSE, "500")]

    in_house(tmp_path, work)


def test_a_table_stays_where_somebody_comes_to_it(
    tmp_path: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It changes hands when he has box and chips."""
    monkeypatch.chdir(tmp_path)

    async def work() -> None:
        async with inside(tmp_path, ledger=postgres.new_database(), address="http://127.0.0.1:1") as inn:
            one, _ = await two_tables(inn)
            house, person, other = inn.service, PEOPLE["guest"], Member("other", "http://127.0.0.1:2", True)
            assert house.ownership is not None
            assert person is not None
            async with house.doors.coming(one, person):
                await house.ownership._move("one", other)
                assert "one" in house.tables
                assert await house.ownership.where("one") is None
            await house.ownership._move("one", other)
            assert "one" not in house.tables, "the control: nothing else keeps it"

    asyncio.run(work())


def test_the_purse_outlives_the_server(tmp_path: Path) -> None:
    """The ledger has it, and nothing else."""

    async def first(inn: Inside) -> None:
        one, _ = await two_tables(inn)
        await sit(inn, "one")
        await give(one, "tip", "player", "Ann", amount="20")
        await give(one, "leave", "player", "Ann")

    async def second(inn: Inside) -> None:
        assert await purse(inn.clients["guest"]) == "480"
        assert await sit(inn, "two") == "480"

    async def third(inn: Inside) -> None:
        assert await purse(inn.clients["guest"]) == "0", "the purse was brought to the table already"

    for work in (first, second, third):
        in_house(tmp_path, work)


def test_no_row_of_the_people_file_changes_money(tmp_path: Path) -> None:
    """S3: one edited row was $50,000,000 brought along; now no row is money, not even one in the old table."""

    async def first(inn: Inside) -> None:
        await two_tables(inn)
        columns = "stream TEXT, ver BIGINT, name TEXT, amount BIGINT"
        inn.service.records.run(f"CREATE TABLE people_purses ({columns})")
        inn.service.records.run("INSERT INTO people_purses VALUES ('one', 1, 'Ann', 50000000000)")
        assert await purse(inn.clients["guest"]) == "0"
        assert await sit(inn, "one") == "500"

    async def second(inn: Inside) -> None:
        assert await purse(inn.clients["guest"]) == "0"
        assert inn.service.records.rows("SELECT * FROM people_purses") == []
        assert inn.service.verify()["faults"] == []

    in_house(tmp_path, first)
    in_house(tmp_path, second)


def test_money_that_is_gone_is_given_again_and_the_record_says_so(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        one, _ = await two_tables(inn)
        await sit(inn, "one")
        await give(one, "tip", "player", "Ann", amount="492")
        await give(one, "leave", "player", "Ann")
        assert await sit(inn, "two") == "508", "8 are less than the least wager there"
        assert given(inn) == [(FRESH, "500"), (PURSE, "500"), (PURSE, "8"), (FRESH, "500"), (PURSE, "500")]

    in_house(tmp_path, work)


def test_at_a_second_table_fresh_money_is_asked_for(tmp_path: Path) -> None:
    """Chips that lie at another table are not lost: the seat is free of charge, fresh money a step of its own."""

    async def work(inn: Inside) -> None:
        await two_tables(inn)
        guest = inn.clients["guest"]
        assert await sit(inn, "one") == "500"
        assert await sit(inn, "two") == "0"
        assert given(inn) == [(FRESH, "500"), (PURSE, "500")]
        assert (await guest.send("POST", "/tables/two/buy-in")).json()["you"]["chips"] == "500"
        assert (await guest.send("POST", "/tables/two/buy-in")).status_code == 409
        assert given(inn) == [(FRESH, "500"), (PURSE, "500")] * 2

    in_house(tmp_path, work)


def test_who_has_enough_at_another_table_is_given_no_more(tmp_path: Path) -> None:
    """Sit, ask, leave, and again: each time there were $500 more, and nothing was ever wagered."""

    async def work(inn: Inside) -> None:
        await two_tables(inn)
        guest = inn.clients["guest"]
        for _ in range(4):
            await sit(inn, "one")
            await sit(inn, "two")
            answer = await guest.send("POST", "/tables/two/buy-in")
            for table in ("one", "two"):
                await guest.command(table, "leave")
        assert (answer.status_code, answer.json()["why"]) == (
            409,
            "you have $1,000.00 at other tables: bring some of it",
        )
        assert await purse(guest) == "1000"

    in_house(tmp_path, work)


def test_two_tables_at_once_get_the_purse_once(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        one, _ = await two_tables(inn)
        await sit(inn, "one")
        await give(one, "leave", "player", "Ann")
        chips = await asyncio.gather(sit(inn, "one"), sit(inn, "two"))
        assert sorted(chips, key=str) == ["0", "500"]
        assert given(inn) == [(FRESH, "500"), (PURSE, "500"), (PURSE, "500")]

    in_house(tmp_path, work)


def test_two_tables_at_once_get_fresh_money_once(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        await two_tables(inn)
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


def test_nobody_gets_the_name_of_somebody_whose_chips_are_at_a_table(tmp_path: Path) -> None:
    """A guest is gone and his chips are still there: an account of his name would own them."""

    async def work(inn: Inside) -> None:
        one, _ = await two_tables(inn)
        session = inn.service.people.guest("Zoe")
        await give(one, "sit", "player", "Zoe", boxes=[2])
        inn.service.people.end(session.id)
        account = {"name": "ZOE", "role": "player", "password": "correct horse"}
        answer = await inn.clients["administrator"].send("POST", "/accounts", account)
        assert (answer.status_code, answer.json()["why"]) == (409, "the name 'ZOE' is taken")
        await give(one, "leave", "player", "Zoe")
        assert (await inn.clients["administrator"].send("POST", "/accounts", account)).status_code == 201

    in_house(tmp_path, work)


def test_a_coupon_for_a_name_is_void_once_the_name_is_given_anew(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        people, fay = inn.service.people, inn.clients["floorperson"]
        session = people.guest("Zoe")
        for number, person in (("A-1", "Zoe"), ("A-2", ""), ("A-3", "Ann")):
            new = {"number": number, "amount": "10", "ends": "2099-12-31", "person": person, "key": number}
            assert (await fay.send("POST", "/coupons", new)).status_code in (200, 201)
        people.end(session.id)
        assert people.guest("Zoe").person == Person("Zoe", "player")
        stand = {row["number"]: row["state"] for row in (await fay.get("/coupons")).json()}
        assert stand == {"A-1": "void", "A-2": "open", "A-3": "open"}

    in_house(tmp_path, work)


def test_a_player_brings_no_more_than_he_has_and_nobody_brings_for_him(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        one, _ = await two_tables(inn)
        guest = inn.clients["guest"]
        await sit(inn, "one")
        await guest.command("one", "leave")
        await give(one, "sit", "player", "Ann", boxes=[1])
        refused = await guest.command("one", "bring_chips", amount="501")
        assert (refused.status_code, "the purse holds $500.00" in refused.text) == (409, True), refused.text
        assert (await inn.clients["dealer"].command("one", "bring_chips", amount="100")).status_code != 200
        assert (await guest.command("one", "bring_chips", amount="100")).status_code == 200
        await give(one, "buy_in", "dealer", "Dan", player="Ann", amount="50")
        assert await purse(guest) == "400"

    in_house(tmp_path, work)


def test_money_that_came_to_another_process_after_the_door_is_not_given_again(tmp_path: Path) -> None:
    """S2: at the door he had nothing elsewhere; meanwhile a table of another process was given money for him."""

    class Far(Elsewhere):
        looks = 0

        async def look(self, name: str = "") -> None:
            self.looks += bool(name)

        def of(self, name: str) -> Mapping[str, Amount]:
            return {"far": Amount("500")} if name and self.looks > 1 else {}

    async def work(inn: Inside) -> None:
        await two_tables(inn)
        inn.service.elsewhere = far = Far(None)
        inn.service.doors._elsewhere = far
        assert await sit(inn, "one") == "0"
        assert given(inn) == []

    in_house(tmp_path, work)


def test_who_asks_where_a_player_sits_waits_for_the_command_under_way(tmp_path: Path) -> None:
    """What is stored already and not yet at the table would be nowhere."""

    async def work(inn: Inside) -> None:
        one, _ = await two_tables(inn)
        await sit(inn, "one")
        async with one.at_rest:
            asked = asyncio.ensure_future(seats(inn.service, "Ann"))
            assert await seats(inn.service, "Bob") == {}
            assert not asked.done()
        assert await asked == {"one": {"Ann": "500"}}

    in_house(tmp_path, work)
