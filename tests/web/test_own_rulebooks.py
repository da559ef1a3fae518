"""The law's pages, its interface and the tables of other books go on where a rulebook of one's own has a fault."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from html import unescape
from pathlib import Path

import pytest

from tests.unit.own_books import FAULTS, NAME, OUR_OWN, copy_of_our_own
from tests.web.inside import Inside, inside, open_table
from twentyone.rulebook import rulebook_ids
from twentyone.rulebook.folders import OWN_FOLDER
from twentyone.service.service import Service

PACKAGE = rulebook_ids()


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "books"
    folder.mkdir()
    monkeypatch.setenv(OWN_FOLDER, str(folder))
    return folder


def within(folder: Path, look: Callable[[Inside], Awaitable[None]]) -> None:
    """Look at the application from inside."""

    async def run() -> None:
        async with inside(folder) as inn:
            await look(inn)

    asyncio.run(run())


def test_the_interface_goes_on(shelf: Path, tmp_path: Path) -> None:
    """The faulty book is not among the books, asked for by name it is 404 with the reason, and all others answer."""
    FAULTS[0].spoil(copy_of_our_own(shelf))

    async def look(inn: Inside) -> None:
        client = inn.clients["visitor"]
        assert [row["rulebook"] for row in (await client.get("/law")).json()] == list(PACKAGE)
        refused = await client.get(f"/law/{NAME}")
        assert refused.status_code == 404
        assert FAULTS[0].said in refused.json()["why"]
        for path in ("/law/coverage", "/law/search?q=cover", f"/law/{OUR_OWN}", f"/law/{OUR_OWN}/8(f)"):
            assert (await client.get(path)).status_code == 200, path

    within(tmp_path, look)


def test_a_book_without_a_fault_is_served(shelf: Path, tmp_path: Path) -> None:
    """The control: a whole book of one's own is among the others."""
    copy_of_our_own(shelf)

    async def look(inn: Inside) -> None:
        client = inn.clients["visitor"]
        assert NAME in [row["rulebook"] for row in (await client.get("/law")).json()]
        assert (await client.get(f"/law/{NAME}/8(f)")).status_code == 200

    within(tmp_path, look)


def test_the_pages_go_on(shelf: Path, tmp_path: Path) -> None:
    """The contents name the fault beside the books that load; the page of the faulty book says what it is."""
    FAULTS[0].spoil(copy_of_our_own(shelf))

    async def look(inn: Inside) -> None:
        client = inn.clients["visitor"]
        contents = (await client.get("//law")).text
        assert "Left out: my-game/" in contents
        assert all(f"/law/{book}" in contents for book in PACKAGE)
        page = await client.get(f"//law/{NAME}")
        assert (page.status_code, FAULTS[0].said in unescape(page.text)) == (422, True)

    within(tmp_path, look)


def test_tables_of_other_books_are_served(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger with a table whose rulebook no longer loads: it goes on under the law that the ledger has kept."""
    folder = copy_of_our_own(shelf)

    async def open_both(inn: Inside) -> None:
        await open_table(inn.service, "a-mine", NAME, {"Ann": [1]})
        await open_table(inn.service, "theirs", OUR_OWN, {"Ann": [1]})

    within(tmp_path, open_both)
    FAULTS[0].spoil(folder)
    monkeypatch.setenv(OWN_FOLDER, f"{shelf}/")

    async def look(inn: Inside) -> None:
        assert sorted(inn.service.tables) == ["a-mine", "theirs"]
        for name in ("a-mine", "theirs"):
            laid = await inn.clients["guest"].command(name, "place_wager", box=1, amount="10")
            assert (laid.status_code, "wager_laid" in laid.json()["events"]) == (200, True), laid.text

    Service(str(tmp_path / "inside.db"), clock=lambda: 1).check()
    within(tmp_path, look)


def test_a_new_ledger_opens_a_table_of_a_book_without_limits(shelf: Path, tmp_path: Path) -> None:
    """Our limits are left out where a book has no such choice."""
    file = copy_of_our_own(shelf) / "03-wagers.md"
    text = file.read_text(encoding="utf-8")
    begin, end = text.index("[submission.table_minimum]"), text.index("```\n\n> submission: `table_minimum`")
    file.write_text(text[:begin] + text[end:], encoding="utf-8")

    async def run() -> None:
        service = Service(str(tmp_path / "new.db"), clock=lambda: 1_750_000_000)
        await service.start()
        assert sorted(service.tables) == sorted((*PACKAGE, NAME))
        await service.stop()

    asyncio.run(run())


def test_rules_that_are_not_there_are_in_the_ledger(shelf: Path, tmp_path: Path) -> None:
    """Without the folder the table of an own book is played on: the ledger has kept its law."""
    copy_of_our_own(shelf)

    async def open_one(inn: Inside) -> None:
        await open_table(inn.service, "mine", NAME, {"Ann": [1]})

    async def look(inn: Inside) -> None:
        assert inn.service.table("mine").runner.table.rules.rulebook.id == NAME
        assert (await inn.clients["guest"].get("//table/mine")).status_code == 200

    within(tmp_path, open_one)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(OWN_FOLDER)
        within(tmp_path, look)
