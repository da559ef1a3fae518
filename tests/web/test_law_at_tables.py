"""A new text at served tables: one begins under it with its next shoe, one that it forbids is closed, and says why."""

from __future__ import annotations

import asyncio
import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.amending import put_shelf, write_amendment
from tests.web.inside import Inside, follow, give, inside, open_table
from twentyone.cli import REFUSED, main
from twentyone.desk.answers import rules_asked
from twentyone.errors import Refused
from twentyone.ledger.identity import rules_hash
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.service.clocks import asked_offer
from twentyone.service.live import CommandRequest, LiveTable
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


def test_serve_starts_after_an_amendment_and_rounds_end_under_their_own_law(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf, now = put_shelf(tmp_path, monkeypatch), [MIDNIGHT - 60]

    async def evening() -> None:
        async with inside(tmp_path, clock=lambda: now[0]) as inn:
            for name in rulebook_ids():
                live = await open_table(inn.service, name, name, {f"Ann at {name[:9]}": [1]})
                await give(live, "place_wager", "player", f"Ann at {name[:9]}", box=1, amount="10")
                await give(live, "deal", "dealer", "Dan")
                await give(live, "card", "dealer", "Dan")

    async def morning() -> None:
        async with inside(tmp_path, clock=lambda: now[0]) as inn:
            assert inn.service.unloaded == {}
            for name, live in inn.service.tables.items():
                own = live.runner.table.rules
                await _play_on(live)
                assert live.runner.table.rules is own, name
                await give(live, "reshuffle", "floorperson", "Fay")
                await follow(live)
                assert live.runner.table.rules.rulebook.edition == DAY, name
            assert inn.service.verify()["faults"] == []

    asyncio.run(evening())
    shelf(_amend_all)
    now[0] = MIDNIGHT
    asyncio.run(morning())


def _amend_all(shelf: Path) -> None:
    for name in rulebook_ids():
        _amend(shelf / name)


def _amend(folder: Path) -> None:
    fences = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.md"))
    old, new = ("3:2", "6:5") if 'odds = "3:2"' in fences else ("2:1", "3:1")
    write_amendment(folder, DAY, f'odds = "{old}"', f'odds = "{new}"')


async def _play_on(live: LiveTable) -> None:
    """The round that was interrupted comes to its end: everybody stands."""
    while (table := live.runner.table).state.phase != "open":
        step = table.next_steps()[0]
        if table.state.round is not None and step.do == "decide":
            need = asked_offer(table)
            assert need is not None
            option = next((one for one in need.options if one.action == "stand"), need.options[0])
            action = "decline" if need.optional else option.action
            await give(live, "decide", "player", option.player, action=action, box=option.box)
        else:
            await give(live, step.do, step.role, "Dan" if step.role == "dealer" else "Fay")


def test_the_page_of_a_book_tells_its_editions(tmp_path: Path) -> None:
    async def run() -> None:
        async with inside(tmp_path) as inn:
            client = inn.clients["visitor"]
            page = (await client.get(f"//law/{BOOK}")).text
            assert "Law since 2019-11-02" in page
            assert "2014-02-01, 44 Pa.B. 619: 635a.8, 635a.10 (not held)" in page
            refused = await client.get(f"//law/{BOOK}?at=2013-06-01")
            assert (refused.status_code, "44 Pa.B. 619" in refused.text) == (404, True)
            assert "Without a date: Section 13 states neither" in (await client.get("//law/s13-spanish-21")).text

    asyncio.run(run())


def test_a_submission_is_made_under_the_text_of_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Eight decks are allowed until the day of the amendment: by default of today, or of the day that is named."""
    put_shelf(tmp_path, monkeypatch)(
        lambda folder: write_amendment(folder / BOOK, DAY, "choices = [6, 8]", "choices = [6]")
    )
    eight, now = {"decks": 8}, [MIDNIGHT - 60]
    asked = f"//submission?game={BOOK}&submission={quote(json.dumps(eight))}"
    names = {
        day: rules_hash(Rulebook.load(BOOK, at=day).under(decks)) for day, decks in (("2026-01-01", eight), (DAY, {}))
    }

    async def run() -> None:
        async with inside(tmp_path, clock=lambda: now[0]) as inn:
            page = inn.clients["auditor"].get
            for midnight, at, status in (
                (False, "", 200), (False, DAY, 422), (True, "", 422), (True, "2026-01-01", 200), (True, "soon", 422),
            ):  # fmt: skip
                now[0] = MIDNIGHT - 60 + 60 * midnight
                told = await page(f"{asked}&at={at}")
                assert (told.status_code, names["2026-01-01"] in told.text) == (status, status == 200), (midnight, at)
            text = (await page(f"//submission?game={BOOK}&at={DAY}")).text
            assert names[DAY] in text
            assert f"in force since {DAY} (a test)" in text
            told = json.loads(unescape(re.findall('data-ask="([^"]*papers[^"]*)"', text)[0]))
            assert rules_hash(rules_asked(told)) == names[DAY]
            assert "was not yet law" in (await page(f"//submission?game={BOOK}&at=2010-01-01")).text

    asyncio.run(run())
    file = tmp_path / "ours.json"
    file.write_text(json.dumps(eight))
    words = ["submission", BOOK, "--submission", str(file), "--at", DAY, "--out", str(tmp_path / "papers")]
    assert main(words) == REFUSED
    assert "58 Pa. Code § 635a.3(a)" in capsys.readouterr().err
