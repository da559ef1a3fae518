"""No more wagers: a table that closes after its round whoever keeps wagering, a house that stops."""

from __future__ import annotations

from pathlib import Path

from tests.patience import until_soon
from tests.web.inside import Inside, give, open_table
from tests.web.test_api_audit import noted
from tests.web.test_api_doors import BOOK, NOW, automatic, enter, moved_by_hand
from tests.web.test_api_factors import two
from tests.web.test_api_security import in_house

ATTEMPTS = 73


def test_players_who_keep_wagering_do_not_keep_a_table_open(tmp_path: Path) -> None:
    """73 closings of 73 were prevented by a wager each; one order closes the table after the round."""

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, BOOK, "Ann", "Bob")
        floor, ann, bob = inn.clients["floorperson"], enter(inn, "Ann"), enter(inn, "Bob")
        assert (await ann.command("one", "place_wager", box=1, amount="5")).status_code == 200
        assert (await floor.command("one", "close_table")).status_code == 409, "the control: as it was prevented"
        assert (await floor.send("PUT", "/tables/one/closing")).status_code == 204
        assert (await floor.send("PUT", "/tables/one/closing")).status_code == 409
        seen = (await bob.get("/tables/one")).json()["notice"]
        for attempt in range(4 * ATTEMPTS):
            answer = await bob.command("one", "place_wager", box=2, amount="5")
            assert answer.status_code == 409, f"a new wager is taken, attempt {attempt}"
            if live.runner.table.state.phase == "closed":
                break
            assert (
                answer.json()["why"] == seen == ("one takes no more wagers: it closes after this round, as Fay ordered")
            )
            NOW[0] += 50
            await staff.step()
        await until_soon(lambda: live.runner.table.state.phase == "closed", "the table is closed")
        assert live.runner.table.state.rounds == 1, "the wager that lay there was not dealt"
        await until_soon(lambda: not inn.service.orders.closing, "the order is carried out")
        assert noted(inn)[-2:] == ["Fay orders the table one closed after its round", "Fay closes the table one"]
        assert (await floor.command("one", "open_table", dealer="Auto dealer")).status_code == 200

    with moved_by_hand():
        in_house(tmp_path, work)


def test_an_order_is_withdrawn_and_outlives_a_restart(tmp_path: Path) -> None:
    async def order(inn: Inside) -> None:
        live = await open_table(inn.service, "one", BOOK, {"Ann": [1]})
        await give(live, "place_wager", "player", "Ann", box=1, amount="5")
        admin = inn.clients["administrator"]
        assert (await admin.send("PUT", "/tables/one/closing")).status_code == 204
        told = (await admin.get("/tables/one/closing")).json()
        assert (told["ordered"], told["closed"]) == ("administrator", False)
        assert (await admin.send("DELETE", "/tables/one/closing")).status_code == 204
        assert (await admin.send("DELETE", "/tables/one/closing")).status_code == 409
        await give(live, "place_wager", "player", "Ann", box=1, amount="5")
        assert (await admin.send("PUT", "/tables/one/closing")).status_code == 204

    async def go_on(inn: Inside) -> None:
        live = inn.service.tables["one"]
        ann = inn.clients["guest"]
        assert (await ann.command("one", "place_wager", box=1, amount="5")).status_code == 409
        assert (await ann.command("one", "take_back_wager", box=1)).status_code == 200
        await until_soon(lambda: live.runner.table.state.phase == "closed", "the table is closed")

    in_house(tmp_path, order)
    in_house(tmp_path, go_on)


def test_the_whole_house_stops_after_the_rounds_in_progress(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, BOOK, "Ann", "Bob")
        await open_table(inn.service, "two", BOOK, {"Ann": [1]})
        ann, bob, floor = enter(inn, "Ann"), enter(inn, "Bob"), inn.clients["floorperson"]
        assert (await ann.command("one", "place_wager", box=1, amount="5")).status_code == 200
        while live.runner.table.state.phase != "round":
            NOW[0] += 50
            await staff.step()
        assert (await floor.send("PUT", "/house/stop", {"why": "a fire drill"})).status_code == 204
        for table, client in (("one", bob), ("two", ann)):
            answer = await client.command(table, "place_wager", box=1 if client is ann else 2, amount="5")
            assert (answer.status_code, answer.json()["why"]) == (
                409, "play is stopped in the whole house: a fire drill"
            )  # fmt: skip
        visitor = inn.clients["visitor"]
        assert (await visitor.send("POST", "/tables/two/sit", {"name": "Zoe"})).status_code == 409
        while live.runner.table.state.phase in ("round", "settled"):
            NOW[0] += 50
            await staff.step()
        assert (live.runner.table.state.rounds, live.runner.table.state.phase) == (1, "open")
        assert "Play is stopped in the whole house" in (await inn.clients["auditor"].get("//pit")).text
        assert (await inn.clients["auditor"].send("DELETE", "/house/stop")).status_code == 403
        assert (await floor.send("DELETE", "/house/stop")).status_code == 204
        assert (await bob.command("one", "place_wager", box=2, amount="5")).status_code == 200
        assert noted(inn)[-2:] == ["Fay stops play in the whole house: a fire drill", "Fay lets the house play again"]

    with moved_by_hand():
        in_house(tmp_path, work)


def test_where_two_persons_are_wanted_one_stops_and_two_resume(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", BOOK, {"Ann": [1]})
        olga, otto = await two(inn)
        assert (await olga.send("PUT", "/house/stop", {"why": "a fire drill"})).status_code == 204
        asked = await olga.send("DELETE", "/house/stop")
        assert asked.status_code == 202
        assert inn.service.orders.house is not None
        assert (await otto.send("POST", f"/approvals/{asked.json()['number']}")).status_code == 204
        await until_soon(lambda: inn.service.orders.house is None, "the house plays")
        ann = inn.clients["guest"]
        assert (await ann.command("one", "place_wager", box=1, amount="5")).status_code == 200

    in_house(tmp_path, work)


def test_a_wager_that_was_stored_is_answered_again_after_a_stop(tmp_path: Path) -> None:
    """The same key has the same answer, also if the page asks again after play was stopped."""

    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", BOOK, {"Ann": [1]})
        ann = inn.clients["guest"]
        first = await ann.command("one", "place_wager", key="once", box=1, amount="5")
        await inn.clients["administrator"].send("PUT", "/house/stop", {"why": "a fire drill"})
        again = await ann.command("one", "place_wager", key="once", box=1, amount="5")
        assert (again.status_code, again.content) == (200, first.content)

    in_house(tmp_path, work)
