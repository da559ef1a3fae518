"""What one person alone moves in a day, and how far one raises a limit: above it a second person approves."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.web.inside import MOMENT, Answer, Client, Inside, open_table
from tests.web.test_api_doors import enter
from tests.web.test_api_security import PASSWORD, in_house
from twentyone.errors import Refused
from twentyone.ledger.rows import ACCESS
from twentyone.ledger.timestamps import SECONDS_PER_DAY
from twentyone.money import Amount
from twentyone.service.day_sums import DaySums
from twentyone.service.service import Service


def staffed(inn: Inside) -> dict[str, Client]:
    """Floorpersons and administrators with accounts, each at a program."""
    people = {"Fay": "floorperson", "Gus": "floorperson", "Ada": "administrator", "Otto": "administrator"}
    for name, role in people.items():
        inn.service.people.add(name, role, PASSWORD)
    return {name: enter(inn, name, role) for name, role in people.items()}


async def command(client: Client, table: str, do: str, key: str, **args: Any) -> Answer:
    """A command under a key."""
    return await client.send("POST", f"/tables/{table}/commands", {"do": do, "args": args, "key": key})


def moved(service: Service, table: str, why: str) -> Amount:
    """What fills or credits have moved at a table, by its stream."""
    events = [json.loads(event.body)["data"] for event in service.store.read(table) if event.type == "chips_moved"]
    return sum((Amount.from_thousandths(data["amount"]) for data in events if data["why"] == why), Amount(0))


def test_one_floorperson_alone_does_not_fill_without_end(tmp_path: Path) -> None:
    """Ten fills of $50,000 at two tables: four are given, the others wait; the next day begins anew.

    Nobody approves his own; what is approved is done in the asker's name, once; a key counts and waits once.
    """
    now = [MOMENT]

    async def story(inn: Inside) -> None:
        tables = ("one", "two")
        for table in tables:
            await open_table(inn.service, table, "s13-spanish-21", {})
        by = staffed(inn)
        answers = [await command(by["Fay"], tables[n % 2], "fill", f"k{n}", amount="50000") for n in range(10)]
        assert [answer.status_code for answer in answers] == [200] * 4 + [202] * 6
        assert [int(moved(inn.service, table, "fill")) for table in tables] == [100_000_000] * 2
        waits = answers[4].json()
        assert waits["what"] == "bring $50,000.00 from the cage to one: Fay has moved $200,000.00 alone today"
        for key, answer in (("k0", answers[0]), ("k4", answers[4])):
            again = await command(by["Fay"], "one", "fill", key, amount="50000")
            assert (again.status_code, again.json()) == (answer.status_code, answer.json())
        assert len((await by["Ada"].get("/approvals")).json()) == 6

        assert (await command(by["Fay"], "one", "credit", "c", amount="1")).status_code == 202, "credits count, too"
        assert (await command(by["Fay"], "one", "fill", "bad", amount="-1")).status_code == 409
        assert (await command(by["Fay"], "one", "fill", "much", amount="1000001")).status_code == 409
        assert (await command(by["Gus"], "one", "fill", "g", amount="50000")).status_code == 200, "a sum is a person's"

        path = f"/approvals/{waits['number']}"
        assert (await by["Fay"].send("POST", path)).status_code == 403
        approved = await by["Ada"].send("POST", path)
        assert approved.status_code == 204, approved.text
        assert int(moved(inn.service, "one", "fill")) == 200_000_000
        last = [json.loads(event.body) for event in inn.service.store.read("one") if event.type == "command"][-1]
        assert (last["by"], last["do"], last["role"]) == ("Fay", "fill", "floorperson")
        again = await command(by["Fay"], "one", "fill", "k4", amount="50000")
        assert (again.status_code, int(moved(inn.service, "one", "fill"))) == (200, 200_000_000), "it is done once"

        now[0] += SECONDS_PER_DAY
        fresh = enter(inn, "Fay", "floorperson")
        assert (await command(fresh, "one", "fill", "next", amount="50000")).status_code == 200

    in_house(tmp_path, story, clock=lambda: now[0])


def test_fills_at_once_are_one_sum(tmp_path: Path) -> None:
    """Requests that come together, at several tables, do not each find room for themselves."""

    async def story(inn: Inside) -> None:
        for table in ("one", "two", "three"):
            await open_table(inn.service, table, "pa-spanish-21", {})
        fay, tables = staffed(inn)["Fay"], ["one", "two", "three"] * 3
        asks = [command(fay, table, "fill", f"k{n}", amount="60000") for n, table in enumerate(tables)]
        statuses = [answer.status_code for answer in await asyncio.gather(*asks)]
        assert sorted(statuses) == [200] * 3 + [202] * 6

    in_house(tmp_path, story)


def test_processes_share_the_sum(tmp_path: Path) -> None:
    """Another process of the same house counts on, and lets nothing through that is above the sum."""

    async def story(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {})
        fay, own = staffed(inn)["Fay"], inn.service.day_sums
        other = DaySums(inn.service)
        assert all(process._add("Fay", Amount("80000")) for process in (own, other))
        assert not other._add("Fay", Amount("80000"))
        assert (await command(fay, "one", "fill", "k", amount="40001")).status_code == 202
        assert (await command(fay, "one", "fill", "l", amount="40000")).status_code == 200

    in_house(tmp_path, story)


def test_a_fill_that_is_refused_does_not_count(tmp_path: Path) -> None:
    """Whatever refuses it after it was counted gives its amount back."""

    async def story(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {})
        fay, submit = staffed(inn)["Fay"], live._submit

        async def refuse(batch: Any) -> Any:
            raise Refused("the house takes nothing now")

        live._submit = refuse
        assert (await command(fay, "one", "fill", "k", amount="200000")).status_code == 409
        live._submit = submit
        assert inn.service.day_sums.moved_today("Fay") == 0
        assert (await command(fay, "one", "fill", "k", amount="200000")).status_code == 200

    in_house(tmp_path, story)


def test_what_cannot_be_done_any_more_is_refused_to_who_approves_it(tmp_path: Path) -> None:
    """The bound of a fill was lowered meanwhile."""

    async def story(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {})
        by = staffed(inn)
        waits = (await command(by["Fay"], "one", "fill", "k", amount="300000")).json()
        assert (await command(by["Ada"], "one", "set_limit", "l", about="fill", amount="100")).status_code == 200
        refused = await by["Ada"].send("POST", f"/approvals/{waits['number']}")
        assert (refused.status_code, refused.json()["why"]) == (
            409,
            "it was approved, but could not be done: fill: $300,000.00 is above the limit of $100.00; "
            "the operator raises it with set_limit",
        )
        assert (int(moved(inn.service, "one", "fill")), (await by["Ada"].get("/approvals")).json()) == (0, [])

    in_house(tmp_path, story)


def test_one_administrator_alone_raises_no_limit_above_the_built_in_one(tmp_path: Path) -> None:
    """A limit of $10^9 waits for another administrator; a lower one, and one below what was approved, does not."""

    async def story(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {})
        by = staffed(inn)

        async def limit(amount: str) -> Answer:
            return await command(by["Ada"], "one", "set_limit", amount, about="fill", amount=amount)

        waits = await limit("1000000000")
        assert waits.status_code == 202
        assert waits.json()["what"] == "raise the limit of fill at one from $1,000,000.00 to $1,000,000,000.00"
        assert live.runner.table.state.limits == {}
        assert [(await limit(amount)).status_code for amount in ("1000000.01", "0", "250", "1000000")] == [
            202,
            409,
            200,
            200,
        ]
        path = f"/approvals/{waits.json()['number']}"
        assert [(await by[name].send("POST", path)).status_code for name in ("Ada", "Fay", "Otto")] == [403, 403, 204]
        assert live.runner.table.state.limits["fill"] == Amount("1000000000")
        assert (await limit("5000000")).status_code == 200, "it is lower than what two persons wanted"
        access = inn.service.store.read(ACCESS)
        noted = [json.loads(event.body) for event in access if event.type == "setting_changed"]
        assert noted[-2].items() >= {"by": "Ada", "before": "$1,000,000.00", "after": "$1,000,000,000.00"}.items()
        # whoever came by a link is nobody in particular, and asks for nothing
        link = await inn.clients["administrator"].command("one", "set_limit", about="tip", amount="1000000")
        assert (link.status_code, "two persons with accounts" in link.json()["why"]) == (403, True)

    in_house(tmp_path, story)
