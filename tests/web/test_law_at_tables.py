"""A new text at served tables: one begins under it with its next shoe, one that it forbids is closed, and says why."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.amending import put_shelf, write_amendment
from tests.web.inside import Inside, follow, give, inside, open_table
from twentyone.errors import Refused
from twentyone.service.live import CommandRequest
from twentyone.service.staff import Staff

BOOK, DAY, MIDNIGHT = "pa-spanish-21", "2026-01-02", 1_767_312_000


def test_a_new_text_begins_at_one_table_and_closes_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf, now = put_shelf(tmp_path, monkeypatch), [MIDNIGHT - 60]
    shelf(lambda folder: write_amendment(folder / BOOK, DAY, "choices = [6, 8]", "choices = [6]"))

    async def run() -> None:
        async with inside(tmp_path, clock=lambda: now[0]) as inn:
            for name, decks in (("six", 6), ("eight", 8)):
                live = await open_table(inn.service, name, BOOK, {"Ann" if decks == 6 else "Bob": [1]}, decks=decks)
                assert live.runner.created["edition"] == "2019-11-02"
            now[0] = MIDNIGHT
            await _look(inn)

    asyncio.run(run())


async def _look(inn: Inside) -> None:
    six, eight = inn.service.tables["six"], inn.service.tables["eight"]
    for live in (six, eight):
        assert live.runner.law.barred(live.runner.table) is None, "the shoe of yesterday is played to its end"
        await give(live, "reshuffle", "floorperson", "Fay")
    await follow(six)
    assert six.runner.table.rules.rulebook.edition == DAY
    assert any(f"law since {DAY}" in line.says and "begins here" in line.says for line in six.lines_after(0))
    board = {row["table"]: row for row in (await inn.clients["floorperson"].get("/pit")).json()["rows"]}
    (alarm,) = [alarm for alarm in board["eight"]["alarms"] if DAY in alarm["says"]]
    assert alarm["cite"] == "58 Pa. Code § 635a.3(a)"
    assert not [alarm for alarm in board["six"]["alarms"] if DAY in alarm["says"]]
    staff: Staff = inn.service._staff["eight"][0]
    inn.service.set_staff("eight", pace="fast")
    for _ in range(3):
        await staff.step()
    assert eight.runner.table.state.phase == "closed"
    assert "Bob" not in eight.runner.table.state.players
    assert any("forbids this table" in line.says and line.cite == alarm["cite"] for line in eight.lines_after(0))
    with pytest.raises(Refused) as refused:
        await eight.give(CommandRequest("open_table", {"dealer": "Dan"}, "again"), "floorperson", "Fay")
    assert refused.value.cite == alarm["cite"]
    laid = await inn.clients["guest"].command("six", "place_wager", box=1, amount="10")
    assert laid.status_code == 200, laid.text
