"""What the time alone asks for: new cards after a day and inspections, named at the consoles and done by the staff."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.patience import until_soon
from tests.web.inside import MOMENT, Ear, Inside, follow, give, open_table
from tests.web.test_api_commands import follow_staff
from tests.web.test_api_security import in_house
from twentyone.service.live import LiveTable
from twentyone.service.view import table_view

DAY = 24 * 60 * 60
CHANGED = {
    "pa-spanish-21": "58 Pa. Code § 635a.3(b)",
    "pa-double-back-jack": "58 Pa. Code § 673a.3(c)",
    "pa-down-under-blackjack": "58 Pa. Code § 685a.3(c)",
    "s13-spanish-21": "Section 13(c)(4)",
    "md-spanish-21": "Md. Standard Rules – Spanish 21, Ch. 3.C",
}
"""Where each text has decks replaced after 24 hours."""


class Clock:
    """A clock that a test moves."""

    now = MOMENT

    def __call__(self) -> int:
        return self.now


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Staff who look at the clock often, and deal fast."""
    monkeypatch.setitem(__import__("twentyone.service.staff", fromlist=["PACES"]).PACES, "fast", 0.001)
    monkeypatch.setattr("twentyone.service.staff.STANDS", 0.01)
    monkeypatch.setattr("twentyone.service.staff.LOOK", 1)
    monkeypatch.setattr("twentyone.service.staff.READY", 0.0)


def step_of(ear: Ear) -> dict[str, str]:
    """The first step of the last frame."""
    step: dict[str, str] = json.loads(ear.frames[-1])["view"]["next"][0] if ear.frames else {"do": ""}
    return step


async def asked(ear: Ear, do: str) -> dict[str, str]:
    """The first step of the last frame, once it is this one."""
    await until_soon(lambda: step_of(ear)["do"] == do, f"{do} is asked for")
    return step_of(ear)


async def inspect(live: LiveTable, now: int) -> None:
    """Every inspection that the gaming day of a moment asks for."""
    for step in live.runner.table.next_steps(at=now):
        if step.do == "inspect_device":
            if live.runner.table.state.floorperson != "Fay":
                await give(live, "assign_floorperson", "floorperson", "Fay")
            await give(live, step.do, step.role, "Fay", device=step.about)


@pytest.mark.parametrize("book", CHANGED)
def test_cards_that_were_in_use_for_a_day_are_named_at_once_with_the_paragraph(tmp_path: Path, book: str) -> None:
    clock = Clock()

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", book, {"Ann": [1]})
        ears = [inn.ear(kind, "one") for kind in ("dealer", "floorperson")]
        clock.now += DAY - 1
        await inspect(live, clock.now)
        for ear in ears:
            await asked(ear, "place_wager")
        version, clock.now = live.version, MOMENT + DAY + 1
        for ear in ears:
            assert (await asked(ear, "change_cards"))["cite"] == CHANGED[book]
        assert live.version == version, "the time alone has told it"
        await give(live, "change_cards", "floorperson", "Fay")
        await follow(live)
        for ear in ears:
            await asked(ear, "place_wager")
            await ear.stop()
        await give(live, "place_wager", "player", "Ann", box=1, amount="10")
        await give(live, "deal", "dealer", "Dan")

    in_house(tmp_path, work, clock=clock)


def test_the_inspection_of_a_new_gaming_day_is_named(tmp_path: Path) -> None:
    """635a.2(d): once in each gaming day, which begins at midnight where the submission names no other hour."""
    clock = Clock()

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        ear = inn.ear("floorperson", "one")
        clock.now += DAY - MOMENT % DAY - 1
        live.look_at_clock()
        assert (await asked(ear, "place_wager"))["role"] == "player"
        clock.now += 1
        step = await asked(ear, "inspect_device")
        assert (step["role"], step["about"]) == ("floorperson", "card_reader")
        await ear.stop()

    in_house(tmp_path, work, clock=clock)


def test_without_the_clock_nothing_would_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: a view of the last event's moment, and staff who do not look at the clock."""
    clock = Clock()
    monkeypatch.setattr(LiveTable, "look_at_clock", lambda *_, **__: None)

    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        ear = inn.ear("dealer", "one")
        await asked(ear, "place_wager")
        clock.now += DAY + 1
        for _ in range(20):
            await asyncio.sleep(0.01)
            assert step_of(ear)["do"] == "place_wager"
        table = live.runner.table
        assert table_view(table, live.version, "dealer", "Dan")["next"][0]["do"] == "place_wager"
        assert table_view(table, live.version, "dealer", "Dan", clock.now)["next"][0]["do"] == "change_cards"
        await ear.stop()

    in_house(tmp_path, work, clock=clock)


def test_the_staff_works_on_after_a_day_and_after_a_restart(tmp_path: Path) -> None:
    """Cards that are due for a change and inspections that are over: the automatic staff does what the time asks."""
    clock = Clock()

    async def first(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})

    async def second(inn: Inside) -> None:
        live = inn.service.table("one")
        inn.service.set_staff("one", pace="fast", clock=0.02, patience=0.0)
        await _changed(live)
        await follow_staff(live)
        before = live.runner.table.state.rounds
        assert (await inn.clients["guest"].command("one", "place_wager", box=1, amount="5")).status_code == 200
        await until_soon(lambda: live.runner.table.state.rounds > before, f"a round after a day: {live.steps}")

    in_house(tmp_path, first, clock=clock)
    clock.now += 26 * 60 * 60
    in_house(tmp_path, second, clock=clock)


async def _changed(live: LiveTable) -> None:
    def changed() -> bool:
        batches = live.runner.table.state.batches.values()
        return bool(batches) and all(batch.opened > MOMENT + DAY for batch in batches)

    await until_soon(changed, f"the cards are changed: {live.steps}")
