"""One table's trouble is its own: a stream that cannot be read stays closed and is named; the others are served."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.web.inside import Inside, inside, open_table

NAMES = ("one", "two", "three")
BROKEN = "two"


def _within(folder: Path, work: Callable[[Inside], Awaitable[None]]) -> None:
    async def run() -> None:
        async with inside(folder) as inn:
            await work(inn)

    asyncio.run(run())


def _damage(path: Path) -> None:
    """Somebody writes into an event in the middle of a stream."""
    raw = sqlite3.connect(path, isolation_level=None)
    guards = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in guards:
        raw.execute(f"DROP TRIGGER {name}")
    raw.execute("DELETE FROM snapshots")
    raw.execute("UPDATE events SET body = '{\"data\":7}' WHERE stream = ? AND ver = 6", (BROKEN,))
    for _, sql in guards:
        raw.execute(sql)
    raw.close()


def test_a_damaged_stream_stays_closed_and_the_others_are_played(tmp_path: Path) -> None:
    async def play(inn: Inside) -> None:
        for name in NAMES:
            await open_table(inn.service, name, "pa-spanish-21", {"Ann": [1]} if name != BROKEN else {"Bob": [1]})

    async def look(inn: Inside) -> None:
        assert [*inn.service.tables] == ["one", "three"]
        why = inn.service.unloaded[BROKEN]
        assert "verify the ledger" in why
        client = inn.clients["guest"]
        assert (await client.get("/health")).json()["closed"] == [BROKEN]
        page = await client.get("//")
        assert (page.status_code, f'data-closed="{BROKEN}"' in page.text, "verify the ledger" in page.text) == (
            200,
            True,
            True,
        )
        assert (await client.get(f"//table/{BROKEN}")).status_code in (409, 503)
        board = (await inn.clients["floorperson"].get("/pit")).json()
        assert any(BROKEN in alarm["says"] for alarm in board["alarms"])
        laid = await client.command("one", "place_wager", box=1, amount="10")
        assert laid.status_code == 200, laid.text

    _within(tmp_path, play)
    _damage(tmp_path / "inside.db")
    _within(tmp_path, look)
