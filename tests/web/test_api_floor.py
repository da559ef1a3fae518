"""The pit board through the interface: what needs a person, what closing costs, drop and win as the report has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.patience import until_soon
from tests.web.inside import MOMENT, Ear, Inside, follow, give, open_table
from tests.web.test_api_security import in_house
from twentyone.ledger.report import shift_report
from twentyone.ledger.timestamps import Period
from twentyone.rulebook import rulebook_ids
from twentyone.service.live import LiveTable
from twentyone.table.agenda import day_begins

PASSWORD = "correct horse"
DAY = 24 * 60 * 60


async def board(inn: Inside, kind: str = "floorperson") -> dict[str, Any]:
    """The board as somebody sees it: its rows by table."""
    answer = await inn.clients[kind].get("/pit")
    assert answer.status_code == 200, answer.text
    return {row["table"]: row for row in answer.json()["rows"]}


def staffed(inn: Inside) -> None:
    """The dealer on duty has an account."""
    inn.service.people.add("Dan", "dealer", PASSWORD)


def test_what_needs_a_person_comes_first(tmp_path: Path) -> None:
    """A table without a dealer's account, one that waits for a floorperson, a new one that waits to be opened, one that
    plays, one that somebody closed."""

    async def ask(inn: Inside) -> None:
        for name in ("closed", "new"):
            await inn.service.create(name, "classic-blackjack", {})
            inn.service.table(name)
            inn.service.set_staff(name, pace="by hand", clock=45.0, patience=8.0)
        await give(inn.service.table("closed"), "open_table", "floorperson", "Fay", dealer="Dan")
        await give(inn.service.table("closed"), "close_table", "floorperson", "Fay")
        await open_table(inn.service, "plays", "classic-blackjack", {"Ann": [1]})
        await inn.service.create("asked", "pa-spanish-21", {})
        live = inn.service.table("asked")
        inn.service.set_staff("asked", pace="by hand", clock=45.0, patience=8.0)
        await give(live, "open_table", "floorperson", "Fay", dealer="Dan")
        rows = await board(inn)
        assert {row["urgency"] for row in rows.values() if row["phase"] != "closed"} == {0}
        assert "no account of a dealer" in rows["plays"]["alarms"][0]["says"]
        assert rows["plays"]["alarms"][0]["cite"]
        staffed(inn)
        rows = await board(inn)
        assert list(rows) == ["asked", "new", "plays", "closed"]
        assert rows["asked"]["waits"]["whom"] == ["a floorperson"]
        assert (rows["asked"]["waiting"], rows["asked"]["since"]) == ("Dan", MOMENT)
        assert rows["plays"]["waits"]["whom"] == ["Ann"]

    in_house(tmp_path, ask)


def test_a_confirmation_is_answered_on_the_board(tmp_path: Path) -> None:
    """635a.13(f): the dealer tells the floorperson of a hole card read without cause; the board asks him."""

    async def ask(inn: Inside) -> None:
        staffed(inn)
        await inn.people()  # a session that somebody had before his account was opened is over
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]}, "person")
        guest, dealer, floor = (inn.clients[kind] for kind in ("guest", "dealer", "floorperson"))
        await guest.command("one", "place_wager", box=1, amount="10")
        await dealer.command("one", "deal")
        for card in ("9C", "7H", "5D"):
            await dealer.command("one", "card", card=card)
        await dealer.command("one", "card")
        assert (await dealer.command("one", "happened", name="hole_card_read")).status_code == 200
        row = (await board(inn))["one"]
        (step,) = row["asked"]
        assert (step["do"], step["cite"], row["urgency"]) == ("confirm_notification", row["waits"]["cite"], 1)
        assert any("not confirmed" in open_["says"] for open_ in row["irregularities"])
        assert (await board(inn, "auditor"))["one"]["asked"] == []
        assert (await dealer.get("/pit")).status_code == 403
        done = await floor.command("one", step["do"], version=row["version"], **step["args"])
        assert done.status_code == 200, done.text
        row = (await board(inn))["one"]
        assert (row["asked"], row["waits"]["whom"]) == ([], ["Ann"])
        assert live.runner.table.state.round is not None
        assert [event.by for event in live.runner.table.state.round.events if hasattr(event, "by")] == ["Fay"]

    in_house(tmp_path, ask)


def test_dealers_are_chosen_from_accounts(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        await inn.service.create("one", "classic-blackjack", {})
        inn.service.table("one")
        inn.service.set_staff("one", pace="by hand", clock=45.0, patience=8.0)
        staffed(inn)
        for kind in ("floorperson", "administrator"):
            (step,) = (await board(inn, kind))["one"]["asked"]
            assert (step["do"], step["fields"][0]["choices"]) == ("open_table", ["Dan", "Auto dealer"])
            nobody = await inn.clients[kind].command("one", "open_table", dealer="Nobody At All")
            assert nobody.status_code == 409

    in_house(tmp_path, ask)


def test_closing_names_the_chips_at_stake(tmp_path: Path) -> None:
    """Whose chips go to the cage; with wagers on the layout the table's own refusal, and nothing happens."""

    async def ask(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1], "Bob": [2]})
        floor, before = inn.clients["floorperson"], live.version
        told = (await floor.get("/tables/one/closing")).json()
        assert (told["players"], told["sum"], told["why"]) == ({"Ann": "500", "Bob": "500"}, "1000", "")
        await inn.clients["guest"].command("one", "place_wager", box=1, amount="10")
        told = (await floor.get("/tables/one/closing")).json()
        assert told["why"].startswith("the table cannot be closed now")
        assert told["cite"] == "", "no text says when a table closes"
        assert live.version > before
        assert live.runner.table.state.phase == "open"
        assert (await inn.clients["dealer"].get("/tables/one/closing")).status_code == 403

    in_house(tmp_path, ask)


def test_drop_and_win_are_those_of_the_report(tmp_path: Path) -> None:
    """Counted on from event to event, over two days: each time the shift report of the day says the same."""
    now = [MOMENT]

    async def ask(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        for begun in (MOMENT, MOMENT + DAY):
            now[0] = begun
            await inn.people()
            for _ in range(2):
                await play(live)
                report = shift_report(inn.service.store, Period(day_begins(live.runner.table.rules, begun)), begun)
                (table,), row = report.tables, (await board(inn))["one"]
                told = (row["drop"], row["win"], row["rounds"], row["mishaps"])
                assert told == (str(table.drop), str(table.win), table.rounds, table.irregularities.total())
                assert row["inventory"] == str(table.inventory)
            assert report.tables[0].rounds == 2

    in_house(tmp_path, ask, clock=lambda: now[0])


async def play(live: LiveTable) -> None:
    """One round, in which the player stands and takes nothing that is offered."""
    await give(live, "buy_in", "dealer", "Dan", player="Ann", amount="100")
    await follow(live)
    await give(live, "place_wager", "player", "Ann", box=1, amount="25")
    await give(live, "deal", "dealer", "Dan")
    while live.runner.table.state.phase == "round":
        await go_on(live)
    await follow(live)


async def go_on(live: LiveTable) -> None:
    """The next step of a round: the player stands, and takes nothing that is offered."""
    steps = live.runner.table.next_steps()
    step = next((step for step in steps if step.says in ("stand", "decline")), steps[0])
    args = {"action": step.says, **({"box": 1} if step.role == "player" else {})} if step.do == "decide" else {}
    await give(live, step.do, step.role, "Ann" if step.role == "player" else "Dan", **args)


@pytest.mark.parametrize("book", rulebook_ids())
def test_a_round_without_a_mishap_shows_none(tmp_path: Path, book: str) -> None:
    """Negative control: what the board calls an irregularity is one, in every text."""

    async def ask(inn: Inside) -> None:
        live = await open_table(inn.service, "one", book, {"Ann": [1]})
        await give(live, "place_wager", "player", "Ann", box=1, amount="25")
        await give(live, "deal", "dealer", "Dan")
        while live.runner.table.state.phase == "round":
            assert (await board(inn))["one"]["irregularities"] == []
            await go_on(live)

    in_house(tmp_path, ask)


def test_overdue_duties_stand_on_the_board_in_a_round_too(tmp_path: Path) -> None:
    """635a.4: the inspection of the new gaming day is named with its paragraph, though a round is on."""
    now = [MOMENT]

    async def ask(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        await give(live, "place_wager", "player", "Ann", box=1, amount="25")
        await give(live, "deal", "dealer", "Dan")
        assert (await board(inn))["one"]["overdue"] == []
        now[0] += DAY
        await inn.people()
        due = (await board(inn))["one"]["overdue"]
        assert due
        assert all(duty["cite"].startswith("58 Pa. Code") for duty in due)

    in_house(tmp_path, ask, clock=lambda: now[0])


def test_a_table_that_stopped_is_an_alarm_with_its_paragraph(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        staffed(inn)
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        floor = inn.clients["floorperson"]
        assert (await floor.command("one", "device_out_of_order", device="card_reader")).status_code == 200
        row = (await board(inn))["one"]
        assert row["urgency"] <= 2
        assert "card reader" in str(row["irregularities"])
        inn.service.signing.failed = "the disk is full"
        told = (await floor.get("/pit")).json()["alarms"]
        inn.service.signing.failed = ""
        assert "the disk is full" in told[0]["says"]

    in_house(tmp_path, ask)


def test_the_board_is_pushed_when_something_changes(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        staffed(inn)
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        ear = Ear(inn.app, "/pit", inn.cookies["floorperson"])
        await ear.answered()
        await give(live, "place_wager", "player", "Ann", box=1, amount="10")
        await until_soon(lambda: json.loads(ear.frames[-1])["rows"][0]["version"] == live.version, "the board changes")
        await ear.stop()
        stranger = Ear(inn.app, "/pit", inn.cookies["guest"])
        await stranger.answered()
        assert (stranger.frames, stranger.closed) == ([], 4401)

    in_house(tmp_path, ask)


def test_another_floorperson_is_assigned_on_the_board_before_the_inspection(tmp_path: Path) -> None:
    """635a.2(d): the inspection of the reader is the assigned floorperson's; Gus opened the table."""

    async def ask(inn: Inside) -> None:
        await inn.service.create("one", "pa-spanish-21", {})
        live = inn.service.table("one")
        inn.service.set_staff("one", pace="by hand", clock=45.0, patience=8.0)
        await give(live, "open_table", "floorperson", "Gus", dealer="Dan")
        floor = inn.clients["floorperson"]
        (step,) = (await board(inn))["one"]["asked"]
        assert (step["do"], step["fields"]) == ("assign_floorperson", [])
        nobody = await floor.command("one", "assign_floorperson", floorperson="Nobody")
        assert nobody.status_code == 409
        assert "no floorperson here" in nobody.text
        answer = await floor.command("one", step["do"], **step["args"])
        assert answer.status_code == 200, answer.text
        (step,) = (await board(inn))["one"]["asked"]
        assert step["do"] == "inspect_device"
        answer = await floor.command("one", step["do"], **step["args"])
        assert answer.status_code == 200, answer.text
        state = live.runner.table.state
        assert live.runner.table.events[-1].by == state.floorperson
        assert state.floorperson != "Gus"

    in_house(tmp_path, ask)
